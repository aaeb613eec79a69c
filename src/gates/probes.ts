// Texts in which Atom A finds a record if it can find any: the examples of the page, texts that match its own patterns, its
// own words, common error lines, and the observed logs with other numbers and words.
import fc from "fast-check";
import { translate } from "../../sandbox/guest/regex-emit.ts";
import type { NormalizedConfig } from "../contract/config.ts";
import { type WorkedExample, withoutBlocks } from "../spec/index.ts";
import type { ItemSpec } from "../spec/types.ts";
import { shape } from "./completeness.ts";
import { ERROR_LOG } from "./plain-texts.ts";
import type { Observation } from "./samples.ts";
import type { Literals, PatternLiteral } from "./static/literals.ts";

export interface Probe {
  text: string;
  what: string;
  source: "page" | "code" | "common" | "log";
}

export interface ProbeAim {
  observations: readonly Observation[];
  config: NormalizedConfig | undefined;
  spec: ItemSpec | undefined;
  examples: readonly WorkedExample[];
  literals: Literals;
  seed: number;
}

const MAX_LOG_CHARS = 64 * 1024;
const STRINGS_PER_PATTERN = 3;

/** The probes, the strongest evidence first. Deterministic for a seed. */
export async function probeTexts(aim: ProbeAim): Promise<Probe[]> {
  const probes: Probe[] = [];
  const add = (source: Probe["source"], what: string, text: string): void => {
    if (text.trim() !== "") probes.push({ source, what, text });
  };
  const examples = [...workedTexts(aim.examples), ...pageExamples(aim.spec)];
  for (const example of examples) add("page", "an example of the page", `${example}\n`);
  if (examples.length > 1) add("page", "all examples of the page", `${examples.join("\n")}\n`);
  const lines = codeLines(aim.literals, aim.seed);
  const joined = joinedLiterals(aim.literals);
  for (let i = 0; i < joined.length; i += 40) {
    add("code", "the atom's own words one after another", `${joined.slice(i, i + 40).join("\n")}\n`);
  }
  add("code", "texts made of the atom's own patterns", `${lines.join("\n")}\n`);
  for (const line of lines) add("code", "a text made of one of the atom's own patterns", `${line}\n`);
  for (const line of lines)
    add("code", "indented text made of the atom's own patterns", `  ${line}  \n\n${line} 3 item/a (1)\n`);
  add("common", "common error lines", `${ERROR_LOG.join("\n")}\n`);
  for (const { log } of aim.observations.slice(0, 3)) {
    const text = log.text.slice(0, MAX_LOG_CHARS);
    add("log", "the log with other numbers", text.replace(/\b0+(?:\.0+)?\b/g, "7"));
    add(
      "log",
      "the log with some words replaced by words of the atom",
      `${withOwnWords(text, aim.literals)}\n`,
    );
    add(
      "log",
      "the log between texts made of the atom's own patterns",
      `${lines.join("\n")}\n${text}\n${lines.join("\n")}\n`,
    );
  }
  for (const pattern of [
    ...(aim.config?.requirements.pattern_items ?? []),
    ...(aim.config?.waivers.waive_items ?? []),
  ]) {
    const plain = pattern.replace(/^regex:/, "").replace(/[*?^$\\]/g, "");
    add("code", "lines with the config's words", `${plain}\nERROR: ${plain}\nERROR ${plain} violated\n`);
  }
  return probes;
}

/** Texts of the worked examples that have a record. */
function workedTexts(examples: readonly WorkedExample[]): string[] {
  return examples.filter(({ records }) => records.length > 0).map(({ text }) => text);
}

/** Code spans and blocks of sections 1 and 4.1 that look like lines of a log, with at least two words. Worked examples are
 * not included, since they also show lines that are not records. */
export function pageExamples(spec: ItemSpec | undefined): string[] {
  const sections = (["1", "4.1"] as const).map((key) => spec?.sections[key]?.text ?? "");
  const text = sections.map(withoutBlocks).join("\n");
  const examples: string[] = [];
  const fences = /^[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^[ \t]*\1/gm;
  const rest = text.replace(fences, (_, _mark: string, body: string) => {
    const indent = Math.min(
      ...body
        .split("\n")
        .filter((l) => l.trim() !== "")
        .map((l) => l.length - l.trimStart().length),
    );
    examples.push(
      body
        .split("\n")
        .map((l) => l.slice(Number.isFinite(indent) ? indent : 0))
        .join("\n")
        .trimEnd(),
    );
    return "";
  });
  for (const match of rest.matchAll(/(?<!`)(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g)) {
    const code = (match[2] ?? "").replace(/\s*\n\s*/g, " ").trim();
    if (/\S\s+\S/.test(code) && !code.startsWith("regex:")) examples.push(code);
  }
  return [...new Set(examples)].filter((e) => e.trim() !== "");
}

/** Lines that match the atom's own patterns or contain its words. */
export function codeLines(literals: Literals, seed: number): string[] {
  const lines = literals.patterns.flatMap((pattern) => stringsOf(pattern, seed));
  for (const { text } of literals.texts) {
    const [line = ""] = text.split("\n").filter((l) => l.trim() !== "");
    if (line.length < 2 || line.length > 200 || literals.patterns.some((p) => p.source === text)) continue;
    lines.push(line, `${line}: something 12 a/b`, `x ${line} y`);
  }
  return [...new Set(lines.flatMap((line) => line.split("\n")))].filter((l) => l.trim() !== "").slice(0, 200);
}

/** The words that code without patterns searches for, in the order of the source, joined in several ways. */
function joinedLiterals(literals: Literals): string[] {
  const words = [
    ...new Set(
      literals.texts.filter((t) => t.decides && /\S/.test(t.text) && t.text.length < 80).map((t) => t.text),
    ),
  ];
  const lines = new Set<string>();
  for (let from = 0; from < Math.min(words.length, 12); from++) {
    for (let to = from + 1; to <= Math.min(words.length, from + 5); to++) {
      const part = words.slice(from, to);
      for (const glue of [" ", "", " ab1 ", ": ", "=ab1 "]) {
        const line = part.join(glue);
        lines
          .add(line)
          .add(`${line} ab1 cd2/ef 34 gh5`)
          .add(`ab1 ${line} cd2`)
          .add(`${line}ab1`)
          .add(`  ${line}7 ab1: cd2`);
      }
    }
  }
  return [...lines].slice(0, 400);
}

/** The texts of recent patterns: all attempts of an item have similar patterns. */
const cache = new Map<string, string[]>();
const MAX_CACHED = 256;

/** A few texts that a pattern matches; empty if none can be generated. Deterministic for a seed. */
export function stringsOf(pattern: PatternLiteral, seed: number): string[] {
  const { source, flags, fromText } = pattern;
  const key = JSON.stringify([source, flags, fromText, seed]);
  const cached = cache.get(key);
  if (cached) return cached;
  const strings = generateStrings(pattern, seed);
  const [oldest] = cache.keys();
  if (cache.size >= MAX_CACHED && oldest !== undefined) cache.delete(oldest);
  cache.set(key, strings);
  return strings;
}

function generateStrings(pattern: PatternLiteral, seed: number): string[] {
  for (const source of sourcesOf(pattern)) {
    try {
      const flags = pattern.flags.replace(/[^is]/g, "");
      if (expansionOf(source) > MAX_EXPANSION) continue;
      // With `maxLength`, longer texts would be discarded and generated again, endlessly if all are longer.
      const arbitrary = fc.stringMatching(new RegExp(source, flags), { size: "small" });
      const samples = fc.sample(arbitrary, { numRuns: STRINGS_PER_PATTERN * 4, seed });
      const printable = samples.map((text) => text.replace(/[^\P{C}\t\n]/gu, "a"));
      // They are not verified here: an untrusted pattern must not run outside the sandbox.
      const kept = [...new Set(printable)].filter((text) => text.trim() !== "");
      if (kept.length > 0) return kept.slice(0, STRINGS_PER_PATTERN);
    } catch {
      // Not supported, such as lookarounds; the next variant of the source may be.
    }
  }
  return [];
}

/** No texts are generated for expressions that may expand to more characters, such as `(?:a{999}){999}`. */
const MAX_EXPANSION = 4_000;
/** Assumed repetitions of a quantifier without an upper bound. */
const OPEN_REPETITIONS = 12;

/** Estimated length of the longest text that is generated for an expression. */
export function expansionOf(source: string): number {
  const piece =
    /\\(?:u\{[0-9a-fA-F]+\}|k<\w+>|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<[A-Za-z_]\w*>|<?[=!]|[:\w-]*:))?|[)|]|[*+?]\??|\{(\d+)(,?)(\d*)\}\??|[\s\S]/g;
  // For each open group: its longest branch so far, the current branch, and its last item.
  const stack = [{ longest: 0, branch: 0, last: 0 }];
  for (const match of source.matchAll(piece)) {
    const [text, least, comma, most] = match;
    const top = stack.at(-1);
    if (top === undefined) return Number.POSITIVE_INFINITY;
    if (text.startsWith("(")) stack.push({ longest: 0, branch: 0, last: 0 });
    else if (text === "|") {
      top.longest = Math.max(top.longest, top.branch);
      top.branch = 0;
      top.last = 0;
    } else if (text === ")") {
      stack.pop();
      const outer = stack.at(-1);
      if (outer === undefined) return Number.POSITIVE_INFINITY;
      outer.last = Math.max(top.longest, top.branch);
      outer.branch += outer.last;
    } else if (least !== undefined || /^[*+?]/.test(text)) {
      const repetitions = repetitionsOf(text, least, comma, most);
      top.branch += top.last * (repetitions - 1);
      top.last *= repetitions;
    } else {
      top.branch += 1;
      top.last = 1;
    }
  }
  return Math.max(...stack.map(({ longest, branch }) => Math.max(longest, branch)));
}

function repetitionsOf(text: string, least?: string, comma?: string, most?: string): number {
  if (least === undefined) return text.startsWith("?") ? 1 : OPEN_REPETITIONS;
  if (comma !== ",") return Number(least);
  return most ? Number(most) : Number(least) + OPEN_REPETITIONS;
}

function* sourcesOf({ source, fromText }: PatternLiteral): Generator<string> {
  const plain = source
    .replace(/^\(\?[imsx]+\)/, "")
    .replaceAll("(?P<", "(?<")
    .replaceAll("\\Z", "$")
    .replaceAll("\\A", "^");
  yield withSimpleClasses(plain);
  yield plain;
  yield withSimpleClasses(plain.replace(/\(\?<?[=!][^()]*\)/g, ""));
  if (!fromText) return;
  try {
    yield translate(source).source;
  } catch {
    // Not a pattern.
  }
}

/** Replaces dots and negated classes by letters, so that generated texts look like logs and are not changed by trimming and
 * splitting. */
function withSimpleClasses(source: string): string {
  return source
    .replace(/\\[sS]|\\w|(?<!\\)\[\^[^\]]*\]|(?<!\\)\./g, (part) =>
      part === "\\s" ? " " : part === "\\w" ? "[a-z]" : "[a-z0-9_]",
    )
    .replace(/\\b/g, "");
}

/** Limits: lines of a log (one of each form), positions in a line, and words of the atom. */
const MAX_REPLACED = { lines: 60, places: 10, words: 12 };

/** The lines of the log with a word of the atom in place of one of theirs: a clean log has "ok" in the place of the word
 * that the atom searches for, in any language. */
function withOwnWords(text: string, literals: Literals): string {
  const sources = [
    ...literals.texts.filter((t) => t.decides).map((t) => t.text),
    ...literals.patterns.map((p) => p.source.replace(/\\./g, " ")),
  ];
  const words = [...new Set(sources.flatMap((source) => source.match(/\p{L}{2,}/gu) ?? []))];
  const forms = new Map(text.split("\n").map((line) => [shape(line), line]));
  const out: string[] = [];
  for (const line of [...forms.values()].slice(0, MAX_REPLACED.lines)) {
    for (const place of [...line.matchAll(/\p{L}+|\d+/gu)].slice(0, MAX_REPLACED.places)) {
      for (const word of words.slice(0, MAX_REPLACED.words)) {
        out.push(line.slice(0, place.index) + word + line.slice(place.index + place[0].length));
      }
    }
  }
  return out.join("\n");
}
