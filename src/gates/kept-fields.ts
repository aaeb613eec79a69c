// Fields that a record keeps from the previous record. Part of gate4_stability. If two adjacent records share a text that
// is not in the lines of the later one, the text is changed in the lines of the earlier one; does the later record change,
// too? A heading of several records has this effect. It is an error only if no heading explains it: the text is below the
// line of the earlier record, and other records have their own text there; or both texts are words of the code, chosen by
// the line of the earlier record. Otherwise the author is asked: "as above" is a valid format.
// Targets `let status = "ok"` outside the loop, and an object for fields that is not created for each record.
import type { ParsedItem } from "../contract/atoms.ts";
import type { AtomRuns, Run, RunInput } from "./atom-runs.ts";
import { shape } from "./completeness.ts";
import type { Findings } from "./findings.ts";
import { leaves } from "./leaves.ts";
import { otherWord } from "./policy-changes.ts";
import { type Sample, spread } from "./samples.ts";
import { show } from "./show.ts";

const GATE = "gate4_stability";
/** Limits: pairs of records of a sample, lines of a record, and words of a line. */
const MAX = { pairs: 6, lines: 12, words: 8 };

/** A field of two neighbouring records with the same text. */
interface Shared {
  sample: Sample;
  earlier: ParsedItem;
  later: ParsedItem;
  path: string;
  text: string;
  /** 1-based lines of the earlier record: from its own to the one before the later record. */
  from: number;
  to: number;
}

/** A change in the lines of the earlier record. */
interface Trial {
  shared: Shared;
  at: number;
  word: string;
  input: RunInput;
}

/** Runs the check on one sample. */
export async function checkKeptFields(runs: AtomRuns, sample: Sample, findings: Findings): Promise<void> {
  const trials = sharedFields(sample).flatMap(trialsOf);
  const results = await runs.runMany(trials.map((trial) => trial.input));
  const reported = new Set<string>();
  for (const [i, trial] of trials.entries()) {
    const { shared, at, word } = trial;
    const newText = textAfterChange(shared, results[i]);
    if (newText === undefined || reported.has(shared.path)) continue;
    reported.add(shared.path);
    const { earlier, later, path, text } = shared;
    const message = `With ${show(word, 60)} changed in line ${at}, which belongs to the record of line ${earlier.line_number}, the field \`${path}\` of line ${later.line_number} changes from ${show(text, 60)} to ${show(newText, 60)}`;
    const example = show([lineOf(sample, at), later.matched_content], 300);
    if (isLeak(trial, newText)) {
      const text = `${message}: a field must not be kept from the previous record; create new fields for each record.`;
      findings.error(GATE, "atom_a", "field_kept", text, { example });
    } else {
      findings.suspect(GATE, "atom_a", "field_follows", `${message}. Correct only if the page requires it.`, {
        example,
      });
    }
  }
}

/** Fields with the same text as in the previous record, which is not in the record's own lines. */
function sharedFields(sample: Sample): Shared[] {
  const placed = sample.records
    .filter((r) => r.line_number !== null)
    .sort((a, b) => (a.line_number ?? 0) - (b.line_number ?? 0));
  const lines = sample.text.split("\n");
  const pairs = placed.slice(1).flatMap((later, i) => {
    const earlier = placed[i];
    const from = earlier?.line_number ?? 0;
    const to = (later.line_number ?? 0) - 1;
    if (earlier === undefined || to < from) return [];
    const next = placed[i + 2]?.line_number ?? lines.length + 1;
    const own = lines.slice(to, next - 1).join("\n");
    const before = new Map([...leaves(earlier.parsed_fields, "")].map((leaf) => [leaf.path, leaf.text]));
    return [...leaves(later.parsed_fields, "")].flatMap(({ path, text }) => {
      const isShared = text !== "" && before.get(path) === text && !own.includes(text);
      return isShared ? [{ sample, earlier, later, path, text, from, to }] : [];
    });
  });
  const paths = [...new Set(pairs.map(({ path }) => path))];
  return paths.flatMap((path) =>
    spread(
      pairs.filter((pair) => pair.path === path),
      MAX.pairs,
    ),
  );
}

/** Changes the text in each line of the earlier record that contains it; or else each word of its own line that the later
 * record does not have. */
function trialsOf(shared: Shared): Trial[] {
  const { sample, from, to, text, earlier, later } = shared;
  const lines = sample.text.split("\n");
  const last = Math.min(to, from + MAX.lines);
  const places = [];
  for (let at = from; at <= last; at++) if (lines[at - 1]?.includes(text)) places.push(at);
  if (places.length > 0) return places.map((at) => trial(shared, lines, at, text));
  const others: string[] = later.matched_content.match(WORDS) ?? [];
  const words = [...new Set(earlier.matched_content.match(WORDS) ?? [])].filter((w) => !others.includes(w));
  return words.slice(0, MAX.words).map((word) => trial(shared, lines, from, word));
}

const WORDS = /\p{L}[\p{L}_]+/gu;

function trial(shared: Shared, lines: readonly string[], at: number, word: string): Trial {
  const changed = [...lines];
  changed[at - 1] = (changed[at - 1] ?? "").replaceAll(word, otherText(word));
  const what = `a log with ${show(otherText(word), 60)} for ${show(word, 60)} in line ${at}`;
  const { path: sourceFile } = shared.sample;
  return { shared, at, word, input: { text: changed.join("\n"), sourceFile, gate: GATE, what, odd: true } };
}

/** A text of the same form. */
function otherText(text: string): string {
  return otherWord(text).replace(/\d/g, (digit) => String((Number(digit) + 3) % 10));
}

/** The new text of the field in both records; undefined unless it changed in the same way. */
function textAfterChange(
  { earlier, later, path, text, sample }: Shared,
  run: Run | undefined,
): string | undefined {
  if (run?.ok !== true || run.records.length !== sample.records.length) return undefined;
  const textIn = (record: ParsedItem): string | undefined => {
    const onLine = run.records.filter((r) => r.line_number === record.line_number);
    const [only] = onLine;
    if (onLine.length !== 1 || only === undefined) return undefined;
    return [...leaves(only.parsed_fields, "")].find((leaf) => leaf.path === path)?.text;
  };
  const newText = textIn(later);
  return newText !== undefined && newText !== text && textIn(earlier) === newText ? newText : undefined;
}

/** Is the field kept by mistake, since no heading explains it? */
function isLeak({ shared, at, input }: Trial, newText: string): boolean {
  const { sample, earlier, later, text, from } = shared;
  const occurs = (part: string, whole: string): boolean => whole.toLowerCase().includes(part.toLowerCase());
  if (!occurs(text, sample.text) && !occurs(newText, input.text)) {
    // The later line has the form of the earlier one without the deciding part.
    return at === from && shape(earlier.matched_content).startsWith(shape(later.matched_content));
  }
  return at > from && hasOwnElsewhere(shared);
}

/** Has another record its own text for this field below its line? Then the field is not a heading. */
function hasOwnElsewhere({ sample, earlier, later, path, text }: Shared): boolean {
  const lines = sample.text.split("\n");
  const starts = sample.records.flatMap((r) => (r.line_number === null ? [] : [r.line_number]));
  return sample.records.some((other) => {
    const line = other.line_number;
    if (other === earlier || other === later || line === null) return false;
    const next = starts.filter((n) => n > line).sort((a, b) => a - b)[0] ?? lines.length + 1;
    const below = lines.slice(line, next - 1).join("\n");
    return [...leaves(other.parsed_fields, "")].some(
      (leaf) => leaf.path === path && leaf.text !== "" && leaf.text !== text && below.includes(leaf.text),
    );
  });
}

function lineOf(sample: Sample, at: number): string {
  return sample.text.split("\n")[at - 1] ?? "";
}
