// The calls of gate2_equivalence: aimed ones, and calls generated from a seed over words, shell patterns, expressions and
// lists of alternatives. The generator is not a property-testing library, whose shrinkable values took a tenth of the
// time of all gates.
import type { JsonObject, JsonValue } from "../core/json.ts";
import { aimedCalls, type EquivalenceAim, NUMBER_CALLS } from "./equivalence-aimed.ts";
import {
  BROKEN,
  CLUSTERS,
  GLOBS,
  GLUE,
  PYTHON_PIECES,
  REGEX_PIECES,
  SCRIPTS,
  WORDS,
} from "./equivalence-alphabets.ts";
import type { MatchArgs } from "./matcher-calls.ts";
import { Random } from "./random.ts";

/** Generated calls per run. A wrong branch that one call in 300 reaches is missed in about one of 800 runs. */
const EQUIVALENCE_CALLS = 2_000;
/** Generated calls for a source that passed all of them for another item of this run. */
const REPEATED_CALLS = 200;

/** The calls of one run: aimed ones, then generated ones. Deterministic for a seed. */
export function sampleCalls(aim: EquivalenceAim, seed: number): MatchArgs[] {
  const count = aim.known ? REPEATED_CALLS : EQUIVALENCE_CALLS;
  const generator = new CallGenerator(aim, new Random(seed));
  return [
    ...aimedCalls(aim),
    ...(aim.known ? [] : NUMBER_CALLS),
    ...Array.from({ length: count }, () => generator.call()),
  ].map(restrictRegex);
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const WHOLE_REGEXES = new Set([...PYTHON_PIECES, ...BROKEN]);
const TAME_REGEX = new RegExp(`^(?:${[...REGEX_PIECES, ...WORDS].map(escaped).join("|")})*$`);

/** Limits expressions and their texts to those on which all engines agree: an atom may have its own engine (differences in
 * details are warnings), and the reference runs on the host, where arbitrary expressions are not allowed. */
export function restrictRegex(args: MatchArgs): MatchArgs {
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

/** Generates random calls. */
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

  /** A concatenation of `least` to `most` pieces. */
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

/** Derives the text from the pattern or vice versa in most cases, since unrelated ones rarely match. */
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
