// Parts of the records that stand in the titles of their tables: "the value is the title of its panel", "corner (the
// model, `Slow 85C` in the example)", "the slot from the title". One expression reads all titles of the log; a title that
// has not the wanted parts leaves the rows below it out.

import { escapeRegex } from "../../escape.ts";
import { similarity, stem, wordsOf } from "../../page/names.ts";
import type { Group, Hint, Page } from "../../page/page.ts";
import { interpretRule } from "../../program/interpret.ts";
import type { Above, Projection } from "../../program/ir.ts";
import { findGrid } from "./find-grid.ts";
import type { Header } from "./headers.ts";
import { readTable, type TableCandidate } from "./tables.ts";

const TITLE =
  /\b(?:title|panel|heading|headline|caption|section|banner)\b|\b(?:above|over|in front of|head of) (?:the|its|each) table\b/i;

/** A table whose titles have the parts that no column has, or undefined. */
export function titledTable(group: Group, page: Page, lines: readonly string[]): TableCandidate | undefined {
  const found = findGrid(lines, group, page);
  const [first] = found?.headers ?? [];
  if (found === undefined || first === undefined || group.value === undefined) return undefined;
  const all = [group.value, ...group.fields];
  const open = all.filter((hint) => !first.hints.includes(hint));
  const rest = all.filter((hint) => first.hints.includes(hint));
  const [standIn, ...fields] = rest;
  if (open.length === 0 || standIn === undefined || fields.length === 0) return undefined;
  const above = fromTitles(found.headers, open, page, lines) ?? fromLabels(found.headers, open, lines);
  if (above === undefined) return undefined;
  // Something has to be the value; it is put right below.
  const inner: Group = { ...group, value: standIn, fields };
  const table = readTable(inner, page, lines, { ...found, missing: [], titled: true });
  if (table === undefined) return undefined;
  const { rule } = table;
  const names = open.map((hint) => hint.name);
  const sources = new Map<string, Projection["value"]>([
    ...names.map((name): [string, Projection["value"]] => [name, { from: "group", group: name }]),
    ...rule.projection.fields.map((one): [string, Projection["value"]] => [one.name, one.source]),
    [standIn.name, rule.projection.value],
  ]);
  const value = sources.get(group.value.name);
  if (value === undefined) return undefined;
  table.rule = {
    ...rule,
    above,
    required: [...rule.required, ...open.filter((hint) => !hint.optional).map((hint) => hint.name)],
    projection: {
      value,
      fields: group.fields.flatMap((hint) => {
        const source = sources.get(hint.name);
        return source === undefined ? [] : [{ name: hint.name, source }];
      }),
    },
  };
  table.also = [];
  if (interpretRule(table.rule, lines).length === 0) return undefined;
  table.reasons.push(`Above the tables: ${names.join(", ")}`);
  return table;
}

/** The parts in the titles of all tables. */
function fromTitles(
  headers: readonly Header[],
  open: readonly Hint[],
  page: Page,
  lines: readonly string[],
): Above[] | undefined {
  const titles = headers.map((header) => titleOf(lines, header));
  if (titles.some((title) => title === undefined)) return undefined;
  const above = patternOf(
    titles.filter((title): title is string => title !== undefined),
    open,
    page,
  );
  return above === undefined ? undefined : [above];
}

/** Parts on lines of their own above the table, behind their name: "Serial Number: X1" for "serial, the serial number of
 * the drive". One such line for each table at least, or one above all of them. */
function fromLabels(
  headers: readonly Header[],
  open: readonly Hint[],
  lines: readonly string[],
): Above[] | undefined {
  const first = Math.min(...headers.map((header) => header.index));
  const last = Math.max(...headers.map((header) => header.index));
  const labelled = lines.slice(0, last).flatMap((line, index) => {
    const match = /^\s*([A-Za-z][\w ()/-]{1,30}?)\s*[:=]\s+\S/.exec(line);
    return match === null ? [] : [{ index, line, label: match[1] ?? "" }];
  });
  const found = open.map((hint): Above | undefined => {
    const named = labelled.filter(({ label }) => isLabelOf(label, hint));
    const labels = new Set(named.map(({ label }) => label));
    const [label] = labels;
    if (labels.size !== 1 || label === undefined || !isName(hint.name)) return undefined;
    if (!named.some(({ index }) => index < first)) return undefined;
    const words = label.split(/\s+/).map(escapeRegex).join("\\s+");
    return {
      pattern: `^\\s*${words}\\s*[:=]\\s+(?<${hint.name}>\\S.*?)\\s*$`,
      example: named[0]?.line ?? "",
    };
  });
  const known = found.filter((one) => one !== undefined);
  return known.length === open.length ? known : undefined;
}

/** Is a label the name of a part, or what the page says it is? */
function isLabelOf(label: string, hint: Hint): boolean {
  if (similarity(label, hint.name) >= 0.95) return true;
  const said = ` ${wordsOf(hint.description).join(" ")} `;
  return wordsOf(label).length >= 2 && said.includes(` ${wordsOf(label).join(" ")} `);
}

/** The line of text above a table, rulers and frames aside. */
function titleOf(lines: readonly string[], header: Header): string | undefined {
  for (let at = header.index - (header.lines ?? 1); at >= Math.max(0, header.index - 8); at -= 1) {
    const line = lines[at] ?? "";
    if (line.trim() === "" || /^[\s\-=+|:;*_~#│┃\u2500-\u257f]+$/.test(line)) continue;
    return line.length > 120 ? undefined : line;
  }
  return undefined;
}

/** The marks around a title, the same for all titles; empty when there are none. */
function frameOf(titles: readonly string[]): { front: string; back: string } {
  const fronts = new Set(titles.map((title) => /^\s*([^\w\s]*)/.exec(title)?.[1] ?? ""));
  const backs = new Set(titles.map((title) => /([^\w\s)\]%"']*)\s*$/.exec(title)?.[1] ?? ""));
  return {
    front: fronts.size === 1 ? ([...fronts][0] ?? "") : "",
    back: backs.size === 1 ? ([...backs][0] ?? "") : "",
  };
}

/** The expression for all titles, with a group for each open part. */
function patternOf(titles: readonly string[], open: readonly Hint[], page: Page): Above | undefined {
  const { front, back } = frameOf(titles);
  const bare = titles.map((title) => {
    const text = title.trim().slice(front.length);
    return (back === "" ? text : text.slice(0, -back.length)).trim();
  });
  const body = wholeTitle(bare, open) ?? partsOfTitle(bare, open, page);
  if (body === undefined) return undefined;
  const framed = front !== "" && back !== "";
  // Without marks around them only the fixed words tell titles from other lines.
  if (!framed && !/[A-Za-z]{3}/.test(body.replace(/\(\?<\w+>[^()]*(?:\([^()]*\)[^()]*)*\)/g, "")))
    return undefined;
  const other = framed ? `(?:${body}|[^${escapeRegex(front.charAt(0))}]*?)` : body;
  const pattern = `^\\s*${escapeRegex(front)}\\s*${other}\\s*${escapeRegex(back)}\\s*$`;
  const regex = new RegExp(pattern);
  const example = titles.find((title) =>
    Object.values(regex.exec(title)?.groups ?? {}).some((text) => text !== undefined),
  );
  const [name] = open.map((hint) => hint.name);
  if (example === undefined || name === undefined) return undefined;
  return { pattern, example };
}

/** "The title of its panel": all of the title is the part. */
function wholeTitle(titles: readonly string[], open: readonly Hint[]): string | undefined {
  const [hint] = open;
  if (open.length !== 1 || hint === undefined || !isName(hint.name)) return undefined;
  if (
    !/^\(?(?:the |its )?(?:title|heading|headline|caption)\b/i.test(hint.description) &&
    hint.name !== "title"
  )
    return undefined;
  const [shown] = hint.literals;
  // A text that the page shows must be built like the titles.
  if (shown !== undefined && !titles.some((title) => formOf(title) === formOf(shown))) return undefined;
  return `(?<${hint.name}>[A-Za-z][^;|]*?)`;
}

/** Parts of the titles: texts that the page lists for them, and what it shows in an example of a title. */
function partsOfTitle(titles: readonly string[], open: readonly Hint[], page: Page): string | undefined {
  if (!open.every((hint) => isName(hint.name))) return undefined;
  const shown = page.statements
    .flatMap((one) => one.quoted.map((span) => span.text.trim()))
    .find((text) => text.split(/\s+/).length > 1 && titles.some((title) => formOf(title) === formOf(text)));
  const example = shown ?? titles.find((title) => open.every((hint) => placeIn(title, hint) !== undefined));
  if (example === undefined) return undefined;
  const places = open.map((hint) => ({ hint, place: placeIn(example, hint) }));
  if (places.some(({ place }) => place === undefined)) return undefined;
  const sorted = places
    .flatMap(({ hint, place }) => (place === undefined ? [] : [{ hint, ...place }]))
    .sort((a, b) => a.start - b.start);
  let at = 0;
  let pattern = "";
  for (const { hint, start, end } of sorted) {
    if (start < at) return undefined;
    pattern += between(example.slice(at, start), titles);
    const choices = hint.choices.length > 1 ? `(?:${hint.choices.map(escapeRegex).join("|")})` : undefined;
    const words = example.slice(start, end).split(/\s+/).length;
    pattern += `(?<${hint.name}>${choices ?? Array.from({ length: words }, () => "[^\\s;|:]+").join("\\s+")})`;
    at = end;
  }
  const strict = pattern + between(example.slice(at), titles);
  const whole = new RegExp(`^\\s*${strict}\\s*$`);
  // Titles that begin alike and end each in its own way: only the beginning counts.
  const front = example.slice(0, sorted[0]?.start ?? 0).trim();
  const alike = /[A-Za-z]/.test(front) && titles.every((title) => title.trim().startsWith(`${front} `));
  return !alike || titles.every((title) => whole.test(title)) ? strict : `${pattern}(?:[\\s;|:].*)?`;
}

/** Text of a title between its parts: words that all titles of its length have stay, others vary. */
function between(text: string, titles: readonly string[]): string {
  return text
    .split(/(\s+)/)
    .map((piece) => {
      if (/^\s+$/.test(piece)) return "\\s+";
      const fixed =
        titles.filter((title) => title.includes(piece)).length > titles.length * 0.5 || !/\d/.test(piece);
      return fixed ? escapeRegex(piece) : "\\S+";
    })
    .join("");
}

/** Where the part stands in a title: a text shown for it, one of its choices, or what follows its name. */
function placeIn(title: string, hint: Hint): { start: number; end: number } | undefined {
  const choices = hint.choices.length > 1 ? hint.choices : [];
  for (const text of [...hint.literals, ...choices]) {
    const at = title.indexOf(text);
    const inWord = /\w/.test(title.charAt(at - 1)) || /\w/.test(title.charAt(at + text.length));
    if (at >= 0 && text.length > 1 && !inWord) return { start: at, end: at + text.length };
  }
  if (!TITLE.test(`${hint.name} ${hint.description}`) && hint.description !== "") return undefined;
  for (const match of title.matchAll(/(\w+)[\s:#]+(\S+?)(?=[\s:;,]|$)/g)) {
    const [text, name = "", own = ""] = match;
    const same = wordsOf(hint.name).some((word) => stem(word) === stem(name.toLowerCase()));
    if (same && own !== "") {
      const start = match.index + text.length - own.length;
      return { start, end: start + own.length };
    }
  }
  return undefined;
}

function isName(name: string): boolean {
  return /^[A-Za-z]\w*$/.test(name);
}

/** Numbers as one, and how many words. */
function formOf(text: string): string {
  return text
    .trim()
    .split(/\s+/)
    .map((word) => (/\d/.test(word) ? word.replace(/-?\d+/g, "9") : "w"))
    .join(" ");
}
