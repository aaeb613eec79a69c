// Findings of `spec lint` beyond the parser's: which authors can write the atoms of a page, and conditions in its
// check that patterns cannot see.
import type { FieldCondition, NormalizedConfig } from "../contract/config.ts";
import { readCheckBlock } from "../runtime/check-block.ts";
import { logicSlice, parsingSlice, type SpecFinding, type WorkedExample } from "../spec/index.ts";
import type { ItemSpec } from "../spec/types.ts";

/** Authors that can write the atoms of a page. */
export interface PageAuthors {
  /** The built-in author, which works without a model. */
  offline: boolean;
  /** Any model. */
  model: boolean;
  /** What the offline author lacks; empty if it can write the atoms. */
  missing: string[];
}

/** A model needs only a readable page; the offline author cannot read prose. */
export function authorsOf(spec: ItemSpec | undefined): PageAuthors {
  if (spec === undefined) return { offline: false, model: false, missing: ["the page cannot be read"] };
  const { examples } = parsingSlice(spec);
  const { check } = logicSlice(spec);
  const missing = [
    ...(examples.some(({ records }) => records.length > 0)
      ? []
      : ["section 1 has no worked example with a record (create one with atomsmith label)"]),
    ...(check === null ? ["section 2 has no check block (create one with atomsmith label --check)"] : []),
  ];
  return { offline: missing.length === 0, model: true, missing };
}

/** Warns about conditions on a field that no example has, and about patterns that occur in no value. */
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
      message: `The check has a condition on field ${field}, which no worked example has; known fields: ${[...known].join(", ") || "none"}.`,
    }));
}

/** Patterns see only `value`. One that occurs in a field but in no value is usually meant for that field. */
function patternsOnFields(config: NormalizedConfig, examples: readonly WorkedExample[]): SpecFinding[] {
  const records = examples.flatMap((example) => example.records);
  return config.requirements.pattern_items.flatMap((pattern): SpecFinding[] => {
    if (pattern.startsWith("regex:") || /[*?|]/.test(pattern)) return [];
    if (records.some(({ value }) => value.text.includes(pattern))) return [];
    const field = records
      .flatMap(({ fields }) => [...fields])
      .find(([, { text }]) => text.includes(pattern))?.[0];
    if (field === undefined) return [];
    const message = `Patterns match only the value: ${JSON.stringify(pattern)} occurs in no value of the examples, but in field ${field}. Use where: {${field}: …}.`;
    return [{ severity: "warning", code: "pattern_on_field", message }];
  });
}
