// gate4_no_policy: other values in a log give records with other values, not fewer records; no literal of the
// requirements or waivers decides what is extracted (rule PR5). Each value of a sample of records is replaced in
// its line by another of the same form: by values that stand in the same column of the log, and by made-up ones.
// Proves that the format alone decides, for these records. A record that disappears is an error only where the code's
// own pattern still matches the changed line, or where the config names the very text that decides, and where the log
// shows that the column is no fixed word of the format; else it is a warning.
// Built against: `if (year !== "2025") continue`, records of required names only, waived names left out.
import type { AtomSession, Sandbox } from "../../sandbox/types.ts";
import type { ParsedItem } from "../contract/atoms.ts";
import type { NormalizedConfig } from "../contract/config.ts";
import type { ItemSpec } from "../spec/types.ts";
import type { AtomRuns, Run, RunInput } from "./atom-runs.ts";
import { columnOf } from "./columns.ts";
import type { Findings } from "./findings.ts";
import { type Sample, spread } from "./samples.ts";
import { show } from "./show.ts";
import type { Literals } from "./static/literals.ts";
import { leaves } from "./value-grounding.ts";

const GATE = "gate4_no_policy";
const RECORDS_PER_SAMPLE = 5;
const MAX_CHANGES = 90;
/** Values of the same column that are put in. */
const OBSERVED = 2;
/** Lines of a record that are changed. */
const MAX_HEIGHT = 6;
export interface PolicyAim {
  samples: readonly Sample[];
  literals: Literals;
  config: NormalizedConfig | undefined;
  spec: ItemSpec | undefined;
}

interface Change {
  sample: Sample;
  record: ParsedItem;
  /** 1-based line that is changed: the record's, or one that belongs to it. */
  at: number;
  /** What stood there and what stands there now. */
  from: string;
  to: string;
  before: string;
  line: string;
  kind: "number" | "word" | "named";
  /** Other texts of the same column: of all lines of this form, and of records only. */
  column: { all: string[]; records: string[] };
  /** For a named change: the line with a text of the same form that nobody names. */
  control?: string;
}

/** Runs the gate; without records it stays open. */
export async function runNoPolicyGate(
  runs: AtomRuns,
  aim: PolicyAim,
  sandbox: Sandbox,
  findings: Findings,
): Promise<void> {
  const changes = aim.samples.flatMap((sample) => changesOf(sample, aim)).slice(0, MAX_CHANGES);
  if (changes.length === 0) return;
  const survivors = async (
    list: readonly Change[],
    lineOf: (change: Change) => string,
  ): Promise<boolean[]> => {
    const results = await runs.runMany(list.map((change) => input(change, lineOf(change))));
    return list.map((change, i) => {
      const run = results[i];
      return run?.ok !== true || run.records.some((r) => r.line_number === change.record.line_number);
    });
  };
  const first = await runs.runMany(changes.map((change) => input(change, change.line)));
  checkFollows(changes, first, findings);
  const survived = await survivors(changes, (change) => change.line);
  const gone = changes.filter((_, i) => survived[i] === false);
  // A record put together from several lines needs the same text in all of them.
  const everywhere = await runs.runMany(gone.map(inputEverywhere));
  const lost = gone.filter((change, i) => {
    const run = everywhere[i];
    return (
      change.kind === "named" ||
      run?.ok !== true ||
      !run.records.some((r) => r.line_number === change.record.line_number)
    );
  });
  const named = lost.filter((change) => change.control !== undefined);
  const controls = await survivors(named, (change) => change.control ?? change.before);
  const controlled = new Set(named.filter((_, i) => controls[i] === true));
  // A number of which some others are fine is judged by its size: the format is the same.
  const sized = new Set(
    lost.filter((a) => changes.some((b, i) => survived[i] === true && b.kind === "number" && sameText(a, b))),
  );
  if (lost.length > 0) {
    const session = await sandbox.open({ name: "patterns of atom_a.js", source: PATTERN_TESTER });
    try {
      await judgeLost(lost, { controlled, sized }, session, aim, findings);
    } finally {
      await session.close();
    }
  }
  findings.ran(GATE);
}

/** A value that stays what it was when the text it shows is gone was not read: it is a literal. */
function checkFollows(changes: readonly Change[], results: readonly Run[], findings: Findings): void {
  for (const [i, { from, to, record, sample, line, before, kind }] of changes.entries()) {
    const run = results[i];
    if (kind === "named" || run?.ok !== true || !isOwn(record.value, from) || !isOwn(before, from)) continue;
    const same: ParsedItem | undefined = run.records.find(
      (r) => r.line_number === record.line_number && r.value === record.value,
    );
    // What still stands elsewhere may come from there.
    const elsewhere = sample.text.replace(before, () => line);
    if (same === undefined || isOwn(elsewhere, from) || isOwn(sample.path, from)) continue;
    const others = sample.records.filter((r) => r !== record && isOwn(r.value, from));
    if (others.length > 0) continue;
    const message = `With ${show(from, 60)} changed to ${show(to, 60)} in line ${record.line_number}, \`value\` is still ${show(record.value, 80)}: it is written in the code and not read.`;
    findings.error("gate4_evidence", "atom_a", "value_not_read", message, {
      example: show([before, line], 300),
    });
    return;
  }
}

/** Does a text hold a word as a whole one? */
function isOwn(text: string, word: string): boolean {
  const words: string[] = text.match(WORD) ?? [];
  return words.includes(word);
}

/** The same change in every place where the changed word stands. */
function inputEverywhere(change: Change): RunInput {
  const { sample, record } = change;
  const [from, to] = changedWord(change);
  const what = `a log with ${show(to, 60)} for ${show(from, 60)}, line ${record.line_number}`;
  const lines = sample.text
    .split("\n")
    .map((line, i) =>
      i + 1 === change.at ? change.line : line.replace(WORD, (word) => (word === from ? to : word)),
    );
  return { text: lines.join("\n"), sourceFile: sample.path, gate: GATE, what };
}

const WORD = /[\p{L}\p{N}_]+/gu;

/** The whole word that a change is part of, before and after. */
function changedWord(change: Change): [string, string] {
  const before = change.before.match(WORD) ?? [];
  const after = change.line.match(WORD) ?? [];
  const at = before.findIndex((word, i) => word !== after[i]);
  return [before[at] ?? change.from, after[at] ?? change.to];
}

/** Do two changes replace the same text at the same place? */
function sameText(a: Change, b: Change): boolean {
  return a.record === b.record && a.at === b.at && a.from === b.from;
}

function input(change: Change, line: string): RunInput {
  const lines = change.sample.text.split("\n");
  lines[change.at - 1] = line;
  return {
    text: lines.join("\n"),
    sourceFile: change.sample.path,
    gate: GATE,
    what: `a log with the line ${show(line, 120)}`,
  };
}

async function judgeLost(
  lost: readonly Change[],
  known: { controlled: ReadonlySet<Change>; sized: ReadonlySet<Change> },
  session: AtomSession,
  aim: PolicyAim,
  findings: Findings,
): Promise<void> {
  const policy = policyWords(aim);
  const format = formatWords(aim.spec);
  for (const change of lost) {
    const { from, to, kind, record } = change;
    const rule = "Values must not decide whether a record is extracted (PR5)";
    const where =
      change.at === record.line_number ? `line ${change.at}` : `the record of line ${record.line_number}`;
    const what = `with ${show(from, 60)} changed to ${show(to, 60)}, ${where} is no record any more`;
    const example = show([change.before, change.line], 300);
    if (kind === "named") {
      if (!known.controlled.has(change)) continue;
      const message = `${rule}; ${what}, but with any other name it is. The config names ${show(to, 60)}: leave the judgement to it.`;
      findings.error(GATE, "atom_a", "named_value_dropped", message, { example });
      continue;
    }
    const matches = await stillMatches(session, aim.literals, change.before, change.line);
    const beyond = matches || (kind === "number" && known.sized.has(change));
    const literal = decidingLiteral(aim.literals, from);
    const described = format.has(from.toLowerCase());
    const named = policy.has(from.toLowerCase()) && !described;
    const whole = literal !== undefined && isWholePattern(literal, aim.config);
    const byNumber = kind === "number" && beyond && !described && decidesByNumber(aim, change, format);
    const fixed = kind === "word" && isFixed(change);
    if ((named && (beyond || (whole && !fixed))) || byNumber) {
      const by = literal === undefined ? "" : ` The code decides by ${show(literal, 60)}.`;
      findings.error(GATE, "atom_a", "value_decides", `${rule}; ${what}.${by}`, { example });
    } else {
      const message = `${what}. Right only if the format itself fixes this text.`;
      findings.warn(GATE, "atom_a", "value_decides", message, { example });
    }
  }
}

/** A word that is the same in all records may be part of the format, unless it is the value and others have others. */
function isFixed({ column, record, from, sample }: Change): boolean {
  if (column.records.length > 0) return false;
  return record.value !== from || sample.records.every(({ value }) => value === from);
}

/** A number, or a text with this number in it, that the code compares with and the page does not describe; or a
 * pattern that is one of the config's. */
function decidesByNumber(aim: PolicyAim, { from, to, column }: Change, format: ReadonlySet<string>): boolean {
  const regexes = [
    ...(aim.config?.requirements.pattern_items ?? []),
    ...(aim.config?.waivers.waive_items ?? []),
  ]
    .filter((text) => text.startsWith("regex:"))
    .map((text) => text.slice("regex:".length));
  if (aim.literals.patterns.some((p) => p.source.length > 2 && regexes.includes(p.source))) return true;
  const numbers = aim.literals.comparedNumbers.filter((n) => !format.has(String(Math.abs(n))));
  // A bound above everything that was observed may be the end of a range that the format has by nature (hours, percent,
  // bytes); one that stands in the midst of observed values is a decision.
  const seen = [from, ...column.all].map(Number);
  const isEnd = (n: number): boolean => Number(to) > n && seen.every((value) => value <= n) && !isYear(from);
  if (numbers.some((n) => !isEnd(n))) return true;
  return aim.literals.texts.some((t) => t.decides && wordsIn(t.text).some((word) => word === from));
}

function isYear(digits: string): boolean {
  return /^(?:19|20)\d\d$/.test(digits);
}

/** Lines with one value changed. */
function changesOf(sample: Sample, aim: PolicyAim): Change[] {
  const numbers = [...new Set(sample.records.map((r) => r.line_number))]
    .filter((n): n is number => n !== null)
    .sort((a, b) => a - b);
  const placed = sample.records.filter((r) => r.line_number !== null && !r.matched_content.includes("\n"));
  const lines = sample.text.split("\n");
  const changes: Change[] = [];
  for (const record of spread(placed, RECORDS_PER_SAMPLE)) {
    const start = record.line_number ?? 1;
    const next = numbers.find((n) => n > start) ?? lines.length + 1;
    const told = [record.value, ...[...leaves(record.parsed_fields, "")].map((leaf) => leaf.text)];
    for (let at = start; at < Math.min(next, start + MAX_HEIGHT); at++) {
      const line = lines[at - 1] ?? "";
      // Lines behind the first belong to the record only if they hold something of it.
      if (at > start && !told.some((text) => text.length > 1 && line.includes(text))) continue;
      changes.push(...changesOfLine({ sample, record, at, before: line }, told, aim));
    }
  }
  // One change of each text is enough; named ones first, since they are the surest.
  const seen = new Set<string>();
  return changes
    .sort((a, b) => Number(b.kind === "named") - Number(a.kind === "named"))
    .filter((change) => {
      const key = [change.kind, change.to, ...changedWord(change)].join(" ");
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    });
}

type Place = Pick<Change, "sample" | "record" | "at" | "before">;

function changesOfLine(place: Place, told: readonly string[], aim: PolicyAim): Change[] {
  const { before: line, record } = place;
  const changes: Change[] = [];
  const { records, text } = place.sample;
  const values = new Set(records.map((r) => r.value));
  const lines = text.split("\n");
  const recordLines = new Set(records.map((r) => r.matched_content));
  const observed = (at: number): string[] => columnOf(line, at, lines, recordLines).all.slice(0, OBSERVED);
  const add = (kind: Change["kind"], at: number, from: string, to: string, control?: string): void => {
    // A value that is there already may be dropped as a repetition, which is judged elsewhere.
    const becomes = record.value.includes(from) ? record.value.replace(from, to) : to;
    if (to === from || values.has(becomes)) return;
    const more = control === undefined ? {} : { control: replaceAt(line, at, from, control) };
    const column = columnOf(line, at, lines, recordLines);
    changes.push({ ...place, from, to, kind, line: replaceAt(line, at, from, to), column, ...more });
  };
  for (const found of line.matchAll(/\d+/g)) {
    const from = found[0];
    if (!told.some((text) => text.includes(from))) continue;
    const after = line.slice(found.index + from.length);
    const made = otherNumbers(from, line.slice(0, found.index), after);
    for (const to of new Set([...observed(found.index), ...made])) add("number", found.index, from, to);
  }
  for (const found of line.matchAll(/\p{L}[\p{L}_]+/gu)) {
    const from = found[0];
    if (!record.value.includes(from)) continue;
    for (const to of new Set([...observed(found.index), otherWord(from)])) add("word", found.index, from, to);
  }
  for (const name of namesOf(aim.config)) {
    for (const [from, to] of alignments(record.value, name)) {
      const at = line.indexOf(from);
      if (at >= 0 && otherNumberWord(to) !== to) add("named", at, from, to, otherNumberWord(to));
    }
  }
  return changes;
}

/** Texts of a value and what a name of the config would put in their place: the whole, or part by part. */
function alignments(value: string, name: string): [string, string][] {
  const pairs: [string, string][] = [[value.trim(), name]];
  const parts = (text: string): string[] => text.split(/[\s:@,;]+/).filter((part) => part !== "");
  const ours = parts(value);
  const theirs = parts(name);
  ours.forEach((from, i) => {
    const to = theirs[i];
    if (to !== undefined && /\p{L}{2}/u.test(to) && /\p{L}/u.test(from)) pairs.push([from, to]);
  });
  return pairs.filter(([from]) => from !== "");
}

function replaceAt(line: string, at: number, from: string, to: string): string {
  return line.slice(0, at) + to + line.slice(at + from.length);
}

/** Other numbers of the same form, a smaller and a larger one: no zeros made or lost, years stay years, parts of
 * times and dates stay valid. */
function otherNumbers(digits: string, before: string, after: string): string[] {
  const inside = /[\d][.:]$/.test(before) || /^[.:]\d/.test(after);
  if (/^0+$/.test(digits)) return inside ? [] : [digits.replace(/\d$/, "3")];
  if (/^(?:19|20)\d\d$/.test(digits)) return digits === "2019" ? ["2018", "2028"] : ["2019", "2031"];
  const inTime = /[:T-]$|\/$/.test(before) || /^[:-]|^\//.test(after);
  const last = Number(digits.at(-1));
  if (digits.length <= 2 && inTime) return [`${digits.slice(0, -1)}${last > 1 ? last - 1 : last + 1}`];
  const small = digits.replace(/[1-9]/g, "1");
  const large = digits.replace(/[1-9]/g, "8");
  return [...new Set([small, large])].filter((n) => n !== digits);
}

/** Another word of the same letters' kinds. */
function otherWord(word: string): string {
  const next = (base: number, c: string): string =>
    String.fromCharCode(base + ((c.charCodeAt(0) - base + 7) % 26));
  return word.replace(/[a-z]/g, (c) => next(97, c)).replace(/[A-Z]/g, (c) => next(65, c));
}

function otherNumberWord(text: string): string {
  return text.replace(/\p{L}+/gu, otherWord).replace(/[1-9]/g, (d) => String((Number(d) % 9) + 1));
}

/** Concrete texts that patterns and waivers of the config name. */
function namesOf(config: NormalizedConfig | undefined): string[] {
  if (!config) return [];
  const texts = [...config.requirements.pattern_items, ...config.waivers.waive_items];
  const names = texts.flatMap((text) => {
    if (text.includes("|")) return text.split("|").map((part) => part.trim());
    if (text.startsWith("regex:")) {
      const plain = text
        .slice(6)
        .replace(/^\^|\$$/g, "")
        .replaceAll("\\d+", "12")
        .replaceAll("\\d", "1")
        .replaceAll("\\.", ".")
        .replaceAll(".*", "x")
        .replaceAll("\\w+", "abc");
      return /[\\^$()[\]{}+*?|]/.test(plain) ? [] : [plain];
    }
    return [
      text
        .replaceAll("*", "x1")
        .replaceAll("?", "a")
        .replace(/\[!?([^\]])[^\]]*\]/g, "$1"),
    ];
  });
  return [...new Set(names)].filter((name) => name.trim() !== "" && name.length < 200).slice(0, 12);
}

/** Words that the requirements and waivers ask for: of the config, and of sections 2 and 3 of the page. */
function policyWords(aim: PolicyAim): Set<string> {
  const texts = [
    ...(aim.config?.requirements.pattern_items ?? []),
    ...(aim.config?.waivers.waive_items ?? []),
    aim.spec?.sections["2"]?.text ?? "",
    aim.spec?.sections["3"]?.text ?? "",
  ];
  return wordSet(texts.join("\n"));
}

/** Words that describe the format: sections 1 and 4.1. Empty without the page. */
function formatWords(spec: ItemSpec | undefined): Set<string> {
  return wordSet([spec?.sections["1"]?.text, spec?.sections["4.1"]?.text].join("\n"));
}

function wordsIn(text: string): string[] {
  return text.match(/\p{L}[\p{L}_]+|\d+/gu) ?? [];
}

function wordSet(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/\p{L}[\p{L}_]+|\d+/gu) ?? []);
}

/** A literal of the code that holds the changed text as a word. */
function decidingLiteral(literals: Literals, from: string): string | undefined {
  const isWord = (text: string): boolean => wordsIn(text).some((word) => word === from);
  return (
    literals.texts.find((t) => isWord(t.text))?.text ??
    literals.patterns.find((p) => isWord(p.source))?.source
  );
}

function isWholePattern(literal: string, config: NormalizedConfig | undefined): boolean {
  const plain = literal.trim().toLowerCase();
  const texts = [...(config?.requirements.pattern_items ?? []), ...(config?.waivers.waive_items ?? [])];
  return texts.some((text) => {
    const parts = text.includes("|")
      ? text.split("|")
      : [text.replace(/^regex:\^?/, "").replace(/[*?$\\]/g, "")];
    return parts.some((part) => part.trim().toLowerCase() === plain);
  });
}

/** Does a pattern of the code match the line as it was and as it is? Then something beyond the format decided. */
async function stillMatches(
  session: AtomSession,
  literals: Literals,
  before: string,
  after: string,
): Promise<boolean> {
  const patterns = literals.patterns
    .filter((p) => /[(\\.[]/.test(p.source))
    .slice(0, 60)
    .map((p) => [p.source, p.flags, p.fromText]);
  const outcome = await session.call("matching", [patterns, before, after], { limits: { timeoutMs: 3_000 } });
  return outcome.ok && outcome.value === true;
}

/** Runs in the sandbox: nobody has vetted these patterns. */
const PATTERN_TESTER = `function matching(patterns, before, after) {
  const groups = (source, flags, fromText, line) => {
    try {
      if (fromText) { const m = re.search(source, line, flags === "" ? undefined : flags); return m === null ? null : m.groups(); }
    } catch {}
    try {
      const m = new RegExp(source, flags.replace(/[gy]/g, "")).exec(line);
      return m === null ? null : m.slice(1);
    } catch { return null; }
  };
  return patterns.some(([source, flags, fromText]) => {
    const a = groups(source, flags, fromText, before);
    const b = groups(source, flags, fromText, after);
    // A pattern without groups, or one whose groups do not hold the change, says nothing about the format.
    return a !== null && b !== null && a.length > 0 && a.some((text, i) => text !== b[i]);
  });
}
`;
