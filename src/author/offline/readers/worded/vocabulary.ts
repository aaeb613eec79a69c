// The words of a page beside the words of a log: which words of the page stand in lines of the log, also in other
// forms ("denied" / "deny", "authentication" / "auth"), and how much each of them says about a line.

import { stem, wordsOf } from "../../page/names.ts";
import type { Page } from "../../page/page.ts";
import { bare, NEGATIVE, type Statement } from "../../page/text.ts";

/** How much a word of the page says, by where it stands. */
export type Vocabulary = ReadonlyMap<string, number>;

const COMMON = new Set(
  (
    "a an the of in on at by for from to with without and or but not no nor as is are was were be been being has have had " +
    "do does did it its they their them this that these those there here which who whom whose what when where while how " +
    "each every all any some other others one ones same such only also then than so if into out up down over under below " +
    "above behind before after between beside until during per via both either can could may might must shall should will " +
    "would value values field fields record records item items line lines log logs file files entry entries text texts word " +
    "words column columns row rows page name names named called part parts stand stands stood say says said tell tells told " +
    "give gives given print prints printed write writes written show shows shown report reports reported note notes extract " +
    "take takes taken wanted want wants interest like e g i s t more most less first last second third end begin begins start starts " +
    "two three four five six own still very well otherwise example instance follow follows following followed come comes " +
    "contain contains hold holds number numbers mean means meaning kind kinds form forms two"
  )
    .split(" ")
    .map((word) => keyOf(word)),
);

/** One form for all forms of a word. */
export function keyOf(word: string): string {
  return stem(word.toLowerCase()).replace(/i$/, "y");
}

const PARTS = /^(?:the )?(?:value|fields?|its fields|take|用)\b/i;

/** Sentences that say which records are wanted. */
const SELECTS = /\b(?:extract|take|collect|only|wanted|of interest|find|pick)\b/i;

/** The words of a page that may stand in the lines it means. Words of sentences that say what a record is count most;
 * names of parts and what is said about files count little. */
export function vocabularyOf(page: Page): Vocabulary {
  const words = new Map<string, number>();
  const named = new Set(page.lists.flatMap((list) => list.names.flatMap((name) => wordsOf(name).map(keyOf))));
  for (const group of page.groups) {
    for (const hint of [...(group.value === undefined ? [] : [group.value]), ...group.fields])
      for (const word of wordsOf(hint.name)) named.add(keyOf(word));
  }
  // Names of the parts are keys, which lines of other kinds have as well; listed texts tell only some of the lines.
  const parts = new Set(
    page.groups.flatMap((group) =>
      [...(group.value === undefined ? [] : [group.value]), ...group.fields].flatMap((hint) =>
        [hint.name, ...hint.choices].flatMap((text) => wordsOf(text).map(keyOf)),
      ),
    ),
  );
  const weightOf = (key: string, most: number): number =>
    parts.has(key) ? Math.min(most, 0.25) : named.has(key) ? Math.min(most, 0.5) : most;
  const add = (statements: readonly Statement[], most: number): void => {
    for (const { text } of statements.flatMap((statement) => statement.sentences)) {
      const isParts = PARTS.test(text) || /\bfields?\b/i.test(text);
      const weight = isParts ? Math.min(most, 0.5) : SELECTS.test(bare(text)) ? 1.8 * most : most;
      for (const key of tellingWords(text, page))
        words.set(key, Math.max(words.get(key) ?? 0, weightOf(key, weight)));
    }
  };
  add(page.statements, 1);
  add(page.sourceStatements, 0.3);
  return words;
}

/** The words of a sentence that may tell lines. */
function tellingWords(text: string, page: Page): string[] {
  const wanted = NEGATIVE.test(bare(text)) ? text.replace(/\([^)]*\)/g, " ") : text;
  return wordsOf(wanted)
    .filter((word) => word.length >= 3 && !/^\d+$/.test(word) && !page.unwantedStems.has(stem(word)))
    .map(keyOf)
    .filter((key) => !COMMON.has(key));
}

/** The words of a line as the page may have them. */
export function keysOf(line: string): Set<string> {
  return new Set(
    wordsOf(line)
      .filter((word) => word.length > 2 && !/^\d+$/.test(word))
      .map(keyOf),
  );
}

/** Short forms that a log writes for a longer word of the page: "auth", "sec", "conn", "app". */
export function shortForms(vocabulary: Vocabulary, keys: Iterable<string>): Map<string, string> {
  const long = [...vocabulary.keys()].filter((word) => word.length >= 6);
  const found = new Map<string, string>();
  for (const key of keys) {
    if (vocabulary.has(key) || key.length < 3 || key.length > 5) continue;
    const one = long.find((word) => word.startsWith(key) && word.length >= key.length + 2);
    if (one !== undefined) found.set(key, one);
  }
  return found;
}
