// "Whose options do not include nosuid": a condition on a part of the lines that is neither value nor field. The word
// itself must not stand in the line, or has to.

import { escapeRegex } from "../escape.ts";
import { similarity } from "../page/names.ts";
import type { Page } from "../page/page.ts";
import type { LineAlternative } from "../program/ir.ts";

/** The expression that looks ahead for the words; empty when the page has no such condition. */
function aheadOf(alternative: LineAlternative, page: Page, lines: readonly string[]): string {
  const { value, fields } = alternative.projection;
  const names = fields.map((one) => one.name);
  if (value.from === "group") names.push(value.group);
  return page.rules
    .filter((rule) => rule.match === "contains" && rule.name !== "")
    .filter((rule) => !names.some((name) => similarity(name, rule.name) >= 0.7))
    .flatMap((rule) => {
      const words = rule.equals.filter((word) => /^[\w.-]+$/.test(word));
      const text = `(?<![\\w.-])(?:${words.map(escapeRegex).join("|")})(?![\\w-])`;
      const known = words.length === rule.equals.length && lines.some((line) => new RegExp(text).test(line));
      return known ? [`(?${rule.negate ? "!" : "="}.*${text})`] : [];
    })
    .join("");
}

/** Puts such conditions in front of an expression that begins at the start of the line. */
export function withWords(
  alternative: LineAlternative,
  page: Page,
  lines: readonly string[],
): LineAlternative {
  const ahead = alternative.pattern.startsWith("^") ? aheadOf(alternative, page, lines) : "";
  if (ahead === "") return alternative;
  const pattern = `^${ahead}${alternative.pattern.slice(1)}`;
  const example = lines.find((line) => new RegExp(pattern).test(line)) ?? alternative.example;
  return { ...alternative, pattern, example };
}
