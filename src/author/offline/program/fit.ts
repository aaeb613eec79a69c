// Fits a rule to the decisions about the lines of the logs: the reader that reads exactly the records.
import type { Diff } from "../examples/diffs.ts";
import type { Rule } from "../examples/rule.ts";
import { withSamples } from "../examples/template.ts";
import { isNumber, toNumber } from "../examples/tokens.ts";
import type { LineKind } from "../logs/decide.ts";
import type { Shape } from "../logs/judge.ts";
import type { LogText, Place } from "../logs/places.ts";
import { type Candidate, heldSatellites } from "../logs/scan.ts";
import type { Tree } from "../logs/tree.ts";
import type { Condition, Limits } from "../runtime/index.ts";
import { compileRule } from "./compile.ts";
import { type RuleReader, runOver } from "./program.ts";

/** The decided lines that a rule is fitted to. */
export interface DecidedLogs {
  kinds: readonly LineKind[];
  logs: readonly LogText[];
  headings: readonly { under: string[] }[];
}

/** Rounds in which conditions are added to a reader. */
const MAX_ROUNDS = 4;

const keyOf = ({ file, line }: Place): string => `${file}:${line}`;

/** A line that a reader does not read as decided, with the texts it would extract. */
export interface Misfit extends Place {
  texts: ReadonlyMap<string, string>;
}

/** The reader that reads exactly the records of a rule, with the conditions needed to leave out other lines; or the
 * lines that no reader reads as decided.
 * @param index index of the rule, as in `LineKind.rule` */
export function fitRule(
  rule: Rule,
  index: number,
  shape: Shape,
  decided: DecidedLogs,
): RuleReader | Misfit[] {
  const { kinds, logs, headings } = decided;
  const kindByLine = new Map(
    kinds.flatMap((kind) => kind.lines.map((line): [string, LineKind] => [keyOf(line), kind])),
  );
  const ownKinds = kinds.filter((kind) => kind.rule === index);
  const records = ownKinds.filter(({ verdict }) => verdict === "record").flatMap(({ lines }) => lines);
  const misfits: Misfit[] = [];
  for (const candidate of candidateReaders(rule, shape, ownKinds, records, logs)) {
    let reader = candidate;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const { extra, wrong } = compareRecords(reader, records, kindByLine, logs);
      if (extra.length === 0 && wrong === undefined) return reader;
      misfits.push(...extra, ...(wrong === undefined ? [] : [wrong]));
      const others = extra.flatMap((misfit) => kindByLine.get(keyOf(misfit)) ?? []);
      const limits = wrong === undefined ? inferLimits(others, records, headings) : undefined;
      if (limits === undefined) break;
      reader = { ...reader, ...limits };
    }
  }
  return misfits;
}

/** Lines that a reader reads although they are not records, and the first record that it misses or reads wrongly. */
function compareRecords(
  reader: RuleReader,
  records: readonly Candidate[],
  kindByLine: ReadonlyMap<string, LineKind>,
  logs: readonly LogText[],
): { extra: Misfit[]; wrong: Misfit | undefined } {
  const extracted = new Map(runOver([reader], logs).map((record) => [keyOf(record), record]));
  const extra = [...extracted.values()]
    .filter((record) => kindByLine.get(keyOf(record))?.verdict !== "record")
    .map(({ file, line, texts }) => ({ file, line, texts: new Map(Object.entries(texts)) }));
  const wrong = records.find((record) => {
    const read = extracted.get(keyOf(record))?.texts;
    return read === undefined || [...record.texts].some(([name, text]) => read[name] !== text);
  });
  return { extra, wrong };
}

/** Readers for a rule, the preferred one first: of its document, of its table, of its lines. */
function candidateReaders(
  rule: Rule,
  { grid, tree }: Shape,
  ownKinds: readonly LineKind[],
  records: readonly Candidate[],
  logs: readonly LogText[],
): RuleReader[] {
  if (tree !== undefined) return [treeReader(tree, ownKinds)];
  const absent = ownKinds
    .filter(({ verdict }) => verdict === "record")
    .flatMap(({ diffs }) => diffs.flatMap(({ kind, subject }) => (kind === "absent" ? [subject] : [])));
  const flags = {
    held: heldSatellites(rule, logs),
    optional: rule.satellites.map(
      ({ optional }, index) => optional === true || absent.includes(String(index)),
    ),
  };
  const texts = (name: string): string[] => [
    ...new Set(records.flatMap((record) => record.texts.get(name) ?? [])),
  ];
  const sampled: Rule = {
    ...rule,
    anchor: withSamples(rule.anchor, texts),
    satellites: rule.satellites.map((satellite) => ({
      ...satellite,
      template: withSamples(satellite.template, texts),
    })),
  };
  return [...(grid === undefined ? [] : [grid]), undefined].flatMap((table) => {
    const reader = compileRule(sampled, flags, table);
    return isContiguous(rule) ? [{ ...reader, no_blanks: true as const }, reader] : [reader];
  });
}

/** Has no example a blank line between the lines with its parts? */
function isContiguous({ satellites, instances }: Rule): boolean {
  return (
    satellites.length > 0 &&
    instances.length > 0 &&
    instances.every(({ lines, anchor, placed }) => {
      const used = [anchor, ...placed.keys()];
      return lines.slice(Math.min(...used), Math.max(...used)).every((line) => line.trim() !== "");
    })
  );
}

/** The reader of a tree, with the parts that records may lack and the members whose texts distinguish records. */
function treeReader({ reader, constants }: Tree, kinds: readonly LineKind[]): RuleReader {
  const subjects = (verdict: LineKind["verdict"], diffKind: Diff["kind"]): string[] =>
    kinds
      .filter((kind) => kind.verdict === verdict)
      .flatMap(({ diffs }) => diffs.filter(({ kind }) => kind === diffKind).map(({ subject }) => subject));
  const varied = new Set(subjects("record", "member"));
  const only = [...new Set(subjects("other", "member"))].filter((key) => !varied.has(key));
  return {
    ...reader,
    optional: [...new Set([...reader.optional, ...subjects("record", "absent")])],
    ...(only.length === 0
      ? {}
      : { only: Object.fromEntries(only.map((key) => [key, [constants.get(key) ?? ""]])) }),
  };
}

/** Conditions that leave out lines that are not records; undefined if none distinguishes them. */
function inferLimits(
  others: readonly LineKind[],
  records: readonly Candidate[],
  headings: readonly { under: string[] }[],
): Limits | undefined {
  const limits: { -readonly [K in keyof Limits]: Limits[K] } = {};
  const keep: Record<string, Condition> = {};
  const texts = (name: string): string[] => records.map((record) => record.texts.get(name) ?? "");
  for (const { diffs } of others) {
    const diffOf = (kind: Diff["kind"]): Diff | undefined => diffs.find((diff) => diff.kind === kind);
    const heading = diffOf("heading");
    const [type, blank, zero, sign, constant] = [
      diffOf("type"),
      diffOf("blank"),
      diffOf("zero"),
      diffOf("sign"),
      diffOf("constant"),
    ];
    if (heading?.subject === "itself") limits.skip_headings = true;
    else if (heading !== undefined)
      limits.under = [...new Set(records.map(({ file, line }) => headings[file]?.under[line] ?? ""))];
    else if (diffOf("closing") !== undefined) limits.skip_closing = true;
    else if (blank !== undefined && !texts(blank.subject).includes(""))
      keep[blank.subject] = { filled: true };
    else if (type !== undefined && texts(type.subject).every((text) => text === "" || isNumber(text)))
      keep[type.subject] = texts(type.subject).includes("")
        ? { number: true, blank: true }
        : { number: true };
    else if (zero !== undefined) keep[zero.subject] = { nonzero: true };
    else if (sign !== undefined)
      keep[sign.subject] = { sign: Math.sign(toNumber(texts(sign.subject)[0] ?? "")) };
    else if (constant !== undefined) keep[constant.subject] = { only: [...new Set(texts(constant.subject))] };
    else return undefined;
  }
  return { ...limits, ...(Object.keys(keep).length > 0 ? { keep } : {}) };
}
