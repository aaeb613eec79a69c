// What one remark says of several names of a list: "(both with their unit)", "(7 and 15)", "(before and after the slash)",
// "(columns A and B)".

import { makeHint } from "./make-hint.ts";
import { wordsOf } from "./names.ts";
import type { Hint } from "./page.ts";
import { splitList } from "./text.ts";

/** "package, core and irq (columns Package, Core and IRQ)": a column for each of the names in front. */
export function shareColumns(hints: Hint[]): void {
  const last = hints.at(-1);
  const said = /\(?\b(?:columns?|keys|headings|headed) ([^()]+)\)?/i.exec(last?.description ?? "")?.[1];
  const names = said === undefined ? [] : splitList(said.replace(/,? respectively\b/i, ""));
  if (names.length < 2 || names.length > hints.length || names.some((name) => wordsOf(name).length > 3))
    return;
  names.forEach((name, index) => {
    const at = hints.length - names.length + index;
    const one = hints[at];
    if (one === undefined) return;
    const own = at === hints.length - 1 ? "" : one.description;
    hints[at] = makeHint(one.name, `${own} (column ${name.replace(/[`"]/g, "")})`.trim());
  });
}

/** "`size` and `free` (both with their unit)" is about all of them. */
export function shareAll(hints: Hint[], description: string): void {
  // "(all of the last column)", "(all that follows)": how much of one text is meant.
  if (/^\(all (?:of (?:it|the|its)\b|(?:that|what)\b|(?:the )?(?:words?|text|rest)\b)/i.test(description))
    return;
  const said =
    /^\((both|either|any of (?:them|these)|the (?:last|other) (?:two|three)|all(?= (?:of|three|four|five|with|as|in|from|without|numbers?)\b)|each)\b/i.exec(
      description,
    )?.[1];
  if (said === undefined) return;
  // "both" are the last two, the one that is read now among them.
  const from = /both|either|two/i.test(said) ? hints.length - 1 : /three/i.test(said) ? hints.length - 2 : 0;
  for (const [index, one] of hints.entries())
    if (index >= from) hints[index] = makeHint(one.name, `${one.description} ${description}`.trim());
}

const SINGLE =
  /^\(?(?:the|an?|its|only the) (?:[a-z]+ )?(?:number|text|word|name|column|letter|time|date|part|path|value|code|id|port|address|digits?|amount|count|unit)\b(?! and\b)/i;

/** "`line`, `column` (7 and 15)", "`time` and its `unit` (68 and micros)": a text of each of the names in front. */
export function shareTexts(hints: readonly Hint[], hint: Hint, description: string): boolean {
  const remark = /(?:^|[\s,])\(([^()]+)\)[.,;]?$/.exec(description.trim())?.[1];
  // "(the two counters, 33795 and 0)": the texts behind what they are.
  const body = remark
    ?.replace(/^(?:e\.g\.|here|for example|for instance|such as|like)[,:]? /i, "")
    .replace(/(?: here| respectively|,? in that order)$/i, "")
    .replace(/^(?:the|both|its|all) [^,:]*[,:] (?=\S+,? and )/i, "");
  if (body === undefined || !/,|\band\b|\b(?:of|in)\b/.test(body)) return false;
  // "(e.g. Warning, Fatal error)" behind `line`, `severity`: words, one or the other, are examples of the last one.
  if (/^(?:e\.g\.|for example|for instance|such as|like)/i.test(remark ?? "") && !/\d|\band\b/.test(body))
    return false;
  const texts =
    piecesOf(body) ?? body.split(/,?\s+and\s+|,\s+/).map((one) => one.replace(/^[`"]|[`"]$/g, "").trim());
  const open = [...hints, hint].slice(-texts.length);
  const bare = open.slice(0, -1).every((one) => one.description === "");
  const counted = /\b(?:two|both|three|four|last)\b/i.test(description);
  const more = !counted && hints.at(-texts.length)?.description === "";
  if (texts.length < 2 || open.length < texts.length || !bare || more) return false;
  const shown = (one: string): boolean =>
    /^[^\s]+(?: [^\s]+){0,2}$/.test(one) &&
    !/^(?:the|an?|its|in|with|as|optional|both|from|behind)\b/i.test(one);
  if (!texts.every(shown) || !texts.some((one) => /\d|[A-Z]|\w[_:@/.=-]\w/.test(one))) return false;
  const rest = description.slice(0, description.lastIndexOf("(")).replace(/^[\s,]+/, "");
  open.forEach((one, at) => {
    const text = texts[at] ?? "";
    const made = makeHint(
      one.name,
      /^the (?:two|three|four)\b/i.test(rest) ? `(${text})` : `${rest} (${text})`.trim(),
    );
    made.literals = [text];
    Object.assign(one, made, { optional: one.optional || made.optional });
  });
  return true;
}

/** "the two numbers of [16.20/15.00]": its pieces. */
function piecesOf(body: string): string[] | undefined {
  const told =
    /^(?:both|the (?:two|three|four)) (?:numbers|parts|pieces|words|texts|values|halves) (?:of|in) [`"]?(\S+?)[`"]?$/i.exec(
      body,
    );
  const text = told?.[1];
  if (text === undefined) return undefined;
  const numbers = /\bnumbers\b/i.test(body);
  return text.match(numbers ? /[-+]?\d[\d.]*/g : /[\w.-]+/g) ?? undefined;
}

/** "`x` and `y` (the location)" is about both; "(1.3 and 0.9)" at its end shows a text of each. */
export function sharePair(text: string, hints: Hint[], hint: Hint, description: string): boolean {
  const left = hints.at(-1);
  if (
    left === undefined ||
    left.description !== "" ||
    !text.includes(`\`${left.name}\` and \`${hint.name}\``)
  )
    return false;
  const about = text
    .slice(text.indexOf(`\`${hint.name}\``) + hint.name.length + 2)
    .replace(/^\s*:\s*/, "")
    .trim();
  if (
    /`/.test(about) ||
    !/^\(|\S{3}/.test(description) ||
    /\b(?:before|in front of|left of) and\b/i.test(about)
  )
    return false;
  // "(the number in the brackets)" is one thing.
  if (
    SINGLE.test(about) &&
    !/\band of the\b|\b(?:respectively|each|both|first and (?:the )?second)\b/i.test(about)
  )
    return false;
  const shown = /\(([^\s(),]+) and ([^\s(),]+)\)\s*[.]?$/.exec(about);
  const said = shown === null ? about : about.slice(0, shown.index).trim();
  for (const [one, literal] of [
    [left, shown?.[1]],
    [hint, shown?.[2]],
  ] as const) {
    // Another list of the page may name the remark behind both, which is only about the second one there.
    const made = makeHint(
      one.name,
      one === left ? said.replace(/,? as (?:printed|written|shown|given)\b.*$/i, "") : said,
    );
    if (literal !== undefined) made.literals = [literal];
    Object.assign(one, made, { optional: one.optional || made.optional });
  }
  return true;
}

const SIDES =
  /^\W*(?:(?:the )?(?:numbers?|texts?|words?|parts?|pieces|names?|digits|those|what stands|which stand) )?(?:directly |right )?(before|in front of|left of) and (after|behind|right of) (.+?)\)?[.]?$/i;
/** "the two sides of the at sign in the brackets" */
const AROUND =
  /^\W*(?:the )?(?:two |both )?(?:sides|halves|parts|pieces|texts|words|numbers) (?:of|around|beside|on (?:both|either|the two) sides? of|to the left and (?:to the )?right of|left and right of) ((?:the|its|an?) (?:at|colon|slash|dash|hyphen|comma|dot|hash|arrow|equals?|bar|pipe|semicolon|underscore|backslash)\b.*|[`"].+)$/i;

/** "`user` and `realm` (before and after the at sign)" is about both. */
export function shareSides(hints: readonly Hint[], hint: Hint, description: string): boolean {
  const sides = SIDES.exec(description);
  const around = sides === null ? AROUND.exec(description) : null;
  const left = hints.at(-1);
  if ((sides === null && around === null) || left === undefined || left.description !== "") return false;
  const [first = "before", second = "after", mark = ""] = sides?.slice(1) ?? [
    "before",
    "after",
    around?.[1] ?? "",
  ];
  Object.assign(left, makeHint(left.name, `(${first} ${mark.replace(/\)$/, "")})`));
  Object.assign(hint, makeHint(hint.name, `(${second} ${mark.replace(/\)$/, "")})`));
  return true;
}

/** What a remark behind the names says of the last ones. */
export function shareRemark(hints: readonly Hint[]): void {
  const last = hints.at(-1);
  if (last === undefined) return;
  const before = hints.slice(0, -1);
  const said = last.description.replace(/^[\s,]+/, "");
  if (!shareTexts(before, last, said)) shareSides(before, last, said);
  shareUnit(before, last, said);
}

const UNIT_REMARK =
  /\b(?:without (?:the |its |their |any )?units?|with (?:the |its |their )units?|numbers? only|no units?)\b/i;

/** "`x` and `y`, in um, without the unit": what is said of the unit of the last one holds for its like in front of it. */
function shareUnit(before: readonly Hint[], last: Hint, said: string): void {
  if (!UNIT_REMARK.test(said)) return;
  for (const one of [...before].reverse()) {
    if (one.description !== "" || one.kind !== last.kind || last.kind !== "number") return;
    Object.assign(one, makeHint(one.name, last.description), { optional: one.optional });
  }
}

/** "`count` and `side` (1 or 2, ...)" beside "count: 95": the remark is about the last name alone, where the example shows
 * another text behind the name of the first. */
export function unshare(fields: Hint[], lines: readonly string[]): void {
  fields.forEach((hint, at) => {
    const next = fields[at + 1];
    if (next === undefined) return;
    const own = [...hint.choices, ...hint.literals];
    const isShared = hint.description !== "" && hint.description === next.description && own.length > 1;
    // "(Shelf 0, Slot 4)" is one text, where the example has it whole.
    const [first = "", second = ""] = [hint.literals[0], next.literals[0]];
    const whole = `${first}, ${second}`;
    const isOne =
      hint.description === `(${first})` &&
      next.description === `(${second})` &&
      /[A-Za-z]/.test(first) &&
      lines.some((line) => line.includes(whole));
    if (!isShared && !isOne) return;
    const key = new RegExp(`(?:^|\\s)${hint.name.replace(/_/g, "[ _-]")}\\s*[:=]\\s*(\\S+)`, "i");
    const shown = lines.flatMap((line) => key.exec(line)?.[1]?.replace(/[,;.]$/, "") ?? []);
    if (shown.length > 0 && !shown.some((text) => own.includes(text))) fields[at] = makeHint(hint.name, "");
  });
}

/** "`x1`, `y1`, `x2`, `y2`, the four numbers of the box without the unit": each of them is a number. */
export function shareNumbers(fields: Hint[]): void {
  fields.forEach(({ description }, at) => {
    const count =
      /^[,\s]*the (two|three|four|five|six) (?:numbers|figures|values|coordinates|counters|amounts)\b/i.exec(
        description,
      )?.[1];
    const names = ["two", "three", "four", "five", "six"].indexOf(count?.toLowerCase() ?? "") + 2;
    const before = fields.slice(Math.max(0, at + 1 - names), at);
    if (count === undefined || before.length + 1 !== names || before.some((one) => one.description !== ""))
      return;
    const said = `(the number${/ without\b.*$/.exec(description)?.[0] ?? ""})`;
    for (let index = at + 1 - names; index <= at; index += 1)
      fields[index] = makeHint(fields[index]?.name ?? "", said);
  });
}
