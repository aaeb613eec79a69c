// What a page says its records are by the way: "transceivers are the items called `Xcvr`", "a foreign one has the part number
// NON-OWN". Such sentences restrict nothing by themselves; with the row that the page shows they tell kinds of rows.

import { readTests } from "./claim-tests.ts";
import type { Claim } from "./claims.ts";
import { stemsOf } from "./names.ts";
import { saysUnwanted } from "./polarity.ts";
import { type Statement, withoutQuoted } from "./text.ts";

const RECORDS = "(?:items?|rows?|lines?|entr(?:y|ies)|records?|ones?|those)";
/** "Transceivers are the items called `x`". */
const ARE = new RegExp(
  `^(?<noun>[A-Za-z][\\w-]*(?: [a-z][\\w-]*)?) (?:are|is) (?:all |just |only |exactly )?(?:the |those |an? )?(?<rest>${RECORDS} (?:called|named|labell?ed|marked|with|of|whose|that|which) .+)$`,
);
/** "The items whose name begins with `x` are transceivers". */
const WHICH = new RegExp(
  `^(?:the |all |those )?(?<rest>${RECORDS} (?:called|named|labell?ed|marked|with|of|whose|that|which) .+?) (?:are|is) (?:the |all |an? )?(?<noun>[a-z][\\w-]*)$`,
  "i",
);
/** "Transceivers are named `x`". */
const NAMED = /^(?:the |all )?(?<noun>[a-z][\w-]*) (?:are|is) (?<rest>(?:called|named|labell?ed) .+)$/i;
/** "A foreign one has the part number `x`". */
const HAS =
  /^(?:(?:an?|the|each|every|such an?|all) )?(?:[a-z-]+ )?(?<noun>ones?|[a-z][\w-]*) (?:have|has|carry|carries|bears?|shows?) (?:the |an? )?(?<rest>.+)$/i;
const SAYS_MAYBE = /\b(?:may|can|might|also|sometimes|often|usually|or none|if|when|where|while|optional)\b/i;

/** Such sentences as claims; `nouns` are the stems of what the page calls its records. */
export function readDefinitions(statements: readonly Statement[], nouns: ReadonlySet<string>): Claim[] {
  return statements.flatMap(({ sentences }) =>
    sentences.flatMap(({ text }) => {
      const { text: masked, quoted } = withoutQuoted(text);
      if (saysUnwanted(masked) || SAYS_MAYBE.test(masked) || masked.length > 300) return [];
      return masked.split(/;\s+|,\s+and (?=only\b|just\b)/).flatMap((clause): Claim[] => {
        // Behind a colon the row is shown.
        const own = clause
          .replace(/:(?:\s*‹\d+›)?\s*$/, "")
          .replace(/[.;,\s]+$/, "")
          .replace(/ and (?:an?|the|their|its) (?:number|index|counter|digit)s?$/, "");
        const are = [ARE, WHICH, NAMED]
          .map((form) => form.exec(own)?.groups)
          .find((one) => one !== undefined);
        const has = are === undefined ? HAS.exec(own)?.groups : undefined;
        const { noun = "", rest = "" } = are ?? has ?? {};
        const isOne = has !== undefined && /^ones?$/i.test(noun);
        if (rest === "" || !(isOne || nouns.has([...stemsOf(noun)].at(-1) ?? ""))) return [];
        // "Show `x` as their part number".
        const what = rest.replace(/^(\S+) as (?:its|their|the) ([a-z][\w ]*)$/, "$2 $1");
        const phrase =
          are === undefined ? `items with the ${what}` : rest.replace(/^(?=called|named|label)/, "items ");
        const { tests, whole } = readTests(phrase, quoted);
        const isHard = tests.every((one) => !one.plain && one.texts.length > 0);
        if (!isHard || tests.length === 0) return [];
        return [{ said: text, wanted: true, tests, whole, phrase, fold: false }];
      });
    }),
  );
}
