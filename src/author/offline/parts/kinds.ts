// How well a text fits the kind that the name of a part suggests: number, address, path, time, level and so on.

import { tokenize } from "../logs/tokens.ts";
import type { Hint } from "../page/page.ts";
import type { Say } from "./evidence.ts";

interface Seen {
  text: string;
  /** Kind of the only token, if it is one. */
  single: string | undefined;
  atEnd: boolean;
}

/** How well a text fits the kind that the name of the hint suggests. */
export function kindEvidence(text: string, hint: Hint, atEnd: boolean, say: Say): void {
  const first = tokenize(text)[0];
  const single = first !== undefined && first.end === text.length ? first.kind : undefined;
  if (hint.kind === undefined) {
    if (
      SPEAKS_OF_TIME.test(hint.name.replace(/_/g, " ")) &&
      (single === "time" || single === "date" || isTime(text))
    )
      return;
    if (single === "time" || single === "date") say(-2, "a time");
    else if (/(?<![\w:])\d\d:\d\d:\d\d(?![\w:])/.test(text)) say(-4, "a time and more");
    return;
  }
  // No address, number, path or version is a time, whatever its place in the line.
  if (
    NO_TIME.has(hint.kind) &&
    isClock(text, single) &&
    !SPEAKS_OF_TIME.test(`${hint.name.replace(/_/g, " ")} ${hint.description}`)
  )
    say(-3.5, "a time");
  // "From the day to the minute", "date and time": a day alone is half of it.
  // "From the weekday on": the clock alone is the other half.
  if (hint.kind === "time" && DAY.test(hint.description) && !/\d[-/.]\d+[-/.]|[A-Z][a-z]{2}/.test(text))
    say(-2.5, "no day");
  if (hint.kind === "time" && CLOCK.test(hint.description) && !/\d:\d/.test(text))
    say(-2.5, "no time of day");
  const masked = /^\d{1,3}(?:\.\d{1,3}){3}\/(?:[12]?\d|3[0-2])$/.test(text);
  if (hint.kind === "address" && masked && !/\b(?:without|no|only)\b/i.test(hint.description)) {
    say(MASK.test(hint.description) ? 4.2 : 2.7, "an address with its mask");
    return;
  }
  familyEvidence(text, hint, say);
  for (const [score, reason, holds] of KIND_TESTS[hint.kind]) {
    if (!holds({ text, single, atEnd })) continue;
    say(score, reason);
    if (hint.kind !== "text") return;
  }
}

/** Families of addresses, by the words that ask for them and by how they are written. */
const FAMILIES: [asks: RegExp, is: RegExp][] = [
  [
    /\bmac\b|\bhardware address\b|\bether(?:net)? address\b/i,
    /^(?:[\da-f]{2}[:-]){5,7}[\da-f]{2}$|^(?:[\da-f]{4}\.){2}[\da-f]{4}$/i,
  ],
  [/\bipv4\b|\bip ?v(?:ersion )?4\b/i, /^\d{1,3}(?:\.\d{1,3}){3}(?:[/:]\d+)?$/],
  [/\bipv6\b|\bip ?v(?:ersion )?6\b/i, /^\[?[\da-f]*:[\da-f.]*:[\da-f:.]*\]?(?:%\w+)?(?:\/\d+)?$/i],
];

/** "IPv4" asks for no hardware address, and the other way round. */
function familyEvidence(text: string, hint: Hint, say: Say): void {
  if (hint.kind !== "address") return;
  if (/\b(?:or|also|both|may|can|sometimes|where|if|brackets)\b/i.test(hint.description)) return;
  const said = hint.description.replace(/^\W+/, "").replace(/[,;.)].*$/s, "");
  const told = `${hint.name.replace(/_/g, " ")} ${said.replace(/\b(?:not|no|without|instead of)\b.*$/i, " ")}`;
  const asked = FAMILIES.filter(([asks]) => asks.test(told));
  // "IPv4, IPv6".
  if (FAMILIES.filter(([asks]) => asks.test(hint.description)).length > 1) return;
  const own = FAMILIES.find(([, is]) => is.test(text));
  if (asked.length === 0 || own === undefined) return;
  if (!asked.includes(own)) say(-5, "an address of another family");
}

/** A time of day, or a day with its year or the name of its month; "12/16" and "1.2-1" may be anything. */
function isClock(text: string, single: string | undefined): boolean {
  if (single === "time") return true;
  if (!isTime(text) && single !== "date") return false;
  return /\d{4}[-/.]\d{1,2}[-/.]\d|[-/.]\d{4}(?!\d)|[A-Z][a-z]{2}|(?<![\w:])\d{1,2}:\d{2}(?::\d{2})?(?![\w:])/.test(
    text,
  );
}

const NO_TIME = new Set(["address", "number", "path", "version", "hex", "letter"]);
const SPEAKS_OF_TIME =
  /\b(?:times?|dates?|days?|clock|stamp|since|until|when|age|uptime|duration|elapsed|seconds?|minutes?|hours?|year|month|last|expir\w*|period|interval)\b/i;

const DAY =
  /\b(?:weekdays?|date and|the date|day of|month|time ?stamp)\b(?<!without (?:the )?(?:weekday|date|month))/i;
const CLOCK =
  /\b(?:minutes?|seconds?|hours?|time of (?:the )?day|date and time|clock)\b(?<!\bin (?:minutes|seconds|hours))/i;

const MASK = /(?<!\bwithout [a-z ]{0,12})\b(?:mask|prefix|netmask|cidr|subnet)\b/i;

const TIME_WORD =
  /^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun|[AP]M|UTC|GMT|[A-Z]{3,4}|T|Z)[a-z]*$/;

/** Only dates, times, numbers and the words that go with them. */
export function isTime(text: string): boolean {
  if (!/\d[:/-]\d|^[A-Z][a-z]{2} +\d/.test(text) || text.length > 40 || /[()[\]{}]/.test(text)) return false;
  if (/^[^\w<]\s|\s[^\w>]$|\d\.\d+\.\d+\.\d/.test(text)) return false;
  return (text.match(/[A-Za-z]+/g) ?? []).every((word) => TIME_WORD.test(word));
}

type KindTest = [score: number, reason: string, holds: (seen: Seen) => boolean];
const LEVEL =
  /^(?:error|warn(?:ing)?|info|fatal|critical|debug|notice|note|crit|err|emerg|alert|low|medium|high|trace|severe)$/i;

/** The first test that holds decides, but for texts, where all that hold count. */
const KIND_TESTS: Record<NonNullable<Hint["kind"]>, KindTest[]> = {
  number: [
    [2.5, "a number", ({ text, single }) => single === "number" || /^[-+]?[\d.,]+\s?%?$/.test(text)],
    [-3.5, "no number", ({ text }) => !/\d/.test(text)],
    [1, "a number with a unit", ({ text }) => /^\d[\d.,]*\s?[A-Za-z/%]{1,5}$/.test(text)],
    [-1.5, "not only a number", () => true],
  ],
  address: [
    [3.5, "an address", ({ single }) => single === "ip" || single === "mac"],
    [3.2, "an address in brackets", ({ text }) => /^\[[0-9a-f:.]*:[0-9a-f:.]*\](?:\/\d{1,3})?$/i.test(text)],
    [3.2, "an address with its zone", ({ text }) => /^[0-9a-f]*:[0-9a-f:.]*%[\w.-]+$/i.test(text)],
    [
      3.2,
      "an address with its port",
      ({ text }) => /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\]):\d+$/i.test(text),
    ],
    [2.5, "a host with its port", ({ text }) => /^[A-Za-z][\w-]*(?:\.[\w-]+)+:\d{1,5}$/.test(text)],
    [
      3,
      "a hardware address",
      ({ text }) =>
        /^(?:[0-9a-f]{2}(?:([-:])[0-9a-f]{2})(?:\1[0-9a-f]{2}){4,6}|[0-9a-f]{4}([.-])[0-9a-f]{4}\2[0-9a-f]{4})$/i.test(
          text,
        ),
    ],
    [0.5, "may be a host name", ({ text }) => /^[A-Za-z][\w.-]*$/.test(text)],
    [-2, "no address", () => true],
  ],
  path: [
    [-1, "a protocol or ratio", ({ text }) => /^[A-Za-z][\w-]*\/\d[\d.]*$|^\d+\/\d+$/.test(text)],
    [0.5, "a path and a line", ({ text }) => /\.\w+:\d+$/.test(text)],
    [3, "a path", ({ single }) => single === "path" || single === "url"],
    [3, "a path", ({ text }) => /^\.{0,2}\/\S*$|^[A-Za-z]:[\\/]\S+$/.test(text)],
    [2, "a file name", ({ text }) => /^[\w-]+\.[a-z][a-z\d]{0,4}$/.test(text)],
    [
      0.5,
      "a path with blanks",
      ({ text }) => /^(?:[A-Za-z]:[\\/]|\.{0,2}\/|[\w.-]+[\\/])[^"<>|:]*\.\w{1,5}$/.test(text),
    ],
    [-3, "no path", ({ text }) => /^\d+$/.test(text) || /\s/.test(text)],
    [-0.8, "a plain word for a path", ({ text }) => /^[a-z]+$/.test(text)],
  ],
  time: [
    [3, "a time", ({ single }) => single === "time" || single === "date"],
    [2.7, "a date and time", ({ text }) => isTime(text)],
    [
      2,
      "a duration",
      ({ text }) => /^(?:\d+(?:\.\d+)?\s?(?:ns|us|ms|s|secs?|m|mins?|h|hrs?|d|days?|w)\s?)+$/.test(text),
    ],
    [0.5, "may be a time stamp", ({ text }) => /^\d+(?:\.\d+)?$/.test(text)],
    [-3, "no time", () => true],
  ],
  text: [
    [2, "the rest of the line", ({ atEnd }) => atEnd],
    [1, "several words", ({ text }) => /\s/.test(text)],
    [-3, "a number", ({ text, single }) => single === "number" && !/\s/.test(text)],
    [
      -2.2,
      "begins with its level",
      ({ text }) => /^(?:ERROR|WARN|WARNING|INFO|FATAL|CRITICAL|DEBUG|NOTICE)\s+\S/.test(text),
    ],
  ],
  hex: [
    [3, "hexadecimal", ({ text, single }) => single === "hex" || /^[0-9a-f]{6,}$/i.test(text)],
    [-2, "not hexadecimal", ({ text }) => !/[0-9a-f]{4,}/i.test(text)],
  ],
  version: [
    [3, "a version", ({ text }) => /^v?(?:\d+:)?\d+(?:\.\d+)+[\w.+~-]*$/.test(text)],
    [-2, "no version", ({ text }) => !/\d/.test(text)],
  ],
  letter: [
    [3, "a letter", ({ text }) => /^[A-Za-z]$/.test(text)],
    [3, "a level", ({ text }) => LEVEL.test(text)],
    [-2, "more than a letter", ({ text }) => /^[a-z]{2,}$/.test(text)],
    [-3, "no level", ({ text, single }) => /\s/.test(text) || single === "path" || single === "ip"],
  ],
  word: [
    [-1.5, "a measure", ({ text }) => /^[-+]?\d[\d.,]*\s*[<>=/]+\s*[-+]?\d/.test(text)],
    [-1.5, "a number", ({ single }) => single === "number"],
    [-3, "a time", ({ text, single }) => single === "time" || single === "date" || isTime(text)],
    [-4, "a time and more", ({ text }) => /(?<![\w:])\d\d:\d\d:\d\d(?![\w:])/.test(text)],
    [-2, "starts with a date", ({ text }) => /^\d{1,4}[-/]\w+[-/]\d/.test(text)],
  ],
};
