// gate2_equivalence: Atom B gives the reference's answer on thousands of generated calls, fresh ones each run from
// a printed seed. Proves that no lookup table, no special word and no rare branch survives that these alphabets
// and the atom's own literals reach. Cannot prove equality on every text; measured rates stand in docs/gates.md.
// Built against: tables of the known vectors, special cases for one item's words, lengths or fields, `fnmatch`
// without `[seq]`, dots that miss newlines, case folding, split without trim, match taken for full match.
import fc from "fast-check";
import type { AtomSession } from "../../sandbox/types.ts";
import type { JsonObject } from "../core/json.ts";
import type { Findings } from "./findings.ts";
import { expectedFor } from "./gate2-vectors.ts";
import { askMatcher, difference, type MatchAnswer, type MatchArgs, showMatchCall } from "./matcher-calls.ts";
import type { Literals } from "./static/literals.ts";

/** Calls per run; enough that a wrong branch that one call in 300 reaches is missed once in ten thousand runs. */
export const EQUIVALENCE_CALLS = 2_000;
/** Generated calls when the same source passed all of them in this run: those that differ are the item's words. */
export const REPEATED_CALLS = 200;
const BATCH = 1_000;
const MAX_SHRINK_CALLS = 60;
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
/** Where an own engine may differ from Python without harm to this set: shown, not refused. */
const FINE_POINTS: MatchArgs[] = [
  { text: "abc\n", pattern: "regex:c$" },
  { text: "x\u0663", pattern: "regex:\\d" },
  { text: "é", pattern: "regex:^\\w$" },
  { text: "abc", pattern: "regex:c\\Z" },
  { text: "aa", pattern: "regex:^a{,2}$" },
  { text: "😀", pattern: "regex:^.$" },
];

/** What the generated calls are aimed at beside the general alphabets. */
export interface EquivalenceAim {
  literals: Literals;
  /** Values and words of the item: config patterns, observed values, words of the page. */
  itemWords: string[];
  /** The same source passed all calls in this run: those that are made of its own literals alone would be the same
   * again, so only those are made that hold words of the item. */
  known: boolean;
}

/** Runs the gate. Returns false when the atom hangs. */
export async function runEquivalenceGate(
  session: AtomSession,
  aim: EquivalenceAim,
  seed: number,
  findings: Findings,
): Promise<boolean> {
  const calls = sampleCalls(aim, seed, aim.known ? REPEATED_CALLS : EQUIVALENCE_CALLS);
  let reported = 0;
  for (let start = 0; start < calls.length; start += BATCH) {
    const part = calls.slice(start, start + BATCH);
    const answers = await askMatcher(session, part);
    if (answers.some((answer) => !answer.ok && answer.fatal)) {
      const at = answers.findIndex((answer) => !answer.ok && answer.fatal);
      report(part[at] as MatchArgs, answers[at] as MatchAnswer, seed, findings);
      findings.ran("gate2_equivalence");
      return false;
    }
    for (const [i, args] of part.entries()) {
      const answer = answers[i];
      if (!answer || difference(answer, expectedFor(args)) === undefined) continue;
      const smallest = await shrink(session, args);
      report(smallest.args, smallest.answer ?? answer, seed, findings);
      reported += 1;
      if (reported >= 3) break;
    }
    if (reported >= 3) break;
  }
  findings.ran("gate2_equivalence");
  if (reported === 0 && !aim.known) await finePoints(session, findings);
  return true;
}

/** The calls of one run: those aimed at the atom's literals, then generated ones. */
export function sampleCalls(aim: EquivalenceAim, seed: number, count = EQUIVALENCE_CALLS): MatchArgs[] {
  const generated = fc.sample(callArbitrary(aim), { numRuns: count, seed });
  return [...aimedCalls(aim), ...generated].map(tame);
}

async function finePoints(session: AtomSession, findings: Findings): Promise<void> {
  const answers = await askMatcher(session, FINE_POINTS);
  FINE_POINTS.forEach((args, i) => {
    const answer = answers[i];
    const wrong = answer && difference(answer, expectedFor(args));
    if (wrong === undefined) return;
    const message = `Patterns are written in Python's dialect; use the module \`re\`. \`${showMatchCall(args)}\` ${wrong}.`;
    findings.warn("gate2_equivalence", "atom_b", "dialect", message, { example: showMatchCall(args) });
  });
}

function report(args: MatchArgs, answer: MatchAnswer, seed: number, findings: Findings): void {
  const wrong = difference(answer, expectedFor(args)) ?? "gave another answer when it was called again";
  const branch = answer.ok ? "differs_from_rules" : answer.code;
  const message = `Atom B must follow the four rules for every input. \`${showMatchCall(args)}\` ${wrong}. (Seed ${seed}.)`;
  findings.error("gate2_equivalence", "atom_b", branch, message, {
    example: showMatchCall(args),
    ...(answer.ok || answer.line === undefined ? {} : { line: answer.line }),
  });
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const WHOLE_REGEXES = new Set([...PYTHON_PIECES, ...BROKEN]);
const TAME_REGEX = new RegExp(`^(?:${[...REGEX_PIECES, ...WORDS].map(escaped).join("|")})*$`);

/** Keeps the regex branch to patterns and texts on which every engine must agree: an atom may have one of its own
 * (fine points are warnings), and the reference runs on the host, where no unvetted pattern may run. */
function tame(args: MatchArgs): MatchArgs {
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

function fieldsArbitrary(aim: EquivalenceAim): fc.Arbitrary<JsonObject | null | undefined> {
  const keys = [
    ...aim.literals.properties.filter((p) => p.length < 40),
    "status",
    "value",
    "severity",
    "waived",
  ];
  const values = fc.oneof(
    fc.constantFrom<string | number | boolean | null>("", "PASS", 0, 1, true, false, null),
    fc.constantFrom(...words(aim)),
  );
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constant(undefined) },
    {
      weight: 2,
      arbitrary: fc.dictionary(fc.constantFrom(...keys), values, { maxKeys: 4 }) as fc.Arbitrary<JsonObject>,
    },
  );
}

function words(aim: EquivalenceAim): string[] {
  const own = aim.literals.texts.map((t) => t.text).filter((t) => t.length < 200);
  return [...new Set([...WORDS, ...own, ...aim.itemWords.slice(0, 60)])];
}

function callArbitrary(aim: EquivalenceAim): fc.Arbitrary<MatchArgs> {
  const word = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...WORDS) }, fc.constantFrom(...words(aim)));
  const text = fc.oneof(
    { weight: 4, arbitrary: mix(fc.oneof(word, word, fc.constantFrom(...GLUE)), 0, 5) },
    { weight: 1, arbitrary: fc.string({ maxLength: 12, unit: "grapheme" }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 600 }).map((n) => "ab ".repeat(n)) },
  );
  const glob = mix(fc.oneof(word, fc.constantFrom(...GLOBS)), 1, 4);
  const regex = fc.oneof(
    { weight: 5, arbitrary: mix(fc.constantFrom(...REGEX_PIECES), 0, 4) },
    { weight: 1, arbitrary: fc.constantFrom(...PYTHON_PIECES) },
    { weight: 1, arbitrary: fc.constantFrom(...BROKEN) },
  );
  const pattern = fc.oneof(
    { weight: 3, arbitrary: mix(word, 0, 3) },
    { weight: 3, arbitrary: glob },
    { weight: 3, arbitrary: regex.map((r) => `regex:${r.replaceAll("|", "")}`) },
    {
      weight: 3,
      arbitrary: fc
        .array(fc.oneof(word, glob, fc.constantFrom("", " ", "  ", "regex:^a")), {
          minLength: 2,
          maxLength: 4,
        })
        .map((s) => s.join("|")),
    },
    { weight: 1, arbitrary: mix(fc.constantFrom(...GLUE, ...WORDS), 0, 6) },
  );
  const related = fc.tuple(text, pattern, fc.nat(9)).map(([t, p, how]) => relate(t, p, how));
  return fc
    .tuple(
      related,
      fieldsArbitrary(aim),
      fc.constantFrom("contains", "contains", "exact", "exact", "EXACT", "", "other"),
      fc.constantFrom("search", "search", "match", "match", "fullmatch", "", "MATCH"),
      fc.nat(9),
    )
    .map(([{ text: t, pattern: p }, fields, defaultMatch, regexMode, cut]) => {
      if (fields === undefined || cut === 0) return { text: t, pattern: p };
      if (cut === 1) return { text: t, pattern: p, fields };
      return cut === 2
        ? { text: t, pattern: p, fields, defaultMatch }
        : { text: t, pattern: p, fields, defaultMatch, regexMode };
    });
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

function mix(piece: fc.Arbitrary<string>, minLength: number, maxLength: number): fc.Arbitrary<string> {
  return fc.array(piece, { minLength, maxLength }).map((pieces) => pieces.join(""));
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

/** Smaller calls that are still answered wrongly: drop arguments, cut texts. Bounded by a number of calls. */
async function shrink(
  session: AtomSession,
  first: MatchArgs,
): Promise<{ args: MatchArgs; answer?: MatchAnswer }> {
  let best: { args: MatchArgs; answer?: MatchAnswer } = { args: first };
  for (let round = 0, asked = 0; round < 12 && asked < MAX_SHRINK_CALLS * 12; round++) {
    const candidates = smaller(best.args).map(tame).slice(0, MAX_SHRINK_CALLS);
    if (candidates.length === 0) break;
    asked += candidates.length;
    const answers = await askMatcher(session, candidates);
    const at = answers.findIndex((answer, i) => {
      const args = candidates[i];
      return args !== undefined && difference(answer, expectedFor(args)) !== undefined;
    });
    const args = candidates[at];
    const answer = answers[at];
    if (args === undefined || answer === undefined) break;
    best = { args, answer };
    if (!answer.ok && answer.fatal) break;
  }
  return best;
}

function smaller(args: MatchArgs): MatchArgs[] {
  const { text, pattern, fields, defaultMatch, regexMode } = args;
  const out: MatchArgs[] = [];
  if (fields !== undefined) out.push({ text, pattern });
  if (defaultMatch !== undefined) out.push({ text, pattern, fields: fields ?? null });
  if (regexMode !== undefined)
    out.push({ text, pattern, fields: fields ?? null, defaultMatch: defaultMatch ?? "contains" });
  if (fields && Object.keys(fields).length > 0) out.push({ ...args, fields: null });
  for (const part of cuts(text)) out.push({ ...args, text: part });
  for (const part of cuts(pattern)) out.push({ ...args, pattern: part });
  return out;
}

function cuts(text: string): string[] {
  const half = Math.floor(text.length / 2);
  const parts = text.length > 1 ? ["", text.slice(0, half), text.slice(half)] : text.length === 1 ? [""] : [];
  const chars = [...text];
  if (chars.length > 1 && chars.length <= 12) {
    for (let i = 0; i < chars.length; i++) parts.push(chars.filter((_, j) => j !== i).join(""));
  }
  return parts;
}
