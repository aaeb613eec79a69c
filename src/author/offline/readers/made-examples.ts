// Example lines that a page tells in words: "the same line with `[...]`", one of several quoted texts that may stand at one
// place of the example, and an example that was cut off in front because the one before shows how such lines begin.

import { tokenize } from "../logs/tokens.ts";
import { wordsOf } from "../page/names.ts";
import type { Hint, Page } from "../page/page.ts";
import { bare, NEGATIVE, type Quoted, quotedIn } from "../page/text.ts";

export interface Shown {
  line: string;
  label: string;
  /** The page does not show the line itself, so the log need not have one like it. */
  made?: boolean;
}

/** The example lines of a page with those that it tells in words. */
export function withMade(shown: readonly Shown[], page: Page, lines: readonly string[]): Shown[] {
  const whole = shown.map((one) => ({ ...one, line: completed(one.line, shown, lines) ?? one.line }));
  const [first] = whole;
  if (first === undefined) return whole;
  const gone = new Set<string>();
  // What the page lists for a part is in the part's own expression.
  const listed = page.groups
    .flatMap(({ value, fields }) => [...(value === undefined ? [] : [value]), ...fields])
    .map(({ choices }) => choices)
    .filter((choices) => choices.length > 1 && choices.some((one) => /\s/.test(one)));
  const made: Shown[] = [];
  for (const { text } of page.statements.flatMap((one) => one.sentences)) {
    if (NEGATIVE.test(bare(text))) continue;
    const spans = quotedIn(text);
    for (const [index, span] of spans.entries()) {
      const line = same(text, spans, index, first.line);
      if (line === undefined) continue;
      gone.add(span.text);
      made.push({ line, label: "" });
    }
    for (const line of [...alternatives(text, spans, whole, listed), ...alike(text, spans, first.line)])
      made.push({ line, label: "", made: true });
  }
  const left = whole.filter(({ line }) => line === first.line || !gone.has(line));
  return [...left, ...made.filter(({ line }) => !left.some((one) => one.line === line))];
}

const SAME =
  /\b(?:same|identical|similar|like (?:it|that|this|the (?:one|line|first|above)))\b[^`"]*?\b(?:with|but|only|has|having|says?|reads?)\s*$/i;
const INSTEAD = /^\s*(?:instead of|in place of|rather than|for)\s*$/i;

/** "The same line with `[...]`": the example with this text in the place of the one that is most like it. */
function same(text: string, spans: readonly Quoted[], index: number, base: string): string | undefined {
  const span = spans[index];
  if (span === undefined) return undefined;
  const next = spans[index + 1];
  const before = text.slice(spans[index - 1]?.end ?? 0, span.start);
  if (next !== undefined && INSTEAD.test(text.slice(span.end, next.start))) {
    if (base.includes(next.text)) return base.replace(next.text, span.text);
    // "`Err(9:...)` in place of `Msg(...)`": up to the dots, without what is data.
    const [own, other] = [span, next].map(
      (one) => /^[A-Za-z]{2,}[^\w\s]*(?=.*(?:\.{3}|…))/.exec(one.text)?.[0],
    );
    if (own !== undefined && other !== undefined && base.includes(other)) return base.replace(other, own);
  }
  if (!SAME.test(before) || base.includes(span.text)) return undefined;
  const key = /^([\w.-]+[=:])\S/.exec(span.text)?.[1];
  const pair =
    key === undefined ? undefined : new RegExp(`(?<![\\w.-])${key.replace(/[.]/g, "\\.")}(?:"[^"]*"|\\S+)`);
  if (pair?.test(base) === true) return base.replace(pair, span.text);
  const place = framedLike(span.text, base);
  return place === undefined ? undefined : base.slice(0, place.start) + span.text + base.slice(place.end);
}

const FRAMES = [/\[[^[\]]*\]/g, /\([^()]*\)/g, /"[^"]*"/g, /<[^<>]*>/g, /'[^']*'/g];

/** The text in the same brackets or quotes that shares most words, or else the longest. */
function framedLike(text: string, base: string): { start: number; end: number } | undefined {
  const frame = FRAMES.find((one) => new RegExp(`^(?:${one.source})$`).test(text));
  if (frame === undefined) return undefined;
  const own = new Set(wordsOf(text));
  const found = [...base.matchAll(frame)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    shared: wordsOf(match[0]).filter((word) => own.has(word)).length,
  }));
  return found.sort((a, b) => b.shared - a.shared || b.end - b.start - (a.end - a.start))[0];
}

const ALIKE = /\b(?:same (?:form|way|layout|format|shape)|likewise|as well|alike|too)\b/i;

/** "Errors are printed as `Err(...)` in the same form": the example with this text where it has one of the same shape. */
function alike(text: string, spans: readonly Quoted[], base: string): string[] {
  if (!ALIKE.test(bare(text))) return [];
  return spans.flatMap((span) => {
    const own = /^([A-Za-z]{2,}[^\w\s]+)(?:\.{3}|…)/.exec(span.text)?.[1];
    if (own === undefined || base.includes(own)) return [];
    const mark = own.replace(/^\w+/, "").replace(/[^\w\s]/g, "\\$&");
    const places = [...base.matchAll(new RegExp(`(?<![\\w.\\\\/-])[A-Za-z]{2,}${mark}`, "g"))];
    const [place] = places;
    if (place === undefined || places.length > 1) return [];
    return [base.slice(0, place.index) + own + base.slice(place.index + place[0].length)];
  });
}

/** "`error` (one of the three)": the texts of such a part, where a sentence of its own lists them and an example has one. */
export function withListed(fields: readonly Hint[], shown: readonly Shown[], page: Page): Hint[] {
  return fields.map((hint) => {
    if (hint.choices.length > 0) return hint;
    // "(the letter, W, E or F)".
    const letters = /\b([A-Z](?:, [A-Z])*),? or ([A-Z])\b/.exec(hint.description);
    if (hint.kind === "letter" && letters !== null)
      return { ...hint, choices: [...(letters[1] ?? "").split(", "), letters[2] ?? ""] };
    if (!ONE_OF.test(hint.description)) return hint;
    const runs = page.statements
      .flatMap((one) => one.sentences)
      .filter(({ text }) => !NEGATIVE.test(bare(text)))
      .flatMap(({ text }) => listsIn(text, quotedIn(text)));
    const run = runs.find((texts) =>
      shown.some(({ line }) => texts.filter((one) => standsIn(line, one.text)).length === 1),
    );
    return run === undefined ? hint : { ...hint, choices: run.map((one) => one.text) };
  });
}

const ONE_OF =
  /^\W*(?:which )?one of (?:the|these|those)(?: (?:two|three|four|five|texts|words|kinds|forms))*\W*$/i;

/** "`A`, `B` or `C`", one of which stands in an example: the same line with each of the others. */
function alternatives(
  text: string,
  spans: readonly Quoted[],
  shown: readonly Shown[],
  listed: readonly (readonly string[])[],
): string[] {
  const runs = listsIn(text, spans).filter(
    (run) => !listed.some((choices) => run.every((one) => choices.includes(one.text))),
  );
  return runs.flatMap((run) =>
    shown.flatMap(({ line }) => {
      const [own, ...more] = run.filter((one) => standsIn(line, one.text));
      if (own === undefined || more.length > 0) return [];
      return run.filter((one) => one !== own).map((one) => line.replace(own.text, one.text));
    }),
  );
}

/** Quoted texts that a sentence gives as alternatives of one another. */
function listsIn(text: string, spans: readonly Quoted[]): Quoted[][] {
  const runs: Quoted[][] = [];
  for (const [index, span] of spans.entries()) {
    const last = spans[index - 1];
    const joined =
      last !== undefined && /^\s*(?:,|,?\s*(?:or|and)|\/)\s*$/.test(text.slice(last.end, span.start));
    if (joined) runs.at(-1)?.push(span);
    else runs.push([span]);
  }
  return runs.filter((run) => {
    const joint = text.slice(run.at(-2)?.end, run.at(-1)?.start);
    return run.length > 1 && /\bor\b/.test(joint) && run.every((one) => /[A-Za-z]{2}/.test(one.text));
  });
}

/** As words of its own. */
function standsIn(line: string, text: string): boolean {
  const at = line.indexOf(text);
  if (at < 0 || text.length > line.length / 2) return false;
  return !/[\w-]/.test(line.charAt(at - 1)) && !/[\w-]/.test(line.charAt(at + text.length));
}

/** An example that begins as another one goes on in the middle, with the front of that one; only where no line of the log
 * begins as it does. */
function completed(line: string, shown: readonly Shown[], lines: readonly string[]): string | undefined {
  const own = formsOf(line);
  if (own.length < 4) return undefined;
  const head = own.slice(0, 4).join("");
  if (lines.some((text) => formsOf(text.slice(0, 200)).slice(0, 4).join("") === head)) return undefined;
  for (const other of shown) {
    if (other.line === line || other.line.length <= line.length / 2) continue;
    const tokens = tokenize(other.line);
    const forms = formsOf(other.line);
    for (let at = 2; at + 4 <= forms.length; at += 1) {
      if (forms.slice(at, at + 4).join("") !== head) continue;
      const start = tokens[at]?.start ?? 0;
      if (/\d/.test(other.line.slice(0, start))) return other.line.slice(0, start) + line.trimStart();
    }
  }
  return undefined;
}

/** Words and marks as they are, other tokens by their kind. */
function formsOf(line: string): string[] {
  return tokenize(line).map((token) =>
    ["word", "punct"].includes(token.kind) ? token.text : token.kind === "space" ? " " : `<${token.kind}>`,
  );
}
