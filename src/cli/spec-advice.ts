// What `spec lint` says beyond what the parser finds: who could write the atoms of a page and why not, and where its
// check asks for something that a pattern cannot see.
import type { FieldCondition, NormalizedConfig } from "../contract/config.ts";
import { readCheckBlock } from "../runtime/check-block.ts";
import { logicSlice, parsingSlice, type SpecFinding, type WorkedExample } from "../spec/index.ts";
import type { ItemSpec } from "../spec/types.ts";

/** Who could write the atoms of a page. */
export interface PageAuthors {
  /** The built-in author, which needs no model. */
  offline: boolean;
  /** Any model. */
  model: boolean;
  /** What the offline author misses; empty when it can do it. */
  missing: string[];
}

/** A page that can be read is enough for a model; the offline author reads no prose. */
export function authorsOf(spec: ItemSpec | undefined): PageAuthors {
  if (spec === undefined) return { offline: false, model: false, missing: ["the page cannot be read"] };
  const { examples } = parsingSlice(spec);
  const { check } = logicSlice(spec);
  const missing = [
    ...(examples.some(({ records }) => records.length > 0)
      ? []
      : ["section 1 has no worked example with a record (atomsmith label makes one)"]),
    ...(check === null ? ["section 2 has no check block (atomsmith label --check proposes one)"] : []),
  ];
  return { offline: missing.length === 0, model: true, missing };
}

/** Warnings about a check that needs a field: one that no example has, or a pattern that stands in no value. */
export function checkAdvice(spec: ItemSpec): SpecFinding[] {
  const { check } = logicSlice(spec);
  const reading = check === null ? undefined : readCheckBlock(check);
  const { examples } = parsingSlice(spec);
  if (reading?.ok !== true || !examples.some(({ records }) => records.length > 0)) return [];
  return [...unknownFields(reading.config, examples), ...patternsOnFields(reading.config, examples)];
}

function unknownFields(config: NormalizedConfig, examples: readonly WorkedExample[]): SpecFinding[] {
  const { where = [], pattern_where = [] } = config.requirements;
  const conditions: FieldCondition[] = [...where, ...pattern_where.flat()];
  const known = new Set(
    examples.flatMap(({ records }) => records.flatMap(({ fields }) => [...fields.keys()])),
  );
  const wanted = new Set(conditions.map(({ field }) => field).filter((field) => field !== "value"));
  return [...wanted]
    .filter((field) => !known.has(field))
    .map((field) => ({
      severity: "warning",
      code: "where_field_unknown",
      message: `The check demands something of the field ${field}, which no worked example has; fields there: ${[...known].join(", ") || "none"}.`,
    }));
}

/** Patterns see only `value`. One that stands in no value but in a field is nearly always meant for that field. */
function patternsOnFields(config: NormalizedConfig, examples: readonly WorkedExample[]): SpecFinding[] {
  const records = examples.flatMap((example) => example.records);
  return config.requirements.pattern_items.flatMap((pattern): SpecFinding[] => {
    if (pattern.startsWith("regex:") || /[*?|]/.test(pattern)) return [];
    if (records.some(({ value }) => value.text.includes(pattern))) return [];
    const field = records
      .flatMap(({ fields }) => [...fields])
      .find(([, { text }]) => text.includes(pattern))?.[0];
    if (field === undefined) return [];
    const message = `Patterns see only the value: ${JSON.stringify(pattern)} stands in no value of the examples, but in the field ${field}. Demand it with where: {${field}: …}.`;
    return [{ severity: "warning", code: "pattern_on_field", message }];
  });
}
