// Words and names: how a field name of the page is compared with words of the page and of the logs, and what
// kind of text its name suggests. General English and log vocabulary only.

import { escapeRegex } from "../escape.ts";

/** What a field's name or description suggests about its text. Always a soft hint: the log decides. */
export type TextKind =
  | "number"
  | "address"
  | "path"
  | "time"
  | "text"
  | "word"
  | "letter"
  | "version"
  | "hex";

const KIND_WORDS: Record<TextKind, string> = {
  number:
    "x y z line column col row count counter number num pid port limit size bytes code exit slack delay area power fanout duration seconds ms percentage percent util usage used available total free fixed value index rank priority rate latency elapsed length width height weight errors warnings violations load tid thread age amount capacity frequency offset hits",
  address: "ip ipv4 ipv6 address host rhost client remote source src dst destination peer server",
  path: "file path filename report directory folder library script executable binary netlist mountpoint mount",
  time: "time timestamp date when day start end started finished",
  text: "message msg text description reason title detail details summary comment explanation statement sentence",
  word: "user username account login status state type kind category facility daemon service process program unit rule check name pin net cell instance module package device interface class protocol method action action realm group zone session key label tag design job step stage component vendor product event",
  letter: "severity letter",
  version: "version release revision build",
  hex: "handle hex checksum hash digest sha md5 commit",
};

const KIND_BY_WORD = new Map<string, TextKind>();
for (const [kind, words] of Object.entries(KIND_WORDS) as [TextKind, string][]) {
  for (const word of words.split(" ")) if (!KIND_BY_WORD.has(word)) KIND_BY_WORD.set(word, kind);
}

/** Splits into lower-case words: `formFactor`, `form_factor` and `Form Factor` are the same two words. */
export function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** A rough stem, so that plural, past and gerund forms meet. */
export function stem(word: string): string {
  if (word.length <= 3) return word;
  // "Notes are not wanted": they are no negation.
  if (/^note[sd]?$/.test(word)) return "note";
  return spelled(word)
    .replace(/(ies)$/, "y")
    .replace(/(sses)$/, "ss")
    .replace(/(ations?|itions?)$/, "at")
    .replace(/(ings?|edly|ed|ers?|ures?|es|s|e)$/, "")
    .replace(/(.)\1$/, "$1")
    .replace(/(?<=[a-z]{3})y$/, "i");
}

/** "neighbour" and "neighbor", "utilisation" and "utilization": one spelling. */
function spelled(word: string): string {
  return word
    .replace(/(?<=[a-z]{2})our(?=s?$|ed|ing|hood|ite|able)/, "or")
    .replace(/(?<=[a-z]{3})is(?=ations?$)/, "iz")
    .replace(/(?<=[a-z]{3})yse(?=[ds]?$)/, "yze");
}

export function stemsOf(text: string): Set<string> {
  return new Set(wordsOf(text).map(stem));
}

/** The name of a field as it will stand in `parsed_fields`. */
export function fieldName(text: string): string {
  // "the client's address" stands behind the client's key as well; "the query's id" does not.
  const name = wordsOf(text.replace(/(?<=[a-z])['’]s(?= (?:address|name|number)\b)/g, "")).join("_");
  return /^\d/.test(name) ? `n_${name}` : name;
}

/** Likeness of two names, 0 to 1: equal words count most, an abbreviation or a shared stem counts too. */
export function similarity(a: string, b: string): number {
  const key = `${a}\u0000${b}`;
  const known = similarities.get(key);
  if (known !== undefined) return known;
  const result = compare(a, b);
  if (similarities.size > 20_000) similarities.clear();
  similarities.set(key, result);
  return result;
}

/** The same few names are compared again and again. */
const similarities = new Map<string, number>();

function compare(a: string, b: string): number {
  const left = wordsOf(numbered(a));
  const right = wordsOf(numbered(b));
  if (left.length === 0 || right.length === 0) return 0;
  const same = sameWords(left, right);
  if (same > 0) return same;
  if (left.length + right.length === 3 && (initials(left, right) || initials(right, left))) return 0.85;
  // "gid" is some id.
  const [one = "", two = ""] = left.length === 1 ? [left[0], right.at(-1)] : [right[0], left.at(-1)];
  if (/^[a-z]id$/.test(one) && two === "id" && left.length + right.length === 3) return 0.6;
  let shared = 0;
  const open = [...right];
  for (const word of left) {
    const at = open.findIndex((other) => sameWord(word, other));
    if (at < 0) continue;
    shared += 1;
    open.splice(at, 1);
  }
  if (shared === 0) {
    if (clipped(left, right) || clipped(right, left)) return 0.75;
    if (initials(left, right) || initials(right, left)) return 0.8;
    if (shortened(left.join(""), right.join("")) || shortened(right.join(""), left.join(""))) return 0.7;
    const [x, y] = [left.join(""), right.join("")];
    const [short, long] = x.length < y.length ? [x, y] : [y, x];
    return short.length >= 3 && long.startsWith(short) ? 0.6 : 0;
  }
  // The last word of a name is its head ("event name", "product version"): sharing it counts more.
  const head = sameWord(left.at(-1) ?? "", right.at(-1) ?? "") ? 0.1 : 0;
  return Math.min(0.95, (2 * shared) / (left.length + right.length) - 0.05 + head);
}

/** Short forms that every log has for the same words. */
const USUAL: Readonly<Record<string, string>> = {
  acct: "account",
  addr: "address",
  cmd: "command",
  comm: "command",
  cnt: "count",
  desc: "description",
  dev: "device",
  dst: "destination",
  err: "error",
  fname: "file name",
  iface: "interface",
  msg: "message",
  proto: "protocol",
  src: "source",
  svc: "service",
  ts: "timestamp",
  usr: "user",
};

function sameWords(left: readonly string[], right: readonly string[]): number {
  if (left.join("") === right.join("")) return 1;
  return isUsual(left, right) || isUsual(right, left) ? 0.92 : 0;
}

function isUsual(short: readonly string[], long: readonly string[]): boolean {
  return short.length === 1 && USUAL[short[0] ?? ""] === long.join(" ");
}

/** "Session#" and "session_no" are the session's number. */
function numbered(name: string): string {
  return name.replace(/(?<=\w)\s?#$/, " number").replace(/(?<=[a-z][_ ])(?:no|nr|num)\.?$/i, "number");
}

/** "bndl" for "bundled", "cnt" for "count": the consonants of a word, or the first ones of them. */
function shortened(short: string, long: string): boolean {
  if (short.length < 3 || short.length >= long.length || short.charAt(0) !== long.charAt(0)) return false;
  if (/[aeiou]/.test(short.slice(1))) return false;
  const hard = long.replace(/(?!^)[aeiou]/g, "");
  // "ltr" for "letter".
  if (hard.startsWith(short) || hard.replace(/(.)\1/g, "$1").startsWith(short)) return true;
  // "pkts" for "packets", "dpt" for "dport": some of its consonants, the first and the last letter among them.
  if (short.length < 4 && long.length - short.length > 2) return false;
  if (long.length - short.length > 3 || short.at(-1) !== long.at(-1)) return false;
  let at = 0;
  for (const char of long) if (char === short.charAt(at)) at += 1;
  return at === short.length;
}

/** "taxid" for "taxonomy id", "numvlan" for "number of vlans": a word made of the beginnings of the others. */
function clipped(short: readonly string[], long: readonly string[]): boolean {
  const [word] = short;
  if (short.length !== 1 || word === undefined || long.length < 2 || word.length < 4) return false;
  const rest = (from: number, at: number): boolean => {
    const next = long[at];
    if (next === undefined) return from === word.length;
    for (let size = Math.min(next.length, word.length - from); size >= 2; size -= 1)
      if (next.startsWith(word.slice(from, from + size)) && rest(from + size, at + 1)) return true;
    return false;
  };
  return rest(0, 0);
}

/** Is a single short word made of the first letters of the other words ("dm", "device mapper name")? */
function initials(short: readonly string[], long: readonly string[]): boolean {
  const [word] = short;
  if (short.length !== 1 || word === undefined || word.length < 2) return false;
  // "uid" for "user id".
  const tail = long.at(-1) ?? "";
  if (long.length === 2 && tail.length <= 2 && word === `${long[0]?.charAt(0) ?? ""}${tail}`) return true;
  if (long.length < word.length) return false;
  return long
    .map((one) => one.charAt(0))
    .join("")
    .startsWith(word);
}

/** Likeness of a described name and a name found in a log: the description may give the very words, as in
 * "`slack` (Critical Path Slack)" or "the mount point (column Mounted on)". */
export function likeness(hint: { name: string; description: string }, found: string): number {
  // A unit behind a heading ("Worst(mV)") is no part of its name.
  const plain = found.replace(/\s*(?:\([^()]*\)|\[[^[\]]*\])\s*$/, "");
  const direct = Math.max(similarity(hint.name, found), plain === "" ? 0 : similarity(hint.name, plain));
  // "the From column"
  if (/^[A-Z]/.test(found) && hint.description.includes(`the ${found} column`)) return 1;
  const phrase = wordsOf(found).join(" ");
  if (phrase.length < 2 || /^(?:in|on|of|at|to|by|is|as|or|and|the|for|out|from|with|all)$/.test(phrase))
    return direct;
  const text = ` ${wordsOf(hint.description.replace(/\b(?:not|without|unlike)\b[^,;)]*/gi, " ")).join(" ")} `;
  if (!text.includes(` ${phrase} `)) return direct;
  const named = new RegExp(
    `\\b(?:column|key|field|cell|named|called|labelled|label|from)\\s+[\`"']?${escapeWords(found)}(?![\\w-])`,
    "i",
  );
  if (
    named.test(hint.description) ||
    new RegExp(`^\\(?(?:the )?[\`"']?${escapeWords(found)}[\`"']?[).,]*$`, "i").test(hint.description)
  ) {
    return 1;
  }
  return Math.max(direct, hint.description.includes(found) && /[A-Z%#]/.test(found) ? 0.9 : 0.6);
}

/** Pairs the names of a list with the hints they mean, each hint once, the likeliest pairs first. */
export function matchNames<T extends { name: string; description: string }>(
  names: readonly string[],
  hints: readonly T[],
): (T | undefined)[] {
  return pairUp(names, hints, (name, hint) => likeness(hint, name));
}

/** The best pairs of all things with hints, each hint once, by how much a thing is like a hint (0 to 1). */
export function pairUp<N, T>(
  things: readonly N[],
  hints: readonly T[],
  likeOf: (thing: N, hint: T) => number,
): (T | undefined)[] {
  // The best pairs together, not one by one: "ratio" must leave "required ratio" to the hint `required`.
  let states: { result: (T | undefined)[]; score: number }[] = [{ result: [], score: 0 }];
  for (const thing of things) {
    const likes = hints
      .map((hint) => ({ hint, like: likeOf(thing, hint) }))
      .filter(({ like }) => like >= 0.5);
    states = states
      .flatMap(({ result, score }) => [
        { result: [...result, undefined], score },
        ...likes
          .filter(({ hint }) => !result.includes(hint))
          .map(({ hint, like }) => ({ result: [...result, hint], score: score + like * like })),
      ])
      .sort((x, y) => y.score - x.score)
      .slice(0, 48);
  }
  return states[0]?.result ?? things.map(() => undefined);
}

function escapeWords(text: string): string {
  return escapeRegex(text.trim());
}

function sameWord(a: string, b: string): boolean {
  if (a === b || stem(a) === stem(b)) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= 3 && long.startsWith(short)) return true;
  if (short.length === 2 && long === `${short}s`) return true;
  if (short.length >= 4 && long.length <= short.length + 4 && long.endsWith(short)) return true;
  // "footpt" for footprint: letters left out.
  if (short.length >= 5 && long.startsWith(short.slice(0, 3)) && isSubsequence(short, long)) return true;
  if (short.length >= 3 && short === consonantsOf(long)) return true;
  return SYNONYMS.some((group) => group.includes(a) && group.includes(b));
}

/** "ltr" for letter, "pkt" for packet: a word without its vowels, no letter twice. */
function consonantsOf(word: string): string {
  return (word.charAt(0) + word.slice(1).replace(/[aeiouc](?=k)|[aeiou]/g, "")).replace(/(.)\1/g, "$1");
}

function isSubsequence(short: string, long: string): boolean {
  let at = 0;
  for (const char of long) if (char === short.charAt(at)) at += 1;
  return at === short.length;
}

const SYNONYMS = [
  ["column", "col"],
  ["message", "msg"],
  ["address", "addr"],
  ["number", "num", "no", "nr"],
  ["percentage", "percent", "pct"],
  ["identifier", "id"],
  ["source", "src"],
  ["destination", "dest", "dst"],
  ["utilization", "utilisation", "util"],
  ["process", "proc"],
  ["process", "pid"],
  ["priority", "prio"],
  ["directory", "dir"],
  ["filename", "file"],
  ["command", "cmd"],
  ["temperature", "temp"],
  ["maximum", "max"],
  ["minimum", "min"],
  ["milliseconds", "ms"],
  ["timestamp", "time"],
  ["severity", "level"],
  ["username", "user"],
  ["recipient", "to"],
  ["sender", "from"],
];

/** What the words of a name or description suggest; the head word of the name decides first. */
export function kindOf(name: string, description = ""): TextKind | undefined {
  for (const [words, kind] of EXPLICIT) if (words.test(description)) return kind;
  const words = wordsOf(name).reverse();
  if (words[0] === "line" && words[1] === "command") return "text";
  // An identifier may be any text: "message id" is no message.
  if (words.length > 1 && /^(?:id|identifier)s?$/.test(words[0] ?? "")) return undefined;
  if (/^(?:gu|uu)id$/.test(words[0] ?? "")) return undefined;
  // "end point" is no end, and "reply code" may be any code.
  if (/^(?:end|start|begin)point$/.test(words.slice(0, 2).reverse().join(""))) return undefined;
  if (/^(?:status|state|result)$/.test(words[0] ?? "") && /\bcodes?\b/i.test(description)) return undefined;
  // "The second column" says where, and not what.
  const isPlace =
    /^(?:first|second|third|fourth|fifth|sixth|seventh|last) (?:column|cell|word|part|text|field)$/.test(
      words.slice().reverse().join(" "),
    );
  for (const word of isPlace ? [] : words) {
    const kind = KIND_BY_WORD.get(word) ?? KIND_BY_WORD.get(stem(word));
    if (kind !== undefined) return kind;
  }
  // "the list after the count" is a list: what stands beside the part says nothing about its kind.
  // Nor does a remark behind a semicolon.
  for (const word of wordsOf(
    description
      .replace(/\b(?:end|start|begin) ?points?\b(?! \()/gi, " ")
      .replace(/\b(?:rest|remainder|end|start|beginning) of (?:the|its|that|this) (?:line|row)\b/gi, " ")
      .replace(/(?:\b(?:after|before|behind|following)\s+the\b|\bwithout\b|;).*$/is, " "),
  )) {
    const kind = KIND_BY_WORD.get(word);
    if (kind !== undefined) return kind;
  }
  return undefined;
}

/** Words of a description that name the kind outright. */
const EXPLICIT: [RegExp, TextKind][] = [
  [/\b(?:whole|full|entire|complete) (?:description|text|sentence|message|explanation|remark)\b/i, "text"],
  [/\b(?:host|address|ip)(?: name)? (?:and|with|plus) (?:its |the |an? )?port\b/i, "address"],
  [
    /\b(?:first|second|last|next|whole|entire) lines? of (?:code|text|the (?:text|code|source|message))\b/i,
    "text",
  ],
  [/^\(?the number\)?[.,]?$/i, "number"],
  [/\b(?:weekday|month|day|date),? (?:\w+,? )*?(?:and )?time\b/i, "time"],
  [
    /\bfrom (?:the )?(?:weekday|month|day|date|year) (?:up )?to (?:the )?(?:minutes?|seconds?|hours?|time)\b/i,
    "time",
  ],
  [
    /^\W*(?:the |its |all )?text (?:after|behind|following|that follows)\b(?!.*\b(?:brackets?|parenthes|quotes))/i,
    "text",
  ],
  [/\b(?:digits?|integer|numeric|decimal number)\b/i, "number"],
  [/\bhex(?:adecimal)?\b|\bsha\d*\b|\bmd5\b/i, "hex"],
  [/\b(?:one|single|capital|severity) letter\b/i, "letter"],
];

const NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** "four" and "4" as 4; undefined for other words. */
export function numberWord(word: string): number | undefined {
  if (/^\d{1,3}$/.test(word)) return Number(word);
  const at = NUMBER_WORDS.indexOf(word.toLowerCase());
  return at < 0 ? undefined : at;
}
