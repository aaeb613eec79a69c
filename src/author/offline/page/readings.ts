// Sentences that read an example out: "`...` gives the value `a/b`, line 93 and the message "Missing"", "in `...` these
// are lib/x, gcc44 and Release". Each text that stands in the example letter by letter is that of the part it is said for.

import { wordsOf } from "./names.ts";
import type { Group, Hint } from "./page.ts";
import { contradicts, stands } from "./shown.ts";
import { quotedIn, type Statement, splitList } from "./text.ts";

/** Adds the texts that sentences read out of the group's examples to those of the hints. */
export function addReadings(group: Group, statements: readonly Statement[]): void {
  const lines = group.examples.flatMap((one) => one.lines);
  if (lines.length === 0 || group.value === undefined) return;
  const hints = [group.value, ...group.fields];
  const open = (hint: Hint): boolean =>
    !hint.literals.some((one) => lines.some((line) => line.includes(one)));
  const add = (hint: Hint, text: string): void => {
    if (open(hint) && !contradicts(text, hint)) hint.literals.push(text);
  };
  for (const { sentences } of statements) {
    for (const { text } of sentences) {
      const said = withoutExamples(text, lines);
      if (said === undefined) continue;
      for (const hint of hints) {
        const name = hint === group.value ? "value" : hint.name.replace(/_/g, " ");
        const found =
          named(said, name, lines) ??
          (hint === group.value ? named(said, hint.name.replace(/_/g, " "), lines) : undefined);
        if (found !== undefined) add(hint, found);
      }
      for (const one of listed(said, lines, group, statements)) add(one.hint, one.text);
    }
  }
}

/** The sentence with its examples taken out; undefined when it has none and does not speak of one. */
function withoutExamples(text: string, lines: readonly string[]): string | undefined {
  let result = text;
  let has = /\b(?:here|in (?:this|the) (?:example|line|case|sample)|above|yields|example)\b/i.test(text);
  for (const span of quotedIn(text).reverse()) {
    if (!lines.some((line) => line.trim() === span.text.trim())) continue;
    has = true;
    result = `${result.slice(0, span.start)} \u0002 ${result.slice(span.end)}`;
  }
  return has ? result : undefined;
}

/** "the line 57", "state On": the text behind the name, as long as it stands in a line. */
function named(said: string, name: string, lines: readonly string[]): string | undefined {
  if (wordsOf(name).length === 0) return undefined;
  const source = wordsOf(name).join("[ _-]");
  for (const match of said.matchAll(
    new RegExp(
      `(?<![\\w\`-])(?:${source})\`?(?: (?:is|are|reads|=|then|of))?(?: the (?:text|word|number))?[: ]+(?=\\S)`,
      "gi",
    ),
  )) {
    const found = textAt(said.slice(match.index + match[0].length), lines);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The longest text at the start that stands in a line. */
function textAt(rest: string, lines: readonly string[]): string | undefined {
  const [span] = quotedIn(rest);
  if (span?.start === 0) return stands(span.text, lines) ? span.text : undefined;
  const end = /[,;)]\s|[.!?](?:\s|$)|\s(?:and|or|with|\u0002)\s|$/.exec(rest)?.index ?? rest.length;
  const words = rest.slice(0, end).trim().split(/\s+/);
  for (let count = Math.min(6, words.length); count > 0; count -= 1) {
    const text = words.slice(0, count).join(" ");
    const isData = /\d|[A-Z]|[_:@/\\.=#~-]\w/.test(text);
    if (isData && stands(text, lines)) return text;
  }
  return undefined;
}

/** "these are A, B and C": the texts of value and fields in the order in which the page names them. */
function listed(
  said: string,
  lines: readonly string[],
  group: Group,
  statements: readonly Statement[],
): { hint: Hint; text: string }[] {
  const body =
    /\b(?:these|they|those|the (?:parts|texts|values|fields|results?)) (?:are|read|would be|is)(?: here| then)?:?\s+(.+)$/i.exec(
      said,
    )?.[1] ??
    /\u0002 ?,?:? (?:gives|yields|has|means|becomes|stands for|reads as|is read as):?\s+(.+)$/i.exec(
      said,
    )?.[1];
  if (body === undefined || group.value === undefined) return [];
  const texts = splitList(body.replace(/[.\u0002\s]+$/, "")).map((one) =>
    one.replace(/^[`"“]|[`"”]$/g, "").trim(),
  );
  if (texts.length < 2 || !texts.every((text) => stands(text, lines))) return [];
  const all = statements.map((one) => one.text).join("\n");
  const isValueFirst = all.search(/\bvalue\b/i) < all.search(/\bfields?\b/i);
  const hints =
    texts.length === group.fields.length
      ? group.fields
      : isValueFirst
        ? [group.value, ...group.fields]
        : [...group.fields, group.value];
  if (hints.length !== texts.length) return [];
  return hints.map((hint, at) => ({ hint, text: texts[at] ?? "" }));
}
