// Judges which lines of the logs are records. Lines that examples show are decided by these; all others are grouped by
// their differences from the examples, and each group is decided as a whole (decide.ts) or left open for the user.
import { addDiff, type Diff, diffKey } from "../examples/diffs.ts";
import type { Rule } from "../examples/rule.ts";
import { is_rule, type read_headings } from "../runtime/index.ts";
import {
  AS_SHOWN,
  type Decision,
  decide,
  type Evidence,
  hasNames,
  isFar,
  LIKE_NONE,
  type LineKind,
  shownShare,
} from "./decide.ts";
import type { Grid } from "./grid.ts";
import { isSimilarHeading } from "./headings.ts";
import type { LogText, Place } from "./places.ts";
import { type Candidate, scanLogs } from "./scan.ts";
import { type LogDocument, scanTrees, type Tree } from "./tree.ts";

type Headings = ReturnType<typeof read_headings>;

/** What the page and its examples state about lines. */
export interface Labelled {
  /** Short texts that the page quotes and that all examples with records contain: records must contain them. */
  required: readonly string[];
  /** The places of the anchor of each record in the logs. */
  records: readonly (readonly Place[])[];
  /** The lines of each `none` example, with their places. */
  none: readonly { lines: readonly string[]; places: readonly Place[] }[];
}

/** The table or document that a rule reads; neither for a rule that reads lines. */
export interface Shape {
  grid?: Grid | undefined;
  tree?: Tree | undefined;
}

export interface Judgement {
  kinds: LineKind[];
  /** `none` examples without a difference from the examples with records. */
  conflicts: { rule: number; lines: readonly string[]; texts: ReadonlyMap<string, string> }[];
}

/** Logs with their headings, and their contents if they are documents. */
export interface ParsedLogs {
  logs: readonly LogText[];
  headings: readonly Headings[];
  documents: readonly (LogDocument | undefined)[];
}

/** Judges all lines that resemble a rule. */
export function judge(
  rules: readonly Rule[],
  shapes: readonly Shape[],
  parsed: ParsedLogs,
  labelled: Labelled,
): Judgement {
  const candidates = rules.map((rule, index) => candidatesOf(rule, shapes[index] ?? {}, parsed, labelled));
  const none = rules.map((rule, index) =>
    noneCandidates(rule, candidates[index] ?? [], shapes[index]?.tree !== undefined, labelled),
  );
  const labels = labelsOf(labelled);
  const kinds = groupKinds(candidates, rules, labels);
  ignoreSignsOfTexts(kinds);
  // A number that is excluded by its sign is excluded in all rules that have the part.
  const excludedNumbers = none
    .flat()
    .map(({ diffs }) => diffs)
    .filter((diffs) => diffs.length > 0 && diffs.every(({ kind }) => kind === "zero" || kind === "sign"));
  for (const kind of kinds) {
    const rule = rules[kind.rule];
    if (rule === undefined) continue;
    const evidence: Evidence = {
      rule,
      share: shownShare(kind, kinds),
      none: [...(none[kind.rule] ?? []).map(({ diffs }) => diffs), ...excludedNumbers],
      hasNone: labelled.none.length > 0,
      required: labelled.required,
    };
    Object.assign(kind, labelledDecision(kind, labels) ?? decide(kind, evidence));
  }
  const conflicts = none.flatMap((list, rule) =>
    list.flatMap(({ diffs, lines, texts }) => (diffs.length === 0 ? [{ rule, lines, texts }] : [])),
  );
  return { kinds, conflicts };
}

/** A part with a text that is not a number in some lines is not a quantity: there, zero and the sign of a number are
 * ordinary differences. */
function ignoreSignsOfTexts(kinds: readonly LineKind[]): void {
  const texts = new Set(
    kinds
      .filter(({ diffs }) => diffs.every(({ kind }) => kind === "type" || kind === "constant"))
      .flatMap(({ rule, diffs }) =>
        diffs.flatMap(({ kind, subject }) => (kind === "type" ? [`${rule} ${subject}`] : [])),
      ),
  );
  for (const kind of kinds) {
    kind.diffs = kind.diffs.map((diff) =>
      (diff.kind === "zero" || diff.kind === "sign") && texts.has(`${kind.rule} ${diff.subject}`)
        ? { ...diff, kind: "constant" }
        : diff,
    );
  }
}

function candidatesOf(
  rule: Rule,
  { tree, grid }: Shape,
  { logs, headings, documents }: ParsedLogs,
  labelled: Labelled,
): Candidate[] {
  if (tree !== undefined) return scanTrees(tree, documents);
  const candidates = scanLogs(rule, logs, grid);
  addContextDiffs(candidates, logs, headings, labelled);
  return candidates;
}

/** The candidates for a rule on the lines of `none` examples. */
function noneCandidates(
  rule: Rule,
  candidates: readonly Candidate[],
  isDocument: boolean,
  { none }: Labelled,
): { lines: readonly string[]; diffs: readonly Diff[]; texts: ReadonlyMap<string, string> }[] {
  return none.flatMap(({ lines, places }) => {
    const inLogs = candidates.filter(({ file, line }) =>
      places.some((place) => place.file === file && line >= place.line && line < place.line + lines.length),
    );
    const own = places.length > 0 || isDocument ? inLogs : scanLogs(rule, [{ path: "", lines }]);
    return own.map(({ diffs, texts }) => ({ lines, diffs, texts }));
  });
}

/** The labels of the lines that examples show, by `file:line`. */
function labelsOf({ records, none }: Labelled): Map<string, Label> {
  const labels = new Map<string, Label>();
  for (const { lines, places } of none) {
    for (const { file, line } of places)
      for (const k of lines.keys()) labels.set(`${file}:${line + k}`, "none");
  }
  for (const { file, line } of records.flat()) labels.set(`${file}:${line}`, "record");
  return labels;
}

type Label = "record" | "none";

/** The decision about a kind of lines that examples show; undefined for other kinds. */
function labelledDecision(
  { lines: [first] }: LineKind,
  labels: ReadonlyMap<string, Label>,
): Decision | undefined {
  const label = first && labels.get(`${first.file}:${first.line}`);
  if (label === undefined) return undefined;
  return label === "record" ? AS_SHOWN : LIKE_NONE;
}

/** Groups candidates by label, by the rule they are most similar to, and by their differences from it. */
function groupKinds(
  candidatesByRule: readonly (readonly Candidate[])[],
  rules: readonly Rule[],
  labels: ReadonlyMap<string, Label>,
): LineKind[] {
  const best = new Map<string, { rule: number; candidate: Candidate }>();
  for (const [rule, candidates] of candidatesByRule.entries()) {
    for (const candidate of candidates) {
      const key = `${candidate.file}:${candidate.line}`;
      const other = best.get(key);
      if (other === undefined || candidate.cost < other.candidate.cost) best.set(key, { rule, candidate });
    }
  }
  const kinds = new Map<string, LineKind>();
  const seen = new Set<string>();
  for (const { rule, candidate } of best.values()) {
    const { file, line, cost, diffs } = candidate;
    const label = labels.get(`${file}:${line}`) ?? "";
    const form = `${rule} ${label} ${isFar(cost)} ${diffs.map(diffKey).join(", ")}`;
    const ownRule = rules[rule];
    // A heading row is above the rows that have a text in place of a number, too.
    const isHeading =
      ownRule !== undefined &&
      !seen.has(`${file} ${form}`) &&
      diffs.some(({ kind }) => kind === "type") &&
      hasNames(candidate, ownRule);
    seen.add(`${file} ${form}`);
    const key = `${isHeading} ${form}`;
    const kind = kinds.get(key) ?? { rule, diffs, lines: [], isHeading, verdict: "open", why: "" };
    if (cost < (kind.lines[0]?.cost ?? 0)) kind.lines.unshift(candidate);
    else kind.lines.push(candidate);
    kinds.set(key, kind);
  }
  return [...kinds.values()];
}

/** Adds the differences in the context of a line: headings, and rows that close a table. */
function addContextDiffs(
  candidates: readonly Candidate[],
  logs: readonly LogText[],
  headings: readonly Headings[],
  labelled: Labelled,
): void {
  const allLocated = labelled.records.every((places) => places.length > 0);
  const shownHeadings = new Set(
    labelled.records.flat().map(({ file, line }) => headings[file]?.under[line] ?? ""),
  );
  const rows = new Set(
    candidates.filter(({ diffs }) => diffs.length === 0).map(({ file, line }) => `${file}:${line}`),
  );
  const isClosing = ({ file, line }: Place): boolean =>
    is_rule(logs[file]?.lines[line - 1] ?? "") &&
    rows.has(`${file}:${line - 2}`) &&
    !rows.has(`${file}:${line + 1}`);
  const showsClosing = labelled.records.flat().some(isClosing);
  for (const candidate of candidates) {
    const { file, line, diffs } = candidate;
    if (headings[file]?.own[line]) addDiff(diffs, { kind: "heading", subject: "itself" });
    if (!allLocated) continue;
    const heading = headings[file]?.under[line] ?? "";
    if (!shownHeadings.has(heading) && ![...shownHeadings].some((shown) => isSimilarHeading(shown, heading)))
      addDiff(diffs, { kind: "heading", subject: heading });
    if (!showsClosing && isClosing(candidate)) addDiff(diffs, { kind: "closing", subject: "" });
  }
}
