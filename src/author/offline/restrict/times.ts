// Times, dates and versions that a piece compares with ("before 10:00", "in February", "older than 1.10.2"): what counts is
// the order of their numbers, and of a longer text only the time or date in it.

import type { Ask } from "./asks.ts";

const CLOCK = "\\d{1,2}:\\d{2}(?::\\d{2})?(?:[.,]\\d+)?(?!\\w|[:/]\\d)";
const DATE = "\\d{4}[-/.]\\d{2}[-/.]\\d{2}(?:[T ]\\d{2}:\\d{2}(?::\\d{2})?)?(?!\\w)";
const VERSION = "v?\\d+(?:\\.\\d+){2,}(?![\\w.]*\\.[x*])(?![\\w/])";
const ONE = `(?<![\\w.:/-])(?<text>${DATE}|${CLOCK}|${VERSION})`;
const TWO = `(?<other>${DATE}|${CLOCK}|${VERSION})`;
const WHAT = "(?:the |version |release |time )*";

const FORMS: [RegExp, Ask["how"], Ask["how"]?][] = [
  [
    new RegExp(`\\b(?:between|from) ${WHAT}${ONE} (?:and|to|until|till|up to) ${WHAT}${TWO}`, "gi"),
    "since",
    "until",
  ],
  [new RegExp(`\\b(?:not|no) (?:before|earlier than|older than) ${WHAT}${ONE}`, "gi"), "since"],
  [new RegExp(`\\b(?:not|no) (?:after|later than|newer than) ${WHAT}${ONE}`, "gi"), "until"],
  [
    new RegExp(
      `\\b(?:before|earlier than|older than|prior to|below|under|(?:less|fewer|lower|shorter|smaller) than) ${WHAT}${ONE}`,
      "gi",
    ),
    "before",
  ],
  [
    new RegExp(
      `\\b(?:after|later than|newer than|past|above|over|beyond|(?:more|greater|higher|longer|larger) than) ${WHAT}${ONE}`,
      "gi",
    ),
    "after",
  ],
  [new RegExp(`\\b(?:until|till|up to|at most|at the latest at) ${WHAT}${ONE}`, "gi"), "until"],
  [new RegExp(`\\b(?:since|at least|starting (?:at|with|from)) ${WHAT}${ONE}`, "gi"), "since"],
  [
    new RegExp(
      `\\b(?:(?:at|from|of|on|in) )?${WHAT}${ONE},? (?:(?:or|and) (?:after|later|newer|above|beyond|more|higher|longer|up)|on(?:wards?)?|upwards?)\\b`,
      "gi",
    ),
    "since",
  ],
  [
    new RegExp(
      `\\b(?:(?:at|from|of|on|in) )?${WHAT}${ONE},? (?:or|and) (?:before|earlier|older|below|less|lower|shorter)\\b`,
      "gi",
    ),
    "until",
  ],
];

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const MONTH = new RegExp(
  `\\b(?:in|of|on|during|from|dated) (?:(?<day>\\d{1,2})(?:st|nd|rd|th)? )?(?:early |late |the month of )?(?<month>${MONTHS.join("|")})(?: (?<after>\\d{1,2})(?:st|nd|rd|th)?)?(?!\\w)(?:,? (?<year>\\d{4})\\b)?`,
  "g",
);

const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const DAY = new RegExp(
  `\\b(?:on|of|from|during) (?:an? |the )?(?<days>(?:${DAYS.join("|")})s?(?:(?:,| or| and| and on) (?:${DAYS.join("|")})s?)*)(?!\\w)`,
  "g",
);

export interface Timed {
  start: number;
  end: number;
  asks: Pick<Ask, "how" | "texts" | "negate">[];
}

/** The times, dates, versions and months of a piece. */
export function timesIn(piece: string): Timed[] {
  const found: Timed[] = [];
  const add = (one: Timed): void => {
    if (!found.some((other) => other.start < one.end && one.start < other.end)) found.push(one);
  };
  for (const [form, how, also] of FORMS)
    for (const match of piece.matchAll(form)) {
      const { text = "", other } = match.groups ?? {};
      const own: Timed["asks"] = [{ how, texts: [text], negate: false }];
      if (also !== undefined && other !== undefined) own.push({ how: also, texts: [other], negate: false });
      add({ start: match.index, end: match.index + match[0].length, asks: own });
    }
  for (const match of piece.matchAll(MONTH)) {
    const { month = "", day, after, year } = match.groups ?? {};
    const source = monthIn(MONTHS.indexOf(month) + 1, day ?? after, year);
    add({
      start: match.index,
      end: match.index + match[0].length,
      asks: [{ how: "like", texts: [source], negate: false }],
    });
  }
  for (const match of piece.matchAll(DAY)) {
    const days = (match.groups?.["days"] ?? "").match(/[A-Z][a-z]{2}/g) ?? [];
    const source = `(?<![A-Za-z])(?:${days.join("|")})(?:[a-z]*day)?(?![A-Za-z])`;
    add({
      start: match.index,
      end: match.index + match[0].length,
      asks: [{ how: "like", texts: [source], negate: false }],
    });
  }
  return found;
}

/** The month as logs write it, by name or by number between marks. */
function monthIn(number: number, day: string | undefined, year: string | undefined): string {
  const two = String(number).padStart(2, "0");
  const name = `${(MONTHS[number - 1] ?? "").slice(0, 3)}[a-z]*`;
  const digits = day === undefined ? "\\d{1,2}" : `0?${day}`;
  const own = year ?? "\\d{4}";
  const named = `(?<![A-Za-z])(?:${name}\\.?[ -]+${digits}(?!\\d)${year === undefined ? "" : `.*\\b${year}`}|(?<!\\d)${digits}[ /-]${name}[ /-]+${own})`;
  return `${named}|(?<!\\d)${own}[-/.]${two}[-/.]${digits}(?!\\d)`;
}

/** What of the texts of a part is compared with a time, none when the whole text is; undefined when they have no such
 * thing. */
export function cutFor(text: string, texts: readonly string[]): string | "" | undefined {
  const known = texts.filter((one) => one !== "" && one !== "-");
  const enough = (regex: RegExp): boolean => {
    const having = known.filter((one) => regex.test(one)).length;
    return having > 0 && having >= known.length * 0.8;
  };
  if (new RegExp(`^${CLOCK}$`).test(text)) {
    if (enough(new RegExp(`^${CLOCK}$`))) return "";
    const long = "(?<![\\d.:])(?<cut>\\d{2}:\\d{2}:\\d{2}(?:[.,]\\d+)?)(?![\\d:])";
    const short = "(?<![\\d.:])(?<cut>\\d{2}:\\d{2})(?![\\d:])";
    return [long, short].find((one) => enough(new RegExp(one)));
  }
  if (/^\d{4}/.test(text)) {
    const source = "(?<!\\d)(?<cut>\\d{4}[-/.]\\d{2}[-/.]\\d{2}(?:[T ]\\d{2}:\\d{2}(?::\\d{2})?)?)";
    const day = "(?<!\\d)(?<cut>\\d{4}[-/.]\\d{2}[-/.]\\d{2})";
    const own = text.length > 10 ? source : day;
    return enough(new RegExp(own)) ? own : undefined;
  }
  const version = "(?<![\\d.])(?<cut>\\d+(?:\\.\\d+)+)";
  return enough(/^v?\d+(?:\.\d+)+$/) ? "" : enough(new RegExp(version)) ? version : undefined;
}
