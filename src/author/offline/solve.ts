// Derives a program from worked examples and logs, or finds the one line that the user has to decide.
import type { ExampleRecord, WorkedExample } from "../../spec/example.ts";
import { type Instance, instancesOf } from "./examples/instances.ts";
import { explain, type Hypothesis, type Rule } from "./examples/rule.ts";
import type { Template } from "./examples/template.ts";
import { generalizeRules } from "./generalize.ts";
import { inferGrid, namedColumns } from "./logs/grid.ts";
import { type Judgement, judge, type Labelled } from "./logs/judge.ts";
import { anchorPlaces, type LogText, type Place, placesOf } from "./logs/places.ts";
import { mergeShapedRules, type ShapedRule } from "./logs/shapes.ts";
import { inferTree, parseDocument } from "./logs/tree.ts";
import {
  askAbout,
  closestOpen,
  closestUnseen,
  explainMisfits,
  findConflict,
  indistinguishable,
  type Outcome,
} from "./outcome.ts";
import { fitRule } from "./program/fit.ts";
import { type Program, type RuleReader, runProgram } from "./program/program.ts";
import { findAmbiguousLine, readLoosely } from "./rivals.ts";
import { read_headings } from "./runtime/index.ts";

/** Rounds of generalizing the rules and judging all lines again. */
const MAX_ROUNDS = 4;

/** Derives a program from the examples.
 * @param snippets short texts that the page quotes */
export function solve(
  examples: readonly WorkedExample[],
  logs: readonly LogText[],
  snippets: readonly string[] = [],
): Outcome {
  const conflicting = findConflict(examples);
  if (conflicting !== undefined) {
    return {
      kind: "contradiction",
      message: "two examples read the same line differently",
      examples: conflicting,
    };
  }
  const alternatives: (readonly Instance[])[] = [];
  for (const example of examples) {
    for (const record of example.records) {
      const instances = instancesInLogs(example, record, logs);
      if (instances.length === 0) {
        return {
          kind: "contradiction",
          message: "the log text does not contain a text of the record",
          examples: [example],
        };
      }
      alternatives.push(instances);
    }
  }
  return chooseHypothesis(explain(alternatives), examples, logs, snippets);
}

/** The possible placements of a record, also judged by the heading row above the example in the logs. */
function instancesInLogs(
  example: WorkedExample,
  record: ExampleRecord,
  logs: readonly LogText[],
): Instance[] {
  const [place] = placesOf(example.text.split("\n"), logs);
  const parts = [...record.fields.keys()];
  return instancesOf(example, record, (line) =>
    place === undefined ? new Map() : namedColumns(logs[place.file]?.lines ?? [], place.line + line, parts),
  );
}

/** Hypotheses within this cost of the best one are its rivals; so many of them are compared with it. */
const RIVAL_MARGIN = 0.75;
const MAX_RIVALS = 3;

/** Solves the likeliest hypothesis and asks if a rival one reads a record differently. */
function chooseHypothesis(
  [first, ...rest]: readonly Hypothesis[],
  examples: readonly WorkedExample[],
  logs: readonly LogText[],
  snippets: readonly string[],
): Outcome {
  const noRecord: Outcome = { kind: "contradiction", message: "no example has a record", examples };
  if (first === undefined) return noRecord;
  const rivals = rest.filter(({ cost }) => cost <= first.cost + RIVAL_MARGIN).slice(0, MAX_RIVALS);
  if (rivals.length === 0) return solveHypothesis(first, examples, logs, snippets);
  const read = [first, ...rivals].map((hypothesis) => ({
    hypothesis,
    reading: readLoosely(hypothesis.rules, logs),
  }));
  const mostNames = Math.max(0, ...read.map(({ reading }) => reading.names));
  const [best, ...others] = read.filter(({ reading }) => reading.names === mostNames);
  if (best === undefined) return noRecord;
  const outcome = solveHypothesis(best.hypothesis, examples, logs, snippets);
  if (outcome.kind !== "program") return outcome;
  const ambiguous = findAmbiguousLine(
    outcome.kinds,
    others.map(({ reading }) => reading),
  );
  return ambiguous === undefined ? outcome : { kind: "question", ...ambiguous, kinds: outcome.kinds };
}

function solveHypothesis(
  hypothesis: Hypothesis,
  examples: readonly WorkedExample[],
  logs: readonly LogText[],
  snippets: readonly string[],
): Outcome {
  const headings = logs.map(({ lines }) => read_headings(lines));
  const documents = logs.map(parseDocument);
  const context = { logs, headings, documents };
  const places = anchorPlaces(hypothesis.rules, logs);
  const labels = labelsOf(hypothesis.rules, places, examples, logs, snippets);
  const merged = mergeShapedRules(
    hypothesis.rules.map((rule): ShapedRule => {
      const tree = inferTree(rule, places, documents);
      return { rule, shape: tree === undefined ? { grid: inferGrid(rule, logs, places) } : { tree } };
    }),
  );
  let rules = merged.map(({ rule }) => rule);
  const shapes = merged.map(({ shape }) => shape);
  let judgement = judge(rules, shapes, context, labels);
  if (judgement.conflicts.length > 0) {
    rules = restrictCategories(rules, judgement);
    judgement = judge(rules, shapes, context, labels);
    const [conflict] = judgement.conflicts;
    if (conflict !== undefined) return indistinguishable(conflict.lines, examples);
  }
  let { kinds } = judgement;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const open = closestOpen(kinds) ?? (round === 0 ? closestUnseen(hypothesis.rules, kinds) : undefined);
    if (open !== undefined) return askAbout(open, kinds);
    const generalized = generalizeRules(rules, kinds, shapes, logs);
    if (generalized === undefined) break;
    rules = generalized;
    kinds = judge(rules, shapes, context, labels).kinds;
  }
  const program: RuleReader[] = [];
  for (const [index, rule] of rules.entries()) {
    const reader = fitRule(rule, index, shapes[index] ?? {}, { kinds, logs, headings });
    if (Array.isArray(reader)) return explainMisfits(reader, kinds, examples, logs);
    program.push(reader);
  }
  const lost = rules
    .flatMap(({ instances }) => instances)
    .find((instance) => !isReproduced(instance, places.get(instance) ?? [], program, logs));
  if (lost === undefined) return { kind: "program", program, kinds };
  const text = lost.lines.join("\n");
  return {
    kind: "contradiction",
    message: "no program that reproduces the other examples reproduces this one",
    examples: examples.filter((example) => example.text === text),
  };
}

function labelsOf(
  rules: readonly Rule[],
  places: ReadonlyMap<Instance, readonly Place[]>,
  examples: readonly WorkedExample[],
  logs: readonly LogText[],
  snippets: readonly string[],
): Labelled {
  const instances = rules.flatMap((rule) => rule.instances);
  const texts = instances.map(({ lines }) => lines.join("\n"));
  return {
    required: snippets.filter((snippet) => texts.every((text) => text.includes(snippet))),
    records: instances.map((instance) => places.get(instance) ?? []),
    none: examples
      .filter(({ records }) => records.length === 0)
      .map(({ text }) => ({ lines: text.split("\n"), places: placesOf(text.split("\n"), logs) })),
  };
}

/** Does a program extract the record of an example at each of its places in the logs? An example that does not occur
 * in the logs is verified by the gates. */
function isReproduced(
  instance: Instance,
  places: readonly Place[],
  program: Program,
  logs: readonly LogText[],
): boolean {
  const files = [...new Set(places.map(({ file }) => file))];
  const extracted = files.flatMap((file) =>
    runProgram(program, logs[file]?.lines ?? []).map((record) => ({ file, ...record })),
  );
  const expected = [...instance.placed].flatMap(([line, spans]) =>
    [...spans].map(([name, { start, end }]): [string, string] => [
      name,
      (instance.lines[line] ?? "").slice(start, end),
    ]),
  );
  return places.every(({ file, line }) =>
    extracted.some(
      (record) =>
        record.file === file &&
        record.line === line &&
        expected.every(([name, text]) => record.texts[name] === text),
    ),
  );
}

/** A part with at most so many different texts in the logs can be a category. */
const MAX_CATEGORY_TEXTS = 12;

/** If a `none` example differs from a record only in the text of one part, and the part has few different texts in the
 * logs, the part is restricted to the texts that it has in examples with records. */
function restrictCategories(rules: readonly Rule[], { kinds, conflicts }: Judgement): Rule[] {
  return rules.map((rule, index) => {
    const texts = (name: string): Set<string> =>
      new Set(
        kinds
          .filter((kind) => kind.rule === index)
          .flatMap(({ lines }) => lines.map((line) => line.texts.get(name) ?? "")),
      );
    const ownConflicts = conflicts.filter((conflict) => conflict.rule === index);
    const restrict = (template: Template): Template => ({
      ...template,
      elements: template.elements.map((element) => {
        if (element.kind !== "part") return element;
        const { leaf } = element;
        const category = leaf.names.some(
          (name) =>
            ownConflicts.some((conflict) => !leaf.samples.includes(conflict.texts.get(name) ?? "")) &&
            texts(name).size <= MAX_CATEGORY_TEXTS,
        );
        return category ? { kind: "part", leaf: { ...leaf, category } } : element;
      }),
    });
    return {
      ...rule,
      anchor: restrict(rule.anchor),
      satellites: rule.satellites.map((satellite) => ({
        ...satellite,
        template: restrict(satellite.template),
      })),
    };
  });
}
