// Amounts of which a sentence says only what records are called, or what they do: "instances below 1.8 V", "tasks that took 10
// seconds". Their noun names no part of a record.

import type { Claim } from "./claims.ts";
import { similarity, stemsOf } from "./names.ts";
import type { Hint } from "./page.ts";
import { RECORDS } from "./test-words.ts";

/** Verbs, pronouns and adjectives in the place of the name of a part. */
export const VERBAL =
  /^(?:(?:it|they|that|which|what|who|there|we) ?)?(?:(?:is|are|was|were|be|been|lies?|sees?|saw|seen|took|takes?|taken|lasts?|lasted|ran|runs?|stands?|has|have|had|costs?|reads?|shows?|gives?|goes|reach(?:es)?|reached|needs?|needed|uses?|used|gets?|it|they|what|everything|anything|nothing|all|full|whole|whatever|those|ones?|at|from|up|ended|ends?|stays?|stayed|fell|falls?|comes?|came|right|left|of) ?)*$/i;
const UNIT =
  "(?:[munpk]?[VAWFs]|sec(?:ond)?s?|min(?:ute)?s?|hours?|days?|[kKMGT]i?B|bytes?|percent|volts?|watts?|[unpm]m|[kMG]?Hz|degrees?)";

/** The claims, the nouns of such amounts dropped. */
export function withoutSubjects(
  claims: readonly Claim[],
  hints: readonly Hint[],
  nouns: ReadonlySet<string>,
): Claim[] {
  const isPart = (of: string): boolean => hints.some((hint) => similarity(hint.name, of) >= 0.7);
  return claims.map((claim) => {
    const tests = claim.tests.map((test) => {
      if (test.how !== "amount" || test.than !== undefined || test.of === "") return test;
      const [number = ""] = test.texts;
      const isMeasured = new RegExp(`(?<![\\d.])${number.replace(/[.+]/g, "\\$&")}\\s?${UNIT}\\b`).test(
        claim.said,
      );
      const own = [...stemsOf(test.of)];
      const isSubject =
        own.length > 0 && own.every((one) => nouns.has(one)) && (isMeasured || !isPart(test.of));
      return isSubject || ((VERBAL.test(test.of) || RECORDS.test(test.of)) && !isPart(test.of))
        ? { ...test, of: "" }
        : test;
    });
    return tests.some((one, index) => one !== claim.tests[index]) ? { ...claim, tests } : claim;
  });
}
