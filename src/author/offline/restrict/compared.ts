// "The password is the same as the user name", "outer and inner port differ", "more retries than attempts": two parts of a
// record compared with each other.

import { names, type Part, textOf } from "../conditions/parts.ts";
import { holds } from "../page/conditions.ts";
import type { Extracted, Match } from "../program/ir.ts";
import type { Fit } from "./fits.ts";

const NP = (name: string): string =>
  `(?:(?:the|its|their|an?|whose|where) )*(?<${name}>(?:‹\\d+›|[a-z][\\w-]*)(?: (?!is\\b|are\\b|and\\b|or\\b)[a-z][\\w-]*){0,2})`;
const BE = "(?:is|are|was|were|be|being)";
const LESS = "(?:less|fewer|smaller|shorter|lower|earlier|older)";
const MORE = "(?:more|greater|larger|bigger|longer|higher|later|newer)";

const FORMS: [RegExp, Match | undefined, boolean][] = [
  [
    new RegExp(
      `${NP("a")} (?:${BE} (?:not (?:the same as|equal to|identical to)|different from|other than|unequal to)|differs? from|(?:does|do) not (?:equal|match)) ${NP("b")}`,
      "i",
    ),
    undefined,
    true,
  ],
  [
    new RegExp(
      `${NP("a")} (?:${BE} (?:just |exactly |simply )?(?:the same as|equal to|identical to)|equals?|match(?:es)?) ${NP("b")}`,
      "i",
    ),
    undefined,
    false,
  ],
  [
    new RegExp(
      `${NP("a")} and ${NP("b")} (?:${BE} (?:different|not (?:the same|equal|identical|alike))|differ|disagree|do not (?:match|agree))\\b`,
      "i",
    ),
    undefined,
    true,
  ],
  [
    new RegExp(
      `${NP("a")} and ${NP("b")} (?:${BE} (?:both )?(?:the same|equal|identical|alike)|do not differ|agree|coincide|match)\\b`,
      "i",
    ),
    undefined,
    false,
  ],
  [
    new RegExp(
      `(?:both|the two|the) (?<both>[a-z][\\w-]*s) (?:differ|disagree|${BE} (?:different|not (?:the same|equal)))\\b`,
      "i",
    ),
    undefined,
    true,
  ],
  [
    new RegExp(
      `(?:both|the two) (?<both>[a-z][\\w-]*s) (?:${BE} (?:the same|equal|identical|alike)|agree|do not differ)\\b`,
      "i",
    ),
    undefined,
    false,
  ],
  [new RegExp(`${NP("a")} (?:${BE} )?(?:not ${LESS} than|at least) ${NP("b")}`, "i"), "least", false],
  [new RegExp(`${NP("a")} (?:${BE} )?(?:not ${MORE} than|at most) ${NP("b")}`, "i"), "most", false],
  [
    new RegExp(`${NP("a")} (?:(?:${BE} )?${LESS} than|${BE} (?:below|under)) ${NP("b")}`, "i"),
    "below",
    false,
  ],
  [
    new RegExp(`${NP("a")} (?:(?:${BE} )?${MORE} than|${BE} (?:above|over)|exceeds?) ${NP("b")}`, "i"),
    "above",
    false,
  ],
  [new RegExp(`\\b${MORE} ${NP("a")} than ${NP("b")}`, "i"), "above", false],
  [new RegExp(`\\b${LESS} ${NP("a")} than ${NP("b")}`, "i"), "below", false],
];

export interface Compared {
  fit: Fit;
  start: number;
  end: number;
}

/** The first comparison of two parts that the piece names. */
export function comparedParts(
  piece: string,
  quoted: readonly string[],
  records: readonly Extracted[],
  parts: readonly Part[],
): Compared | undefined {
  const spell = (text: string): string =>
    text.replace(/‹(\d+)›/g, (_all, index: string) => quoted[Number(index)] ?? "");
  const named = (nouns: readonly string[], but?: Part): Part | undefined => {
    const rated = parts
      .filter((part) => part !== but)
      .map((part) => {
        const texts = records.map((record) => textOf(record, part));
        return { part, rate: Math.max(...nouns.map((noun) => names(part, noun, texts))) };
      })
      .filter(({ rate }) => rate >= 0.65)
      .sort((x, y) => y.rate - x.rate);
    const [best, next] = rated;
    return best === undefined || (next !== undefined && next.rate > best.rate - 0.02) ? undefined : best.part;
  };
  for (const [form, match, negate] of FORMS) {
    const found = form.exec(piece);
    if (found === null) continue;
    const { a = "", b = "", both } = found.groups ?? {};
    // "More than twice the limit" is another amount.
    if (/\b(?:twice|thrice|double|triple|half|[a-z]+fold|times|quarter|third)\b/i.test(`${a} ${b}`)) continue;
    const two = both === undefined ? undefined : pairOf(both, records, parts);
    const [left, right] = [spell(a), spell(b)];
    const head = right.split(" ").at(-1) ?? "";
    const first = two?.[0] ?? (a === "" ? undefined : (named(endings(left)) ?? named([`${left} ${head}`])));
    const second = two?.[1] ?? (b === "" ? undefined : named(beginnings(right), first));
    if (first === undefined || second === undefined || first === second) continue;
    const filter = {
      group: first.group,
      equals: [],
      than: second.group,
      ...(match === undefined ? {} : { match }),
      ...(negate ? { negate } : {}),
    };
    const hits = records.map((record) =>
      holds(
        { equals: [textOf(record, second)], negate, ...(match === undefined ? {} : { match }) },
        textOf(record, first),
      ),
    );
    if (!hits.some(Boolean) || hits.every(Boolean)) continue;
    return {
      fit: { part: first, filter, hits, score: 4, isNamed: true },
      start: found.index,
      end: found.index + found[0].length,
    };
  }
  return undefined;
}

/** "The two ports": the only two parts that are called so. */
function pairOf(
  noun: string,
  records: readonly Extracted[],
  parts: readonly Part[],
): [Part, Part] | undefined {
  const [first, second, ...others] = parts.filter(
    (part) =>
      names(
        part,
        noun,
        records.map((record) => textOf(record, part)),
      ) >= 0.6,
  );
  return first === undefined || second === undefined || others.length > 0 ? undefined : [first, second];
}

function endings(phrase: string): string[] {
  const words = phrase.split(" ");
  return words.map((_, from) => words.slice(from).join(" "));
}

function beginnings(phrase: string): string[] {
  const words = phrase.split(" ");
  return words.map((_, to) => words.slice(0, to + 1).join(" "));
}
