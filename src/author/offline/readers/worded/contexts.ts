// What stands around a part of a line, as expressions that find it in other lines: its key, the words in front of it
// and behind it, texts that the page names as its border, its brackets, its place in the line, its kind.

import { escapeClass, escapeRegex } from "../../escape.ts";
import type { Hint } from "../../page/page.ts";
import { type Mark, occurrences, relationsOf } from "../../parts/relations.ts";
import type { Span } from "../../parts/spans.ts";
import { type End, endsOf } from "./ends.ts";
import type { Recipe } from "./recipes.ts";
import { CLOSERS, isTimeText, type Sample, spaced } from "./sample.ts";

const KINDS: [RegExp, string][] = [
  [/^\d{1,3}(?:\.\d{1,3}){3}$/, "(?<![\\w.:])\\d{1,3}(?:\\.\\d{1,3}){3}(?![\\w.]\\w)"],
  [/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"],
  [/^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/i, "(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}"],
  [/^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/, "[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+"],
  [/^\/[^\s:,;"']+$/, "(?<![\\w/])\\/[^\\s:,;\"']+"],
];

/** A part of a line with what stands around it. */
interface Around {
  line: string;
  span: Span;
  text: string;
  before: string;
  after: string;
  hint: Hint;
}

/** Recipes of a part, from the words beside it to its place in the line. */
export function recipesOf(line: string, span: Span, hint: Hint, sample: Sample): Recipe[] {
  const around: Around = {
    line,
    span,
    hint,
    text: line.slice(span.start, span.end),
    before: line.slice(0, span.start),
    after: line.slice(span.end),
  };
  const ends = endsOf(line, span, hint, sample);
  const lefts: [string, number][] = [
    ...keyOf(around.before),
    ...leftsOf(around.before, hint.optional, sample),
    ...placesOf(around.before),
  ];
  return [
    ...lefts.flatMap(([left, rank]) =>
      ends.map((end, index) => ({ left, ...end, rank: rank + index * 0.15 })),
    ),
    ...betweenMarks(around, ends),
    ...byKey(around),
    ...byKind(around, sample),
    ...byBrackets(around),
    ...fromTheEnd(around),
  ];
}

function keyOf(before: string): [string, number][] {
  const key = /(?<![\w.-])([A-Za-z_][\w.-]*\s*[=:]\s*["'([<{]?)$/.exec(before)?.[1];
  return key === undefined ? [] : [[`(?<![\\w.-])${spaced(key)}`, 1]];
}

/** `key=text` and `"key":"text"` alike. */
function byKey({ before, after, text }: Around): Recipe[] {
  const name = /(?<![\w.-])["']?([A-Za-z_][\w.-]*)["']?\s*[=:]\s*["']?$/.exec(before)?.[1];
  if (name === undefined || !/^["',;\s}\])]|^$/.test(after) || /[\s"',}]/.test(text)) return [];
  const left = `(?<![\\w.-])${escapeRegex(name)}["']?\\s*[=:]\\s*["']?`;
  return [{ left, body: `[^\\s"',;}\\])]+`, right: "", rank: 1.8 }];
}

/** By what the text is: one of the listed texts, a time, an address, a number in front of its noun. */
function byKind({ text, before, after, hint }: Around, sample: Sample): Recipe[] {
  const recipes: Recipe[] = [];
  if (hint.choices.length > 1 && hint.choices.includes(text)) {
    const body = hint.choices.map(escapeRegex).join("|");
    recipes.push({ left: "(?<![\\w-])", body, right: "(?![\\w-])", rank: 1.5 });
    recipes.push({ left: "(?<!\\w)", body, right: "(?!\\w)", rank: 1.6 });
  }
  for (const [test, source] of KINDS)
    if (test.test(text)) recipes.push({ left: "", body: source, right: "", rank: 6 });
  if (hint.kind === "time" && /\d/.test(text) && isTimeText(text)) {
    const body = escapeRegex(text)
      .replace(/\d+/g, "\\d+")
      .replace(/[A-Za-z]{3,}/g, "[A-Za-z]+")
      .replace(/\s+/g, "\\s+");
    recipes.push({ left: "(?<![^\\s[(])", body, right: "(?![^\\s\\]),;])", rank: 3.4 });
  }
  // In front of a word that all lines have there.
  const next = /^\s+([A-Za-z][A-Za-z'-]+)(?=[\s,;:.]|$)/.exec(after);
  if (next !== null && !/\s/.test(text) && /(?:^|\s)$/.test(before) && sample.share(next[1] ?? "") >= 0.9)
    recipes.push({
      left: "(?<!\\S)",
      body: "\\S+",
      right: `(?=\\s+${escapeRegex(next[1] ?? "")}(?!\\w))`,
      rank: 2.4,
    });
  const unit = /^(\s*)([A-Za-z]{2,})/.exec(after);
  if (/^[-+]?\d[\d,]*(?:\.\d+)?$/.test(text) && unit !== null && sample.share(unit[2] ?? "") >= 0.7) {
    const body = /^\d+$/.test(text) ? "\\d+" : "[-+]?\\d[\\d.,]*";
    recipes.push({ left: "(?<![\\w.])", body, right: `(?=${spaced(unit[0])}(?![A-Za-z]))`, rank: 2 });
  }
  return recipes;
}

/** By the marks right beside it, and by its brackets: the last ones of the line, or the first of their sort. */
function byBrackets({ text, before, after }: Around): Recipe[] {
  const recipes: Recipe[] = [];
  const left = /[^\s\p{L}\p{N}]$/u.exec(before)?.[0];
  const right = /^[^\s\p{L}\p{N}]/u.exec(after)?.[0];
  if (left !== undefined && right !== undefined && !text.includes(right) && !text.includes(left)) {
    const body = `[^${/\s/.test(text) ? "" : "\\s"}${escapeClass(left)}${escapeClass(right)}]+`;
    recipes.push({ left: escapeRegex(left), body, right: escapeRegex(right), rank: 4 });
  }
  const opener = before.at(-1) ?? "";
  const close = CLOSERS[opener];
  if (close === undefined || !after.startsWith(close)) return recipes;
  const body = `[^${escapeClass(opener)}${escapeClass(close)}]*`;
  if (/^.\W*$/.test(after))
    recipes.push({ left: escapeRegex(opener), body, right: `${escapeRegex(close)}\\W*$`, rank: 2.5 });
  if (!before.slice(0, -1).includes(opener)) {
    const front = `^[^${escapeClass(opener)}]*${escapeRegex(opener)}`;
    recipes.push({ left: front, body, right: escapeRegex(close), rank: 5 });
  }
  return recipes;
}

const MOST_PIECES = 14;

/** Its place, counted in pieces between blanks and, inside a piece, by the marks in front of it. */
function placesOf(before: string): [string, number][] {
  const chunks = before.trim() === "" ? 0 : before.trim().split(/\s+/).length;
  const glued = /\S+$/.exec(before)?.[0] ?? "";
  if (chunks > MOST_PIECES || glued.length >= 80) return [];
  const skipped = (count: number): string => (count <= 0 ? "^\\s*" : `^\\s*(?:\\S+\\s+){${count}}`);
  if (glued === "") return [[skipped(chunks), 5.5]];
  if (/^[^\p{L}\p{N}]+$/u.test(glued)) return [[skipped(chunks - 1) + escapeRegex(glued), 5.5]];
  return [/([^:,;|@=#()<>[\]]*)([:,;|@=#()<>[\]]+)/g, /([^:,;|/@=#()<>[\]]*)([:,;|/@=#()<>[\]]+)/g].flatMap(
    (pieces, index): [string, number][] => {
      const source = insideOf(glued, pieces);
      return source === undefined ? [] : [[skipped(chunks - 1) + source, 5.2 + index * 0.05]];
    },
  );
}

/** The marks in front of a part inside a piece, with any text between them. */
function insideOf(glued: string, pieces: RegExp): string | undefined {
  const inner = [...glued.matchAll(pieces)];
  if (inner.length === 0 || inner.length > 6 || inner.map((one) => one[0]).join("") !== glued)
    return undefined;
  return inner
    .map(
      ([, data = "", mark = ""]) =>
        (data === "" ? "" : `[^\\s${escapeClass(mark.charAt(0))}]+`) + escapeRegex(mark),
    )
    .join("");
}

function fromTheEnd({ text, before, after }: Around): Recipe[] {
  const behind = after.trim() === "" ? 0 : after.trim().split(/\s+/).length;
  if (!/^(?:\s|$)/.test(after) || /\S$/.test(before) || behind > 6 || /\s/.test(text)) return [];
  const right = behind === 0 ? "\\s*$" : `(?=(?:\\s+\\S+){${behind}}\\s*$)`;
  return [{ left: "(?:^|(?<=\\s))", body: "\\S+", right, rank: 5.7 }];
}

/** Behind or in front of a text that the page names as its border. */
function betweenMarks({ line, span, hint }: Around, ends: readonly End[]): Recipe[] {
  const { after, before } = relationsOf(hint.description);
  const beside = (mark: Mark, at: number, side: "start" | "end"): boolean =>
    occurrences(line, mark).some((one) => one[side] === at);
  const left = after.find((mark) => beside(mark, span.start, "end"));
  const right = before.find((mark) => beside(mark, span.end, "start"));
  if (left === undefined) return [];
  if (right !== undefined)
    return [{ left: left.source, body: "\\S.*?", right: `(?=${right.source})`, rank: 0.8 }];
  return ends.map((end, index) => ({ left: left.source, ...end, rank: 1.1 + index * 0.1 }));
}

/** What may stand in front: words that (nearly) all lines have, with the pieces between them and the part. */
function leftsOf(before: string, isOptional: boolean, sample: Sample): [string, number][] {
  // What only some lines have is told by the word right in front of it, which only they have.
  const least = isOptional ? 0.15 : 0.6;
  const glue = /[^\s\p{L}\p{N}]*$/u.exec(before)?.[0] ?? "";
  const head = before.slice(0, before.length - glue.length);
  // Glued to a word in front ("cts[258]").
  const word = glue === "" ? "" : (/[A-Za-z][\w-]*$/.exec(head)?.[0] ?? "");
  if (/[\p{L}\p{N}]$/u.test(head))
    return word !== "" && sample.share(word) >= least ? [[`(?<![\\w])${escapeRegex(word + glue)}`, 1.5]] : [];
  return wordsBefore(
    [...head.matchAll(/\S+/g)].map((one) => one[0]),
    `\\s+${escapeRegex(glue)}`,
    { least, reach: isOptional ? 1 : 4 },
    sample,
  );
}

function wordsBefore(
  pieces: readonly string[],
  tail: string,
  { least, reach }: { least: number; reach: number },
  sample: Sample,
): [string, number][] {
  const lefts: [string, number][] = [];
  let wild = "";
  for (let back = 1; back <= reach && back <= pieces.length; back += 1) {
    const piece = pieces[pieces.length - back] ?? "";
    const source = fixedPiece(piece, least, sample);
    if (source !== undefined) {
      const isWhole = !source.endsWith("\\S*");
      lefts.push([`(?<![\\w])${source}${wild}${tail}`, (isWhole ? 1.6 : 2.6) + back * 0.5]);
      const previous = pieces[pieces.length - back - 1] ?? "";
      if (/^[A-Za-z]+$/.test(previous) && sample.share(previous) >= least)
        lefts.push([`(?<![\\w])${escapeRegex(previous)}\\s+${source}${wild}${tail}`, 1.4 + back * 0.5]);
    }
    wild = `\\s+\\S+${wild}`;
  }
  return lefts;
}

/** A piece with a word that most lines have; other lines may have something behind the word. */
function fixedPiece(piece: string, least: number, sample: Sample): string | undefined {
  const word = /[A-Za-z][A-Za-z'-]+/.exec(piece)?.[0] ?? "";
  if (word === "" || /\d/.test(piece) || sample.share(word) < least) return undefined;
  const isWhole = new RegExp(`^[^\\w]*${escapeRegex(word)}[^\\w]*$`).test(piece);
  return isWhole ? escapeRegex(piece) : `${escapeRegex(word)}\\S*`;
}
