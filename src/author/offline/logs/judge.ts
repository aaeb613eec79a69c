// Which lines of the logs are records: lines like the examples are, lines like a `none` example are not, and the
// rest is decided by what distinguishes them, or left open for a person. docs/offline-author.md has the figures
// behind each row of the table.
import { addDiff, type Diff, diffKey } from "../examples/diffs.ts";
import type { Rule } from "../examples/rule.ts";
import { is_rule, type read_headings } from "../runtime/index.ts";
import {
  AS_SHOWN,
  type Decision,
  decide,
  hasNames,
  isFar,
  LIKE_NONE,
  type LineKind,
  shareOf,
} from "./decide.ts";
import type { Grid } from "./grid.ts";
import { isAlike } from "./headings.ts";
import type { LogText, Place } from "./places.ts";
import { type Candidate, scanLogs } from "./scan.ts";
import { type documentOf, scanTrees, type Tree } from "./tree.ts";

type Headings = ReturnType<typeof read_headings>;

export interface Labelled {
  /** Short texts that the page shows and that stand in all examples with records: records have them. */
  said: readonly string[];
  /** Where the lines of the examples with records stand in the logs; empty for one that stands nowhere. */
  records: readonly (readonly Place[])[];
  /** Texts of the examples that say `none`, with their places. */
  none: readonly { lines: readonly string[]; places: readonly Place[] }[];
}

/** What a rule reads beside lines: a table or a document. */
export interface Shape {
  grid?: Grid | undefined;
  tree?: Tree | undefined;
}

export interface Judgement {
  kinds: LineKind[];
  /** Examples that say `none` and are in nothing unlike those with records. */
  conflicts: { rule: number; lines: readonly string[]; texts: ReadonlyMap<string, string> }[];
}

/** Logs with what is known of them beside their lines. */
export interface KnownLogs {
  logs: readonly LogText[];
  headings: readonly Headings[];
  documents: readonly ReturnType<typeof documentOf>[];
}

/** Judges every line that has something in common with a rule. */
export function judge(
  rules: readonly Rule[],
  shapes: readonly Shape[],
  known: KnownLogs,
  labelled: Labelled,
): Judgement {
  const found = rules.map((rule, index) => candidatesOf(rule, shapes[index] ?? {}, known, labelled));
  const none = rules.map((rule, index) =>
    noneOf(rule, found[index] ?? [], shapes[index]?.tree !== undefined, labelled),
  );
  const told = labelsOf(labelled);
  const kinds = group(found, rules, told);
  const quantities = kinds.filter(({ diffs }) =>
    diffs.every(({ kind }) => kind === "type" || kind === "constant"),
  );
  // A part that is sometimes no number is no quantity, so that zero is nothing special there.
  const names = new Set(
    quantities.flatMap(({ rule, diffs }) =>
      diffs.flatMap(({ kind, at }) => (kind === "type" ? [`${rule} ${at}`] : [])),
    ),
  );
  for (const kind of kinds) {
    kind.diffs = kind.diffs.map((diff) =>
      (diff.kind === "zero" || diff.kind === "sign") && names.has(`${kind.rule} ${diff.at}`)
        ? { ...diff, kind: "constant" }
        : diff,
    );
  }
  const shown = labelled.none.length > 0;
  // What a number must not be holds for all rules that have the part.
  const quantity = none
    .flat()
    .map(({ diffs }) => diffs)
    .filter((diffs) => diffs.length > 0 && diffs.every(({ kind }) => kind === "zero" || kind === "sign"));
  for (const kind of kinds) {
    const rule = rules[kind.rule];
    if (rule === undefined) continue;
    const diffs = [...(none[kind.rule] ?? []).map((one) => one.diffs), ...quantity];
    const own = toldOf(kind, told);
    Object.assign(
      kind,
      own ?? decide(kind, { rule, share: shareOf(kind, kinds), none: diffs, shown, said: labelled.said }),
    );
  }
  const conflicts = none.flatMap((list, rule) =>
    list.flatMap(({ diffs, lines, texts }) => (diffs.length === 0 ? [{ rule, lines, texts }] : [])),
  );
  return { kinds, conflicts };
}

function candidatesOf(rule: Rule, { tree, grid }: Shape, known: KnownLogs, labelled: Labelled): Candidate[] {
  if (tree !== undefined) return scanTrees(tree, known.documents);
  const candidates = scanLogs(rule, known.logs, grid);
  addContext(candidates, known.logs, known.headings, labelled);
  return candidates;
}

/** What is unlike the examples with records in lines of those that say `none`. */
function noneOf(
  rule: Rule,
  candidates: readonly Candidate[],
  isDocument: boolean,
  { none }: Labelled,
): { lines: readonly string[]; diffs: readonly Diff[]; texts: ReadonlyMap<string, string> }[] {
  return none.flatMap(({ lines, places }) => {
    const there = candidates.filter(({ file, line }) =>
      places.some((place) => place.file === file && line >= place.line && line < place.line + lines.length),
    );
    const found = places.length > 0 || isDocument ? there : scanLogs(rule, [{ path: "", lines }]);
    return found.map(({ diffs, texts }) => ({ lines, diffs, texts }));
  });
}

/** What examples say of their own lines. */
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

/** Is a kind that of lines which examples show? Then these decide, whatever distinguishes it. */
function toldOf({ lines: [first] }: LineKind, labels: ReadonlyMap<string, Label>): Decision | undefined {
  const label = first && labels.get(`${first.file}:${first.line}`);
  if (label === undefined) return undefined;
  return label === "record" ? AS_SHOWN : LIKE_NONE;
}

/** Lines by the rule they are most like and by what distinguishes them; those that examples show are apart. */
function group(
  found: readonly (readonly Candidate[])[],
  rules: readonly Rule[],
  labels: ReadonlyMap<string, Label>,
): LineKind[] {
  const best = new Map<string, { rule: number; candidate: Candidate }>();
  for (const [rule, candidates] of found.entries()) {
    for (const candidate of candidates) {
      const key = `${candidate.file}:${candidate.line}`;
      const other = best.get(key);
      if (other === undefined || candidate.cost < other.candidate.cost) best.set(key, { rule, candidate });
    }
  }
  const kinds = new Map<string, LineKind>();
  const begun = new Set<string>();
  for (const { rule, candidate } of best.values()) {
    const { file, line, cost, diffs } = candidate;
    const label = labels.get(`${file}:${line}`) ?? "";
    const alike = `${rule} ${label} ${isFar(cost)} ${diffs.map(diffKey).join(", ")}`;
    const own = rules[rule];
    // A heading row stands above the rows that have a text there as well.
    const isHeading =
      own !== undefined &&
      !begun.has(`${file} ${alike}`) &&
      diffs.some(({ kind }) => kind === "type") &&
      hasNames(candidate, own);
    begun.add(`${file} ${alike}`);
    const key = `${isHeading} ${alike}`;
    const kind = kinds.get(key) ?? { rule, diffs, lines: [], isHeading, verdict: "open", why: "" };
    if (cost < (kind.lines[0]?.cost ?? 0)) kind.lines.unshift(candidate);
    else kind.lines.push(candidate);
    kinds.set(key, kind);
  }
  return [...kinds.values()];
}

/** Adds what the surroundings of a line tell: headings, and rows that close a table. */
function addContext(
  candidates: readonly Candidate[],
  logs: readonly LogText[],
  headings: readonly Headings[],
  labelled: Labelled,
): void {
  const located = labelled.records.every((places) => places.length > 0);
  const heads = new Set(labelled.records.flat().map(({ file, line }) => headings[file]?.under[line] ?? ""));
  const rows = new Set(
    candidates.filter(({ diffs }) => diffs.length === 0).map(({ file, line }) => `${file}:${line}`),
  );
  const isClosing = ({ file, line }: Place): boolean =>
    is_rule(logs[file]?.lines[line - 1] ?? "") &&
    rows.has(`${file}:${line - 2}`) &&
    !rows.has(`${file}:${line + 1}`);
  const closed = labelled.records.flat().some(isClosing);
  for (const candidate of candidates) {
    const { file, line, diffs } = candidate;
    const head = headings[file];
    if (head?.own[line]) addDiff(diffs, { kind: "heading", at: "itself" });
    const under = head?.under[line] ?? "";
    if (located && !heads.has(under) && ![...heads].some((one) => isAlike(one, under)))
      addDiff(diffs, { kind: "heading", at: under });
    if (located && !closed && isClosing(candidate)) addDiff(diffs, { kind: "closing", at: "" });
  }
}
