// What records have although the page says that some lack it, and what they lack although it says that all have it: a
// part that may be missing and is required, a number without a digit, brackets that close nothing, a value that does not
// stand on the line which the page counts records by.

import { wordsOf } from "../page/names.ts";
import type { Group, Hint, Page } from "../page/page.ts";
import { bare, NEGATIVE } from "../page/text.ts";
import { interpretRule } from "../program/interpret.ts";
import type { LineAlternative, LineRule, Rule } from "../program/ir.ts";
import { toldApart } from "../readers/told-apart.ts";

/** Doubts of this kind about the rules of one kind of record. */
export function lackings(rule: Rule, group: Group, page: Page, lines: readonly string[]): string[] {
  const records = interpretRule(rule, lines);
  if (records.length === 0) return [];
  const values = records.map(({ value }) => value);
  return [
    ...(rule.kind === "line" ? requiredAll(rule.alternatives, group, lines) : []),
    ...(rule.kind === "line" ? sameCodes(rule, values, group, page, lines) : []),
    ...withoutDigit(group.value, values),
    ...unbalanced(group.value, values),
    ...(rule.kind === "block" ? elsewhere(records, group.value, page, lines) : []),
  ];
}

const EMPTY = /\b(?:empty|blank)\b(?!.*\b(?:missing|absent|lacks?|left out)\b)/i;

/** A part that the page says may be missing is in every line that is read, and lines that go on otherwise in its place
 * are not read. */
function requiredAll(
  alternatives: readonly LineAlternative[],
  group: Group,
  lines: readonly string[],
): string[] {
  const reads = alternatives.map(({ pattern }) => new RegExp(pattern));
  return (
    group.fields
      // A text that may be empty is required with its marks: `""`.
      .filter(({ optional, description }) => optional && !EMPTY.test(description))
      .flatMap((hint) => {
        const cut = alternatives.flatMap((one) => upTo(one, hint) ?? []);
        const rest = lines.filter(
          (line) => cut.some((regex) => regex.test(line)) && !reads.some((regex) => regex.test(line)),
        );
        return cut.length !== alternatives.length || rest.length === 0
          ? []
          : [
              `the page says that ${hint.name} may be missing, and lines without it are not read: ${rest[0]?.trim() ?? ""}`,
            ];
      })
  );
}

/** The expression up to the part in front of an optional one that it requires; undefined where it does not require it. */
function upTo({ pattern, projection }: LineAlternative, hint: Hint): RegExp | undefined {
  const source = projection.fields.find(({ name }) => name === hint.name)?.source;
  if (source?.from !== "group") return undefined;
  const at = pattern.indexOf(`(?<${source.group}>`);
  const before = pattern.slice(0, Math.max(0, at));
  const end = before.lastIndexOf(")");
  // Two parts in front of it say what kind of line it is.
  if (end < 0 || (before.match(/\(\?<\w/g) ?? []).length < 2) return undefined;
  const cut = before.slice(0, end + 1);
  const open = cut.replace(/\\.|\[(?:\\.|[^\]\\])*\]/g, "");
  // Inside a group of its own the part is not required.
  if ((open.match(/\(/g) ?? []).length !== (open.match(/\)/g) ?? []).length) return undefined;
  return /\(\?:[^()]*$/.test(before.slice(end + 1)) ? undefined : new RegExp(cut);
}

/** A code of a message as the value: capitals and a number. */
const CODE = /^[A-Z][A-Z_]*[-_ ]?[A-Z_]*[-_]?\d+$/;

/** Lines that begin like the records up to the code of the message and the mark behind it, and that are not read. */
function sameCodes(
  rule: LineRule,
  values: readonly string[],
  group: Group,
  page: Page,
  lines: readonly string[],
): string[] {
  if (rule.filters.length > 0 || rule.scope !== undefined || !values.every((text) => CODE.test(text)))
    return [];
  // The page speaks of messages without something that are not wanted.
  const skips = page.statements
    .flatMap((one) => one.sentences.map(({ text }) => bare(text)))
    .some((text) => NEGATIVE.test(text) && /\b(?:no|without|lacks?)\b/i.test(text));
  const cuts = rule.alternatives.flatMap(({ pattern, projection }) => {
    if (projection.value.from !== "group" || !pattern.startsWith("^")) return [];
    const at = pattern.indexOf(`(?<${projection.value.group}>`);
    const end = /^\(\?<\w+>(?:\[(?:\\.|[^\]\\])*\]|\\.|[^()\\[])*\)(?:\\[^\w\s]|[:,;])/.exec(
      pattern.slice(at),
    )?.[0];
    return at < 0 || end === undefined ? [] : [new RegExp(pattern.slice(0, at) + end)];
  });
  if (skips || cuts.length === 0 || cuts.length < rule.alternatives.length) return [];
  const reads = rule.alternatives.map(({ pattern }) => new RegExp(pattern));
  const apart = toldApart(page, group);
  const left = lines.filter(
    (line) =>
      cuts.some((cut) => cut.test(line)) &&
      !reads.some((one) => one.test(line)) &&
      !rule.unless.some((text) => line.includes(text)) &&
      !apart(line),
  );
  const [first] = left;
  return first === undefined || left.length > values.length
    ? []
    : [`${left.length} lines begin like the records up to their code and are not read: ${first.trim()}`];
}

function withoutDigit(hint: Hint | undefined, values: readonly string[]): string[] {
  // "port" and "code" are numbers in some logs and names in others; "the number of the rule" is one.
  if (hint === undefined || hint.wholeLine || !/^(?:the )?(?:number|count)\b/i.test(hint.description))
    return [];
  const odd = values.filter((text) => !/\d/.test(text) && !/^[-–?*]*$/.test(text));
  return odd.length <= values.length * 0.2
    ? []
    : [`the value is said to be a number, and reads: ${odd[0] ?? ""}`];
}

const PAIRS = ["()", "[]", "<>"] as const;

function unbalanced(hint: Hint | undefined, values: readonly string[]): string[] {
  if (hint === undefined || hint.kind === "text" || hint.wholeLine) return [];
  const count = (text: string, mark: string): number => text.split(mark).length - 1;
  const odd = values.find((text) =>
    PAIRS.some(
      ([open = "", close = ""]) => count(text, open) !== count(text, close) && !/->|=>|[<>]=?\s/.test(text),
    ),
  );
  return odd === undefined || /\s/.test(odd) ? [] : [`a bracket in the value has no other half: ${odd}`];
}

/** "Line number: the line of the error code", and the value is the error code: it stands on that line. */
function elsewhere(
  records: readonly { line: number; value: string }[],
  hint: Hint | undefined,
  page: Page,
  lines: readonly string[],
): string[] {
  const said = page.statements
    .flatMap((one) => one.sentences)
    .map(
      ({ text }) =>
        /^\W*(?:the )?line(?: number)?\s*(?::|is)\s*(?:the )?line (?:of|with) (?:the |its )?([\w ]+)/i.exec(
          text,
        )?.[1],
    )
    .find((text) => text !== undefined);
  const names = new Set(wordsOf((hint?.name ?? "").replace(/_/g, " ")));
  if (said === undefined || names.size === 0 || !wordsOf(said).every((word) => names.has(word))) return [];
  const other = records.find(({ line, value }) => !(lines[line - 1] ?? "").includes(value.slice(0, 30)));
  return other === undefined
    ? []
    : [`the page counts records by the line of the ${said.trim()}, and ${other.value} does not stand there`];
}
