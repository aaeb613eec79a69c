// Do the records agree with what the page says about their parts, and does the rule take all lines of one form? What
// is left out without a reason, and parts that are not what the page says, keep a rule from being accepted.

import { ruledOutLines } from "../conditions/exclusions.ts";
import { escapeRegex } from "../escape.ts";
import { similarity, stem } from "../page/names.ts";
import type { Group, Hint, Page } from "../page/page.ts";
import { carriedTexts } from "../parts/carried.ts";
import { interpretRule } from "../program/interpret.ts";
import type { BlockRule, Extracted, LineRule, Rule } from "../program/ir.ts";

/** Doubts about the records that a rule gives. */
export function inconsistencies(rule: Rule, group: Group, page: Page, lines: readonly string[]): string[] {
  const records = interpretRule(rule, lines);
  if (records.length === 0) return [];
  const doubts: string[] = [];
  const hints = [...(group.value === undefined ? [] : [group.value]), ...group.fields];
  for (const hint of hints) {
    const texts = records.flatMap((one) => {
      const text = hint === group.value ? one.value : one.fields[hint.name];
      return text === undefined || text === "" ? [] : [{ text, host: one.content }];
    });
    doubts.push(
      ...choiceDoubts(hint, texts),
      ...timeDoubts(hint, texts, rule),
      ...numberDoubts(hint, texts),
      ...carriedDoubts(hint, texts, lines),
    );
  }
  doubts.push(
    ...shownDoubts(rule, group, hints),
    ...placeholderDoubts(rule, group, records),
    ...headingDoubts(records, hints),
  );
  if (rule.kind === "block") doubts.push(...startDoubts(rule, records, lines));
  if (rule.kind === "line")
    doubts.push(
      ...formDoubts(rule, records, page, withoutRuledOut(page, group, lines)),
      ...treeDoubts(rule, records, lines),
    );
  return doubts;
}

function withoutRuledOut(page: Page, group: Group, lines: readonly string[]): readonly string[] {
  const excluded = ruledOutLines(page, group);
  return lines.filter((line) => !excluded(line));
}

interface Part {
  text: string;
  host: string;
}

/** The page lists the texts that a part may have. */
function choiceDoubts(hint: Hint, texts: readonly Part[]): string[] {
  if (hint.choices.length < 2 || !/\bor\b|\bone of\b|`\s*,\s*`/.test(hint.description)) return [];
  const known = new Set(hint.choices.map((one) => one.toLowerCase()));
  // "`Rule: class 'a'` or `Local rule`": what a listed text quotes or counts is another one in other records.
  const heads = hint.choices.flatMap(
    (one) => /^([^:'"\d]{3,}?(?::(?=.*['"\d])|(?=['"\d])))/.exec(one)?.[1] ?? [],
  );
  const odd = texts.filter(
    ({ text }) => !known.has(text.toLowerCase()) && !heads.some((head) => text.startsWith(head.trimEnd())),
  );
  if (odd.length <= texts.length * 0.3) return [];
  // "(interface or relay)" says what the texts are, when no line has these words.
  const described = hint.choices.every(
    (one) => /^[a-z]+$/.test(one) && !hint.description.includes(`\`${one}`),
  );
  const words = [...known].map((one) => new RegExp(`(?<![\\w-])${escapeRegex(one)}(?![\\w-])`, "i"));
  const having = odd.filter(({ text, host }) => words.some((one) => one.test(host.replace(text, " "))));
  if (described && having.length === 0) return [];
  return [`the page lists ${hint.choices.join(", ")} for ${hint.name}, but it reads: ${odd[0]?.text ?? ""}`];
}

/** The page says that the part has a text in it, the log has such texts, and the parts have not. */
function carriedDoubts(hint: Hint, texts: readonly Part[], lines: readonly string[]): string[] {
  return carriedTexts(hint.description)
    .filter((one) => one.always && lines.some((line) => line.includes(one.text)))
    .filter((one) => texts.filter(({ text }) => text.includes(one.text)).length < texts.length * 0.5)
    .map((one) => `the page wants ${hint.name} with ${one.text}, but it reads: ${texts[0]?.text ?? ""}`);
}

const CALLED_NUMBER = /^\W*(?:the |a |its |only the )?(?:[a-z]+ )?(?:numbers?|count|amount)\b(?! or)/i;

/** The page calls the part a number, and none of its texts has a digit. */
function numberDoubts(hint: Hint, texts: readonly Part[]): string[] {
  if (!CALLED_NUMBER.test(hint.description) || texts.length === 0 || hint.choices.length > 1) return [];
  if (
    texts.some(
      ({ text }) => /\d/.test(text) || /^\W+$|^(?:none|unlimited|infinity|n\/?a|max|inf|nan)$/i.test(text),
    )
  )
    return [];
  return [`the page calls ${hint.name} a number, but it reads: ${texts[0]?.text ?? ""}`];
}

/** A heading row taken for a record: its parts are the names of the value and the fields. */
function headingDoubts(records: readonly Extracted[], hints: readonly Hint[]): string[] {
  const names = hints.map((hint) => hint.name.replace(/_/g, " ")).filter((name) => name.length > 1);
  const isName = (text: string): boolean =>
    /^[A-Za-z][A-Za-z _%()/.-]*$/.test(text) && names.some((name) => similarity(name, text) >= 0.75);
  const heading = records.find((one) => {
    const parts = [one.value, ...Object.values(one.fields)];
    const named = parts.filter(isName).length;
    // A number among the parts is data.
    return (
      named >= 2 && named * 2 >= parts.length && !parts.some((part) => /\d{3}|^\W*\d[\d.,]*\W*$/.test(part))
    );
  });
  return heading === undefined ? [] : [`a heading row is taken for a record: ${heading.content.trim()}`];
}

/** When something happened, or until when it holds. */
const EVENT =
  /(?:^|_)(?:start|begin|end|stop|finish|log(?:in|out|on|off)|last|first|up|idle|until|expir\w*|valid\w*|next|at|(?:creat|modifi|updat|chang|start|stopp|finish|complet|enqueu|dequeu|queu|submitt|expir|issu|receiv|sent|connect|open|clos|record|schedul|releas|publish|install|access)ed)$/i;

/** A time stamp where the page does not speak of a time, and neither the log has it under this name. */
function timeDoubts(hint: Hint, texts: readonly Part[], rule: Rule): string[] {
  if (hint.wholeLine || ["time", "text", "number"].includes(hint.kind ?? "")) return [];
  if (
    /time|date|stamp|clock|since|\bday|\bwhen\b|\bage\b|duration|elapsed/i.test(
      `${hint.name} ${hint.description}`,
    )
  )
    return [];
  const stamp =
    /^\W?(?:(?:\d{4}-\d\d-\d\d|\d\d[./-]\d\d(?:[./-]\d{2,4})?|[A-Z][a-z]{2} +\d{1,2}),?[ T])?\d\d:\d\d:\d\d(?![\w:])/;
  if (EVENT.test(hint.name) || hint.literals.some((one) => stamp.test(one))) return [];
  const named = escapeRegex(hint.name).replace(/_/g, "[ _-]");
  if (rule.kind === "table" && new RegExp(`\\b${named}\\b`, "i").test(rule.headerExample)) return [];
  const isKeyed = (text: string, host: string): boolean =>
    new RegExp(`\\b${named}["']?\\s*[:=]\\s*["']?${escapeRegex(text)}`, "i").test(host);
  const odd = texts.filter(
    ({ text, host }) => stamp.test(text) && text !== host.trim() && !isKeyed(text, host),
  );
  if (odd.length === 0 || odd.length < texts.length * 0.5) return [];
  return [`a time stands in the ${hint.name}: ${odd[0]?.text ?? ""}`];
}

/** The text that the page shows for a part must be what the rule reads from the line in which it stands. */
function shownDoubts(rule: Rule, group: Group, hints: readonly Hint[]): string[] {
  if (rule.kind !== "line") return [];
  const shown = group.examples.flatMap((one) => one.lines);
  const { scope: _scope, above: _above, ...alone } = rule;
  const doubts: string[] = [];
  // Of several lines of one form the page says for one of them what it has.
  const reads = interpretRule(alone, shown);
  for (const line of shown) {
    const record = interpretRule(alone, [line])[0];
    if (record === undefined) continue;
    for (const hint of hints) {
      const text = hint === group.value ? record.value : record.fields[hint.name];
      if (text === undefined) continue;
      const [literal, ...others] = hint.literals.filter((one) => one.trim().length > 1);
      if (literal === undefined || others.length > 0) continue;
      const name = literal.trim().replace(/[=:]$/, "");
      const isKey = new RegExp(`(?<![\\w.-])${escapeRegex(name)}\\s?[=:]`).test(line);
      const agrees = isKey || holds(text, literal.trim()) || literal.includes(text);
      if (agrees) continue;
      // "`x` then `y`, including the unit (`3um`)": the text shown for both is that of one.
      const isShared = hints.some(
        (one) =>
          one !== hint &&
          (one.description === hint.description || one.literals.length === 0) &&
          record.fields[one.name] === literal.trim(),
      );
      if (isShared) continue;
      if (line.includes(literal)) {
        doubts.push(`the page shows ${literal.trim()} for ${hint.name}, and the rule reads ${text} there`);
      } else if (
        shown.some((other) => other !== line && other.includes(literal)) &&
        !reads.some((one) => (hint === group.value ? one.value : one.fields[hint.name]) === literal)
      ) {
        doubts.push(`the ${hint.name} stands on another line of the page's example than ${text}`);
      }
    }
  }
  return [...new Set(doubts)];
}

/** Does the text read have the one that the page shows? More glued in front of it ("%Warning-UNUSED" for "UNUSED") is more
 * than the page says. */
function holds(text: string, literal: string): boolean {
  const at = text.indexOf(literal);
  return at >= 0 && !(/^\S*[A-Za-z]\S*[^\w\s./\\]$/.test(text.slice(0, at)) && /^[A-Za-z]\w+$/.test(literal));
}

/** The value is read where the page's example has a placeholder in capitals (`HOST`), and is the same in all records:
 * that is the sender of the log, not what the page asks for. */
function placeholderDoubts(rule: Rule, group: Group, records: readonly Extracted[]): string[] {
  if (rule.kind !== "line" || records.length < 3) return [];
  const { scope: _scope, above: _above, ...alone } = rule;
  const shown = group.examples.flatMap((one) => interpretRule(alone, one.lines)).map((one) => one.value);
  const [placeholder] = shown;
  const isConstant = records.every((one) => one.value === records[0]?.value);
  if (placeholder === undefined || !/^[A-Z]{3,}$/.test(placeholder) || !isConstant) return [];
  return [`the page shows only ${placeholder} for the value, and every record has ${records[0]?.value}`];
}

/** Branches of a tree that the rule does not take, where it takes others: the lines in front of them differ by depth. */
function treeDoubts(rule: LineRule, records: readonly Extracted[], lines: readonly string[]): string[] {
  const branch = /^[\s\u2500-\u257f|`+-]*(?:[\u251c\u2514]\u2500+|[|`+]--) ?\S/u;
  if (rule.unless.length > 0 || rule.filters.length > 0) return [];
  const branches = records.filter(({ content }) => branch.test(content)).length;
  if (branches === 0) return [];
  const left = lines.filter((line) => branch.test(line)).length - branches;
  return left > branches * 0.1 ? [`${left} branches of the tree are not taken`] : [];
}

/** Words as one, numbers as one, and the marks between them: what a line without fixed words is recognised by. */
function formOf(line: string): string {
  return line
    .trim()
    .replace(/[-+]?\d[\d.,]*%?(?![\w-])/g, "9")
    .replace(/[\p{L}_](?:[\p{L}\p{N}_./-]*[\p{L}\p{N}_])?(?: +[\p{L}\p{N}_][\p{L}\p{N}_./-]*)*/gu, "w")
    .replace(/\s+/g, " ");
}

const LEVELS: Record<string, readonly string[]> = {
  W: ["warning", "warnings"],
  E: ["error", "errors"],
  F: ["fatal"],
  N: ["note", "notes", "notice"],
  I: ["info", "information"],
};

/** Has an expression a letter for a level at its start that the page names? */
function hasLevel(pattern: string, stems: ReadonlySet<string>): boolean {
  const letter =
    /^(?:\^\\s\*)?(?:\\b)?(?:\\[^\w\s]|[%#!])?([A-Z])(?:[-,:]|\\[^\w\s])/.exec(pattern)?.[1] ?? "";
  return (LEVELS[letter] ?? []).some((word) => stems.has(stem(word)));
}

/** The first word of a line, letters as one, digits as one. */
function headOf(line: string): string {
  const [head = ""] = /\S+/.exec(line) ?? [];
  return head.replace(/\p{L}+/gu, "a").replace(/\d+/g, "9");
}

/** A rule without fixed words takes lines by their form alone: then it must take all lines of that form. */
function formDoubts(
  rule: LineRule,
  records: readonly Extracted[],
  page: Page,
  lines: readonly string[],
): string[] {
  const fixed = rule.alternatives.flatMap(
    (one) => plainText(one.pattern).match(/[A-Za-z]{3,}|\d{3,}/g) ?? [],
  );
  // "*W,NAME" where the page speaks of warnings: the letter tells the lines.
  if (rule.alternatives.every(({ pattern }) => hasLevel(pattern, page.stems))) return [];
  // A word or two that the page does not speak of, and hardly a line has: they were data, not the message.
  const named = fixed.some((word) => page.stems.has(stem(word.toLowerCase())));
  const few = fixed.length > 0 && fixed.length <= 2 && !named && records.length <= 2;
  if (fixed.length > 0 && !few) return [];
  const patterns = rule.alternatives.flatMap((one) => [
    new RegExp(one.pattern),
    new RegExp(withoutChoices(one.pattern)),
  ]);
  const forms = new Set(
    records.map((one) => formOf(one.content)).filter((form) => /w.*9|9.*w|\W{2}/.test(form)),
  );
  // Lines that stop in front of the last part of the others are of their form as well.
  const shorter = new Set(
    [...forms].map((form) => form.replace(/ [w9]$/, "")).filter((form) => / .*9/.test(form)),
  );
  // "F-ABC-0646: ..." begins with a code that other lines of such words have not.
  const heads = new Set(records.map((one) => headOf(one.content)));
  const coded = [...heads].every((head) => /\w[^\w\s]\w/.test(head));
  const left = lines.filter((line) => {
    if (coded && !heads.has(headOf(line))) return false;
    if (line.trim() === "" || patterns.some((pattern) => pattern.test(line))) return false;
    const form = formOf(line);
    return forms.has(form) || (!few && shorter.has(form));
  });
  if (left.length <= (few ? 5 * records.length : Math.max(1, records.length * 0.05))) return [];
  return [`${left.length} lines of the same form are not taken, e.g. ${left[0]?.trim() ?? ""}`];
}

/** Lines of the form of a start line, what stands in brackets aside, that start no record. */
function startDoubts(rule: BlockRule, records: readonly Extracted[], lines: readonly string[]): string[] {
  const start = new RegExp(rule.start);
  const starts = lines.filter((line) => start.test(line));
  const groups = Object.values(start.exec(starts[0] ?? "")?.groups ?? {}).join(" ");
  const words = (starts[0]?.match(/\b[a-z]{3,}\b/g) ?? []).filter(
    (word) => !groups.includes(word) && starts.every((line) => line.includes(word)),
  );
  const bracketless = (line: string): string =>
    formOf(line.replace(/(?<=[<([{])[^<>()[\]{}]*(?=[>)\]}])/g, "x"));
  const forms = new Set(starts.map(bracketless).filter((form) => /9/.test(form) && /[<([{=]/.test(form)));
  if (words.length === 0 || forms.size === 0) return [];
  const indent = starts[0]?.search(/\S/);
  const left = lines.filter(
    (line) =>
      line.search(/\S/) === indent &&
      words.every((word) => line.includes(word)) &&
      !start.test(line) &&
      forms.has(bracketless(line)),
  );
  if (left.length <= records.length) return [];
  return [`${left.length} lines like the first line of a record start none, e.g. ${left[0]?.trim() ?? ""}`];
}

/** The fixed text of an expression. */
function plainText(pattern: string): string {
  return pattern
    .replace(/\(\?<\w+>/g, "(")
    .replace(/\\[^a-zA-Z]/g, " ")
    .replace(/\[[^\]]*\]/g, " ")
    .replace(/\\[a-zA-Z]/g, " ");
}

/** The expression with any text where a part is narrowed to a few kinds of text: that is a choice of the page. */
function withoutChoices(pattern: string): string {
  let result = pattern;
  for (let at = result.search(/\(\?<\w+>\(\?:/); at >= 0; ) {
    const start = result.indexOf(">", at) + 1;
    let depth = 0;
    let end = start;
    for (; end < result.length; end += 1) {
      const char = result.charAt(end);
      if (char === "\\") end += 1;
      else if (char === "(") depth += 1;
      else if (char === ")") depth -= 1;
      if (depth < 0) break;
    }
    result = `${result.slice(0, start)}\\S+${result.slice(end)}`;
    const next = result.slice(start).search(/\(\?<\w+>\(\?:/);
    at = next < 0 ? -1 : start + next;
  }
  return result;
}
