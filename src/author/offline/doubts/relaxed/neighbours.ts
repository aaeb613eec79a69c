// Lines right among those that are taken, with as many texts, of the same kinds, and the same words where all records have the
// same one: whoever looks at the log sees them as further rows.

import { stem, wordsOf } from "../../page/names.ts";
import type { Page } from "../../page/page.ts";

/** Lines with fewer texts are alike by chance. */
const TEXTS = 4;
/** Longer lines are messages. */
const LONGEST = 300;
/** Records with as many texts that say what is usual in each place. */
const LEAST = 2;

type Place = { same: string } | { kinds: ReadonlySet<string> };

/** Such lines; `taken` are the numbers of the lines that are read, `open` says which others may be meant. */
export function neighbours(
  taken: ReadonlySet<number>,
  lines: readonly string[],
  page: Page,
  isOpen: (line: string) => boolean,
): string[] {
  const rows = [...taken].map((line) => textsOf(lines[line - 1] ?? ""));
  const places = new Map<number, Place[]>();
  for (const count of new Set(rows.map(({ length }) => length))) {
    const own = rows.filter(({ length }) => length === count);
    if (count >= TEXTS && own.length >= LEAST) places.set(count, placesOf(own));
  }
  if (places.size === 0) return [];
  const left = among(taken, lines).filter((line) => {
    if (line.length > LONGEST || !isOpen(line)) return false;
    const texts = textsOf(line);
    const usual = places.get(texts.length);
    return (
      usual !== undefined && !/^\W*(?:total|sum|all|average|mean)\b/i.test(line) && isLike(texts, usual, page)
    );
  });
  return left.length > taken.size ? [] : left;
}

function textsOf(line: string): string[] {
  return line.trim().split(/\s+/);
}

function placesOf(rows: readonly string[][]): Place[] {
  const [first = []] = rows;
  return first.map((text, at) => {
    const same = rows.every((row) => row[at] === text);
    return same ? { same: text } : { kinds: new Set(rows.map((row) => kindOf(row[at] ?? ""))) };
  });
}

function isLike(texts: readonly string[], usual: readonly Place[], page: Page): boolean {
  const off = texts.filter((text, at) => {
    const place = usual[at];
    return place !== undefined && !("same" in place ? place.same === text : place.kinds.has(kindOf(text)));
  });
  if (off.length > 1) return false;
  // A word that the page says tells the records.
  const told = usual.some(
    (place, at) => "same" in place && place.same !== texts[at] && isSaid(place.same, page),
  );
  // Words alone are alike in any sentence.
  const telling = usual.filter((place, at) =>
    "same" in place ? place.same === texts[at] : kindOf(texts[at] ?? "") !== "word",
  );
  return !told && telling.length * 2 >= texts.length && /\d/.test(texts.join(""));
}

function isSaid(text: string, page: Page): boolean {
  return wordsOf(text).some((word) => page.stems.has(stem(word))) || page.prose.includes(text);
}

/** Lines between or beside the records, with no blank line in between, that are not read. */
function among(taken: ReadonlySet<number>, lines: readonly string[]): string[] {
  const found: string[] = [];
  let open: string[] = [];
  let has = false;
  const close = (): void => {
    if (has) found.push(...open);
    open = [];
    has = false;
  };
  lines.forEach((line, at) => {
    if (line.trim() === "") close();
    else if (taken.has(at + 1)) has = true;
    else open.push(line);
  });
  close();
  return found;
}

function kindOf(text: string): string {
  if (/^[^\p{L}\p{N}]+$/u.test(text)) return "marks";
  if (/^[-+]?\d[\d.,]*(?:e[-+]?\d+)?%?$/i.test(text)) return "number";
  if (/^\p{L}+$/u.test(text)) return "word";
  return text
    .replace(/\p{L}+/gu, "a")
    .replace(/\d+/g, "9")
    .replace(/(a9|9a)+/g, "x")
    .slice(0, 6);
}
