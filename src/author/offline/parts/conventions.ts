// Spellings that every log reader knows, whatever wrote the log: user@host, a unit behind its number, the process
// id in brackets behind the program. One row each: which names it is about, when it holds, what it is worth.

import { numberWord, stem, wordsOf } from "../page/names.ts";
import type { Hint } from "../page/page.ts";
import type { Say, Span } from "./evidence.ts";
import { isTime } from "./kinds.ts";

interface Part {
  text: string;
  before: string;
  after: string;
}

interface Convention {
  name: RegExp;
  reason: string;
  /** Score, or undefined when it does not apply. */
  score: (part: Part) => number | undefined;
}

const USUAL_USERS =
  /^(?:root|admin|administrator|alice|bob|frank|john|jane|jdoe|guest|nobody|user\d*|test|deploy)$/;
const SASL =
  /^(?:LOGIN|PLAIN|CRAM-MD5|DIGEST-MD5|SCRAM-SHA-\d+(?:-PLUS)?|NTLM|GSSAPI|GSS-SPNEGO|EXTERNAL|X?OAUTH2|OAUTHBEARER|ANONYMOUS|OTP)$/i;
const METHODS = /^(?:GET|POST|PUT|DELETE|HEAD|OPTIONS|PATCH|CONNECT|TRACE)$/;
const USER = /\b(?:user|account|login)/;

/** What follows the user in an address of mail. */
export const MAIL_HOST = /^@[A-Za-z\d][\w-]*(?:\.[\w-]+)*\.[a-z]{2,}(?![\w-]|\.\w|[:/][\w~/])/;

const CONVENTIONS: Convention[] = [
  {
    name: USER,
    reason: "before @",
    // An address of mail is a login of its own in most logs.
    score: ({ after }) => (after.startsWith("@") ? (MAIL_HOST.test(after) ? 0.5 : 3) : undefined),
  },
  {
    name: /\b(?:host|realm|domain|server|machine)/,
    reason: "after @",
    score: ({ before }) => (before.endsWith("@") ? 3 : undefined),
  },
  { name: USER, reason: "a usual user name", score: ({ text }) => (USUAL_USERS.test(text) ? 3 : undefined) },
  {
    name: USER,
    reason: "named as user",
    score: ({ text, before }) =>
      /\b(?:for|user|by|as)\s["']?$/.test(before) && /^[\w.@-]+$/.test(text) ? 3 : undefined,
  },
  {
    name: /\b(?:host(?: ?name)?|domain(?: name)?|fqdn)$/,
    reason: "a host name",
    score: ({ text }) => (/^(?=.*[a-z])[a-z\d][\w-]*(?:\.[\w-]+)+$/.test(text) ? 2 : undefined),
  },
  {
    name: /\b(?:logger|class|package|module)/,
    reason: "a dotted name",
    score: ({ text }) => (/^[\w$]+(?:\.[\w$]+)+$/.test(text) ? 2 : undefined),
  },
  {
    name: /\b(?:code|id|class|mnemonic)$/,
    reason: "looks like a code",
    score: ({ text }) => (/^[A-Z][A-Z_]{0,11}[-_]?\d{2,}$/.test(text) ? 5 : undefined),
  },
  {
    name: /\b(?:gu|uu)id$/,
    reason: "a long identifier",
    score: ({ text }) => (/^\{?[0-9A-Fa-f]{4,}(?:-[0-9A-Fa-f]{4,})+\}?$/.test(text) ? 4 : -1),
  },
  {
    name: /\blayer$/,
    reason: "a layer of a chip",
    score: ({ text }) => (/^(?:met(?:al)?|via|m|li|poly|mcon|diff|nwell)\d*$/i.test(text) ? 2.5 : undefined),
  },
  {
    name: /^x$/,
    reason: "the first of a pair",
    score: ({ text, before, after }) =>
      /^-?\d[\w.]*$/.test(text) && /[({[]\s?$/.test(before) && /^(?:[a-z]{1,2})?[,;]?\s*-?\d/.test(after)
        ? 5
        : -1.5,
  },
  {
    name: /^y$/,
    reason: "the second of a pair",
    score: ({ text, before, after }) =>
      /^-?\d[\w.]*$/.test(text) &&
      /[({[]\s?-?\d[\w.]*[,;]?\s*$/.test(before) &&
      /^(?:[a-z]{1,2})?\s?[)}\]]/.test(after)
        ? 5
        : -1.5,
  },
  {
    name: /port$/,
    reason: "behind an address",
    score: ({ text, before }) =>
      /^\d{1,5}$/.test(text)
        ? /(?:\d{1,3}(?:\.\d{1,3}){3}|\])[:#]$/.test(before)
          ? 4
          : /(?:^|[\s([/'"])[a-z][\w-]*(?:\.[\w-]+)+:$/i.test(before)
            ? 2
            : undefined
        : undefined,
  },
  {
    name: /\b(?:src|source|client|from|sport|origin|sender)\b/,
    reason: "in front of the arrow",
    score: ({ before, after }) => arrowScore(before, after, "left"),
  },
  {
    name: /\b(?:id|uuid|guid|hash|checksum|fingerprint)$/,
    reason: "an identifier has no sentence",
    score: ({ text }) => (/^\S+(?: \S+){4,}$/.test(text) && /[a-z]{3}/.test(text) ? -4 : undefined),
  },
  {
    name: /\bid$/,
    reason: "behind the word ID",
    score: ({ text, before }) =>
      /(?:^|[\s,;(])ID\s$/.test(before) && /^(?=\S*\d)\S+$/.test(text)
        ? 3 + (/^(?:0x)?[\dA-Fa-f]{12,}$/.test(text) ? 1.5 : 0)
        : undefined,
  },
  {
    name: /\bgroup$/,
    reason: "behind the number of the group",
    score: ({ text, before }) =>
      /\bgid[:=]?\s*\(?\s*\d+\s*[/(]\s*$/i.test(before) && /^[A-Za-z_][\w-]*$/.test(text) ? 5 : undefined,
  },
  {
    name: /\b(?:user|owner)$/,
    reason: "behind the number of the user",
    score: ({ text, before }) =>
      /\buid[:=]?\s*\(?\s*\d+\s*[/(]\s*$/i.test(before) && /^[A-Za-z_][\w-]*$/.test(text) ? 5 : undefined,
  },
  {
    name: /\b(?:gateway|next hop|nexthop|via|router|hop)\b/,
    reason: "behind via",
    score: ({ before }) => (/\bvia\s$/.test(before) ? 5 : undefined),
  },
  {
    name: /\b(?:dst|dest|destination|network|route|prefix)\b/,
    reason: "behind via",
    score: ({ before }) => (/\bvia\s$/.test(before) ? -4 : undefined),
  },
  {
    name: /\b(?:dst|dest|destination|target|to|dport|receiver)\b/,
    reason: "behind the arrow",
    score: ({ before, after }) => arrowScore(before, after, "right"),
  },
  {
    name: /\bid$/,
    reason: "an identifier has a digit",
    score: ({ text }) =>
      /%/.test(text)
        ? -3
        : /^(?=\w*\d)(?=\w*[A-Za-z])\w{6,}$/.test(text)
          ? 2
          : /\d/.test(text)
            ? 1
            : /\w[/:.-]+\w/.test(text)
              ? 0
              : -1,
  },
  {
    name: /\b(?:number|index|no|id)$/,
    reason: "behind a number sign",
    score: ({ text, before }) => (/#\s?$/.test(before) && /^\d+$/.test(text) ? 3 : undefined),
  },
  {
    name: /^line$/,
    reason: "behind the file, or at the head of the line",
    // "  3:81  error": the line with its column.
    score: ({ text, before, after }) =>
      /\.\w+["']?[:(,]\s?$/.test(before)
        ? 2
        : before.trim() === "" && /^\d+$/.test(text) && /^:\d+(?=\s)/.test(after)
          ? 3
          : undefined,
  },
  {
    name: /^col(?:umn)?$/,
    reason: "behind the line",
    score: ({ before }) =>
      /\.\w+["']?[:(,]\s?\d+[:,.]\s?$/.test(before) ? 4 : /\d[:,]\s?$/.test(before) ? 2 : undefined,
  },
  {
    name: /\bdevice\b/,
    reason: "a device path",
    score: ({ text }) => (text.startsWith("/dev/") ? 4 : undefined),
  },
  {
    name: /\b(?:mac|hwaddr|hardware address|ethernet address)\b/,
    reason: "a hardware address",
    score: ({ text }) => (/^(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}$/.test(text) ? 5 : -1),
  },
  {
    name: /\b(?:interface|iface|ifname|nic)\b/,
    reason: "an interface name",
    score: ({ text }) =>
      /^(?:eth|en[opsx]|wl|br|bond|vlan|tun|tap|lo|ge|xe|et|gi|te|fa|po|port)[\w/.:-]*\d[\w/.:-]*$/i.test(
        text,
      )
        ? 3
        : undefined,
  },
  {
    name: /\bproto(?:col)?\b/,
    reason: "a protocol",
    score: ({ text }) =>
      /^(?:tcp|udp|icmp|sctp|ipv?|http|https|dccp|raw|unix)(?:lite|v?[46])?$/i.test(text) ? 5 : undefined,
  },
  {
    name: /\b(?:path|url|uri|request|target|resource|page)\b/,
    reason: "behind the request method",
    score: ({ text, before }) =>
      /\b(?:GET|POST|PUT|DELETE|HEAD|OPTIONS|PATCH|CONNECT)\s$/.test(before) && /^\S+$/.test(text)
        ? 4
        : undefined,
  },
  {
    name: /\b(?:age|uptime|duration|elapsed|interval|runtime|took)\b/,
    reason: "a duration",
    score: ({ text }) =>
      /^(?:\d+(?:\.\d+)?\s?(?:ns|us|ms|s|secs?|m|mins?|h|hrs?|d|days?|w|y))+$/.test(text) ? 3 : undefined,
  },
  {
    name: /\b(?:method|verb)/,
    reason: "a request method",
    score: ({ text }) => (METHODS.test(text) ? 5 : undefined),
  },
  {
    name: /\bmechanism\b/,
    reason: "a way to log in",
    score: ({ text }) => (SASL.test(text) ? 4 : undefined),
  },
  {
    name: /\b(?:program|process|executable|application|binary|image)(?: name)?$/,
    reason: "a program file",
    score: ({ text }) => (/^[^\s/]+\.(?:exe|dll|com|bat|sh|py|bin|jar)$/i.test(text) ? 3 : undefined),
  },
  {
    name: /\b(?:status|code)/,
    reason: "a three-digit status",
    score: ({ text, before }) => (/^[1-5]\d\d$/.test(text) ? (/"\s$/.test(before) ? 5 : 3) : undefined),
  },
  {
    name: /\b(?:pid|process|thread|tid)\b/,
    reason: "in brackets behind the program",
    score: ({ before, after }) =>
      (/[A-Za-z][[(]$/.test(before) && /^[\])]/.test(after)) ||
      (/(?:^|\s)[A-Za-z][\w./-]* \[$/.test(before) && /^\]:\s/.test(after))
        ? 4
        : undefined,
  },
  {
    name: /\bunits?$/,
    reason: "the unit of a number",
    score: ({ text, before }) =>
      /(?:^|[\s(=])[-+]?\d[\d.]*\s?$/.test(before)
        ? /^[A-Za-z%°µ][\w/%^]{0,5}$/.test(text)
          ? 5
          : -2
        : undefined,
  },
];

const NEW = /\b(?:new|current|later|resulting|newly|now|afterwards)\b/;
const OLD =
  /\b(?:old|previous|former|earlier|prior|until then|(?:there|it was|that was|\w+) before)\b(?! (?:the|its|an?)\b)/;

/** "changed from A to B", "A -> B": what was before, and what is now. */
function changeEvidence(part: Part, called: string, say: Say): void {
  const [isNew, isOld] = [NEW.test(called), OLD.test(called)];
  if (isNew === isOld) return;
  const ends = /^["')\],;.]?\s/.test(part.after) || /^["').\]]?$/.test(part.after);
  const isTo =
    /\bfrom\s.*\b(?:in)?to\s["'([]?$|\breplaced .*\b(?:by|with)\s["'([]?$|\bwas\s.*\bnow\s["'([]?$/i.test(
      part.before,
    );
  const isFrom =
    /\b(?:before|old|previous|was|from)[:=]\s?["'([]?$/i.test(part.before) ||
    (/\b(?:from|was)\s["'([]?$/i.test(part.before) &&
      /^\S*,?\s+(?:in)?to\s|^\S*,?\s.*\bnow\s/i.test(part.after));
  const arrow = arrowScore(part.before, part.after, isNew ? "right" : "left");
  if (arrow !== undefined) say(arrow, isNew ? "behind the arrow" : "in front of the arrow");
  else if ((isTo || isFrom) && ends)
    say(isTo === isNew ? 4 : -4, isTo ? "what it was changed to" : "what it was before");
}

/** `1.2.3.4:80->5.6.7.8:90`: on which side of the arrow the part stands, up to the blanks around the pair. */
function arrowScore(before: string, after: string, side: "left" | "right"): number | undefined {
  const isLeft = /^\S{0,40}?\s?[-=]>\s?\S/.test(after);
  const isRight = /\S\s?[-=]>\s?\S{0,40}?$/.test(before);
  if (isLeft === isRight) return undefined;
  return isLeft === (side === "left") ? 3 : -3;
}

/** "address and port", "host with port": they are one part; a port of its own, or said to be left out, is none. */
function portEvidence(part: Part, hint: Hint, say: Say): void {
  const own = /:\d+$/.test(part.text) && !/\d:\d{2}(?::\d{2})?$/.test(part.text);
  const next = /^:\d+(?![\d.])/.test(part.after);
  if (!own && !next) return;
  const text = `${hint.name.replace(/_/g, " ")} ${hint.description}`;
  if (/\b(?:without|no|not)\b[^.;]*\bport\b/i.test(text)) say(own ? -4 : 2, "without its port");
  else if (/\b(?:and|with|plus|including)\b[^.;]*\bport\b/i.test(text)) say(own ? 3 : -2, "with its port");
  else if (hint.kind === "address") say(own ? 1.2 : -0.8, "as long as it is printed");
}

/** "time (without the milliseconds)": the fraction of a second is cut off or not. */
function fractionEvidence(part: Part, hint: Hint, say: Say): void {
  if (!/\bwithout (?:the |its )?(?:milli|micro|nano|fraction|decimals)/i.test(hint.description)) return;
  if (/\d:\d{2}:\d{2}$/.test(part.text) && /^[.,]\d/.test(part.after)) say(6, "without the fraction");
  else if (/:\d{2}[.,]\d+$/.test(part.text)) say(-4, "has a fraction");
}

/** An IP address is one wherever the line has one; a hardware address is another thing. */
function ipEvidence(line: string, part: Part, called: string, hint: Hint, say: Say): void {
  if (hint.kind !== "address" || !/\b(?:ip|ipv[46]|address)\b/.test(called)) return;
  if (/\b(?:e?-?mail|hardware|mac|memory|recipient|rcpt|sender|mailbox)\b/.test(called)) return;
  if (/^<?[\w.+=-]+@/.test(part.text) && /\b(?:from|to)\b/.test(called)) return;
  const ip = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/;
  const isIp =
    ip.test(part.text) ||
    (/^\[?[0-9A-Fa-f]*:[0-9A-Fa-f:]*:[0-9A-Fa-f.]*\]?/.test(part.text) && !isTime(part.text));
  if (!isIp && ip.test(line)) say(/\bip\b/.test(called) ? -5 : -3, "no address");
  if (ip.test(line) && /^(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$/.test(part.text))
    say(-3, "a hardware address");
}

/** "the three digits after the request". */
function digitsEvidence(part: Part, hint: Hint, say: Say): void {
  const said = /\b(\w+)[- ]digits?\b/i.exec(hint.description)?.[1] ?? "";
  const count = numberWord(said);
  if (count !== undefined)
    say(/^\d+$/.test(part.text) && part.text.length === count ? 3 : -2, `${said} digits`);
}

/** `prog[123]:` in the prefix of a log line. */
function programEvidence(part: Part, called: string, say: Say): void {
  if (!/\b(?:service|program|daemon)\b/.test(called)) return;
  if (/\b(?:of|in|after|behind) the (?:service|program|daemon)\b/.test(called)) return;
  if (/^[\w./-]+$/.test(part.text) && /^\[\d+\]:?(?:\s|$)/.test(part.after) && /\s$/.test(part.before))
    say(3.5, "in front of its process number");
}

/** "Jan  1 10:00:00 host prog[123]: text": of the front of a log line only a program, or what the page says so of, is the program. */
function senderEvidence(part: Part, called: string, say: Say): void {
  const isSender =
    /[\w)]$/.test(part.text) &&
    /^\[\d+\]:\s/.test(part.after) &&
    /^\W*(?:[A-Z][a-z]{2} |\d{4}-).*\d:\d\d.*\s$/.test(part.before);
  if (
    isSender &&
    !/\b(?:service|program|daemon|process|command|component|module|facility|tag|unit|application|sender|logger|source)/.test(
      called,
    )
  )
    say(-4, "the program of the log prefix");
}

/** "The component, full name": with all of its pieces. */
function fullNameEvidence(part: Part, hint: Hint, say: Say): void {
  const isTold = /\bfull (?:\w+ )?name\b|\bname in full\b/i.test(hint.description);
  if (isTold && /[A-Za-z_)\]][./:]+\w/.test(part.text)) say(1.5, "a full name");
}

/** Adds what the conventions say about a part of a line. */
export function conventionEvidence(line: string, span: Span, hint: Hint, say: Say): void {
  const part: Part = {
    text: line.slice(span.start, span.end),
    before: line.slice(0, span.start),
    after: line.slice(span.end),
  };
  const name = hint.name.replace(/_/g, " ");
  portEvidence(part, hint, say);
  fractionEvidence(part, hint, say);
  // "prog[123]": a number in brackets behind a program is its process.
  const called = `${name} ${hint.description}`;
  programEvidence(part, called, say);
  digitsEvidence(part, hint, say);
  changeEvidence(part, called, say);
  const isProcess = /^\d+$/.test(part.text) && /[A-Za-z]\s*\[$/.test(part.before) && /^\]/.test(part.after);
  senderEvidence(part, called, say);
  fullNameEvidence(part, hint, say);
  if (isProcess && !/\b(?:pid|tid|process|thread|number|index|id)\b/.test(name)) say(-2, "a process");
  for (const convention of CONVENTIONS) {
    if (!convention.name.test(name)) continue;
    const score = convention.score(part);
    if (score !== undefined) say(score, convention.reason);
  }
  if (/\bpercent(?:age)?\b|%/i.test(`${name} ${hint.description}`)) {
    const bare = /\b(?:without|no)\b[^.;]*(?:\bsign\b|\bpercent|%)|\bnumber only\b|\bnumber alone\b/i.test(
      hint.description,
    );
    const [own, before] = bare ? [-2, 3] : [3, 2];
    say(/%$/.test(part.text) ? own : part.after.startsWith("%") ? before : -1, "a percentage");
  }
  // In a log prefix (time, host, program with colon) the second part is the host and nothing else.
  const isHost = /^(?:<\d+>)?\d?\s*(?:[A-Z][a-z]{2}\s+\d+\s+[\d:.]+|\d{4}-\d\d-\d\d[T ][\d:.,+Z-]+)\s+$/.test(
    part.before,
  );
  if (isHost && /^\s+[\w./-]+(?:\[\d+\])?:(?:\s|$)/.test(part.after)) {
    // `HOST` hides the sender; a host whose name is shown in the message is the one that is asked for.
    const hidden =
      name !== "host" &&
      /^[A-Z]{3,}$/.test(part.text) &&
      /(?<![\w.@/-])[a-z][\w-]*(?:\.[a-z][\w-]*)+(?![\w/])/.test(part.after);
    const isNamed = /\b(?:host|server|machine|node|device|router|system)/.test(name);
    say(hidden ? -6 : isNamed ? 3 : -4, "the host of the log prefix");
  }
  ipEvidence(line, part, called, hint, say);
  if (hint.kind === "address" && /\b(?:from|to|by|client|host|at)\s$/.test(part.before)) {
    say(1, "named as address");
  }
  const previous = /([A-Za-z]{3,})\s+["'`]?$/.exec(part.before)?.[1]?.toLowerCase();
  if (previous === undefined) return;
  if (/^(?:the|and|for|from|with|that|this|its|are|was|were|has|have|not|any|all|one|may)$/.test(previous))
    return;
  const own = wordsOf(`${hint.name} ${hint.description}`).map(stem);
  if (own.includes(stem(previous))) say(1.5, "behind a word of its description");
}
