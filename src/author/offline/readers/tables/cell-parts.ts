// Parts inside a cell: what a page says about how much of the text in a column is meant ("the number only", "behind the
// last colon", "without the `i:`", "in parentheses"), and columns whose heading names two parts ("PID/Program").

import { escapeRegex } from "../../escape.ts";
import { similarity, stem, wordsOf } from "../../page/names.ts";
import type { Hint } from "../../page/page.ts";
import { bare } from "../../page/text.ts";

const MARKS: readonly [RegExp, string][] = [
  [/^semicolon/i, ";"],
  [/^colon/i, ":"],
  [/^(?:forward )?slash/i, "/"],
  [/^backslash/i, "\\"],
  [/^(?:dot|full stop|period|point)/i, "."],
  [/^(?:dash|hyphen|minus)/i, "-"],
  [/^comma/i, ","],
  [/^(?:bar|pipe)/i, "|"],
  [/^at(?: |-)?sign/i, "@"],
  [/^equals?(?: |-)?sign/i, "="],
  [/^(?:hash|number sign)/i, "#"],
  [/^underscore/i, "_"],
  [/^(?:blank|space)/i, " "],
  [/^arrow/i, "->"],
  [/^plus/i, "+"],
  [/^(?:opening |left )?(?:parenthesis|round bracket|bracket)/i, "("],
];
const MARK =
  '(?<mark>`[^`]+`|"[^"]+"|(?:opening |left |forward )?(?:semicolon|colon|slash|backslash|dot|full stop|period|point|dash|hyphen|minus|comma|bar|pipe|at(?: |-)sign|equals?(?: |-)sign|hash|number sign|underscore|blank|space|arrow|plus|parenthesis|round bracket|bracket)\\b)';
const PLACE = "(?:the |its |their |that |a |an )?(?<which>first|last|final|second)?\\s*";
const AFTER = new RegExp(`\\b(?:behind|after|following|follows|right of|beyond) ${PLACE}${MARK}`, "i");
const BEFORE = new RegExp(
  `\\b(?:before|in front of|ahead of|left of|up to|until|precedes|preceding) ${PLACE}${MARK}`,
  "i",
);

const NUMBER_ONLY =
  /\b(?:the )?(?:number|figure|digits|count|amount) (?:only|alone|itself)\b|\bonly the (?:number|figure|digits|count|amount)\b|\b(?:just|bare|plain|mere) (?:the )?(?:number|digits)\b|\bwithout (?:the |its |their |a |any )?(?:units?|percent(?:age)?(?: signs?)?|%(?: sign)?|signs?|suffix|[A-Z][A-Za-z]{0,2}|`[A-Za-z%]{1,3}`|letters?)(?=$|[\s,.;)])|\bno (?:units?|percent signs?|signs?|%)(?=$|[\s,.;)])/;
const IN_BRACKETS =
  /\b(?:in|inside|within|between) (?:the |its |their |round |square )*(?:parenthes[ei]s|brackets)\b/i;
const NO_BRACKETS =
  /\bwithout (?:the |its |their |any |round |square |angle |surrounding )*(?:parenthes[ei]s|brackets|quotes|quotation marks)\b/i;
const NO_REMARK =
  /\bwithout (?:the |its |any |what |a )?(?:[\w-]+ ){0,3}(?:in|inside) (?:the |round |square )*(?:parenthes[ei]s|brackets)\b/i;
const WITHOUT =
  /\bwithout (?:the |its |their |any |a |leading |trailing )*(?:[\w-]+ ){0,2}(?:`([^`]+)`|"([^"]+)")/i;

/** "the program only", "without its arguments", "the first word". */
const FIRST_WORD =
  /\bwithout (?:the |its |any |their )?(?:arguments?|options|parameters|switches|flags)\b|\b(?:the )?first word\b|\b(?:the |just the |only the |bare )?(?:program|command|executable|binary)(?: name)?(?: only| alone)\b|\b(?:only|just) (?:the )?(?:program|command|executable|first word)\b/i;

const NUMBER = "^(?<part>[-+]?\\d[\\d.,]*(?:[eE][-+]?\\d+)?)";
/** A number with a letter, a unit or a mark behind it. */
const TAILED = /^[-+]?\d[\d.,]*(?:[eE][-+]?\d+)?\s*[^\d\s.,]{1,10}$/;

/** The expression for the part of a cell that the page means, in its group `part`; undefined for the whole cell. */
export function partOfCell(hint: Hint, texts: readonly string[]): string | undefined {
  const filled = texts.filter((text) => text !== "" && !/^-+$/.test(text));
  if (filled.length === 0) return undefined;
  // A word behind the texts of some rows tells these rows from the others: "the path, without ` (stale)`".
  const word = WITHOUT.exec(hint.description);
  const remark = word?.[1] ?? word?.[2] ?? "";
  const marked = filled.filter((text) => text.endsWith(remark)).length;
  if (/[A-Za-z]{3}/.test(remark) && marked > 0 && marked < filled.length)
    return `^(?<part>.*?)\\s*${escapeRegex(remark.trim())}$`;
  return formsOf(hint, filled).find((form) => {
    const regex = new RegExp(form);
    const parts = filled.map((text) => regex.exec(text)?.groups?.["part"]);
    const found = parts.filter((part) => part !== undefined && part.trim() !== "").length;
    return found >= 0.6 * filled.length && parts.some((part, at) => part !== filled[at]);
  });
}

/** The forms that the page's words may mean, the likeliest first. */
function formsOf(hint: Hint, texts: readonly string[]): string[] {
  const said = hint.description;
  const forms: string[] = [];
  const after = AFTER.exec(said);
  const before = BEFORE.exec(said);
  if (after !== null) {
    const mark = asWord(markOf(after));
    forms.push(
      /last|final/i.test(after.groups?.["which"] ?? "")
        ? `^.*${mark}(?<part>.*)$`
        : `^.*?${mark}(?<part>.*)$`,
    );
  }
  if (before !== null) {
    const mark = asWord(markOf(before));
    forms.push(
      /last|final/i.test(before.groups?.["which"] ?? "") ? `^(?<part>.*)${mark}` : `^(?<part>.*?)${mark}`,
    );
  }
  const unwanted = WITHOUT.exec(said);
  const text = unwanted?.[1] ?? unwanted?.[2] ?? "";
  if (text !== "" && texts.some((one) => one.startsWith(text)))
    forms.push(`^(?:${escapeRegex(text)})?(?<part>.*)$`);
  if (text !== "" && texts.some((one) => one.endsWith(text)))
    forms.push(`^(?<part>.*?)(?:\\s*${escapeRegex(text)})?$`);
  if (NO_REMARK.test(said)) forms.push("^(?<part>.*?)(?:\\s*[(\\[][^()\\[\\]]*[)\\]])?$");
  else if (NO_BRACKETS.test(said)) forms.push(withoutPair(said));
  else if (IN_BRACKETS.test(said) && !/\bwithout\b/i.test(said))
    forms.push("[(\\[](?<part>[^()\\[\\]]*)[)\\]]");
  if (NUMBER_ONLY.test(said)) forms.push(NUMBER);
  if (FIRST_WORD.test(said)) forms.push("^(?<part>\\S+)");
  // "`percent` (3)" where the cells are like "3 %".
  const shown = hint.literals.some((one) => /^\d[\d.,]*$/.test(one));
  if (shown && texts.every((one) => /^[-+]?\d[\d.,]*(?:\s*%|\s+[A-Za-z]{1,4})$/.test(one)))
    forms.push(NUMBER);
  // "Without the r or f behind it", whatever it is called.
  const tailed = texts.filter((one) => TAILED.test(one)).length;
  const tails = new Set(texts.map((one) => one.replace(/^[-+\d.,eE]+/, "").trim()));
  const isNumber = (one: string): boolean => /^[-+]?\d[\d.,]*$/.test(one);
  if (/\bwithout\b/i.test(said) && tails.size <= 6 && texts.every((one) => TAILED.test(one) || isNumber(one)))
    if (tailed >= 0.5 * texts.length) forms.push(NUMBER);
  return forms;
}

/** A cell without the marks around it, where it has both of them: "name (x)" keeps its bracket. */
function withoutPair(said: string): string {
  const [open, close] = /\bquot/i.test(said) ? ["[\"'`]", "[\"'`]"] : ["[(\\[<{]", "[)\\]>}]"];
  return `(?<part>(?<=^${open}).*(?=${close}$)|^(?!${open}.*${close}$).*$)`;
}

/** A word in a text, or a mark. */
function asWord(mark: string): string {
  return /^\w+$/.test(mark) ? `\\b${mark}\\b` : escapeRegex(mark);
}

/** The words that a page quotes as a border of the part. */
export function quotedBorder(hint: Hint): string | undefined {
  const marks = [AFTER, BEFORE].map((form) => form.exec(hint.description)?.groups?.["mark"] ?? "");
  return marks.find((mark) => /^[`"]\w{2,}[`"]$/.test(mark))?.slice(1, -1);
}

/** The mark that a match names, by its word or quoted. */
function markOf(match: RegExpExecArray): string {
  const word = match.groups?.["mark"] ?? "";
  if (/^[`"]/.test(word)) return word.slice(1, -1);
  return MARKS.find(([form]) => form.test(word))?.[1] ?? word;
}

/** Does the page say that only a part of the cell is meant? Then another part of it may be meant by another name. */
export function saysPart(hint: Hint): boolean {
  const said = bare(hint.description);
  return (
    AFTER.test(said) ||
    BEFORE.test(said) ||
    IN_BRACKETS.test(said) ||
    /\b(?:before|after|behind|in front of|in) the [a-z]+\b/i.test(said)
  );
}

const JOINTS = ["/", ":", "@", "|", ","];

/** "PID/Program name" above "871/sshd": the part of the cell that has this name. */
export function partByHeading(hint: Hint, heading: string, texts: readonly string[]): string | undefined {
  const filled = texts.filter((text) => text !== "" && !/^-+$/.test(text));
  if (filled.length === 0) return undefined;
  for (const joint of JOINTS) {
    const names = heading.split(joint).map((name) => name.trim());
    if (names.length !== 2 || names.some((name) => !/[A-Za-z]/.test(name))) continue;
    // "maj_min" is all of "MAJ:MIN".
    const words = wordsOf(hint.name.replace(/_/g, " ")).map(stem);
    if (words.length > 1 && names.every((name) => wordsOf(name).some((word) => words.includes(stem(word)))))
      continue;
    if (filled.filter((text) => text.includes(joint)).length < 0.6 * filled.length) continue;
    const likes = names.map((name) =>
      /^percent/i.test(hint.name) && /%/.test(name) ? 0.8 : similarity(hint.name, name),
    );
    const at = likes.indexOf(Math.max(...likes));
    if ((likes[at] ?? 0) < 0.6) continue;
    const mark = escapeRegex(joint);
    return at === 0 ? `^(?<part>.*?)${mark}` : `^.*?${mark}(?<part>.*)$`;
  }
  return undefined;
}
