// Parts set beside one another and beside the rest of their lines: one part inside another, the keys of other parts in it, a label
// taken for a text, a field that is nowhere although its key stands in the lines.

import { escapeRegex } from "../../escape.ts";
import type { Part, Seen } from "./parts.ts";

/** Doubts about a part that is in the way of others. */
export function inTheWay(part: Part, { parts, onLine, records }: Seen): string[] {
  return [
    ...(onLine ? parts.flatMap((outer) => partOf(part, outer)) : []),
    ...otherKeys(part),
    ...onlyMarks(part),
    ...labels(part),
    ...always(part, records),
    ...unread(part, parts),
    ...parts.flatMap((short) => goesOn(short, part)),
  ];
}

/** One part is a piece of another, and the page does not say so. */
function partOf(inner: Part, outer: Part): string[] {
  const said =
    /\b(?:whole|full|complete|entire|all of|of the|part|before|after|behind|piece|inside|includ\w+)\b/i;
  if (inner === outer || outer.hint.wholeLine || said.test(inner.hint.description)) return [];
  if (
    /\b(?:whole|full name|in full|complete|entire|everything|together|as a whole|as (?:it|the line) (?:stands|reads))\b/i.test(
      `${outer.hint.name.replace(/_/g, " ")} ${outer.hint.description}`,
    )
  )
    return [];
  // "the tool with its version, as in `Mill 0.3`", with the fields Mill and 0.3.
  const shown = outer.hint.literals.some((text) =>
    inner.hint.literals.some((piece) => piece.length < text.length && text.includes(piece)),
  );
  if (shown) return [];
  const others = new Map(outer.texts.map((one) => [one.record, one]));
  const both = inner.texts.flatMap((one) => {
    const other = others.get(one.record);
    return other === undefined ? [] : [{ one, other }];
  });
  // A digit of an identifier is there by chance.
  const within = both.filter(({ one, other }) =>
    new RegExp(`(?<![A-Za-z0-9])${escapeRegex(one.text)}(?![A-Za-z0-9])`).test(other.text),
  );
  // It stands nowhere else in the line, and is not all of the other one.
  const only = within.find(
    ({ one, other }) => one.text !== other.text && one.host.split(one.text).length === 2,
  );
  return only === undefined || within.length < both.length * 0.9
    ? []
    : [`the ${inner.name} is a piece of the ${outer.name}: ${only.one.text} of ${only.other.text}`];
}

/** A part of `key=value` that runs on over other keys. */
function otherKeys({ hint, name, filled }: Part): string[] {
  if (hint.kind === "text" || hint.wholeLine) return [];
  const hit = filled.find(
    ({ text, host }) => text !== host.trim() && /^[\w.-]+ +[A-Za-z][\w.-]*=\S/.test(text),
  );
  return hit === undefined ? [] : [`other keys stand in the ${name}: ${hit.text}`];
}

function onlyMarks({ name, texts }: Part): string[] {
  const ends = texts.every(({ text }) => /^[.,;:]$/.test(text));
  const hit = texts.find(
    ({ text }) => ends || (/[()[\]{}"'\\]/.test(text) && /^[^\p{L}\p{N}\s]{2,}$/u.test(text)),
  );
  return hit === undefined ? [] : [`the ${name} is nothing but marks: ${hit.text}`];
}

/** The same word with a colon or an equals sign behind it in all records. */
function labels({ hint, name, texts }: Part): string[] {
  const [first] = texts;
  if (first === undefined || texts.length < 3 || !/^[A-Za-z][A-Za-z _-]*$/.test(first.text)) return [];
  if (hint.literals.includes(first.text) || hint.choices.includes(first.text)) return [];
  const label = new RegExp(`^\\W*${escapeRegex(first.text)}\\s*[:=]\\s`);
  return texts.every(({ text, host }) => text === first.text && label.test(host))
    ? [`the ${name} is the same label in all records: ${first.text}`]
    : [];
}

/** What the page calls something else for every record is one and the same text. */
function always({ hint, isValue, texts }: Part, records: number): string[] {
  if (!isValue || records < 4 || hint.wholeLine) return [];
  if (
    /\b(?:user|host|address|ip|client|account|domain|login|peer|server|source|device|interface|name|file|path)/i.test(
      hint.name.replace(/_/g, " "),
    )
  )
    return [];
  const [first] = texts;
  return first !== undefined && texts.every(({ text }) => text === first.text)
    ? [`every record has the same value: ${first.text}`]
    : [];
}

/** A field that the page says some records have: its key stands in the lines of records that lack it. */
function unread({ hint, isValue, texts }: Part, parts: readonly Part[]): string[] {
  if (isValue || !hint.optional) return [];
  const all = parts.find((one) => one.isValue)?.texts ?? [];
  const having = new Set(texts.map(({ record }) => record));
  const name = escapeRegex(hint.name).replace(/_/g, "[_ -]?");
  const key = new RegExp(`(?<![\\w.-])${name}["']?\\s*[=:]\\s*["']?[\\w/-]`, "i");
  const hits = all.filter(({ record, host }) => !having.has(record) && key.test(host));
  const [hit] = hits;
  return hit === undefined || hits.length < all.length * 0.1
    ? []
    : [`the key of ${hint.name} stands in a line that is read without it: ${hit.host.trim()}`];
}

/** One part goes on where another one ends, from the same place: "0" and "0, X1". */
function goesOn(short: Part, long: Part): string[] {
  if (short === long || long.hint.wholeLine) return [];
  const others = new Map(long.texts.map((one) => [one.record, one.text]));
  const hits = short.texts.filter(({ text, record }) => {
    const other = others.get(record) ?? "";
    return other.startsWith(text) && /^[,;:] /.test(other.slice(text.length));
  });
  return hits.length === 0 || hits.length <= short.texts.length * 0.5
    ? []
    : [`the ${long.name} begins with the ${short.name}: ${others.get(hits[0]?.record ?? 0) ?? ""}`];
}
