// A page that names a table by its title ("from the table `Control Levers`") wants the rows below that title only. Records
// from above it, or from below the next title of the same form, are a doubt.

import type { Page } from "../page/page.ts";
import { bare, NEGATIVE } from "../page/text.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Rule } from "../program/ir.ts";
import { NAMES_SECTION, STYLES } from "../readers/sections.ts";

/** Doubts about records that stand below no title that the page names, where the log has such titles. */
export function namedTables(rule: Rule, page: Page, lines: readonly string[]): string[] {
  if (rule.kind !== "table" && rule.kind !== "line") return [];
  const names = titlesIn(page);
  if (names.length === 0) return [];
  // The rule keeps to such a title itself.
  const kept = rule.kind === "table" ? (rule.sections?.wanted ?? []) : [];
  if (kept.some((title) => names.some((name) => plain(title).includes(name)))) return [];
  const isNamed = (line: string): boolean =>
    line.trim().replace(/\s+/g, " ").length < 120 &&
    names.some((name) => plain(line).includes(name) && plain(line).length <= name.length + 25);
  const records = interpretRule(rule, lines);
  const taken = new Set(records.map((one) => one.line - 1));
  const titles = lines.flatMap((line, index) => (isNamed(line) && !taken.has(index) ? [index] : []));
  if (titles.length === 0) return [];
  const styles = STYLES.slice(0, -1)
    .map((source) => new RegExp(source))
    .filter((style) => titles.some((index) => style.test(lines[index] ?? "")))
    .filter((style) => lines.filter((line) => style.test(line)).length < lines.length * 0.2);
  const isTitle = (line: string): boolean => styles.some((style) => style.test(line));
  const odd = records.find((one) => {
    const own = titles.filter((index) => index < one.line - 1).at(-1);
    if (own === undefined) return true;
    // A list of contents names all titles; the next one of the same form ends the part.
    return lines
      .slice(own + 1, one.line - 1)
      .some((line, number) => !taken.has(own + 1 + number) && isTitle(line) && !isNamed(line));
  });
  return odd === undefined
    ? []
    : [`the page names ${names.join(", ")}, but a record is taken from elsewhere: ${odd.content.trim()}`];
}

/** The titles that the page names as those of wanted tables or sections. */
function titlesIn(page: Page): string[] {
  return page.statements.flatMap((statement) =>
    statement.quoted
      .filter((span) => /[A-Za-z]{3}/.test(span.text) && !/[=|<>]|\d{2}/.test(span.text))
      .filter((span) => NAMES_SECTION.test(statement.text.slice(0, span.start)))
      .filter((span) =>
        /\b(?:under|below|tables?|sections?|reports?|panels?|blocks?)\b/i.test(
          statement.text.slice(Math.max(0, span.start - 30), span.start),
        ),
      )
      .filter((span) => {
        const sentence = statement.sentences.filter((one) => one.start <= span.start).at(-1)?.text ?? "";
        return !NEGATIVE.test(bare(sentence)) && !/\bnot\b/i.test(bare(sentence));
      })
      .map((span) => plain(span.text)),
  );
}

function plain(text: string): string {
  return text.replace(/^[\s=*#;|+-]+|[\s=*#;|:.+-]+$/g, "").toLowerCase();
}
