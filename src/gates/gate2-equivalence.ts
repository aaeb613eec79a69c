// gate2_equivalence: Atom B agrees with the reference matcher on thousands of generated calls, which differ in each run by
// a reported seed. Finds lookup tables, special words and rare branches that the alphabets and the literals of the atom
// reach. Cannot prove equality on every text; docs/gates.md has measured rates.
// Targets tables of the known vectors, special cases for the words, lengths or fields of an item, `fnmatch` without
// `[seq]`, dots that do not match newlines, case folding, split without trim, `match` used as a full match.
import type { AtomSession } from "../../sandbox/types.ts";
import type { EquivalenceAim } from "./equivalence-aimed.ts";
import { restrictRegex, sampleCalls } from "./equivalence-calls.ts";
import type { Findings } from "./findings.ts";
import { expectedFor } from "./gate2-vectors.ts";
import { askMatcher, difference, type MatchAnswer, type MatchArgs, showMatchCall } from "./matcher-calls.ts";

const BATCH = 1_000;
const MAX_SHRINK_CALLS = 60;
/** Details of Python's dialect in which an engine of the atom may differ: only warnings. */
const DIALECT_DETAILS: MatchArgs[] = [
  { text: "abc\n", pattern: "regex:c$" },
  { text: "x\u0663", pattern: "regex:\\d" },
  { text: "é", pattern: "regex:^\\w$" },
  { text: "abc", pattern: "regex:c\\Z" },
  { text: "aa", pattern: "regex:^a{,2}$" },
  { text: "😀", pattern: "regex:^.$" },
];

/** Runs the gate. Returns false if the atom hangs. */
export async function runEquivalenceGate(
  session: AtomSession,
  aim: EquivalenceAim,
  seed: number,
  findings: Findings,
): Promise<boolean> {
  const calls = sampleCalls(aim, seed);
  let reported = 0;
  for (let start = 0; start < calls.length; start += BATCH) {
    const part = calls.slice(start, start + BATCH);
    const answers = await askMatcher(session, part);
    if (answers.some((answer) => !answer.ok && answer.fatal)) {
      const index = answers.findIndex((answer) => !answer.ok && answer.fatal);
      report(part[index] as MatchArgs, answers[index] as MatchAnswer, seed, findings);
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
  if (reported === 0 && !aim.known) await checkDialect(session, findings);
  return true;
}

async function checkDialect(session: AtomSession, findings: Findings): Promise<void> {
  const answers = await askMatcher(session, DIALECT_DETAILS);
  DIALECT_DETAILS.forEach((args, i) => {
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

/** Finds a smaller call that is still answered incorrectly, by omitting arguments and truncating texts. */
async function shrink(
  session: AtomSession,
  first: MatchArgs,
): Promise<{ args: MatchArgs; answer?: MatchAnswer }> {
  let best: { args: MatchArgs; answer?: MatchAnswer } = { args: first };
  for (let round = 0, calls = 0; round < 12 && calls < MAX_SHRINK_CALLS * 12; round++) {
    const candidates = smaller(best.args).map(restrictRegex).slice(0, MAX_SHRINK_CALLS);
    if (candidates.length === 0) break;
    calls += candidates.length;
    const answers = await askMatcher(session, candidates);
    const index = answers.findIndex((answer, i) => {
      const args = candidates[i];
      return args !== undefined && difference(answer, expectedFor(args)) !== undefined;
    });
    const args = candidates[index];
    const answer = answers[index];
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
