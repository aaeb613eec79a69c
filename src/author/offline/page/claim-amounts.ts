// Amounts in phrases of claims: "whose %CPU is not 0.00", "level 7 and above", "severity 4 and 5", "a code between 400 and 499".

import type { Context, Reading } from "./claim-tests.ts";
import { numberWord } from "./names.ts";
import { NOUN, NUMBER, type Relation, spelled, type Test, test } from "./test-words.ts";

const RELATIONS: [RegExp, Relation][] = [
  [/^(?:at least|from|not (?:less|fewer|lower|below) than?)$/i, ">="],
  [/^(?:above|over|more than|greater than|larger than|higher than|longer than|exceeding|beyond)$/i, ">"],
  [/^(?:at most|up to|no more than|not (?:more|above) than?)$/i, "<="],
  [/^(?:below|under|less than|fewer than|lower than|smaller than|shorter than)$/i, "<"],
];
const COMPARED =
  "(?:at least|from|above|over|more than|greater than|larger than|higher than|longer than|exceeding|beyond|at most|up to|no more than|below|under|less than|fewer than|lower than|smaller than|shorter than)";

/** "Severity 3, 4 and 5": further numbers. */
const MORE = "(?<more>(?:(?:,\\s*|,?\\s+(?:and|or|nor)\\s+)[-+]?\\d+(?:\\.\\d+)?(?![\\w.:%-]*\\w))*)";
/** "Levels from 3 to 5", "a code between 400 and 499": both ends. */
const RANGE = new RegExp(
  `(?<![\\w%])(?:(?:whose|where|with|of|having|in|for)\\s+)?(?:an?\\s+|the\\s+|its\\s+)?${NOUN}\\s+(?:(?:is|are|of|lies|has|have)\\s+)?(?:(?:from|between)\\s+(?<from>[-+]?\\d+(?:\\.\\d+)?)\\s+(?:to|and|up to|through)\\s+(?<to>[-+]?\\d+(?:\\.\\d+)?)|(?<low>\\d+(?:\\.\\d+)?)\\s*(?:to|through|\\.\\.|-|–)\\s*(?<high>\\d+(?:\\.\\d+)?))(?![\\w.:%-]*\\w)`,
  "i",
);

/** "500 or higher", "5 or longer". */
const MORE_OR_LESS =
  "above|more|higher|greater|larger|longer|bigger|later|wider|older|up|over|below|less|lower|fewer|smaller|shorter|narrower|earlier|younger|under";

const AMOUNTS: RegExp[] = [
  new RegExp(
    `\\b(?:with|having|of|have|has|had|show|shows)\\s+(?:exactly\\s+)?(?<how>${COMPARED})?\\s*${NUMBER}\\s+(?<behind>(?:and|or) (?:an? )?(?:${MORE_OR_LESS})\\s+)?${NOUN}(?=[\\s,.)]|$)`,
    "i",
  ),
  new RegExp(
    `(?<![\\w%])(?:(?:whose|where|with|of|having|in|for|by|to)\\s+)?(?:an?\\s+|the\\s+|its\\s+)?${NOUN}(?:\\s*\\([^)]*\\))?\\s+(?:(?:is|are|of|equals|equal to|was|at|stands at|shows|=|has|have)\\s+)?(?:exactly\\s+)?(?<not>not(?: equal to| at)?\\s+|other than\\s+|different from\\s+|anything but\\s+)?(?<how>${COMPARED})?\\s*${NUMBER}${MORE}(?<behind>\\s+(?:and|or) (?:${MORE_OR_LESS})\\b)?(?![\\w:.-]*\\w)`,
    "i",
  ),
  new RegExp(`\\b(?:not |never )?(?<noun>[a-z]+)(?: at all| yet| so far)? \\(${NUMBER}\\)`, "i"),
  new RegExp(
    `\\b(?:with|of|at|on|exactly)\\s+(?:exactly\\s+)?(?<how>${COMPARED})?\\s*(?<number>\\d+(?:\\.\\d+)?)(?<percent>\\s?%)`,
    "i",
  ),
  /\b(?<not>non-?zero|nonzero) (?<noun>[a-z]+)/i,
  /\b(?<zero>zero) (?<noun>[a-z]+)/i,
];
/** The number in front of what is counted. */
const COUNTED = AMOUNTS[0];

/** "100 um or more": the unit. */
const UNIT =
  /(?<=\d) ?(?:[a-zµ]{1,3}|[KMGT]i?B|seconds?|minutes?|hours?|days?|bytes?|volts?|watts?)( (?:or|and) (?:above|more|higher|greater|larger|longer|up|over|below|less|lower|fewer|shorter|smaller|under)\b)/g;

/** Words in front of a number that is no amount. */
const NO_AMOUNT =
  /^(?:version|line|chapter|first|column|of|in)$|\b(?:first|last|other|these|those|which|that|and|or|the)$/i;

/** "whose %CPU is not 0.00", "with confidence 5", "with 0 results", "not used at all (0)", "level 7 and above", "with 100%". */
export function amounts({ text: said, quoted }: Context): Reading | undefined {
  const text = said.replace(UNIT, "$1");
  const other = fullness(text) ?? nothingIn(text) ?? rangeIn(text, quoted);
  if (other !== undefined) return other;
  for (const form of AMOUNTS) {
    const { noun = "", number, percent, how, behind, not, more = "" } = form.exec(text)?.groups ?? {};
    if (form.exec(text) === null || (NO_AMOUNT.test(noun) && how === undefined)) continue;
    const digits = digitsOf(number, how !== undefined);
    if (digits === undefined) continue;
    // "Is 0 or `-`": one text of several.
    const end = (form.exec(text)?.index ?? 0) + (form.exec(text)?.[0].length ?? 0);
    if (how === undefined && /^\s*(?:,|or|,? nor)\s+‹/.test(text.slice(end))) continue;
    const name = spelled(noun, quoted);
    const of = percent === undefined || form === COUNTED ? name : `${name} percent`.trim();
    const negate = not !== undefined || /\bother\b.*\bthan\b/i.test(text);
    const relation = relationOf(how, behind);
    const others = relation === "=" ? (more.match(/[-+]?\d+(?:\.\d+)?/g) ?? []) : [];
    const one = test(of, "amount", [digits, ...others], { relation, negate });
    // "0 results": what is counted is no record.
    return { tests: [form === COUNTED && one.of === "" ? { ...one, of: noun } : one], whole: true };
  }
  return undefined;
}

const FULL = "(?:full|filled|used|loaded|occupied|busy|utili[sz]ed|covered|charged|complete)";
const FULL_TO = new RegExp(
  `\\b(?<not>not )?${FULL}(?: up)? (?:to |at |by |for )?(?<how>${COMPARED} )?(?<number>\\d+(?:\\.\\d+)?)(?:\\s?%| percent)?(?<behind>\\s+(?:and|or) (?:${MORE_OR_LESS})\\b)?`,
  "i",
);
const TO_FULL = new RegExp(
  `(?<how>${COMPARED} )?(?<number>\\d+(?:\\.\\d+)?)(?:\\s?%| percent)(?<behind>\\s+(?:and|or) (?:${MORE_OR_LESS}))? ${FULL}\\b`,
  "i",
);

/** "Filled to 75 percent or more", "more than 80 % full": the part that says how full. */
function fullness(text: string): Reading | undefined {
  const { number, how, behind, not } = (TO_FULL.exec(text) ?? FULL_TO.exec(text))?.groups ?? {};
  if (number === undefined || (how === undefined && behind === undefined && !/%|percent/i.test(text)))
    return undefined;
  const relation = relationOf(how, behind);
  return {
    tests: [test("percent", "amount", [number], { relation, negate: not !== undefined })],
    whole: true,
  };
}

/** "Levels from 3 to 5". */
function rangeIn(text: string, quoted: readonly string[]): Reading | undefined {
  const range = RANGE.exec(text)?.groups;
  if (range === undefined || NO_AMOUNT.test(range["noun"] ?? "")) return undefined;
  const of = spelled(range["noun"] ?? "", quoted);
  const end = (digits: string, relation: Relation): Test => test(of, "amount", [digits], { relation });
  return {
    tests: [end(range["from"] ?? range["low"] ?? "", ">="), end(range["to"] ?? range["high"] ?? "", "<=")],
    whole: true,
  };
}

/** "With nothing used". */
function nothingIn(text: string): Reading | undefined {
  const noun = /\bwith nothing (?<noun>[a-z]{3,})\b/i.exec(text)?.groups?.["noun"];
  return noun === undefined
    ? undefined
    : { tests: [{ ...test("", "amount", ["0"]), of: noun }], whole: true };
}

function relationOf(how: string | undefined, behind: string | undefined): Relation {
  if (behind !== undefined)
    return /above|more|higher|greater|larger|longer|bigger|later|wider|older|\bup\b|over/i.test(behind)
      ? ">="
      : "<=";
  return RELATIONS.find(([words]) => words.test(how?.trim() ?? ""))?.[1] ?? "=";
}

/** The digits of a number; a word for one counts things ("one of", "the two") where nothing is compared. */
function digitsOf(number: string | undefined, isCompared: boolean): string | undefined {
  if (number === undefined) return "0";
  if (/^[a-z]/i.test(number) && number.toLowerCase() !== "zero" && !isCompared) return undefined;
  const digits = `${numberWord(number) ?? number}`;
  // "203.0.113.9" is no amount.
  if (/^\d+(?:\.\d+){2,}$/.test(digits)) return undefined;
  return /^[-+]?\d+(?:[.,]\d+)*$/.test(digits) ? digits : undefined;
}
