// What is left of a sentence that restricts records when nothing of it was bound: it is held when the log shows that the
// records are as it asks; else it is a doubt, in whatever words it is said.

import { escapeRegex } from "../escape.ts";
import { withoutNames } from "../logs/proper-names.ts";
import { numberWord, stem, stemsOf, wordsOf } from "../page/names.ts";
import type { Page } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Extracted, Rule } from "../program/ir.ts";
import { apply, type Scene } from "./bind.ts";
import type { Piece } from "./cues.ts";
import { markOf } from "./forms.ts";

/** Words of any page that tell no records. */
const GENERIC_WORDS =
  "line lines row rows record records entry entries item items message messages block blocks file files table tables list value values field name names number numbers text texts column word words kind type level state time date first last other others page report report log logs they them these those which that with without from have their its are wanted only also such into than there here when where what whose some more most many each every both either neither interest concern business matter the and for was were has had been does did can could may might must will would out off all any but nor our ours your you who whom how why then thus very much well just even still yet about above below between after before under over again same own this one two three four five anything something nothing everything else whoever whatever say says said mean means give gives look looks need needs come comes take takes found find stand stands extract collect";
const GENERIC = stemsOf(GENERIC_WORDS);
/** "Notes" has the stem of "not". */
const SMALL = new Set(["not", "no", "nor", ...GENERIC_WORDS.split(" ")]);

/** The stems of words that are none of any sentence. */
function keysOf(text: string): ReadonlySet<string> {
  return new Set(
    wordsOf(text)
      .filter((word) => !SMALL.has(word.toLowerCase()))
      .map(stem),
  );
}

interface Words {
  /** Words of the title, of names and of their descriptions: they tell what records are, not which. */
  known: ReadonlySet<string>;
  /** The texts of the records, and their lines. */
  records: ReadonlySet<string>[];
  contents: ReadonlySet<string>[];
  /** Of short texts alone: in a text of many words a word is said by the way. */
  short: ReadonlySet<string>[];
  others: ReadonlySet<string>[];
}

/** How many of the other lines are looked at. */
const MOST_LINES = 1500;

/** Reasons to doubt that the records are as the pieces ask. */
export function unheld(
  pieces: readonly Piece[],
  { rules, group, lines }: Scene,
  page: Page,
  {
    text,
    quoted,
    isTitle,
    isSource,
  }: { text: string; quoted: readonly string[]; isTitle: boolean; isSource: boolean },
): string[] {
  if (isTitle || isOfParts(text, [group.value, ...group.fields], page)) return [];
  const isAsking = pieces.some((one) => !(one.keep && one.isOrder) && /[A-Za-z]{3}/.test(one.text));
  if (!isAsking) return [];
  const title = page.statements.find((one) => one.depth === 0)?.sentences[0]?.text ?? "";
  const names = [group.value, ...group.fields].map(
    (one) => `${one?.name.replace(/_/g, " ") ?? ""} ${one?.description ?? ""}`,
  );
  // "Skip the class id and the extensions": parts that are no field.
  const listed = page.lists.flatMap((list) => list.names).map((name) => name.replace(/_/g, " "));
  const words = wordsOfScene(rules, lines, keysOf([title, ...names, ...listed].join(" ")));
  if (words === undefined) return [];
  const isOnly = /\b(?:only|just|nothing but|solely|exclusively)\b/i.test(text);
  const isClaimed = isReadElsewhere(text, page);
  for (const piece of pieces) {
    if (!piece.keep && isMarkedElsewhere(piece.text, { rules, group, lines })) continue;
    const telling = tellingWord(piece, quoted, words);
    if (telling !== undefined)
      return [
        `the page ${piece.keep ? "restricts" : "rules"} records${piece.keep ? "" : " out"}, and nothing in the rule does what it says of "${wordsOf(piece.text).find((one) => stem(one) === telling) ?? telling}"`,
      ];
    // What a filter tells already may be just this.
    const isFiltered = piece.keep && rules.every(({ filters }) => filters.length > 0);
    if (!isClaimed && !isSource && !isFiltered && isUnread(piece, words, isOnly))
      return ["the page says which records count, and nothing in the log shows that these are"];
  }
  return [];
}

/** "Skip the class id and the extensions", where another sentence lists both among the parts of a line. */
function isOfParts(text: string, hints: readonly ({ name: string } | undefined)[], page: Page): boolean {
  const nouns = /^(?:please )?(?:skip|ignore|omit|leave out|drop|disregard) (?:the )?(.+?)[.;]?$/i
    .exec(text)?.[1]
    ?.split(/,? and (?:the )?|, (?:the )?/);
  if (nouns === undefined) return false;
  return page.statements.some(({ sentences }) => {
    const all = sentences.map((one) => one.text).filter((one) => one !== text);
    const named = hints.filter((one) =>
      all.some((said) => said.includes(one?.name.replace(/_/g, " ") ?? "-")),
    );
    return named.length > 1 && nouns.every((noun) => all.some((said) => said.includes(noun)));
  });
}

/** Words of those who write and read the page: a sentence with one speaks of what is to be done, not of how the log is. */
const TASK =
  /\b(?:we|us|ours?|please|don't|nobody|somebody|someone|(?:this|another|next|own|separate|other) (?:item|page|list|report|check|review|team|story|round)|teams?|scope|approved|reviewed|discussed|audited|evaluated|harmless|trivial|noise|skip|drop|ignore|exempt|waived|covered|concern(?:s|ed)?|duty|responsib(?:le|ility)|intended|deliberate|legitimate|tolerated|allowed|permitted|accepted|expected|known issue|of interest|interesting|uninteresting|relevant|irrelevant|matters?|worth|the point|the issue|wanted|unwanted|excluded|excepted)\b/i;
/** What says how something is written, or what it means. */
const MEANS =
  /\b(?:means?|meant|stands? for|denotes?|indicates?|is called|are called|is printed|are printed|is written|are written|is shown|are shown|as printed|abbreviat|in parentheses|in brackets|column|field|unit|quotes?)\b/i;

/** A sentence without a cue that speaks of the task and of some of the records: whether these are wanted is open. */
export function mentioned(
  text: string,
  quoted: readonly string[],
  scene: Scene,
  page: Page,
): string | undefined {
  if (!TASK.test(text) || MEANS.test(text) || isQuotedElsewhere(text, quoted, scene)) return undefined;
  const piece: Piece = { keep: false, isOrder: false, text };
  const { rules, doubt } = apply(piece, quoted, scene);
  const isSome = rules !== undefined || doubt !== undefined;
  if (!isSome && unheld([piece], scene, page, { text, quoted, isTitle: false, isSource: true }).length === 0)
    return undefined;
  return "the page speaks of some of the records, and does not say in words that are known whether they are wanted";
}

/** "`lost contact` is our own trouble": other lines have the text that it begins with, and no record has. */
function isQuotedElsewhere(text: string, quoted: readonly string[], { rules, lines }: Scene): boolean {
  const own = quoted[Number(/^‹(\d+)›/.exec(text.trim())?.[1] ?? -1)];
  if (own === undefined || own.length < 4 || !lines.some((line) => line.includes(own))) return false;
  return !rules.flatMap((rule) => interpretRule(rule, lines)).some(({ content }) => content.includes(own));
}

/** "Those without an answer show three asterisks": other lines do, and no record does. */
function isMarkedElsewhere(text: string, { rules, lines }: Scene): boolean {
  const [, number = "", name = ""] = SEVERAL_MARKS.exec(text) ?? [];
  const count = numberWord(number.toLowerCase()) ?? Number(number);
  const mark = markOf(name);
  if (name === "" || mark === name || !(count > 1 && count < 10)) return false;
  const row = new RegExp(`(?:${escapeRegex(mark)}\\s*){${count}}`);
  if (!lines.some((line) => row.test(line))) return false;
  return !rules.flatMap((rule) => interpretRule(rule, lines)).some(({ content }) => row.test(content));
}

const SEVERAL_MARKS =
  /\b(two|three|four|five|six|[2-9]) (asterisks|stars|dashes|hyphens|dots|question marks|exclamation marks|hashes|plus signs|minus signs|slashes|colons)\b/i;

/** Has another reader made conditions of the sentence? */
function isReadElsewhere(text: string, page: Page): boolean {
  return (
    page.rules.some((rule) => rule.said === text) ||
    page.wishes.some((wish) => wish.text === text) ||
    page.claims.some(({ said, tests }) => said === text && tests.some(({ plain }) => !plain))
  );
}

/** The words of the first lines of a log, which many readings ask for. */
const KEYS = new WeakMap<readonly string[], ReadonlySet<string>[]>();

function keysOfLines(lines: readonly string[]): ReadonlySet<string>[] {
  const known = KEYS.get(lines) ?? lines.slice(0, MOST_LINES).map(keysOf);
  KEYS.set(lines, known);
  return known;
}

const SCENES = new WeakMap<readonly Rule[], { lines: readonly string[]; words: Words | undefined }>();

/** The words of the records of the rules, read once; undefined for less than two records. */
function wordsOfScene(
  rules: readonly Rule[],
  lines: readonly string[],
  known: ReadonlySet<string>,
): Words | undefined {
  const kept = SCENES.get(rules);
  if (kept?.lines === lines) return kept.words;
  const records = rules.flatMap((rule) => interpretRule(rule, lines));
  const words = records.length < 2 ? undefined : wordsIn(records, lines, known);
  SCENES.set(rules, { lines, words });
  return words;
}

/** The words of all records, of at most so many. */
const MOST_RECORDS = 400;

function wordsIn(all: readonly Extracted[], lines: readonly string[], known: ReadonlySet<string>): Words {
  const own = new Set(all.flatMap(({ content }) => content.split("\n")));
  const step = Math.ceil(all.length / MOST_RECORDS);
  const records = all.filter((_, index) => index % step === 0);
  const keys = keysOfLines(lines);
  return {
    known,
    contents: records.map(({ content }) => keysOf(withoutNames(content))),
    records: records.map(({ value, fields }) => keysOf([value, ...Object.values(fields)].join(" "))),
    short: records.map(({ value, fields }) =>
      keysOf([value, ...Object.values(fields)].filter((one) => one.split(/\s+/).length <= 2).join(" ")),
    ),
    others: keys.filter((_, index) => !own.has(lines[index] ?? "")),
  };
}

function having(sets: readonly ReadonlySet<string>[], word: string): number {
  return sets.filter((one) => one.has(word)).length;
}

/** Words that say something of their own; what stands in brackets explains. */
function ownWords(text: string, known: ReadonlySet<string>, isBare = true): string[] {
  // "Failed log-ins", on a page about log-ins that worked and that failed.
  const told = keysOf((text.match(/^\W*[A-Za-z]+ed(?= )/) ?? []).join(" "));
  return [...keysOf(text.replace(isBare ? /‹\d+›|\([^)]*\)/g : /‹\d+›/g, " "))].filter(
    (one) =>
      one.length > (isBare ? 2 : 1) &&
      !GENERIC.has(one) &&
      (!known.has(one) || told.has(one)) &&
      !/^\d/.test(one),
  );
}

/** "Swap and spares are not wanted": a word that tells some of the records, and is a word of records more than of other lines. */
function tellingWord(piece: Piece, quoted: readonly string[], words: Words): string | undefined {
  const { keep, isOrder, text } = piece;
  if ((keep && isOrder) || (!keep && isElsewhere(text, quoted, words))) return undefined;
  // "Other complaints of guests": what the records are not.
  if (!keep && /^\W*(?:all |any |the )?(?:others?|further|remaining|rest)\b/i.test(text)) return undefined;
  const all = ownWords(text, words.known);
  const isSome = (sets: readonly ReadonlySet<string>[], word: string): boolean => {
    const count = having(sets, word);
    return count > 0 && count < sets.length;
  };
  // "Switches (sw) are slow": a text that is shown in brackets.
  const shown = keep
    ? undefined
    : ownWords((text.match(/\([a-z][^)]*\)/g) ?? []).join(" "), words.known, false).find((word) =>
        isSome(words.short, word),
      );
  if (shown !== undefined) return shown;
  return all.find((word) => {
    if (isSome(words.short, word)) return !keep && word.length > 3;
    // "Notes are left out": a word or two may stand beside the parts.
    const texts = keep || all.length < 3 ? words.contents : words.records;
    return isSome(texts, word) && having(texts, word) >= having(words.others, word);
  });
}

/** "Unconnected ports and removed registers are left out": other lines have more of its words than any record has. */
function isElsewhere(text: string, quoted: readonly string[], words: Words): boolean {
  const shown = text.replace(/‹(\d+)›/g, (_all, index: string) => ` ${quoted[Number(index)] ?? ""} `);
  const own = [...keysOf(shown)].filter((one) => one.length > 2 && !GENERIC.has(one) && !/^\d/.test(one));
  const most = (sets: readonly ReadonlySet<string>[]): number =>
    Math.max(0, ...sets.map((set) => own.filter((one) => set.has(one)).length));
  const others = most(words.others);
  return others > 1 && others > most(words.contents);
}

/** What follows says which of them are meant. */
const CLAUSE =
  /\b(?:whose|(?:that|which|who|what) (?:only |never |still |also |(?=(?:is|are|was|were|has|have|had|do|does|did|can|could)\b))|without|lacking|lack|with no|ha(?:s|ve) no|^\W*(?:if|where|when|whenever|as long as|once))\b(?<clause>.*)$/i;

/** "Devices that are not mounted are of no interest": what tells them stands on no line. */
function isUnread({ keep, isOrder, text }: Piece, words: Words, isOnly: boolean): boolean {
  if (keep && (isOrder || !isOnly)) return false;
  const clause = CLAUSE.exec(text.replace(/\([^)]*\)/g, " "))?.groups?.["clause"];
  // A quoted text is asked for in a form of its own.
  if (clause === undefined || clause.includes("‹")) return false;
  const own = wordsOf(clause)
    .map(stem)
    .filter((one) => one.length > 2 && !GENERIC.has(one) && !/^\d/.test(one));
  if (own.length === 0) return false;
  return !own.some(
    (word) => having(words.others, word) > 0 || having(words.contents, word) === words.contents.length,
  );
}
