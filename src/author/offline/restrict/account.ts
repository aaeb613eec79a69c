// What is left of a sentence that restricts records when nothing of it was bound: it is held when the log shows that the
// records are as it asks; else it is a doubt, in whatever words it is said.

import { stem, stemsOf, wordsOf } from "../page/names.ts";
import type { Page } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Extracted } from "../program/ir.ts";
import type { Scene } from "./bind.ts";
import type { Piece } from "./cues.ts";

/** Words of any page that tell no records. */
const GENERIC = stemsOf(
  "line lines row rows record records entry entries item items message messages block blocks file files table tables list value values field name names number numbers text texts column word words kind type level state time date first last other others page report report log logs they them these those which that with without from have their its are not wanted only also such into than there here when where what whose some more most many each every both either neither interest concern business matter the and for was were has had been does did can could may might must will would out off all any but nor our ours your you who whom how why then thus very much well just even still yet about above below between after before under over again same own this one two three four five anything something nothing everything else whoever whatever say says said mean means give gives look looks need needs come comes take takes found find stand stands extract collect",
);

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
  { text, isTitle, isSource }: { text: string; isTitle: boolean; isSource: boolean },
): string[] {
  if (isTitle) return [];
  const records = rules.flatMap((rule) => interpretRule(rule, lines));
  if (records.length < 2) return [];
  const title = page.statements.find((one) => one.depth === 0)?.sentences[0]?.text ?? "";
  const names = [group.value, ...group.fields].map(
    (one) => `${one?.name.replace(/_/g, " ") ?? ""} ${one?.description ?? ""}`,
  );
  const words = wordsIn(records, lines, stemsOf(`${title} ${names.join(" ")}`));
  const isOnly = /\b(?:only|just|nothing but|solely|exclusively)\b/i.test(text);
  const isClaimed = isReadElsewhere(text, page);
  for (const piece of pieces) {
    const telling = tellingWord(piece, words);
    if (telling !== undefined)
      return [
        `the page ${piece.keep ? "restricts" : "rules"} records${piece.keep ? "" : " out"}, and nothing in the rule does what it says of "${telling}"`,
      ];
    if (!isClaimed && !isSource && isUnread(piece, words, isOnly))
      return ["the page says which records count, and nothing in the log shows that these are"];
  }
  return [];
}

/** Has another reader made conditions of the sentence? */
function isReadElsewhere(text: string, page: Page): boolean {
  return (
    page.rules.some((rule) => rule.said === text) ||
    page.wishes.some((wish) => wish.text === text) ||
    page.claims.some(({ said, tests }) => said === text && tests.some(({ plain }) => !plain))
  );
}

function wordsIn(records: readonly Extracted[], lines: readonly string[], known: ReadonlySet<string>): Words {
  const own = new Set(records.flatMap(({ content }) => content.split("\n")));
  const others = lines.filter((line) => line.trim() !== "" && !own.has(line)).slice(0, MOST_LINES);
  return {
    known,
    contents: records.map(({ content }) => stemsOf(content)),
    records: records.map(({ value, fields }) => stemsOf([value, ...Object.values(fields)].join(" "))),
    short: records.map(({ value, fields }) =>
      stemsOf([value, ...Object.values(fields)].filter((one) => one.split(/\s+/).length <= 2).join(" ")),
    ),
    others: others.map((line) => stemsOf(line)),
  };
}

function having(sets: readonly ReadonlySet<string>[], word: string): number {
  return sets.filter((one) => one.has(word)).length;
}

/** Words that say something of their own; what stands in brackets explains. */
function ownWords(text: string, known: ReadonlySet<string>): string[] {
  return [...stemsOf(text.replace(/‹\d+›|\([^)]*\)/g, " "))].filter(
    (one) => one.length > 2 && !GENERIC.has(one) && !known.has(one) && !/^\d/.test(one),
  );
}

/** "Swap and spares are not wanted": a word that tells some of the records, and is a word of records more than of other lines. */
function tellingWord({ keep, isOrder, text }: Piece, words: Words): string | undefined {
  if (keep && isOrder) return undefined;
  return ownWords(text, words.known).find((word) => {
    const isSome = (sets: readonly ReadonlySet<string>[]): boolean => {
      const count = having(sets, word);
      return count > 0 && count < sets.length;
    };
    if (isSome(words.short)) return !keep && word.length > 3;
    const texts = keep ? words.contents : words.records;
    return isSome(texts) && having(texts, word) >= having(words.others, word);
  });
}

/** What follows says which of them are meant. */
const CLAUSE =
  /\b(?:whose|(?:that|which|who|what) (?:only |never |still |also |(?=(?:is|are|was|were|has|have|had|do|does|did|can|could)\b))|without|lacking|lack|with no|ha(?:s|ve) no|not)\b(?<clause>.*)$/i;

/** "Devices that are not mounted are of no interest": what tells them stands on no line. */
function isUnread({ keep, isOrder, text }: Piece, words: Words, isOnly: boolean): boolean {
  if (keep && (isOrder || !isOnly)) return false;
  const clause = CLAUSE.exec(text.replace(/\([^)]*\)/g, " "))?.groups?.["clause"];
  // A quoted text is asked for in a form of its own.
  if (clause === undefined || clause.includes("‹")) return false;
  const own = wordsOf(clause)
    .map(stem)
    .filter((one) => one.length > 1 && !GENERIC.has(one) && !/^\d/.test(one));
  if (own.length === 0) return false;
  return !own.some(
    (word) => having(words.others, word) > 0 || having(words.contents, word) === words.contents.length,
  );
}
