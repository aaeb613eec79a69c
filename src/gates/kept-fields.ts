// A field that a record keeps from the record before it. Part of gate4_stability. A text that two neighbouring records
// share, and that the later one does not show, is changed at the place of the earlier one; then the later one follows.
// A heading above several records may do that. An error is only what no heading does: the text is below the line of
// the earlier record and both follow, while other records have their own text there; or both texts are words of
// the code, chosen by the line of the earlier record. Else it is a warning: "as above" is a format too.
// Built against: `let status = "ok"` outside of the loop, an object for fields that is not emptied for each record.
import type { ParsedItem } from "../contract/atoms.ts";
import type { AtomRuns, Run, RunInput } from "./atom-runs.ts";
import { shape } from "./completeness.ts";
import type { Findings } from "./findings.ts";
import { leaves } from "./leaves.ts";
import { otherWord } from "./policy-changes.ts";
import { type Sample, spread } from "./samples.ts";
import { show } from "./show.ts";

const GATE = "gate4_stability";
/** Pairs of records of a sample, lines of a record, and words of a line that are tried. */
const TRIED = { pairs: 6, lines: 12, words: 8 };

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

/** A change at the place of the earlier record. */
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
    const now = followed(shared, results[i]);
    if (now === undefined || reported.has(shared.path)) continue;
    reported.add(shared.path);
    const { earlier, later, path, text } = shared;
    const message = `With ${show(word, 60)} changed in line ${at}, which belongs to the record of line ${earlier.line_number}, the field \`${path}\` of line ${later.line_number} changes from ${show(text, 60)} to ${show(now, 60)}`;
    const example = show([lineOf(sample, at), later.matched_content], 300);
    if (isLeak(trial, now)) {
      const text = `${message}: a field must not be kept from the record before; begin each record with nothing.`;
      findings.error(GATE, "atom_a", "field_kept", text, { example });
    } else {
      findings.suspect(GATE, "atom_a", "field_follows", `${message}. Right only if the page says so.`, {
        example,
      });
    }
  }
}

/** Fields of which a record shows nothing and that are as in the record before. */
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
      TRIED.pairs,
    ),
  );
}

/** Each place of the text in the lines of the earlier record; where there is none, each word of its own line that
 * the later record does not have. */
function trialsOf(shared: Shared): Trial[] {
  const { sample, from, to, text, earlier, later } = shared;
  const lines = sample.text.split("\n");
  const last = Math.min(to, from + TRIED.lines);
  const places = [];
  for (let at = from; at <= last; at++) if (lines[at - 1]?.includes(text)) places.push(at);
  if (places.length > 0) return places.map((at) => trial(shared, lines, at, text));
  const others: string[] = later.matched_content.match(WORDS) ?? [];
  const words = [...new Set(earlier.matched_content.match(WORDS) ?? [])].filter((w) => !others.includes(w));
  return words.slice(0, TRIED.words).map((word) => trial(shared, lines, from, word));
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

/** The text that both records have after the change; undefined unless both changed, and alike. */
function followed({ earlier, later, path, text, sample }: Shared, run: Run | undefined): string | undefined {
  if (run?.ok !== true || run.records.length !== sample.records.length) return undefined;
  const now = (record: ParsedItem): string | undefined => {
    const same = run.records.filter((r) => r.line_number === record.line_number);
    const [only] = same;
    if (same.length !== 1 || only === undefined) return undefined;
    return [...leaves(only.parsed_fields, "")].find((leaf) => leaf.path === path)?.text;
  };
  const after = now(later);
  return after !== undefined && after !== text && now(earlier) === after ? after : undefined;
}

/** Is it a leak, which no heading explains? */
function isLeak({ shared, at, input }: Trial, now: string): boolean {
  const { sample, earlier, later, text, from } = shared;
  const occurs = (part: string, whole: string): boolean => whole.toLowerCase().includes(part.toLowerCase());
  if (!occurs(text, sample.text) && !occurs(now, input.text)) {
    // The later line is the earlier one without the part that decides.
    return at === from && shape(earlier.matched_content).startsWith(shape(later.matched_content));
  }
  return at > from && hasOwnElsewhere(shared);
}

/** Has another record its own text for this field below its line? Then the field belongs to each record. */
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
