// Conditions on the fields of records, judged after Atom B. A condition that cannot be decided, because the field is
// missing or not a number, counts against the record: nothing passes for lack of evidence. Contract, section 3.
import type { ParsedItem } from "../contract/atoms.ts";
import type { FieldCondition } from "../contract/config.ts";
import type { JsonValue } from "../core/json.ts";
import { truncate } from "../core/limits.ts";
import type { Matcher } from "./types.ts";

/** What became of the conditions of a record. */
export type ConditionVerdict =
  | { holds: true }
  /** `decided` is false when the field is missing, has another kind, or the expression cannot be used. */
  | { holds: false; decided: boolean; reason: string };

const HOLDS: ConditionVerdict = { holds: true };
const BATCH = 4096;

/** A number as logs write it: `61.2`, `-3`, `1,200`, `1e-9`, `61.2 %`; undefined for any other text. */
export function numberOf(value: JsonValue): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return undefined;
  const text = value.trim().replace(/\s*%$/, "");
  if (!/^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+|(?=\.\d))(?:\.\d*)?(?:[eE][+-]?\d+)?$/.test(text)) return undefined;
  const number = Number(text.replaceAll(",", ""));
  return Number.isFinite(number) ? number : undefined;
}

/** Judges all conditions on each record; answer i belongs to record i. The first that fails gives the reason. */
export async function judgeConditions(
  items: readonly ParsedItem[],
  conditions: readonly FieldCondition[],
  matcher: Matcher,
): Promise<ConditionVerdict[]> {
  const verdicts: ConditionVerdict[] = items.map(() => HOLDS);
  for (const condition of conditions) {
    const open = items.flatMap((item, at) => (verdicts[at]?.holds === true ? [{ item, at }] : []));
    const answers =
      condition.test === "matches"
        ? await searched(
            open.map(({ item }) => item),
            condition,
            matcher,
          )
        : open.map(({ item }) => decide(item, condition));
    open.forEach(({ at }, i) => {
      verdicts[at] = answers[i] ?? HOLDS;
    });
  }
  return verdicts;
}

function decide(item: ParsedItem, condition: FieldCondition): ConditionVerdict {
  const { field, test, wanted } = condition;
  const value = fieldOf(item, field);
  if (value === undefined) return missing(field);
  if (test === "at_least" || test === "at_most") {
    const number = numberOf(value);
    const limit = numberOf(wanted);
    if (number === undefined || limit === undefined) {
      return undecided(`${field} must be ${WORDS[test]} ${wanted}, but ${shown(value)} is not a number`);
    }
    const good = test === "at_least" ? number >= limit : number <= limit;
    return good ? HOLDS : broken(field, test, wanted, value);
  }
  const texts = Array.isArray(value) ? value : [value];
  const good = texts.some((one) => {
    if (test === "contains") return textOf(one).includes(wanted);
    return typeof one === "number" ? one === numberOf(wanted) : textOf(one) === wanted;
  });
  return good ? HOLDS : broken(field, test, wanted, value);
}

/** `matches` goes through Atom B: the expression runs where it cannot hang the program. */
async function searched(
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
        verdicts.push(missing(field));
        continue;
      }
      const answer = answers[next++];
      if (answer?.is_match === true) verdicts.push(HOLDS);
      else if (answer?.reason.startsWith("Invalid Regex:") === true) verdicts.push(undecided(answer.reason));
      else verdicts.push(broken(field, "matches", wanted, value));
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

function broken(
  field: string,
  test: FieldCondition["test"],
  wanted: string,
  value: JsonValue,
): ConditionVerdict {
  const text = test === "at_least" || test === "at_most" ? wanted : JSON.stringify(wanted);
  const reason = `${field} must be ${WORDS[test]} ${text}, but is ${shown(value)}`;
  return { holds: false, decided: true, reason };
}

function missing(field: string): ConditionVerdict {
  return undecided(`the record has no field ${field}`);
}

function undecided(reason: string): ConditionVerdict {
  return { holds: false, decided: false, reason };
}

/** The value of a field: by its whole name, else by the parts of a dotted one. */
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
