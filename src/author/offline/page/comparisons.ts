// Two parts of a record compared with one another: "settings whose value is not the default", "nets whose load exceeds the
// limit", "both counts differ", "with fewer ready than desired". Which parts these are, the log decides.

import { type Relation, type Test, test } from "./test-words.ts";

const PART =
  "(?:the |its |their |an? )?(?<NAME>‹\\d+›|[A-Za-z%][\\w%/-]*(?: (?!(?:is|are|was|were|as|that|which|in|of|on|at|by|from|to|and|or|do|does|differs?|than|not)\\b)[a-z%][\\w%/-]*){0,2}?)";
const one = PART.replace("NAME", "one");
const other = PART.replace("NAME", "other").replace(
  "(?:the |its |their |an? )?",
  "(?:the |its |their |that of the |that of its )",
);
const LEAD =
  "\\b(?:whose|where|in which|for which|on which|of which|with|having|that have|if|when|unless)\\s+";
const END =
  "(?=$|[.,;)]|\\s+(?:is|are|was|were|column|field|one|as|and|or|count|counts|do|does|here|there)\\b)";
const NOT = "(?<not>not |never )?";

const RELATIONS: [string, Relation][] = [
  [
    "(?:above|over|more than|greater than|larger than|higher than|longer than|bigger than|beyond|later than)",
    ">",
  ],
  ["(?:below|under|less than|fewer than|lower than|smaller than|shorter than|earlier than|short of)", "<"],
  ["(?:at least)", ">="],
  ["(?:at most)", "<="],
];

interface Form {
  form: RegExp;
  relation: Relation;
  negate: boolean;
}

const FORMS: Form[] = [
  {
    form: new RegExp(
      `${LEAD}${one} (?:is|are|was|were) (?:different from|unlike|other than|not (?:the same as|equal to|identical (?:to|with)|like)|unequal to) ${other}${END}`,
      "i",
    ),
    relation: "=",
    negate: true,
  },
  {
    form: new RegExp(`${LEAD}${one} (?:differs?|deviates?) from ${other}${END}`, "i"),
    relation: "=",
    negate: true,
  },
  {
    form: new RegExp(
      `${LEAD}${one} (?:does not|do not|did not) (?:match|equal|agree with|correspond to) ${other}${END}`,
      "i",
    ),
    relation: "=",
    negate: true,
  },
  {
    form: new RegExp(
      `${LEAD}${one} (?:is|are|was|were) ${NOT}(?:the same as|equal to|identical (?:to|with)) ${other}${END}`,
      "i",
    ),
    relation: "=",
    negate: false,
  },
  {
    form: new RegExp(`${LEAD}${one} (?:equals?|match(?:es)?|agrees? with) ${other}${END}`, "i"),
    relation: "=",
    negate: false,
  },
  {
    form: new RegExp(
      `${LEAD}${one} and ${other.replace("(?:the |its |their |that of the |that of its )", "(?:the |its |their )?")} (?:differ|are different|are not (?:the same|equal|identical|alike)|do not (?:match|agree))\\b`,
      "i",
    ),
    relation: "=",
    negate: true,
  },
  {
    form: new RegExp(
      `${LEAD}${one} and ${other.replace("(?:the |its |their |that of the |that of its )", "(?:the |its |their )?")} (?:are (?:the same|equal|identical|alike)|match|agree)\\b`,
      "i",
    ),
    relation: "=",
    negate: false,
  },
  {
    form: new RegExp(`${LEAD}${one} (?:exceeds?|goes (?:above|beyond|over)) ${other}${END}`, "i"),
    relation: ">",
    negate: false,
  },
  {
    form: new RegExp(`${LEAD}${one} (?:falls|goes|stays|is) short of ${other}${END}`, "i"),
    relation: "<",
    negate: false,
  },
  ...RELATIONS.map(([words, relation]) => ({
    form: new RegExp(`${LEAD}${one} (?:is|are|was|were) ${NOT}${words} ${other}${END}`, "i"),
    relation,
    negate: false,
  })),
  // "With fewer ready than desired", "that have more used than allowed".
  ...(
    [
      ["(?:more|higher|greater)", ">"],
      ["(?:fewer|less|lower)", "<"],
    ] as [string, Relation][]
  ).map(([words, relation]) => ({
    form: new RegExp(
      `\\b(?:with|having|that have|that show|have|has) (?:an? )?${words} (?<one>[a-z][\\w-]*(?: [a-z][\\w-]*)?) than (?:the |its |their )?(?<other>[a-z][\\w-]*(?: [a-z][\\w-]*)?)${END}`,
      "i",
    ),
    relation,
    negate: false,
  })),
  // "Is not the default": an article before a noun, which no text is.
  {
    form: new RegExp(
      `${LEAD}${one} (?:is|are|was|were) (?<not>not )(?:the|its|their) (?<other>[a-z][\\w-]*(?: [a-z]+)?)${END}`,
      "i",
    ),
    relation: "=",
    negate: false,
  },
];

/** What is no part of a record. */
const NO_PART =
  /^(?:it|they|this|that|there|these|those|lines?|rows?|records?|entr(?:y|ies)|items?|messages?|ones?|blocks?|first|last|same|case|rest|others?|example|page|one|two|most|all)$/i;

/** The comparison of a clause, quoted texts as ‹number›; undefined where it makes none. */
export function comparedParts(text: string, quoted: readonly string[]): Test | undefined {
  const spell = (name: string): string =>
    name.replace(/‹(\d+)›/g, (_all, index: string) => quoted[Number(index)] ?? "");
  for (const { form, relation, negate } of FORMS) {
    const groups = form.exec(text)?.groups;
    if (groups === undefined) continue;
    const { one: of = "", other: than = "", not } = groups;
    if (NO_PART.test(of) || NO_PART.test(than) || numberLike(than)) continue;
    const compared = test("", "amount", [], { relation, negate: negate !== (not !== undefined) });
    return { ...compared, of: spell(of), than: spell(than) };
  }
  return undefined;
}

function numberLike(text: string): boolean {
  return /^(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|\d.*)\b/i.test(text);
}
