// Parts that stand once above the records: "the table of `Module 3:`", "every group is introduced by `Group: g1`".
// The page shows such a line beside the example of a record; its part holds for the records below it.

import { escapeRegex } from "../escape.ts";
import { tokenize } from "../logs/tokens.ts";
import { fieldName, similarity, stemsOf, wordsOf } from "../page/names.ts";
import type { Group, Hint, Page } from "../page/page.ts";
import { bare } from "../page/text.ts";
import type { Span } from "../parts/evidence.ts";
import { fit } from "../parts/fit.ts";
import { spansOf } from "../parts/spans.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Above, LineRule, Projection, TableRule } from "../program/ir.ts";
import { STRICT } from "../templates/search.ts";
import { buildPattern, type Slot } from "../templates/template.ts";
import { isHeadingRow } from "./tables/headers.ts";

/** A part found on a line above. */
export interface Head {
  hint: Hint;
  group: string;
  above: Above;
}

interface Shown {
  text: string;
  /** The sentence around it without quoted texts; empty in a block. */
  around: string;
}

const INTRODUCES =
  /\b(?:introduc\w*|in front|heads?|headed|heading|headline|above|starts? with|begins? with|begin\w*|preced\w*|title|opens?|sections?|called|names?|named|tells?|says?|follow\w*|under|below|belongs?|stands? in)\b/i;

/** The parts of a group that the page shows on lines above the records, found in the log as well. */
export function headsOf(group: Group, page: Page, lines: readonly string[]): Head[] {
  const hints = [...(group.value === undefined ? [] : [group.value]), ...group.fields];
  const records = recordLines(group, hints);
  if (records.length === 0) return [];
  const heads: Head[] = [];
  for (const hint of hints) {
    if (hint.wholeLine || records.some((line) => shownIn(line, hint) !== undefined)) continue;
    if (hint === group.value && isExample(group, hint, records[0] ?? "")) continue;
    const head = shownLines(page, group, records)
      .map((shown) => headFrom(shown, hint, lines))
      .find((one) => one !== undefined);
    if (head !== undefined) heads.push(head);
  }
  const own = heads.filter((head) => !heads.some((other) => other !== head && isLikelier(other, head)));
  return own.length < hints.length ? own : [];
}

/** Do two parts stand in one place, and is the one likelier there than the other? */
function isLikelier(one: Head, other: Head): boolean {
  const bare = ({ above }: Head): string => above.pattern.replace(/\(\?<\w+>/g, "(");
  if (bare(one) !== bare(other)) return false;
  const scoreOf = ({ hint, group, above: { pattern, example } }: Head): number => {
    const text = new RegExp(pattern).exec(example)?.groups?.[group] ?? "";
    const start = example.indexOf(text);
    const odd = hint.kind === "letter" && text.length > 1 ? 9 : 0;
    return fit(example, { start, end: start + text.length }, hint).score - odd;
  };
  return scoreOf(one) > scoreOf(other);
}

/** Another line that the page shows by itself, about as long as the record's, has the value: it is a record as well. */
function isExample(group: Group, value: Hint, record: string): boolean {
  const size = (line: string): number => line.trim().split(/\s+/).length;
  return group.examples.some(({ lines: [line = "", ...more], mark }) => {
    if (mark === "block" || more.length > 0 || shownIn(line, value) === undefined) return false;
    return size(line) * 2 >= size(record);
  });
}

/** The example lines that hold most of the parts: the one with most words, and those that show nothing it lacks. */
function recordLines(group: Group, hints: readonly Hint[]): string[] {
  const all = group.examples
    .flatMap((one) => one.lines)
    .filter((line) => line.trim() !== "" && !isHeadingRow(line, hints));
  const chunks = (line: string): number => line.trim().split(/[\s|;]+/).length;
  const least = Math.max(2, Math.ceil(hints.length * 0.6));
  const able = all.filter((line) => chunks(line) >= least && /\d|[A-Z]/.test(line));
  const main = [...able].reverse().sort((a, b) => chunks(b) - chunks(a))[0];
  if (main === undefined) return [];
  const lacking = hints.filter((hint) => shownIn(main, hint) === undefined);
  return able.filter((line) => line === main || lacking.every((hint) => shownIn(line, hint) === undefined));
}

/** Where a text that the page shows for a hint stands in a line. */
function shownIn(line: string, hint: Hint): Span | undefined {
  for (const text of [...hint.literals, ...(hint.choices.length > 1 ? hint.choices : [])]) {
    const trimmed = text.trim();
    if (trimmed === "") continue;
    for (let at = line.indexOf(trimmed); at >= 0; at = line.indexOf(trimmed, at + 1)) {
      const inWord = /\w/.test(line.charAt(at - 1)) || /\w/.test(line.charAt(at + trimmed.length));
      if (!inWord) return { start: at, end: at + trimmed.length };
    }
  }
  return undefined;
}

/** Texts of the page that may be lines above the records. */
function shownLines(page: Page, group: Group, records: readonly string[]): Shown[] {
  const shown: Shown[] = [];
  const add = (text: string, around: string): void => {
    const trimmed = text.trim();
    if (trimmed.length < 3 || trimmed.length > 120 || /^[\s.…=_*+-]+$/.test(trimmed)) return;
    if (records.some((line) => line.includes(trimmed)) || shown.some((one) => one.text === trimmed)) return;
    shown.push({ text: trimmed, around });
  };
  for (const { sentences, quoted, text } of page.statements) {
    for (const span of quoted) {
      const sentence = sentences.find(
        (one) => span.start >= one.start && span.start < one.start + one.text.length,
      );
      add(span.text, bare(sentence?.text ?? text));
    }
  }
  // What a block shows only below the line of the record is no line above it.
  for (const example of group.examples.filter((one) => one.mark === "block")) {
    const record = example.lines.findIndex((line) => records.includes(line));
    for (const line of record < 0 ? example.lines : example.lines.slice(0, record)) add(line, "");
  }
  return shown;
}

/** The part of a shown line that is the hint, and the expression of such lines of the log. */
function headFrom(shown: Shown, hint: Hint, lines: readonly string[]): Head | undefined {
  const { text } = shown;
  const span = partOf(shown, hint, lines);
  if (span === undefined) return undefined;
  const own = fieldName(hint.name);
  const group = /^[A-Za-z]\w*$/.test(own) ? own : "head";
  const slots: Slot[] = [{ group, hint, span }];
  const classes = new Map<string, string>();
  const chosen = text.slice(span.start, span.end);
  if (hint.choices.length > 1 && hint.choices.includes(chosen))
    classes.set(group, `(?:${hint.choices.map(escapeRegex).join("|")})`);
  const lead = /[A-Za-z]{2}/.test(text.slice(0, span.start));
  const tails = /\S/.test(text.slice(span.end));
  // Words in front of the part tell such a line; what stands behind it may differ.
  for (const tail of lead && tails ? [false, true] : [true]) {
    const options = { ...STRICT, classes, tail, codes: false, pairs: false };
    const marks = lead || tails ? undefined : markedLine(text, slots);
    const whole = marks ?? buildPattern(text, slots, options);
    const pattern = tail ? `${whole}\\s*$` : whole;
    if (!lead && !tails && marks === undefined) return undefined;
    const regex = new RegExp(pattern);
    const found = lines.find((line) => regex.test(line));
    if (found !== undefined) return { hint, group, above: { pattern, example: found } };
  }
  return undefined;
}

/** "+ ./a.robot": a mark, and behind it the part up to the end of the line. */
function markedLine(text: string, [slot]: readonly Slot[]): string | undefined {
  const mark = /^\s*([^\p{L}\p{N}\s]+)\s+$/u.exec(text.slice(0, slot?.span.start))?.[1];
  if (slot === undefined || mark === undefined) return undefined;
  const several = /\s/.test(text.slice(slot.span.start, slot.span.end));
  return `^\\s*${escapeRegex(mark)}\\s+(?<${slot.group}>${several ? "\\S.*?" : "\\S+"})`;
}

function partOf(shown: Shown, hint: Hint, lines: readonly string[]): Span | undefined {
  const { text, around } = shown;
  const literal = shownIn(text, hint);
  if (literal !== undefined && literal.end - literal.start < text.length) return literal;
  // "from the line `pool: data`", "from the line Host Name".
  const pair = /^([A-Za-z][\w ()/-]*?)\s*[:=]\s*(\S.*)$/.exec(text);
  const key = pair?.[1] ?? "";
  const named =
    pair !== null &&
    (similarity(hint.name, key) >= 0.9 ||
      (hint.description.includes(key) && key.length > 2) ||
      hint.literals.includes(text));
  if (named) return { start: text.length - (pair[2] ?? "").length, end: text.length };
  const stems = stemsOf(around);
  const words = wordsOf(hint.name.replace(/_/g, " "));
  const spoken = words.length > 0 && words.every((word) => [...stemsOf(word)].every((one) => stems.has(one)));
  if (!spoken || !INTRODUCES.test(around) || hint.kind === "text") return undefined;
  const behindLead = behindWords(text, hint, lines);
  const whole = (behindLead ?? text)
    .replace(/^(?:[^\p{L}\p{N}\s]+(?=\s)|[\s=*#[\]-])+|(?:(?<=\s)[^\p{L}\p{N}\s]+|[\s:=*#[\]-])+$/gu, "")
    .trim();
  if (whole === "" || whole === text || tokenize(whole).length > (behindLead === undefined ? 8 : 20))
    return undefined;
  const start = text.lastIndexOf(whole);
  // The name of the part in front of it is no part of it, unless the page takes only the colon away.
  const behind = /\bwithout (?:the|its) colon\b/i.test(hint.description)
    ? null
    : /^([A-Za-z]+)\s+(\S+)$/.exec(whole);
  if (behind !== null && similarity(hint.name, behind[1] ?? "") >= 0.85) {
    const last = behind[2] ?? "";
    return { start: start + whole.length - last.length, end: start + whole.length };
  }
  if (hint.kind !== "number") return { start, end: start + whole.length };
  const best = spansOf(text)
    .map((span) => ({ span, score: fit(text, span, hint).score }))
    .sort((a, b) => b.score - a.score)[0];
  return best !== undefined && best.score > 2 ? best.span : undefined;
}

/** "Directory of C:\Some Path": what stands behind the words, the name of the part among them, that several lines of the
 * log begin with and then go on in other ways. */
function behindWords(text: string, hint: Hint, lines: readonly string[]): string | undefined {
  const lead = /^(?:[A-Za-z][\w-]*\s+){1,6}(?=\S)/.exec(text)?.[0] ?? "";
  const words = lead.trim().split(/\s+/);
  if (!words.some((word) => similarity(hint.name, word) >= 0.85)) return undefined;
  for (let count = words.length; count > 0 && lead !== ""; count -= 1) {
    const front = new RegExp(`^\\s*${words.slice(0, count).map(escapeRegex).join("\\s+")}\\s+(\\S.*)$`);
    const rests = new Set(lines.flatMap((line) => front.exec(line)?.[1] ?? []));
    if (rests.size > 1) return front.exec(text)?.[1];
  }
  return undefined;
}

/** The group without the parts that stand above. Something has to be the value; it is put right afterwards. */
export function withoutHeads(group: Group, heads: readonly Head[]): Group {
  const above = new Set(heads.map((one) => one.hint));
  const fields = group.fields.filter((hint) => !above.has(hint));
  const texts = heads.map((one) => new RegExp(one.above.pattern));
  const examples = group.examples.filter(
    (one) => one.lines.length > 1 || !texts.some((regex) => regex.test(one.lines[0] ?? "")),
  );
  if (group.value === undefined || !above.has(group.value)) return { ...group, fields, examples };
  return { ...group, value: fields[0], fields: fields.slice(1), examples };
}

/** The page whose lists of parts do not name the parts that stand above. */
export function withoutNames(page: Page, heads: readonly Head[]): Page {
  const isHead = (name: string): boolean => heads.some(({ hint }) => similarity(hint.name, name) >= 0.9);
  const lists = page.lists.map((list) => ({ ...list, names: list.names.filter((name) => !isHead(name)) }));
  return { ...page, lists };
}

/** The rule with the parts above, or undefined when some record has none above it. */
export function addHeads<R extends LineRule | TableRule>(
  rule: R,
  group: Group,
  heads: readonly Head[],
  lines: readonly string[],
): R | undefined {
  const used = JSON.stringify(rule);
  if (heads.some((head) => used.includes(`(?<${head.group}>`) && rule.kind === "line")) return undefined;
  const swapped = heads.some((head) => head.hint === group.value);
  const put = (projection: Projection): Projection => {
    const known = new Map(projection.fields.map((one) => [one.name, one.source]));
    // The field that stood in for the value.
    const standIn = group.fields.find((hint) => !heads.some((head) => head.hint === hint));
    if (swapped && standIn !== undefined) known.set(standIn.name, projection.value);
    for (const head of heads) known.set(head.hint.name, { from: "group", group: head.group });
    const valueHead = heads.find((head) => head.hint === group.value);
    return {
      value: valueHead === undefined ? projection.value : { from: "group", group: valueHead.group },
      fields: group.fields.flatMap((hint) => {
        const source = known.get(hint.name);
        return source === undefined ? [] : [{ name: hint.name, source }];
      }),
    };
  };
  const above = heads.map((head) => head.above);
  const isHead = (line: string): boolean => above.some((one) => new RegExp(one.pattern).test(line));
  const changed =
    rule.kind === "table"
      ? { ...unsectioned(rule, isHead), above, projection: put(rule.projection) }
      : {
          ...unscoped(rule, isHead),
          above,
          alternatives: rule.alternatives.map((one) => ({ ...one, projection: put(one.projection) })),
        };
  const records = interpretRule(changed, lines);
  const complete = records.every((one) =>
    heads.every(
      (head) => ((head.hint === group.value ? one.value : one.fields[head.hint.name]) ?? "") !== "",
    ),
  );
  return records.length > 0 && complete ? (changed as R) : undefined;
}

/** Nor of a table: the titles are a part of the records then. */
function unsectioned(rule: TableRule, isHead: (line: string) => boolean): TableRule {
  if (rule.sections === undefined || !isHead(rule.sections.example)) return rule;
  const { sections: _sections, ...rest } = rule;
  return rest;
}

/** A line above the records is no section of its own. */
function unscoped(rule: LineRule, isHead: (line: string) => boolean): LineRule {
  if (rule.scope === undefined || !isHead(rule.scope.openExample)) return rule;
  const { scope: _scope, ...rest } = rule;
  return rest;
}
