// Forms of phrases that say by the way how the log writes what they speak of: "errors (`E`) and warnings (`W`)", "bays
// without a serial number (`N/A`)", "level warn or above".

import type { Context, Reading } from "./claim-tests.ts";
import { HARD, HARDS, spelled, test, textsIn } from "./test-words.ts";

const ITEM = "(?:the |all |any |only )?(?<np>[A-Za-z][\\w-]*(?: [a-z][\\w-]*){0,4}) \\((?<gloss>[^()]+)\\)";
const ITEMS = new RegExp(
  `^${ITEM.replace(/\?<\w+>/g, "?:")}(?:(?:, | and | or |, and |, or | as well as )${ITEM.replace(/\?<\w+>/g, "?:")})*$`,
);

/** "Errors (`E`) and warnings (`W`)", "notes (severity `note`)": what stands in the brackets tells them. */
export function glossed(
  { text, quoted }: Context,
  read: (phrase: string, quoted: readonly string[]) => Reading,
): Reading | undefined {
  if (!ITEMS.test(text)) return undefined;
  const items = [...text.matchAll(new RegExp(ITEM, "g"))].map(({ groups }) => groups ?? {});
  const glosses = items.map(({ gloss = "" }) => gloss);
  const isTexts = new RegExp(`^${HARDS}$`);
  if (glosses.every((one) => isTexts.test(one))) {
    // One of them alone is read as a list.
    if (items.length < 2) return undefined;
    const texts = glosses.flatMap((one) => textsIn(one, quoted));
    return { tests: [test("", "is", [...new Set(texts)])], whole: true };
  }
  const [only] = items;
  const { np = "", gloss = "" } = only ?? {};
  if (items.length !== 1 || /\b(?:with|without|whose|that|which)\b/i.test(np)) return undefined;
  const told = read(
    gloss.replace(/^(?:i\.e\.,? |that is,? |namely |shown as |printed as |told by )/i, ""),
    quoted,
  );
  const isTold = told.whole && told.tests.length > 0 && told.tests.every((one) => !one.plain);
  return isTold ? told : undefined;
}

/** "Disks without a serial number (`N/A`)": how the log writes that there is none. */
export function writtenMissing({ text, quoted }: Context): Reading | undefined {
  const { noun = "", list = "" } =
    new RegExp(
      `\\b(?:without|with no|lacking|(?:have|has|show|shows) no) (?:an? |any |the |proper |real |known )*(?<noun>[a-z][\\w-]*(?: [a-z][\\w-]*)?) \\((?:printed |shown |written |given )?(?:as )?(?<list>${HARD}(?: or ${HARD})*)(?: there| instead)?\\)$`,
      "i",
    ).exec(text)?.groups ?? {};
  const texts = textsIn(list, quoted);
  return texts.length === 0 ? undefined : { tests: [test(noun, "is", texts)], whole: true };
}

/** Levels of messages, the mildest first. */
const SCALE = [
  ["trace", "verbose"],
  ["debug"],
  ["info", "information", "informational"],
  ["notice", "note"],
  ["warn", "warning"],
  ["err", "error"],
  ["crit", "critical", "severe"],
  ["alert"],
  ["emerg", "emergency", "fatal", "panic"],
];
const WORSE = "above|higher|worse|up|upwards?|more (?:severe|serious)|greater|over";
const MILDER = "below|lower|milder|down|downwards?|less (?:severe|serious)|under";
const SCALED = [
  new RegExp(
    `(?:^|\\b(?:level|severity|priority|category|class|of|with|from)s? )(?:the )?(?<word>‹\\d+›|[A-Za-z]+)(?:,)? (?:and|or) (?:(?<worse>${WORSE})|(?:${MILDER}))$`,
    "i",
  ),
  /\b(?:level|severity|priority)(?: of)? (?:at least|no less than|(?<most>at most|up to)) (?:the )?(?<word>‹\d+›|[A-Za-z]+)$|^(?:at least )(?:level |severity )(?<other>‹\d+›|[A-Za-z]+)$/i,
];

/** "Level warn or above", "of severity `notice` and below": all levels of that side. */
export function scaled({ text, quoted }: Context): Reading | undefined {
  for (const [index, form] of SCALED.entries()) {
    const groups = form.exec(text)?.groups;
    const word = spelled(groups?.["word"] ?? groups?.["other"] ?? "", quoted).toLowerCase();
    const at = SCALE.findIndex((one) => one.includes(word) || one.includes(word.replace(/s$/, "")));
    if (groups === undefined || at < 0) continue;
    const isUp = index === 0 ? groups["worse"] !== undefined : groups["most"] === undefined;
    const texts = (isUp ? SCALE.slice(at) : SCALE.slice(0, at + 1)).flat();
    const noun = /\b(?<noun>level|severity|priority|category|class)\b/i.exec(text)?.groups?.["noun"] ?? "";
    return { tests: [test(noun, "is", texts)], whole: true };
  }
  return undefined;
}

const COMPARING =
  /\b(?:below|above|under|over|beyond|exceeding|at least|at most|up to|(?:more|less|fewer|greater|higher|lower|larger|smaller|older|newer|longer|shorter) than) (?:[a-z]+ ){0,2}(?=\d)|\bfrom (?:[a-z]+ )?\d[\d.]* (?:on|onwards?|upwards?)\b|\b(?:anything|everything|all) but (?=[‹\dA-Z])/i;

/** A comparison in front of a number, or a turn, that the tests do not have. */
export function isMisread(text: string, { tests }: Reading): boolean {
  return (
    COMPARING.test(text) &&
    tests.length > 0 &&
    tests.every(
      ({ how, relation, negate, than, over }) =>
        !negate &&
        than === undefined &&
        over === undefined &&
        (how === "is" || (how === "amount" && (relation ?? "=") === "=")),
    )
  );
}
