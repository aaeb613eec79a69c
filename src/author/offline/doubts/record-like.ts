// Lines that a rule would read if one piece of it were let go: are they records like the others? Their parts have to be of the
// kinds that the parts have elsewhere, and what was let go must not be what tells kinds of lines apart.

import type { Group, Hint, Page } from "../page/page.ts";
import type { Extracted, LineAlternative } from "../program/ir.ts";
import { GAP, type Stretched } from "./stretches.ts";

interface Read {
  group: Group;
  page: Page;
  /** The records that the rule reads. */
  taken: readonly Extracted[];
  /** Those that it would read besides. */
  read: readonly Extracted[];
}

/** Are the lines that a rule would read with one piece let go surely records? */
export function isRecordLike(
  stretched: Stretched,
  one: LineAlternative,
  { group, page, taken, read }: Read,
): boolean {
  const regex = new RegExp(stretched.pattern);
  const hints = hintsOf(one, group);
  const before = taken.map(({ content }) => new RegExp(one.pattern).exec(content)?.groups ?? {});
  const after = read.map(({ content }) => regex.exec(content)?.groups ?? {});
  const names = Object.keys(after[0] ?? {}).filter((name) => name !== GAP);
  for (const name of names) {
    const texts = after.map((groups) => groups[name] ?? "");
    const known = before.flatMap((groups) => groups[name] ?? []);
    if (known.length === 0) return false;
    const wide = stretched.kind === "words" && stretched.part === name;
    if (!texts.every((text) => isLike(text, known, hints.get(name), wide))) return false;
  }
  const gaps = after.flatMap((groups) => groups[GAP] ?? []);
  if (stretched.host) return true;
  switch (stretched.kind) {
    case "words":
    case "more":
    case "remark":
      return true;
    case "part":
    case "lead":
      return isMissing(stretched, one, hints, before, after);
    case "piece":
      return true;
    case "run":
      return stretched.gone === 0 || (stretched.left > stretched.gone && stretched.gone > 1);
    case "text":
      if (
        stretched.byMarks &&
        !sameForms(
          names.filter((name) => hints.get(name) !== group.value),
          before,
          after,
        )
      )
        return false;
      return isFreeText(stretched, gaps, hints, before, after);
    case "front":
      return gaps.every((label) => isNamed(label, page));
  }
}

function hintsOf({ projection }: LineAlternative, group: Group): Map<string, Hint> {
  const hints = new Map<string, Hint>();
  const { value, fields } = projection;
  if (value.from === "group" && group.value !== undefined) hints.set(value.group, group.value);
  for (const { name, source } of fields) {
    const hint = group.fields.find((field) => field.name === name);
    if (source.from === "group" && hint !== undefined && !hints.has(source.group))
      hints.set(source.group, hint);
  }
  return hints;
}

/** Is a text of the kind that a part has in the records? */
function isLike(text: string, known: readonly string[], hint: Hint | undefined, wide: boolean): boolean {
  if (text === "" || /^[^\p{L}\p{N}]+$/u.test(text)) return known.some((one) => !/[\p{L}\p{N}]/u.test(one));
  if (hint !== undefined && hint.choices.length > 1 && known.every((one) => hint.choices.includes(one)))
    return hint.choices.includes(text);
  if (known.every((one) => /^[-+]?\d[\d.,]*%?$/.test(one)))
    return /^[-+]?\d[\d.,]*(?:[eE][-+]?\d+)?%?$/.test(text);
  if (!isBalanced(text) && known.every(isBalanced)) return false;
  if (wide) return isPhraseLike(text, known);
  if (/\s/.test(text)) return known.some((one) => /\s/.test(one));
  // A file stays a file, an account an account.
  const marks = ["/", "@"].filter((mark) => known.every((one) => one.includes(mark)));
  return marks.every((mark) => text.includes(mark));
}

function isBalanced(text: string): boolean {
  const count = (mark: string): number => text.split(mark).length;
  return count("(") === count(")") && count("[") === count("]") && count('"') % 2 === 1;
}

/** The words of a longer text are written like those of the texts that are known. */
function isPhraseLike(text: string, known: readonly string[]): boolean {
  const written = new Set(known.flatMap((one) => one.split(/\s+/).map(caseOf)));
  return text
    .split(" ")
    .every((word, index) => written.has(caseOf(word)) || (index > 0 && caseOf(word) === "small"));
}

function caseOf(word: string): string {
  const plain = word.replace(/[()'/.:,-]/g, "");
  if (/\d/.test(plain)) return "digits";
  if (/^\p{Lu}{2,}$/u.test(plain)) return "capitals";
  return /^\p{Lu}/u.test(plain) ? "capital" : "small";
}

/** Is the part missing in these lines, while all others are there? Where the page does not say so, the others have to be
 * written like those of the records, and something has to tell the lines: a fixed word, or a value with marks in it. */
function isMissing(
  { part = "", last, left }: Stretched,
  { projection }: LineAlternative,
  hints: ReadonlyMap<string, Hint>,
  before: readonly Record<string, string>[],
  after: readonly Record<string, string>[],
): boolean {
  if (hints.get(part)?.optional === true) return true;
  const names = Object.keys(after[0] ?? {});
  const value = projection.value.from === "group" ? projection.value.group : "";
  const told =
    left > 0 || after.every((groups) => /[\p{L}\p{N}][./\\@][\p{L}\p{N}]/u.test(groups[value] ?? ""));
  return !last && names.length > 1 && told && sameForms(names, before, after);
}

/** Do the parts have texts of the same form in the other lines: letter for letter, but for names and numbers? */
function sameForms(
  names: readonly string[],
  before: readonly Record<string, string>[],
  after: readonly Record<string, string>[],
): boolean {
  return names.every((name) => {
    const known = new Set(before.flatMap((groups) => groups[name] ?? []).map(formOfText));
    return after.every((groups) => known.has(formOfText(groups[name] ?? "")));
  });
}

function formOfText(text: string): string {
  if (/\s/.test(text)) return "text";
  return text
    .replace(/\d+/g, "9")
    .replace(/(?:\p{Lu}\p{Ll}+)+/gu, "B")
    .replace(/\p{Lu}{2,}/gu, "C")
    .replace(/\p{Ll}+/gu, "a")
    .replace(/(?:[/\\][aBC9.-]+)+/g, "/a");
}

const LEAST_TEXTS = 3;

/** Another text in the place of a fixed one: the message stands in a part, so that this one is beside it; or the place has
 * many texts; or the lines have a text for a part which the page lists and no record has. */
function isFreeText(
  { gone, byMarks }: Stretched,
  gaps: readonly string[],
  hints: ReadonlyMap<string, Hint>,
  before: readonly Record<string, string>[],
  after: readonly Record<string, string>[],
): boolean {
  if (gone < 2) return false;
  if (byMarks) return new Set(gaps.map((text) => text.replace(/\d+/g, "9"))).size >= LEAST_TEXTS;
  const texts = (groups: readonly Record<string, string>[], name: string): Set<string> =>
    new Set(groups.flatMap((one) => one[name] ?? []));
  const listed = [...hints].some(([name, hint]) => {
    const seen = texts(before, name);
    return (
      hint.choices.length > 1 &&
      [...texts(after, name)].every((text) => hint.choices.includes(text) && !seen.has(text))
    );
  });
  if (listed) return true;
  const message = [...hints.keys()].some(
    (name) => [...texts(before, name)].filter((text) => /\p{L}+ \p{L}+/u.test(text)).length >= 2,
  );
  return message || new Set(gaps.map((text) => text.replace(/\d+/g, "9"))).size >= LEAST_TEXTS;
}

/** Does the page speak of the label in a sentence of its own? */
function isNamed(label: string, page: Page): boolean {
  const text = label.replace(/\s*:$/, "").trim();
  return (
    page.statements.some((one) => one.text.includes(text)) &&
    !page.unwanted.some((other) => other.includes(text))
  );
}
