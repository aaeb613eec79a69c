// From worked examples and logs to a program, or to the one line that a person has to decide about.
import type { WorkedExample } from "../../spec/example.ts";
import { type Instance, instancesOf } from "./examples/instances.ts";
import { explain, type Hypothesis, type Rule } from "./examples/rule.ts";
import type { Template } from "./examples/template.ts";
import { LIKE_NONE, type LineKind } from "./logs/decide.ts";
import { gridOf, namedColumns } from "./logs/grid.ts";
import { type Judgement, judge, type Labelled } from "./logs/judge.ts";
import type { LogText } from "./logs/places.ts";
import { type Place, placesOf, placesOfAll } from "./logs/places.ts";
import { type ShapedRule, unite } from "./logs/shapes.ts";
import { documentOf, treeOf } from "./logs/tree.ts";
import { fitRule, type Misfit } from "./program/fit.ts";
import { type Program, type RuleReader, runProgram } from "./program/program.ts";
import { readingOf, twoReadings } from "./rivals.ts";
import { read_headings } from "./runtime/index.ts";
import { widen } from "./widen.ts";

export type Outcome =
  | { kind: "program"; program: Program; kinds: LineKind[] }
  /** An example whose text does not stand in it, or that no program agrees with. */
  | { kind: "contradiction"; message: string; examples: readonly WorkedExample[] }
  /** A line on which readings that agree with all examples differ: these records, or none. */
  | {
      kind: "question";
      place: Place;
      readings: readonly (ReadonlyMap<string, string> | null)[];
      kinds: readonly LineKind[];
    };

const ROUNDS = 4;

/** @param said short texts that the page shows */
export function solve(
  examples: readonly WorkedExample[],
  logs: readonly LogText[],
  said: readonly string[] = [],
): Outcome {
  const labelled = examples.flatMap((example) => example.records.map((record) => ({ example, record })));
  const twice = readTwice(examples);
  if (twice !== undefined) {
    return { kind: "contradiction", message: "they read one line in two ways", examples: twice };
  }
  const ways: (readonly Instance[])[] = [];
  for (const { example, record } of labelled) {
    const [place] = placesOf(example.text.split("\n"), logs);
    const parts = [...record.fields.keys()];
    const found = instancesOf(example, record, (line) =>
      place === undefined ? new Map() : namedColumns(logs[place.file]?.lines ?? [], place.line + line, parts),
    );
    if (found.length === 0) {
      return {
        kind: "contradiction",
        message: "a text of the record does not stand in the log text",
        examples: [example],
      };
    }
    ways.push(found);
  }
  const [first, ...rest] = explain(ways);
  if (first === undefined)
    return { kind: "contradiction", message: "there is no example with a record", examples };
  const near = [first, ...rest.filter(({ cost }) => cost <= first.cost + NEAR).slice(0, MAX_OTHERS)];
  const readings = near.length === 1 ? [] : near.map(({ rules }) => readingOf(rules, logs));
  const named = Math.max(0, ...readings.map(({ names }) => names));
  const likely = readings.length === 0 ? near : near.filter((_, index) => readings[index]?.names === named);
  const [best, ...others] = likely;
  if (best === undefined)
    return { kind: "contradiction", message: "there is no example with a record", examples };
  const outcome = refine(best, examples, logs, said);
  if (outcome.kind !== "program") return outcome;
  const rivals = others.flatMap((one) => readings[near.indexOf(one)] ?? []);
  const two = twoReadings(outcome.kinds, rivals);
  return two === undefined ? outcome : { kind: "question", ...two, kinds: outcome.kinds };
}

/** Placements of the parts that are about as likely as the best one, and how many are tried. */
const NEAR = 0.75;
const MAX_OTHERS = 3;

function refine(
  hypothesis: Hypothesis,
  examples: readonly WorkedExample[],
  logs: readonly LogText[],
  said: readonly string[],
): Outcome {
  let { rules } = hypothesis;
  const headings = logs.map(({ lines }) => read_headings(lines));
  const places = placesOfAll(rules, logs);
  const lines = rules.flatMap(({ instances }) => instances.map((one) => one.lines.join("\n")));
  const labels: Labelled = {
    said: said.filter((text) => lines.every((line) => line.includes(text))),
    records: rules.flatMap(({ instances }) => instances.map((one) => places.get(one) ?? [])),
    none: examples
      .filter(({ records }) => records.length === 0)
      .map(({ text }) => ({ lines: text.split("\n"), places: placesOf(text.split("\n"), logs) })),
  };
  const documents = logs.map(documentOf);
  const known = { logs, headings, documents };
  const shaped = rules.map((rule): ShapedRule => {
    const tree = treeOf(rule, places, documents);
    return { rule, shape: tree === undefined ? { grid: gridOf(rule, logs, places) } : { tree } };
  });
  const united = unite(shaped);
  rules = united.map(({ rule }) => rule);
  const shapes = united.map(({ shape }) => shape);
  let judged = judge(rules, shapes, known, labels);
  if (judged.conflicts.length > 0) {
    rules = withCategories(rules, judged);
    judged = judge(rules, shapes, known, labels);
    const [conflict] = judged.conflicts;
    if (conflict !== undefined) return contradiction(conflict.lines, examples);
  }
  let { kinds } = judged;
  for (let round = 0; round < ROUNDS; round += 1) {
    const open = worstOpen(kinds) ?? (round === 0 ? unseenForm(hypothesis.rules, kinds) : undefined);
    if (open !== undefined) return question(open, kinds);
    const wider = widen(rules, kinds, shapes, logs);
    if (wider === undefined) break;
    rules = wider;
    kinds = judge(rules, shapes, known, labels).kinds;
  }
  const program: RuleReader[] = [];
  for (const [index, rule] of rules.entries()) {
    const reader = fitRule(rule, index, shapes[index] ?? {}, { kinds, logs, headings });
    if (Array.isArray(reader)) return misfit(reader, kinds, examples, logs);
    program.push(reader);
  }
  const lost = rules
    .flatMap(({ instances }) => instances)
    .find((one) => !isRead(one, places.get(one) ?? [], program, logs));
  if (lost === undefined) return { kind: "program", program, kinds };
  const text = lost.lines.join("\n");
  return {
    kind: "contradiction",
    message: "no program that agrees with the other examples reads this one",
    examples: examples.filter((one) => one.text === text),
  };
}

/** Two examples of the same text whose records count for the same line of it and differ. */
function readTwice(examples: readonly WorkedExample[]): WorkedExample[] | undefined {
  const seen = new Map<string, { example: WorkedExample; texts: string }>();
  for (const example of examples) {
    for (const { value, line, fields } of example.records) {
      const counts = example.text.includes("\n") ? line : 1;
      if (counts === null) continue;
      const key = `${counts} ${example.text}`;
      const texts = JSON.stringify([
        value.text,
        ...[...fields].map(([name, { text }]) => [name, text]).sort(),
      ]);
      const other = seen.get(key);
      if (other !== undefined && other.texts !== texts) return [...new Set([other.example, example])];
      seen.set(key, { example, texts });
    }
  }
  return undefined;
}

/** No program reads all lines as decided: the first line that no example decides about is asked for. */
function misfit(
  misfits: readonly Misfit[],
  kinds: readonly LineKind[],
  examples: readonly WorkedExample[],
  logs: readonly LogText[],
): Outcome {
  const shown = examples.map((example) => {
    const lines = example.text.split("\n");
    const first = new Set(placesOf(lines, logs).map(({ file, line }) => `${file}:${line}`));
    const has = ({ file, line }: Place): boolean => lines.some((_, k) => first.has(`${file}:${line - k}`));
    return { example, has };
  });
  const known = new Set(kinds.flatMap(({ lines }) => lines.map(({ file, line }) => `${file}:${line}`)));
  const open = misfits.find((one) => {
    const { file, line, texts } = one;
    if (shown.some(({ has }) => has(one))) return false;
    const text = logs[file]?.lines[line] ?? "";
    return known.has(`${file}:${line}`) || [...texts.values()].every((part) => text.includes(part));
  });
  if (open !== undefined)
    return {
      kind: "question",
      place: { file: open.file, line: open.line },
      readings: [open.texts, null],
      kinds,
    };
  const against = shown.filter(({ has }) => misfits.some(has)).map(({ example }) => example);
  return {
    kind: "contradiction",
    message: "no program agrees with all of them",
    examples: against.length > 0 ? against : examples,
  };
}

/** Does a program make of an example what it asks for, at each place where it stands in the logs? One that stands
 * nowhere is left to the gates. */
function isRead(
  instance: Instance,
  places: readonly Place[],
  program: Program,
  logs: readonly LogText[],
): boolean {
  const files = [...new Set(places.map(({ file }) => file))];
  const found = files.flatMap((file) =>
    runProgram(program, logs[file]?.lines ?? []).map((one) => ({ file, ...one })),
  );
  const wanted = [...instance.placed].flatMap(([line, spans]) =>
    [...spans].map(([name, { start, end }]): [string, string] => [
      name,
      (instance.lines[line] ?? "").slice(start, end),
    ]),
  );
  return places.every(({ file, line }) =>
    found.some(
      (one) =>
        one.file === file && one.line === line && wanted.every(([name, text]) => one.texts[name] === text),
    ),
  );
}

/** Texts of one part in the logs, up to which it is taken for a choice among a few. */
const FEW = 12;

/** Where a `none` example is like a record but for the text of a part, the part may have only the texts that records
 * have in examples, if it is a choice among a few in the logs. */
function withCategories(rules: readonly Rule[], { kinds, conflicts }: Judgement): Rule[] {
  return rules.map((rule, index) => {
    const texts = (name: string): Set<string> =>
      new Set(
        kinds
          .filter((kind) => kind.rule === index)
          .flatMap(({ lines }) => lines.map((line) => line.texts.get(name) ?? "")),
      );
    const own = conflicts.filter((conflict) => conflict.rule === index);
    const closed = (template: Template): Template => ({
      ...template,
      elements: template.elements.map((element) => {
        if (element.kind !== "part") return element;
        const { leaf } = element;
        const category = leaf.names.some(
          (name) =>
            own.some((one) => !leaf.samples.includes(one.texts.get(name) ?? "")) && texts(name).size <= FEW,
        );
        return category ? { kind: "part", leaf: { ...leaf, category } } : element;
      }),
    });
    return {
      ...rule,
      anchor: closed(rule.anchor),
      satellites: rule.satellites.map((one) => ({ ...one, template: closed(one.template) })),
    };
  });
}

function contradiction(lines: readonly string[], examples: readonly WorkedExample[]): Outcome {
  const none = examples.filter(({ text, records }) => records.length === 0 && text === lines.join("\n"));
  const records = examples.filter((one) => one.records.length > 0).slice(0, 1);
  return {
    kind: "contradiction",
    message: "nothing tells an example that says none from one with a record",
    examples: [...none, ...records],
  };
}

/** The kind of line that is worth a question most: the one most like the examples. */
function worstOpen(kinds: readonly LineKind[]): LineKind | undefined {
  return kinds
    .filter(({ verdict }) => verdict === "open")
    .sort((a, b) => (a.lines[0]?.cost ?? 0) - (b.lines[0]?.cost ?? 0))[0];
}

/** Examples that are all of forms of their own: there may be further forms, and the line most like them is asked for. */
function unseenForm(rules: readonly Rule[], kinds: readonly LineKind[]): LineKind | undefined {
  if (
    rules.length < 2 ||
    rules.some(({ instances }) => new Set(instances.map(({ lines }) => lines.join("\n"))).size > 1)
  ) {
    return undefined;
  }
  return kinds
    .filter(({ verdict, why }) => verdict === "other" && why !== LIKE_NONE.why)
    .sort((a, b) => (a.lines[0]?.cost ?? 0) - (b.lines[0]?.cost ?? 0))[0];
}

function question(kind: LineKind, kinds: readonly LineKind[]): Outcome {
  const [candidate] = kind.lines;
  if (candidate === undefined) throw new Error("a kind of line without lines");
  const { file, line } = candidate;
  return { kind: "question", place: { file, line }, readings: [candidate.texts, null], kinds };
}
