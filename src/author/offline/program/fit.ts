// From a rule and what was decided about the lines of the logs to the reader that reads exactly these records.
import type { Diff } from "../examples/diffs.ts";
import type { Rule } from "../examples/rule.ts";
import { withSamples } from "../examples/template.ts";
import { isNumber } from "../examples/tokens.ts";
import type { LineKind } from "../logs/decide.ts";
import type { Shape } from "../logs/judge.ts";
import type { LogText, Place } from "../logs/places.ts";
import { type Candidate, heldSatellites } from "../logs/scan.ts";
import type { Tree } from "../logs/tree.ts";
import type { Condition, Limits } from "../runtime/index.ts";
import { compileRule } from "./compile.ts";
import { type RuleReader, runOver } from "./program.ts";

/** What a rule is fitted to. */
export interface Decided {
  kinds: readonly LineKind[];
  logs: readonly LogText[];
  headings: readonly { under: string[] }[];
}

/** Rounds in which conditions are added to one reader. */
const ROUNDS = 4;

const keyOf = ({ file, line }: Place): string => `${file}:${line}`;

/** A line that no reader reads as decided, with the texts it may have. */
export interface Misfit extends Place {
  texts: ReadonlyMap<string, string>;
}

/** What reads exactly the records of one rule: the document or table, else its lines; with the conditions it takes to
 * leave out lines that are none. The lines that stand against it, when there is no such reader.
 * @param index of the rule among those the kinds of lines name */
export function fitRule(rule: Rule, index: number, shape: Shape, decided: Decided): RuleReader | Misfit[] {
  const { kinds, logs, headings } = decided;
  const known = new Map(
    kinds.flatMap((kind) => kind.lines.map((line): [string, LineKind] => [keyOf(line), kind])),
  );
  const own = kinds.filter((kind) => kind.rule === index);
  const records = own.filter(({ verdict }) => verdict === "record").flatMap(({ lines }) => lines);
  const misfits: Misfit[] = [];
  for (const way of readersOf(rule, shape, own, records, logs)) {
    let reader = way;
    for (let round = 0; round < ROUNDS; round += 1) {
      const { extra, wrong } = compare(reader, records, known, logs);
      if (extra.length === 0 && wrong === undefined) return reader;
      misfits.push(...extra, ...(wrong === undefined ? [] : [wrong]));
      const others = extra.flatMap((one) => known.get(keyOf(one)) ?? []);
      const limits = wrong === undefined ? limitsOf(others, records, headings) : undefined;
      if (limits === undefined) break;
      reader = { ...reader, ...limits };
    }
  }
  return misfits;
}

/** Lines that a reader takes and should not, and one that it leaves out or reads otherwise. */
function compare(
  reader: RuleReader,
  records: readonly Candidate[],
  known: ReadonlyMap<string, LineKind>,
  logs: readonly LogText[],
): { extra: Misfit[]; wrong: Misfit | undefined } {
  const found = new Map(runOver([reader], logs).map((record) => [keyOf(record), record]));
  const extra = [...found.values()]
    .filter((record) => known.get(keyOf(record))?.verdict !== "record")
    .map(({ file, line, texts }) => ({ file, line, texts: new Map(Object.entries(texts)) }));
  const wrong = records.find((record) => {
    const read = found.get(keyOf(record))?.texts;
    return read === undefined || [...record.texts].some(([name, text]) => read[name] !== text);
  });
  return { extra, wrong };
}

/** The readers of a rule, better ones first. */
function readersOf(
  rule: Rule,
  { grid, tree }: Shape,
  own: readonly LineKind[],
  records: readonly Candidate[],
  logs: readonly LogText[],
): RuleReader[] {
  if (tree !== undefined) return [treeReader(tree, own)];
  const lacking = own
    .filter(({ verdict }) => verdict === "record")
    .flatMap(({ diffs }) => diffs.flatMap(({ kind, at }) => (kind === "absent" ? [at] : [])));
  const shape = {
    held: heldSatellites(rule, logs),
    optional: rule.satellites.map(({ optional }, at) => optional === true || lacking.includes(String(at))),
  };
  const texts = (name: string): string[] => [...new Set(records.flatMap((one) => one.texts.get(name) ?? []))];
  const seen: Rule = {
    ...rule,
    anchor: withSamples(rule.anchor, texts),
    satellites: rule.satellites.map((one) => ({ ...one, template: withSamples(one.template, texts) })),
  };
  return [...(grid === undefined ? [] : [grid]), undefined].flatMap((one) => {
    const reader = compileRule(seen, shape, one);
    return isUnbroken(rule) ? [{ ...reader, no_blanks: true as const }, reader] : [reader];
  });
}

/** Do the parts of all examples stand on lines without a blank one between them? */
function isUnbroken({ satellites, instances }: Rule): boolean {
  return (
    satellites.length > 0 &&
    instances.length > 0 &&
    instances.every(({ lines, anchor, placed }) => {
      const at = [anchor, ...placed.keys()];
      return lines.slice(Math.min(...at), Math.max(...at)).every((line) => line.trim() !== "");
    })
  );
}

/** The reader of a tree: which parts records may lack, and which texts of other members they have. */
function treeReader({ reader, constants }: Tree, kinds: readonly LineKind[]): RuleReader {
  const of = (verdict: LineKind["verdict"], kind: Diff["kind"]): string[] =>
    kinds
      .filter((one) => one.verdict === verdict)
      .flatMap(({ diffs }) => diffs.filter((diff) => diff.kind === kind).map(({ at }) => at));
  const varied = new Set(of("record", "member"));
  const only = [...new Set(of("other", "member"))].filter((key) => !varied.has(key));
  return {
    ...reader,
    optional: [...new Set([...reader.optional, ...of("record", "absent")])],
    ...(only.length === 0
      ? {}
      : { only: Object.fromEntries(only.map((key) => [key, [constants.get(key) ?? ""]])) }),
  };
}

/** Conditions that leave out lines that are no records; undefined when none does. */
function limitsOf(
  others: readonly LineKind[],
  records: readonly Candidate[],
  headings: readonly { under: string[] }[],
): Limits | undefined {
  const limits: { -readonly [K in keyof Limits]: Limits[K] } = {};
  const keep: Record<string, Condition> = {};
  const texts = (name: string): string[] => records.map((one) => one.texts.get(name) ?? "");
  for (const { diffs } of others) {
    const by = (kind: Diff["kind"]): Diff | undefined => diffs.find((diff) => diff.kind === kind);
    const heading = by("heading");
    const [type, blank, zero, sign, constant] = [
      by("type"),
      by("blank"),
      by("zero"),
      by("sign"),
      by("constant"),
    ];
    if (heading?.at === "itself") limits.skip_headings = true;
    else if (heading !== undefined)
      limits.under = [...new Set(records.map(({ file, line }) => headings[file]?.under[line] ?? ""))];
    else if (by("closing") !== undefined) limits.skip_closing = true;
    else if (blank !== undefined && !texts(blank.at).includes("")) keep[blank.at] = { filled: true };
    else if (type !== undefined && texts(type.at).every((text) => text === "" || isNumber(text)))
      keep[type.at] = texts(type.at).includes("") ? { number: true, blank: true } : { number: true };
    else if (zero !== undefined) keep[zero.at] = { nonzero: true };
    else if (sign !== undefined)
      keep[sign.at] = { sign: Math.sign(Number((texts(sign.at)[0] ?? "").replace(/,/g, ""))) };
    else if (constant !== undefined) keep[constant.at] = { only: [...new Set(texts(constant.at))] };
    else return undefined;
  }
  return { ...limits, ...(Object.keys(keep).length > 0 ? { keep } : {}) };
}
