// What a name asks for by its sense, where every reader of logs knows how such a text is written: the number of a line has no
// fraction, an architecture is one of a few words, a process number stands alone in its brackets. One row each, as in
// conventions.ts: which names it is about, when it holds, what it is worth.

import type { Hint } from "../page/page.ts";
import type { Say, Span } from "./evidence.ts";

interface Part {
  text: string;
  before: string;
  after: string;
}

interface Sense {
  /** The name, its words parted by blanks. */
  name: RegExp;
  /** Names that it is not about all the same. */
  not?: RegExp;
  reason: string;
  /** Score, or undefined when it says nothing. */
  score: (part: Part, said: string) => number | undefined;
}

const LEVELS =
  /^(?:error|warn(?:ing)?|info(?:rmation(?:al)?)?|fatal(?: error)?|critical|debug|notice|note|crit|err|emerg(?:ency)?|alert|remark|trace|severe|panic)$/i;
const ARCHITECTURE =
  /^(?:amd64|x86[_-]64|x64|i[3-6]86|x86|arm64|aarch64|armv?\d\w*|armhf|armel|ppc64(?:le|el)?|s390x|riscv\d*|mips\w*|noarch|all|any|src)$/i;
const TIME_UNIT =
  /^\s?(?:ns|us|µs|ms|m?secs?|seconds?|milliseconds?|s|mins?|minutes?|h|hrs?|hours?)(?![\w-])/;
const ANY_UNIT =
  /^\s?(?:[num]?s|msecs?|secs?|mins?|hrs?|hours|days|[kKMGTP]i?[Bb](?:\/s)?|bytes|%|[kMG]?Hz|[munp]?[VAW])(?![\w-])/;
const HOST = /^(?=.*[A-Za-z])[A-Za-z\d][\w-]*(?:\.[\w-]+)+$/;
const IP = /^(?:\d{1,3}\.){3}\d{1,3}$/;

const LETTER = /\b(?:letter|flag|edge|direction|transition|type|class|kind)$/;

const SENSES: Sense[] = [
  {
    name: /./,
    reason: "a letter alone",
    score: ({ text }, said) =>
      /\b(?:the|one|a|single|capital|severity) letter\b(?! (?:in|before|after|behind))/i.test(said) &&
      !/\b(?:with|without|and|or)\b[^;.]*\bletter\b/i.test(said) &&
      text.length > 1
        ? -3
        : undefined,
  },
  {
    name: /\b(?:pid|process(?: ?(?:id|no|number))?|tid|thread(?: ?id)?)$/,
    reason: "a number alone in its brackets",
    score: ({ text, before, after }) =>
      /^\d+$/.test(text)
        ? /(?:^|\s)[[(<]$/.test(before) && /^[\])>]/.test(after)
          ? 2.5
          : ANY_UNIT.test(after)
            ? -3
            : undefined
        : undefined,
  },
  {
    name: /\b(?:took|duration|elapsed|delay|latency|runtime|wait|ms|millis|time taken|response time)\b/,
    reason: "a number with a unit of time",
    score: ({ text, after }) => (/^\d[\d.,]*$/.test(text) && TIME_UNIT.test(after) ? 3 : undefined),
  },
  {
    name: /^(?:source |start )?(?:line|row)(?: ?(?:no|number))?$/,
    reason: "the number of a line",
    score: ({ text, before, after }, said) => {
      if (/\bcol(?:umn)?\b|\bas printed\b/i.test(said)) return undefined;
      if (/^\d+[.:,]\d+$/.test(text)) return -4;
      if (!/^\d+$/.test(text)) return /^[A-Za-z]+$/.test(text) ? -3 : undefined;
      return /\blines? (?:no\.? )?$/i.test(before) && /^[.:,]\d/.test(after) ? 4 : undefined;
    },
  },
  {
    name: /^col(?:umn)?(?: ?(?:no|number))?$/,
    reason: "behind the number of the line",
    score: ({ text, before }) =>
      /^\d+$/.test(text)
        ? /\blines? \d+[.:,]$/i.test(before)
          ? 6
          : /[\s"'(:,]\d+[:.,/]$/.test(before)
            ? 1.5
            : undefined
        : /[A-Za-z]/.test(text)
          ? -3
          : undefined,
  },
  {
    name: /^(?:\w+ )?(?:level|severity)$/,
    reason: "a level",
    score: ({ text }) => (LEVELS.test(text) ? 3 : undefined),
  },
  {
    name: /^(?:\w+ )?(?:mark|marker|sign|symbol|indicator|tally|asterisk|star)$/,
    reason: "a mark of its own",
    score: ({ text, before, after }) =>
      /^(?:[^\p{L}\p{N}\s()[\]{}"',;:=|]{1,3})$/u.test(text)
        ? /(?:^|\s)$/.test(before) && /^(?:\s|$)/.test(after)
          ? 7
          : undefined
        : -2,
  },
  {
    // "the address in to=", "the sender (from)".
    name: /./,
    reason: "behind a key of its description",
    score: ({ before }, said) => {
      const key = /(?:^|[\s,;([{])([A-Za-z_][\w.-]*)(?:=|(?<=^\s*[A-Z][a-z]+):\s+)["'(<[]?$/.exec(
        before,
      )?.[1];
      if (key === undefined) return undefined;
      const own = key.replace(/[.\\-]/g, "\\$&");
      return new RegExp(`(?:\\b(?:in|of|from|under|behind|after|key) ["\`]?${own}["\`]?=|\\(${own}\\))`).test(
        said,
      )
        ? 6
        : undefined;
    },
  },
  {
    name: /(?:^| )ip$|^ip\b/,
    reason: "an address without its port",
    score: ({ text, after }, said) =>
      /\bport\b/.test(said)
        ? undefined
        : /^(?:\d{1,3}\.){3}\d{1,3}:\d+$/.test(text)
          ? -2.5
          : IP.test(text) && /^:\d+/.test(after)
            ? 1.5
            : undefined,
  },
  {
    name: /\bport$/,
    reason: "a number beside an address",
    score: ({ text, before }) =>
      /^\d{1,5}$/.test(text) && /(?:\d{1,3}\.){3}\d{1,3}[\])"']?(?:\s+|,\s*|\s*[|;]\s*)$/.test(before)
        ? 2.5
        : undefined,
  },
  {
    name: /\b(?:badge|serial|part|card|ticket|order|account|invoice|asset|customer|item|member|case|model|room|licen[cs]e|contract|article|product) (?:no|number)$/,
    reason: "a number with marks in it",
    score: ({ text }) => (/^(?=.*\d)[A-Z\d]+(?:[-./:][A-Z\d]+)+$/i.test(text) ? 3.5 : undefined),
  },
  {
    name: /\barch(?:itecture)?$/,
    reason: "an architecture",
    score: ({ text }) => (ARCHITECTURE.test(text) ? 4 : -1.5),
  },
  {
    name: /\b(?:fill|occupancy|usage|load|util(?:i[sz]ation)?|capacity|used|percent(?:age)?|pct|share|progress|coverage)$/,
    not: /\bport\b/,
    reason: "a percentage",
    score: ({ text, after }) =>
      /^[-+]?\d[\d.]*%$/.test(text)
        ? 2
        : /^[-+]?\d[\d.]*$/.test(text) && after.startsWith("%")
          ? 1.5
          : undefined,
  },
  {
    name: /\b(?:status|state|health|verdict|condition)$/,
    reason: "a word for a state",
    score: ({ text, before, after }, said) =>
      /\b(?:code|number|digits?)\b/i.test(said)
        ? undefined
        : /^[1-5]\d\d$/.test(text)
          ? /\b(?:GET|POST|PUT|HEAD|DELETE|CONNECT) |HTTP\/\d/.test(`${before}${after}`)
            ? 4
            : 2
          : /^[A-Z]{2,}(?:[_-][A-Z]+)*$/.test(text) && /\b(?:is|now|are|state|status)[:=]? $/i.test(before)
            ? 3
            : /^[A-Z]{2,}(?:[_-][A-Z]+)*$/.test(text)
              ? 1
              : /^\d+\/\d+$|[~]$/.test(text)
                ? -3
                : undefined,
  },
  {
    name: /\b(?:e ?mail|mail(?: address)?|recipient|rcpt|sender|mailbox)$/,
    reason: "an address of mail",
    score: ({ text, before, after }, said) =>
      /^<?[\w.+=-]+@[\w-]+(?:\.[\w-]+)+>?$/.test(text) && !/\w$/.test(before) && !/^\w/.test(after)
        ? 4
        : /\bmail\b/i.test(said) || IP.test(text)
          ? -3
          : undefined,
  },
  {
    name: /\b(?:client|server|peer|host|remote|relay|node|domain|dns|source|machine)(?: |_)?(?:host )?name$/,
    reason: "a name and no number",
    score: ({ text, before, after }) =>
      IP.test(text)
        ? -4
        : HOST.test(text) && !/[\w@.-]$/.test(before) && !/^[@\w]/.test(after)
          ? 4
          : undefined,
  },
  {
    name: /\b(?:uri|url|path|resource|page|document)$/,
    reason: "a path of a link",
    score: ({ text, before }) => (/^\/[^\s"]*$/.test(text) && /(?:^|[\s"])$/.test(before) ? 2 : undefined),
  },
  {
    name: LETTER,
    reason: "a letter of its own",
    score: ({ text, before, after }) =>
      /^[A-Za-z]$/.test(text) && /(?:^|[\s([])$/.test(before) && /^(?:[\s)\],:]|$)/.test(after)
        ? 1.5
        : undefined,
  },
];

/** Could a single letter be what the name asks for? */
export function asksLetter({ name, kind, description }: Hint): boolean {
  return kind === "letter" || LETTER.test(name.replace(/_/g, " ")) || /\bletter\b/i.test(description);
}

/** What the sense of a name says about a part of a line. */
export function senseEvidence(line: string, span: Span, hint: Hint, say: Say): void {
  const part: Part = {
    text: line.slice(span.start, span.end),
    before: line.slice(0, span.start),
    after: line.slice(span.end),
  };
  const name = hint.name.replace(/_/g, " ");
  const said = `${name} ${hint.description}`;
  for (const sense of SENSES) {
    if (!sense.name.test(name) || sense.not?.test(name) === true) continue;
    const score = sense.score(part, said);
    if (score !== undefined) say(score, sense.reason);
  }
}
