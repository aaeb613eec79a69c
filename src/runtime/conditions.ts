// Conditions on the fields of records, evaluated after Atom B. A condition that cannot be decided, because the field is
// missing or not a number, counts against the record: nothing passes without evidence. docs/contract.md, section 3.
import type { ParsedItem } from "../contract/atoms.ts";
import type { FieldCondition } from "../contract/config.ts";
import type { JsonValue } from "../core/json.ts";
import { truncate } from "../core/limits.ts";
import type { Matcher } from "./types.ts";

/** The result of the conditions for a record. */
export type ConditionVerdict =
  | { holds: true }
  /** `decided` is false when the field is missing or has another type, or the expression is invalid. */
  | { holds: false; decided: boolean; reason: string };

const HOLDS: ConditionVerdict = { holds: true };
const BATCH = 4096;

/** Parses a number as written in logs: `61.2`, `-3`, `1,200`, `1e-9`, `61.2 %`; undefined for any other text. */
export function numberOf(value: JsonValue): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return undefined;
  const text = value.trim().replace(/\s*%$/, "");
  if (!/^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+|(?=\.\d))(?:\.\d*)?(?:[eE][+-]?\d+)?$/.test(text)) return undefined;
  const number = Number(text.replaceAll(",", ""));
  return Number.isFinite(number) ? number : undefined;
}

/** Evaluates all conditions on each record; verdict i belongs to record i. The reason is that of the first failure. */
export async function judgeConditions(
  items: readonly ParsedItem[],
  conditions: readonly FieldCondition[],
  matcher: Matcher,
): Promise<ConditionVerdict[]> {
  const verdicts: ConditionVerdict[] = items.map(() => HOLDS);
  for (const condition of conditions) {
    const open = items.flatMap((item, index) => (verdicts[index]?.holds === true ? [{ item, index }] : []));
    const results =
      condition.test === "matches"
        ? await searchFields(
            open.map(({ item }) => item),
            condition,
            matcher,
          )
        : open.map(({ item }) => decide(item, condition));
    open.forEach(({ index }, i) => {
      verdicts[index] = results[i] ?? HOLDS;
    });
  }
  return verdicts;
}

function decide(item: ParsedItem, condition: FieldCondition): ConditionVerdict {
  const { field, test, wanted } = condition;
  const value = fieldOf(item, field);
  if (value === undefined) return missingField(field);
  if (test === "at_least" || test === "at_most") {
    const number = numberOf(value);
    const limit = numberOf(wanted);
    if (number === undefined || limit === undefined) {
      return undecided(`${field} must be ${WORDS[test]} ${wanted}, but ${shown(value)} is not a number`);
    }
    const holds = test === "at_least" ? number >= limit : number <= limit;
    return holds ? HOLDS : violated(field, test, wanted, value);
  }
  const elements = Array.isArray(value) ? value : [value];
  const holds = elements.some((element) => {
    if (test === "contains") return textOf(element).includes(wanted);
    return typeof element === "number" ? element === numberOf(wanted) : textOf(element) === wanted;
  });
  return holds ? HOLDS : violated(field, test, wanted, value);
}

/** Evaluates `matches` with Atom B: in the sandbox, the expression cannot block the program. */
async function searchFields(
  items: readonly ParsedItem[],
  { field, wanted }: FieldCondition,
  matcher: Matcher,
): Promise<ConditionVerdict[]> {
  const verdicts: ConditionVerdict[] = [];
  for (let start = 0; start < items.length; start += BATCH) {
    const part = items.slice(start, start + BATCH).map((item) => fieldOf(item, field));
    const present = part.filter((value) => value !== undefined);
    const answers = await matcher(
      present.map((value) => ({
        text: textOf(value),
        pattern: `regex:${wanted}`,
        parsed_fields: null,
        default_match: "contains",
        regex_mode: "search",
      })),
    );
    let next = 0;
    for (const value of part) {
      if (value === undefined) {
        verdicts.push(missingField(field));
        continue;
      }
      const answer = answers[next++];
      if (answer?.is_match === true) verdicts.push(HOLDS);
      else if (answer?.reason.startsWith("Invalid Regex:") === true) verdicts.push(undecided(answer.reason));
      else verdicts.push(violated(field, "matches", wanted, value));
    }
  }
  return verdicts;
}

const WORDS = {
  equals: "equal to",
  contains: "a text that contains",
  at_least: "at least",
  at_most: "at most",
  matches: "a match of",
} as const;

function violated(
  field: string,
  test: FieldCondition["test"],
  wanted: string,
  value: JsonValue,
): ConditionVerdict {
  const text = test === "at_least" || test === "at_most" ? wanted : JSON.stringify(wanted);
  const reason = `${field} must be ${WORDS[test]} ${text}, but is ${shown(value)}`;
  return { holds: false, decided: true, reason };
}

function missingField(field: string): ConditionVerdict {
  return undecided(`the record has no field ${field}`);
}

function undecided(reason: string): ConditionVerdict {
  return { holds: false, decided: false, reason };
}

/** The value of a field: by its full name, otherwise by the parts of a dotted name. */
export function fieldOf(item: ParsedItem, field: string): JsonValue | undefined {
  if (Object.hasOwn(item.parsed_fields, field)) return item.parsed_fields[field] ?? undefined;
  let value: JsonValue | undefined = item.parsed_fields;
  for (const part of field.split(".")) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) value = undefined;
    else value = Object.hasOwn(value, part) ? value[part] : undefined;
  }
  if (value !== undefined && value !== null) return value;
  return field === "value" ? item.value : undefined;
}

function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function shown(value: JsonValue): string {
  return truncate(JSON.stringify(value), 200).text;
}
