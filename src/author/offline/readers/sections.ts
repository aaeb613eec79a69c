// Section headings of reports: which tables of a file the page wants, going by the titles above them.

import { escapeRegex } from "../escape.ts";
import { wordsOf } from "../page/names.ts";
import type { Page } from "../page/page.ts";
import { saysUnwanted } from "../page/polarity.ts";
import { bare, NEGATIVE } from "../page/text.ts";
import type { TableRule } from "../program/ir.ts";
import type { Header } from "./tables/headers.ts";
import { headingWords } from "./tables/heading-words.ts";

export interface Sections {
  scope: NonNullable<TableRule["sections"]> | undefined;
  /** Why it is not clear which tables are wanted. */
  doubt?: string;
}

/** Kinds of headings, the most specific first. `title` is the text of the heading. */
export const STYLES = [
  "^\\s*\\d+(?:\\.\\d+)*[.)]?\\s+(?<title>[A-Za-z].*)$",
  "^\\s*#+\\s+(?<title>\\S.*)$",
  "^\\s*[=*-]{2,}\\s*(?<title>[A-Za-z].*?)\\s*[=*-]{2,}\\s*$",
  "^\\s*\\[(?<title>[^\\]]+)\\]\\s*$",
  "^\\s*(?:Section|Table|Report|Summary of|Part)\\s*:?\\s+(?<title>\\S.*)$",
  "^(?<title>[A-Za-z][^:|]*):\\s*$",
  "^(?<title>[A-Za-z][\\w ,/()-]*)$",
];

const NEGATIVE_HERE =
  /\b(?:not (?:wanted|needed|items?|of interest|counted|relevant)|unwanted|ignor\w+|skip\w*|exclud\w+|nor\b|repeat|rather than|except)\b/i;

function isNegative(plain: string): boolean {
  return NEGATIVE_HERE.test(plain) || NEGATIVE.test(plain) || saysUnwanted(plain);
}

/** Finds the titles above the tables and picks those that the page names. Undefined: there is nothing to choose. */
export function wantedSections(
  page: Page,
  lines: readonly string[],
  headers: readonly Header[],
): Sections | undefined {
  const quoted = quotedSections(page, lines, headers);
  if (quoted !== undefined) return quoted;
  const titles = headers.map((header) => titleAbove(lines, header.index - (header.lines ?? 1) + 1));
  const words = headingWords(page, titles);
  if (words !== undefined) return { scope: words };
  const known = titles.filter((title): title is string => title !== undefined);
  const style = STYLES.find((source) => {
    const regex = new RegExp(source);
    return titles.length > 0 && titles.every((title) => title !== undefined && regex.test(title));
  });
  if (style === undefined) {
    const named = titles.filter(
      (title) => title !== undefined && mentioned(page, title, known) !== undefined,
    );
    return named.length > 0 && new Set(titles).size > 1
      ? {
          scope: undefined,
          doubt: "the page names a section, but the headings of the log could not be told apart",
        }
      : undefined;
  }
  const regex = new RegExp(style);
  const texts = titles.map((title) => regex.exec(title ?? "")?.groups?.["title"]?.trim() ?? "");
  const verdicts = new Map(texts.map((title) => [title, mentioned(page, title, texts)]));
  const wanted = [...verdicts].filter(([, verdict]) => verdict === "wanted").map(([title]) => title);
  const unwanted = [...verdicts].filter(([, verdict]) => verdict === "unwanted");
  if (wanted.length === 0 && unwanted.length === 0) return undefined;
  if (wanted.length === 0) {
    const others = [...verdicts].filter(([, verdict]) => verdict === undefined).map(([title]) => title);
    if (others.length === 0)
      return { scope: undefined, doubt: "the page names only sections that are not wanted" };
    return { scope: { heading: narrow(style, texts), wanted: others, example: titles[0] ?? "" } };
  }
  // One table under one title: the title says nothing that the heading row does not.
  if (texts.length === wanted.length && verdicts.size === 1 && style === STYLES.at(-1)) return undefined;
  return { scope: { heading: narrow(style, texts), wanted, example: titles[0] ?? "" } };
}

/** Lines of the log that the page quotes ("the table under `Buffer Report:`"), and the tables below them, whatever
 * stands between where the line is nothing but the title. */
function quotedSections(
  page: Page,
  lines: readonly string[],
  headers: readonly Header[],
): Sections | undefined {
  const quoted = [...page.statements, ...page.sourceStatements].flatMap((one) =>
    one.quoted
      .filter((span) => /[A-Za-z]{3}/.test(span.text) && NAMES_SECTION.test(one.text.slice(0, span.start)))
      .map((span) => plainTitle(span.text)),
  );
  // Some words of a title: whatever stands in front of them, where the titles of some tables have them.
  const words = [...page.statements, ...page.sourceStatements].flatMap((one) =>
    /^\W*(?:values?|fields?)\b/i.test(one.text)
      ? []
      : one.quoted
          .map((span) => plainTitle(span.text))
          .filter((text) => /^[^`|]*[a-z]{3}[^`|]* [^`|]*[a-z]{2}/.test(text) && text.length < 60),
  );
  if (quoted.length === 0 && words.length === 0) return undefined;
  const own = new Set(headers.map((one) => one.index));
  const titles = new Map<number, string>();
  // Beside a title that is called one, other whole lines that the page quotes are titles as well.
  if (quoted.length > 0) {
    const whole = new Set(lines.filter((line) => line.length < 100).map(plainTitle));
    const others = [...page.statements, ...page.sourceStatements].flatMap((one) =>
      one.quoted.map((span) => plainTitle(span.text)).filter((text) => /[a-z]{3}.* /.test(text)),
    );
    quoted.push(...others.filter((text) => whole.has(text) && !quoted.includes(text)));
  }
  lines.forEach((line, index) => {
    if (line.length < 100 && !own.has(index) && quoted.includes(plainTitle(line)))
      titles.set(index, line.trim());
  });
  // Right above a table a title may have more words around it.
  const near = headers.map((header) => titleAbove(lines, header.index - (header.lines ?? 1) + 1));
  const isAround = (line: string, text: string): boolean => plainTitle(line).includes(text);
  const having = (text: string): number =>
    near.filter((line) => line !== undefined && isAround(line, text)).length;
  quoted.push(
    ...words.filter((text) => !quoted.includes(text) && having(text) > 0 && having(text) < near.length),
  );
  const around =
    titles.size === 0 &&
    near.some((line) => line !== undefined && quoted.some((text) => isAround(line, text)));
  if (around) {
    headers.forEach((header, number) => {
      const line = near[number];
      const at = line === undefined ? -1 : lines.lastIndexOf(line, header.index);
      if (line !== undefined && at >= 0) titles.set(at, line.trim());
    });
  }
  // "Reduced Cell Report:" right above a table is another title than "Cell Report:".
  if (!around && titles.size > 0) {
    headers.forEach((header, number) => {
      const line = near[number];
      const longer =
        line !== undefined && quoted.some((text) => isAround(line, text) && plainTitle(line) !== text);
      const at = line === undefined ? -1 : lines.lastIndexOf(line, header.index);
      if (longer && at >= 0) titles.set(at, line.trim());
    });
  }
  const above = headers.map(
    ({ index }) =>
      [...titles]
        .filter(([at]) => at < index)
        .sort((a, b) => a[0] - b[0])
        .at(-1)?.[1],
  );
  if (new Set(above).size < 2) return undefined;
  const texts = [...new Set(titles.values())];
  const verdictOf = (text: string): "wanted" | "unwanted" | undefined =>
    mentioned(page, around ? (quoted.find((one) => isAround(text, one)) ?? text) : text, texts);
  const named = texts.filter((text) => verdictOf(text) === "wanted");
  const others = texts.filter((text) => verdictOf(text) === undefined);
  // Where the page names only titles that it does not want, the others are left; numbers in these may be other ones.
  const isLeft = named.length === 0 && others.length > 0 && others.length < texts.length;
  if (isLeft && others.some((text) => /\d/.test(text)))
    return {
      scope: undefined,
      doubt: "the page rules out tables, and the titles of the others differ in numbers",
    };
  const wanted = isLeft ? others : named;
  const taken = above.filter((text) => text !== undefined && wanted.includes(text)).length;
  if (taken === 0 || taken === headers.length) return undefined;
  const heading = `^\\s*(?<title>${texts.map(escapeRegex).join("|")})\\s*$`;
  return { scope: { heading, wanted, example: wanted[0] ?? "" } };
}

/** The words in front of a quoted title; "as" and "like" bring an example. */
export const NAMES_SECTION =
  /\b(?:under|below|after|tables?|sections?|parts?|reports?|lists?|titled|headed|called|and|or)(?: the)?(?: (?:line|title|heading|headline|words?))?,?\s*$/i;

/** A title without the marks around it. */
function plainTitle(text: string): string {
  return text.trim().replace(/[:.]$/, "").toLowerCase();
}

/** A bare line of words is too weak a mark of a heading: then only the titles seen count. */
function narrow(style: string, titles: readonly string[]): string {
  if (style !== STYLES.at(-1)) return style;
  const unique = [...new Set(titles)];
  const words = unique.map((title) => title.split(" "));
  const first = words[0]?.[0] ?? "";
  if (unique.length > 1 && words.every((one) => one[0] === first && one.length === words[0]?.length)) {
    return `^(?<title>${escapeRegex(first)}(?: \\S+){${(words[0]?.length ?? 1) - 1}})\\s*$`;
  }
  return `^(?<title>${unique.map(escapeRegex).join("|")})\\s*$`;
}

/** The last line of text above a table that is neither a ruler nor a frame. */
function titleAbove(lines: readonly string[], index: number, width = 120): string | undefined {
  for (let at = index - 1; at >= Math.max(0, index - 8); at -= 1) {
    const line = lines[at] ?? "";
    if (line.trim() === "" || /^[\s\-=+|:*_~#]+$/.test(line)) continue;
    return /\|/.test(line) || line.length > width ? undefined : line;
  }
  return undefined;
}

/** Does the page name this title, and is it wanted? A longer title that contains another one is its own. */
function mentioned(
  page: Page,
  title: string,
  others: readonly string[] = [],
): "wanted" | "unwanted" | undefined {
  const phrase = wordsOf(title).join(" ");
  if (phrase.length < 2) return undefined;
  let verdict: "wanted" | "unwanted" | undefined;
  for (const statement of [...page.statements, ...page.sourceStatements]) {
    for (const sentence of statement.sentences) {
      const clauses = sentence.text.split(
        /,\s*(?=not\b|nor\b|but not\b)|;\s*|\bnot\b(?=\s+(?:the\s+)?\w+)(?!\s+wanted)/,
      );
      // "The module in front as `Hall 3:`": an example of a title, not the one that is wanted.
      if (isShownAs(sentence.text, title)) continue;
      clauses.forEach((clause, index) => {
        const text = ` ${wordsOf(withoutFiles(clause)).join(" ")} `;
        if (!text.includes(` ${phrase} `) && !shortForm(text, title, others)) return;
        const negative = index > 0 || isNegative(bare(clause));
        if (negative) verdict ??= "unwanted";
        else verdict = "wanted";
      });
    }
  }
  return verdict;
}

/** A word of a file's name names no section: `list_alpha.txt` is not the title "alpha". */
function withoutFiles(clause: string): string {
  return clause.replace(/(?<![\w./*-])[\w./*?-]*[\w*]\.[a-z][a-z0-9]{1,4}(?![\w./*-])/gi, " ");
}

/** Whether the page wants the table below a title, or says that it is another one. */
export function titleVerdict(
  page: Page,
  lines: readonly string[],
  heading: number,
): "wanted" | "unwanted" | undefined {
  // A frame around the title may be as wide as its table.
  const title = titleAbove(lines, heading, 1000)
    ?.trim()
    .replace(/^[;|+]\s*|\s*[;|+]$/g, "");
  if (title === undefined || title.length > 100 || /\d{2,}:\d\d|\S {3,}\S/.test(title)) return undefined;
  return mentioned(page, title);
}

/** Is a title quoted as an example of its kind? */
function isShownAs(sentence: string, title: string): boolean {
  const quoted = new RegExp(
    `\\b(?:as|like|e\\.g\\.|for example|such as|for instance),? [\`"]${escapeRegex(title)}[:.]?[\`"]`,
    "i",
  );
  return quoted.test(sentence);
}

/** "the fanout table" for a title "max fanout". A word that other titles have too names none of them. */
function shortForm(text: string, title: string, others: readonly string[]): boolean {
  const common = new Set(others.filter((one) => one !== title).flatMap((one) => wordsOf(one)));
  const words = wordsOf(title);
  const own = words.filter((word) => word.length > 2 && !common.has(word) && !GENERIC.has(word));
  const parts = "(?:table|section|part|block|group|chapter|checks?|list)s?";
  return words.length <= 3 && own.some((word) => new RegExp(` ${word} ${parts} `).test(text));
}

const GENERIC = new Set(
  "summary report table section part list results result checks check analysis details".split(" "),
);

/** Lines of one section of a file: after its heading, before the next one. */
export interface LineScope {
  open: string;
  close: string;
  openExample: string;
}

/** The section that the page names, when headings of one style part the hits into wanted and other ones. */
export function lineScope(
  page: Page,
  lines: readonly string[],
  hits: readonly number[],
): { scope: LineScope | undefined; hits: number[] } | undefined {
  for (const style of STYLES.slice(0, -1)) {
    const regex = new RegExp(style);
    const headings = lines.flatMap((line, index) => {
      const title = regex.exec(line)?.groups?.["title"]?.trim();
      return title === undefined || hits.includes(index) ? [] : [{ index, title, line }];
    });
    // Where a third of the lines begin with a number, that is no style of headings.
    if (style === STYLES[0] && headings.length > lines.length * 0.3) continue;
    const named = new Set(
      headings
        .filter(
          ({ title }) =>
            mentioned(
              page,
              title,
              headings.map((one) => one.title),
            ) === "wanted" && namedAsSection(page, title),
        )
        .map(({ title }) => title),
    );
    const wanted = onlyOf(page, named);
    if (wanted.size === 0) continue;
    const inside = hits.filter((hit) => {
      const above = headings.filter(({ index }) => index < hit).at(-1);
      return above !== undefined && wanted.has(above.title);
    });
    if (inside.length === 0 || inside.length === hits.length) continue;
    const first = headings.find(({ title }) => wanted.has(title));
    const titles = [...wanted].map((title) => escapeRegex(title).replace(/\s+/g, "\\s+"));
    const open = style.replace(/\(\?<title>.*\)(?=[^)]*$)/, `(?:${titles.join("|")})`);
    return {
      scope: { open, close: style.replace("?<title>", "?:"), openExample: first?.line ?? "" },
      hits: inside,
    };
  }
  return undefined;
}

/** Of the sections that a page names those that a sentence with "only" names, if there is one. */
function onlyOf(page: Page, titles: ReadonlySet<string>): ReadonlySet<string> {
  const only = [...page.statements, ...page.sourceStatements]
    .flatMap((one) => one.sentences)
    .filter(({ text }) => /\bonly\b/i.test(text))
    .map(({ text }) => ` ${wordsOf(text.replace(/[,;]? (?:not|but not)\b.*$/i, "")).join(" ")} `);
  const found = [...titles].filter((title) =>
    only.some((text) => text.includes(` ${wordsOf(title).join(" ")} `)),
  );
  return found.length === 0 ? titles : new Set(found);
}

/** The section that the page names, whatever stands in it: its scope and the indices of its lines. */
export function namedSection(
  page: Page,
  lines: readonly string[],
): { scope: LineScope; inside: number[] } | undefined {
  const all = lines.flatMap((line, index) => (line.trim() === "" ? [] : [index]));
  for (const style of STYLES.slice(0, -1)) {
    const regex = new RegExp(style);
    const hits = all.filter((index) => !regex.test(lines[index] ?? ""));
    const found = lineScope(page, lines, hits);
    if (found?.scope === undefined) continue;
    const taken = new Set(found.hits);
    // A section of no lines, or a heading inside its own text, is none.
    if (taken.size < 2) continue;
    return { scope: found.scope, inside: found.hits };
  }
  return undefined;
}

/** Is the title called a section, part or block, or quoted as it stands? */
function namedAsSection(page: Page, title: string): boolean {
  const text = page.prose.toLowerCase().replace(/[`"[\]]/g, "");
  // A word of an example line is no name of a section.
  const quoted = page.statements.some((one) =>
    one.quoted.some((span) => span.text.includes(title) && span.text.length <= title.length + 8),
  );
  const name = title.toLowerCase();
  return (
    quoted ||
    new RegExp(
      `(?:section|part|block|group|chapter|paragraph)s? (?:on |of |called |named |the )*${escapeRegex(name)}\\b|${escapeRegex(name)} (?:section|part|block|chapter)`,
    ).test(text)
  );
}
