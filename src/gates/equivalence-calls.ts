// The calls that gate2_equivalence makes: generated ones from a seed, over words, shell patterns, regexes and lists
// of alternatives, and ones aimed at what the atom's source knows and at the item's words. Written out by hand: a
// library's arbitraries, made to be shrunk, took a tenth of all the time of the gates.
import type { JsonObject, JsonValue } from "../core/json.ts";
import type { MatchArgs } from "./matcher-calls.ts";
import { Random } from "./random.ts";
import type { Literals } from "./static/literals.ts";

/** Calls per run; enough that a wrong branch that one call in 300 reaches is missed once in ten thousand runs. */
const EQUIVALENCE_CALLS = 2_000;
/** Generated calls when the same source passed all of them in this run: those that differ are the item's words. */
const REPEATED_CALLS = 200;
/** Texts as long as a number in the source are tried up to this length. */
const MAX_NUMBER = 20_000;

const WORDS = [
  "a",
  "b",
  "ab",
  "abc",
  "B",
  "A1",
  "x_y",
  "v2.1",
  "é",
  "ß",
  "İ",
  "日本",
  "😀",
  "0",
  "12",
  "2025",
];
const GLUE = [
  "",
  " ",
  "  ",
  "\t",
  "\n",
  "-",
  ".",
  ":",
  "/",
  "[",
  "]",
  "!",
  "*",
  "?",
  "|",
  "\\",
  "regex:",
  "^",
  "$",
  "(",
];
const GLOBS = [
  "*",
  "?",
  "[ab]",
  "[!ab]",
  "[a-c]",
  "[",
  "]",
  "[]",
  "[!]",
  "[]a]",
  "**",
  "[z-a]",
  "[0-9]",
  "[!0-9]*",
];
/** Pieces of patterns that mean the same in every dialect. */
const REGEX_PIECES = [
  "a",
  "b",
  ".",
  "a*",
  "b+",
  "[ab]",
  "[^a]",
  "(a)",
  "(?:ab)",
  "^",
  "$",
  "\\d",
  "\\w",
  "\\s",
  "\\.",
  "x?",
  "a{2}",
  "\\b",
];
/** Python's spelling, as configs of the field are written in it. */
const PYTHON_PIECES = ["(?i)A", "(?i)ABC", "(?P<n>a)b", "(?s)a.b", "(?i)x_Y"];
const BROKEN = ["[", "(", "*", "a)", "(?P<n", "[z-a]", "a{2,1}", "+", "(?:"];
/** Characters of many scripts: first and last of each range. */
const SCRIPTS: readonly (readonly [number, number])[] = [
  [0x20, 0x7e],
  [0x20, 0x7e],
  [0xa1, 0x24f],
  [0x370, 0x3ff],
  [0x400, 0x4ff],
  [0x5d0, 0x5ea],
  [0x620, 0x64a],
  [0x904, 0x939],
  [0x3041, 0x30ff],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0x1f300, 0x1f64f],
];
/** What a reader takes for one character and JavaScript does not. */
const CLUSTERS = ["e\u0301", "a\u030a", "👩‍👩‍👧", "🇩🇪", "👍🏽", "न्त", "\u1112\u1161\u11ab"];

/** What the generated calls are aimed at beside the general alphabets. */
export interface EquivalenceAim {
  literals: Literals;
  /** Values and words of the item: config patterns, observed values, words of the page. */
  itemWords: string[];
  /** The same source passed all calls in this run: those made only of its own literals would be the same
   * again, so only those are made that hold words of the item. */
  known: boolean;
}

/** The calls of one run: those aimed at the atom's literals, then generated ones. The same for the same seed. */
export function sampleCalls(aim: EquivalenceAim, seed: number): MatchArgs[] {
  const count = aim.known ? REPEATED_CALLS : EQUIVALENCE_CALLS;
  const generator = new CallGenerator(aim, new Random(seed));
  return [
    ...aimedCalls(aim),
    ...(aim.known ? [] : NUMBER_CALLS),
    ...Array.from({ length: count }, () => generator.call()),
  ].map(tame);
}

/** Texts that are equal as numbers and differ as texts: what is exact is exact as text. */
const SAME_NUMBERS = [
  "1",
  "1.0",
  "01",
  "+1",
  " 1",
  "1 ",
  "1e0",
  "0x1",
  "1.00",
  "-0",
  "0",
  "0.0",
  "1000",
  "1e3",
  "Infinity",
  "NaN",
];
const NUMBER_CALLS: MatchArgs[] = SAME_NUMBERS.flatMap((text) =>
  SAME_NUMBERS.flatMap((pattern) =>
    ["exact", "contains"].map((defaultMatch) => ({ text, pattern, fields: null, defaultMatch })),
  ),
);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const WHOLE_REGEXES = new Set([...PYTHON_PIECES, ...BROKEN]);
const TAME_REGEX = new RegExp(`^(?:${[...REGEX_PIECES, ...WORDS].map(escaped).join("|")})*$`);

/** Keeps the regex branch to patterns and texts on which every engine must agree: an atom may have its own engine
 * (fine points are warnings), and the reference runs on the host, where no unvetted pattern may run. */
export function tame(args: MatchArgs): MatchArgs {
  const { pattern } = args;
  if (pattern.includes("|") || !pattern.startsWith("regex:")) return args;
  const source = pattern.slice("regex:".length);
  const known = WHOLE_REGEXES.has(source) || TAME_REGEX.test(source);
  const text = args.text
    .replace(/[^\x20-\x7e\t\n]/g, "e")
    .slice(0, 20_000)
    .replace(/\n+$/, "");
  return { ...args, text, pattern: known ? pattern.replace(/[^\x20-\x7e]/g, "e") : "regex:a.c" };
}

function words(aim: EquivalenceAim): string[] {
  const own = aim.literals.texts.map((t) => t.text).filter((t) => t.length < 200);
  return [...new Set([...WORDS, ...own, ...aim.itemWords.slice(0, 60)])];
}

const DEFAULTS = ["contains", "contains", "exact", "exact", "EXACT", "", "other"];
const MODES = ["search", "search", "match", "match", "fullmatch", "", "MATCH"];
const SEGMENTS = ["", " ", "  ", "regex:^a"];
const FIELD_VALUES: readonly JsonValue[] = ["", "PASS", 0, 1, true, false, null];
const MARKS = [...GLUE, ...WORDS];

/** One random call after the other. */
class CallGenerator {
  private readonly random: Random;
  private readonly words: readonly string[];
  private readonly keys: readonly string[];

  constructor(aim: EquivalenceAim, random: Random) {
    this.random = random;
    this.words = words(aim);
    const own = aim.literals.properties.filter((p) => p.length < 40);
    this.keys = [...own, "status", "value", "severity", "waived"];
  }

  call(): MatchArgs {
    const { random } = this;
    const { text, pattern } = relate(this.text(), this.pattern(), random.int(10));
    const fields = this.fields();
    const cut = random.int(10);
    if (fields === undefined || cut === 0) return { text, pattern };
    if (cut === 1) return { text, pattern, fields };
    const defaultMatch = random.pick(DEFAULTS);
    if (cut === 2) return { text, pattern, fields, defaultMatch };
    return { text, pattern, fields, defaultMatch, regexMode: random.pick(MODES) };
  }

  private word(): string {
    return this.random.pick(this.random.int(4) < 3 ? WORDS : this.words);
  }

  /** `least` to `most` pieces in a row. */
  private mix(piece: () => string, least: number, most: number): string {
    let out = "";
    for (let n = least + this.random.int(most - least + 1); n > 0; n--) out += piece();
    return out;
  }

  private text(): string {
    const { random } = this;
    switch (random.int(6)) {
      case 0:
        return this.mix(() => this.character(), 0, 12);
      case 1:
        return "ab ".repeat(random.int(601));
      default:
        return this.mix(() => (random.int(3) < 2 ? this.word() : random.pick(GLUE)), 0, 5);
    }
  }

  private character(): string {
    const { random } = this;
    if (random.int(12) === 0) return random.pick(CLUSTERS);
    const [first, last] = random.pick(SCRIPTS);
    return String.fromCodePoint(first + random.int(last - first + 1));
  }

  private glob(): string {
    return this.mix(() => (this.random.int(2) === 0 ? this.word() : this.random.pick(GLOBS)), 1, 4);
  }

  private regex(): string {
    const { random } = this;
    const kind = random.int(7);
    if (kind === 5) return random.pick(PYTHON_PIECES);
    return kind === 6 ? random.pick(BROKEN) : this.mix(() => random.pick(REGEX_PIECES), 0, 4);
  }

  private segment(): string {
    const kind = this.random.int(3);
    if (kind === 0) return this.word();
    return kind === 1 ? this.glob() : this.random.pick(SEGMENTS);
  }

  private pattern(): string {
    const { random } = this;
    const kind = random.int(13);
    if (kind < 3) return this.mix(() => this.word(), 0, 3);
    if (kind < 6) return this.glob();
    if (kind < 9) return `regex:${this.regex().replaceAll("|", "")}`;
    if (kind === 12) return this.mix(() => random.pick(MARKS), 0, 6);
    return Array.from({ length: 2 + random.int(3) }, () => this.segment()).join("|");
  }

  private fields(): JsonObject | null | undefined {
    const { random } = this;
    const kind = random.int(5);
    if (kind < 2) return null;
    if (kind === 2) return undefined;
    const entries = Array.from({ length: random.int(5) }, (): [string, JsonValue] => [
      random.pick(this.keys),
      random.int(2) === 0 ? random.pick(FIELD_VALUES) : random.pick(this.words),
    ]);
    return Object.fromEntries(entries);
  }
}

/** Random texts and patterns seldom match; often one is made from the other. */
function relate(text: string, pattern: string, how: number): { text: string; pattern: string } {
  switch (how) {
    case 0:
      return { text: pattern, pattern };
    case 1:
      return { text: pattern.startsWith("regex:") ? pattern.slice(6) : pattern, pattern };
    case 2:
      return { text: `${text}${pattern.split("|")[0] ?? ""}`, pattern };
    case 3:
      return { text, pattern: text };
    case 4:
      return { text, pattern: text.slice(0, Math.ceil(text.length / 2)) };
    case 5:
      return { text, pattern: `${text.slice(1)}*` };
    case 6:
      return { text: pattern.replaceAll("*", "\n").replaceAll("?", "x"), pattern };
    default:
      return { text, pattern };
  }
}

/** Every literal of the atom and every word of the item as text and as pattern, and lengths around its numbers. */
function aimedCalls(aim: EquivalenceAim): MatchArgs[] {
  const literal = new Set(aim.literals.texts.map((t) => t.text));
  const own = [...new Set([...literal, ...aim.itemWords])].filter((t) => t.length < 400).slice(0, 120);
  const fields: JsonObject = Object.fromEntries(
    aim.literals.properties.slice(0, 40).map((p) => [p, "waived"]),
  );
  const truths: JsonObject = Object.fromEntries(aim.literals.properties.slice(0, 40).map((p) => [p, true]));
  const calls: MatchArgs[] = [];
  for (const text of aim.known ? own.filter((t) => !literal.has(t)) : own) {
    calls.push({ text, pattern: text }, { text, pattern: "zzz" }, { text: "zzz", pattern: text });
    calls.push({ text: `x${text}x`, pattern: text }, { text: "abc", pattern: `${text}|zz` });
    calls.push({ text: text.toUpperCase(), pattern: text.toLowerCase() });
    calls.push(
      { text, pattern: "abc", fields: truths },
      { text: "abc", pattern: "abc", fields: { value: text, status: text } },
    );
  }
  if (aim.known) return calls;
  for (const pattern of ["abc", "z", "regex:z", "z*", "z|y", "a|b", "regex:a", "a*"]) {
    calls.push({ text: "abc", pattern, fields }, { text: "abc", pattern, fields: truths });
  }
  for (const pattern of ["abc", "a*c", "regex:^abc$", "zz|abc", "a?c"]) {
    const named = Object.fromEntries(aim.literals.properties.slice(0, 60).map((p) => [p, "abc"]));
    calls.push(
      { text: "zzz", pattern, fields: named },
      { text: "zzz", pattern, fields: { value: "abc", name: "abc", text: "abc" } },
    );
    calls.push({
      text: "zzz",
      pattern,
      fields: { ...named, list: ["abc"] },
      defaultMatch: "exact",
      regexMode: "match",
    });
  }
  for (const number of aim.literals.numbers) {
    if (!Number.isInteger(number) || number < 2 || number > MAX_NUMBER) continue;
    for (const length of [number - 1, number, number + 1, number + 2]) {
      const long = "a".repeat(length);
      calls.push(
        { text: `${long}z`, pattern: "z" },
        { text: long, pattern: "a" },
        { text: "abc", pattern: `${long}*` },
      );
      calls.push(
        { text: long, pattern: long, fields: null, defaultMatch: "exact" },
        { text: long, pattern: `b|${long}` },
      );
      calls.push(
        { text: long, pattern: `regex:${long}` },
        { text: `${long}z`, pattern: "regex:z" },
        { text: `${long}z`, pattern: "*z" },
      );
    }
  }
  const long = "ab".repeat(3_000);
  calls.push(
    { text: `${long}z`, pattern: "z" },
    { text: `${long}z`, pattern: "*z" },
    { text: `${long}z`, pattern: "regex:z$" },
  );
  calls.push({ text: "abc", pattern: `${"x|".repeat(300)}abc` }, { text: `${long}z`, pattern: `q|${long}z` });
  return calls;
}
