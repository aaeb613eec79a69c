// Records from above the headings that the page names ("in the lists headed FINAL RESULTS"), and rows of like tables that are left out
// for a title of which the page says nothing.

import { wordsOf } from "../page/names.ts";
import type { Page } from "../page/page.ts";
import { saysUnwanted } from "../page/polarity.ts";
import { bare, NEGATIVE, quotedIn } from "../page/text.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Rule } from "../program/ir.ts";

/** Doubts about the places that records are taken from. */
export function headedLists(rule: Rule, page: Page, lines: readonly string[]): string[] {
  return [
    ...outside(rule, page, lines),
    ...belowUnwanted(rule, page, lines),
    ...untoldTitles(rule, page, lines),
  ];
}

const HEADED =
  /\b(?:headed|titled|entitled|with the (?:heading|title)|(?:under|below) the (?:heading|title|headline)) (?:by |with )?(?:[`"]([^`"]{3,60})[`"]|((?:[A-Z][\w-]*)(?: [A-Z][\w-]*)*))/g;

/** Share of the records that is no slip. */
const SOME = 0.03;
/** Lines of a record that may stand above its title. */
const TITLE = 3;

/** A record that stands below no line with the heading. */
function outside(rule: Rule, page: Page, lines: readonly string[]): string[] {
  const names = page.statements.flatMap(({ sentences }) =>
    sentences
      .filter(({ text }) => !NEGATIVE.test(bare(text)))
      .flatMap(({ text }) => [...text.matchAll(HEADED)].map((match) => plain(match[1] ?? match[2] ?? ""))),
  );
  if (names.length === 0) return [];
  const isNamed = (line: string): boolean => {
    const text = plain(line);
    return names.some((name) => text.includes(name) && text.length <= name.length + 25);
  };
  const first = lines.findIndex(isNamed);
  if (first < 0) return [];
  const records = interpretRule(rule, lines);
  // A record may begin right above its own title.
  const odd = records.find((one) => one.line - 1 < first - TITLE);
  return odd === undefined
    ? []
    : [`the page names the heading ${names.join(", ")}, and a record stands above it: ${odd.content.trim()}`];
}

function plain(text: string): string {
  return text.replace(/^[\s=*#;|+-]+|[\s=*#;|:.+-]+$/g, "").replace(/\s+/g, " ");
}

/** What stands in front of a title that a sentence quotes, earlier titles being Q. */
const PLACES =
  /\b(?:below|under|beneath|headed|titled|called|named|reading|headings?|titles?|sections?|tables?|lists?|parts?|blocks?)(?: the| of| by| with)?(?: (?:headings?|titles?|lines?|lines reading))? (?:Q(?:,? and|,? or|,? nor|,) )*[`"]?$/i;

/** "Not wanted: the tables below `Sparse Report:`": a record whose nearest title is that one. */
function belowUnwanted(rule: Rule, page: Page, lines: readonly string[]): string[] {
  // Tables that are chosen by their titles stand below those that are wanted.
  if (rule.kind === "table" && rule.sections !== undefined) return [];
  const titles = page.statements.flatMap(({ sentences }) =>
    sentences.flatMap(({ text }) =>
      quotedIn(text).flatMap((span) => {
        const name = plain(span.text.replace(/\s*(?:\.{3}|…)$/, ""));
        const isTitle =
          name.length > 5 &&
          /[A-Za-z]{3} [A-Za-z]/.test(name) &&
          PLACES.test(masked(text.slice(0, span.start)));
        return isTitle ? [{ name, out: saysUnwanted(bare(text)) || NEGATIVE.test(bare(text)) }] : [];
      }),
    ),
  );
  if (!titles.some((one) => one.out)) return [];
  const longest = [...titles].sort((a, b) => b.name.length - a.name.length);
  const own = new Set(interpretRule(rule, lines).map((one) => one.line - 1));
  let out = false;
  const below: string[] = [];
  for (const [at, line] of lines.entries()) {
    const text = plain(line);
    if (own.has(at)) {
      if (out) below.push(line.trim());
      continue;
    }
    if (text.length > 120) continue;
    const title = longest.find(({ name }) => text.startsWith(name));
    if (title !== undefined) out = title.out && !longest.some((one) => !one.out && one.name === title.name);
  }
  const [first] = below;
  return first === undefined || below.length < own.size * SOME
    ? []
    : [`a record stands below a title that the page rules out: ${first}`];
}

function masked(text: string): string {
  return bare(text).replace(/ ‹› /g, "Q");
}

/** The same table stands below other titles, and the page says nothing of the title that is kept to. */
function untoldTitles(rule: Rule, page: Page, lines: readonly string[]): string[] {
  if (rule.kind !== "table" || rule.sections === undefined) return [];
  // The name of a file says nothing of titles.
  const texts = [...page.statements, ...page.sourceStatements].map(({ text }) =>
    quotedIn(text).reduce(
      (rest, span) => (/\.\w+$|[*/]/.test(span.text) ? rest.replace(span.text, " ") : rest),
      text,
    ),
  );
  const said = new Set(wordsOf(texts.join(" ")));
  const { wanted } = rule.sections;
  if (wanted.some((title) => wordsOf(title).some((word) => word.length > 2 && said.has(word)))) return [];
  const { sections: _sections, ...open } = rule;
  const own = interpretRule(rule, lines).length;
  const all = interpretRule(open, lines).length;
  return all > own
    ? [`${all - own} rows of such tables stand below other titles than ${wanted.join(", ")}`]
    : [];
}
