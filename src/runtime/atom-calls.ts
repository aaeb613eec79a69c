// Accepted atoms behind the ports of L2 and L3: calls into the sandbox, with results validated against the contract. Every
// failure is recorded as a diagnostic that makes the outcome `error`.
import {
  type AtomSession,
  type CallLimits,
  DEFAULT_CALL_LIMITS,
  type Outcome,
  type RawText,
  type SandboxFailure,
} from "../../sandbox/types.ts";
import {
  ATOM_FUNCTIONS,
  type Atom,
  MATCH_KINDS,
  type MatchResult,
  type ParsedItem,
} from "../contract/atoms.ts";
import type { Diagnostic } from "../contract/results.ts";
import { isJsonObject, type JsonValue } from "../core/json.ts";
import { truncate } from "../core/limits.ts";
import { count } from "../core/words.ts";
import { checkRecords } from "./records.ts";
import type { Exister, Matcher } from "./types.ts";

/** Maximum faults of one atom; after that it is no longer called. */
const MAX_FAULTS = 10;

/** Maximum calls of Atom B for one item; they take some minutes. */
const MAX_MATCHES = 20_000_000;

/** The faults of the atoms of one item. */
export class AtomFaults {
  readonly diagnostics: Diagnostic[] = [];
  private readonly counts = new Map<Atom, number>();

  /** Whether the atom may still be called. */
  mayCall(atom: Atom): boolean {
    return (this.counts.get(atom) ?? 0) < MAX_FAULTS;
  }

  add(atom: Atom, code: string, message: string, where: { file?: string; line?: number } = {}): void {
    const count = (this.counts.get(atom) ?? 0) + 1;
    this.counts.set(atom, count);
    if (count > MAX_FAULTS) return;
    const last = count === MAX_FAULTS ? " The atom is no longer called." : "";
    const text = `${ATOM_FUNCTIONS[atom]} (${atom}): ${truncate(message, 1000).text}${last}`;
    this.diagnostics.push({ severity: "error", code, message: text, ...where });
  }

  /** Adds a failed call. */
  addFailure(atom: Atom, error: SandboxFailure, where: { file?: string; line?: number } = {}): void {
    const line = error.line === undefined ? "" : ` (line ${error.line} of the atom)`;
    this.add(atom, FAILURE_CODES[error.kind], `${error.message}${line}`, where);
  }
}

const FAILURE_CODES: Record<SandboxFailure["kind"], string> = {
  syntax: "atom_syntax",
  missing_function: "atom_missing_function",
  threw: "atom_threw",
  timeout: "atom_timeout",
  memory: "atom_memory",
  result_too_large: "atom_result_too_large",
  result_invalid: "atom_result_invalid",
  crashed: "atom_crashed",
  protocol: "sandbox_protocol",
  not_run: "atom_not_run",
  unavailable: "sandbox_unavailable",
};

/** Atom B as a matcher. A failed call counts as no match and adds a fault: the judgement continues, but the outcome is
 * `error`. */
export function createMatcher(session: AtomSession, faults: AtomFaults): Matcher {
  let matchCount = 0;
  return async (calls) => {
    if (!faults.mayCall("atom_b")) return calls.map(() => NO_MATCH);
    matchCount += calls.length;
    if (matchCount > MAX_MATCHES) {
      const limit = `was called more than ${MAX_MATCHES} times: too many patterns for so many records`;
      if (matchCount - calls.length <= MAX_MATCHES) faults.add("atom_b", "too_many_matches", limit);
      return calls.map(() => NO_MATCH);
    }
    const outcomes = await session.callMany(
      ATOM_FUNCTIONS.atom_b,
      calls.map((c) => [c.text, c.pattern, c.parsed_fields, c.default_match, c.regex_mode]),
    );
    return calls.map((call, i) => {
      const outcome = outcomes[i];
      if (outcome === undefined) {
        faults.add("atom_b", "sandbox_protocol", "returned no answer");
        return NO_MATCH;
      }
      if (!outcome.ok) {
        faults.addFailure("atom_b", outcome.error);
        return NO_MATCH;
      }
      const result = asMatchResult(outcome.value);
      if (result !== undefined) return result;
      const shown = truncate(JSON.stringify(call.pattern), 200).text;
      faults.add(
        "atom_b",
        "atom_bad_result",
        `returned no {is_match, reason, kind} for the pattern ${shown}`,
      );
      return NO_MATCH;
    });
  };
}

const NO_MATCH: MatchResult = { is_match: false, reason: "the atom failed", kind: "contains" };

function asMatchResult(value: JsonValue): MatchResult | undefined {
  if (!isJsonObject(value)) return undefined;
  const { is_match: isMatch, reason, kind } = value;
  const known = MATCH_KINDS.find((k) => k === kind);
  if (typeof isMatch !== "boolean" || typeof reason !== "string" || known === undefined) return undefined;
  return { is_match: isMatch, reason, kind: known };
}

/** Atom C as an exister. A failed call finds nothing and adds a fault. */
export function createExister(session: AtomSession, faults: AtomFaults): Exister {
  return async (items) => {
    const failed = { is_match: false, reason: "the atom failed", evidence: [] };
    const limits = limitsFor(roughChars(items), {});
    const outcome = await session.call(ATOM_FUNCTIONS.atom_c, [items as unknown as JsonValue], { limits });
    if (!outcome.ok) {
      faults.addFailure("atom_c", outcome.error);
      return failed;
    }
    const value = outcome.value;
    const isMatch = isJsonObject(value) ? value["is_match"] : undefined;
    const evidence = isJsonObject(value) ? value["evidence"] : undefined;
    if (typeof isMatch !== "boolean" || !Array.isArray(evidence)) {
      faults.add("atom_c", "atom_bad_result", "returned no {is_match, reason, evidence}");
      return failed;
    }
    const checked = checkRecords(evidence);
    if (!checked.ok) {
      faults.add("atom_c", "atom_bad_result", `evidence: ${checked.problem}`);
      return failed;
    }
    if (isMatch !== items.length > 0 || !Bun.deepEquals(checked.items, items)) {
      const counts = `it received ${count(items.length, "record")} and returned is_match ${isMatch} with ${evidence.length} as evidence`;
      faults.add("atom_c", "evidence_differs", `the evidence differs from the records: ${counts}`);
    }
    const reason = isJsonObject(value) && typeof value["reason"] === "string" ? value["reason"] : "";
    return { is_match: isMatch, reason, evidence: checked.items };
  };
}

/** Calls Atom A on one text. A failed call returns no records and adds a fault. */
export async function callExtract(
  session: AtomSession,
  text: string | RawText,
  sourceFile: string,
  limits: Partial<CallLimits>,
  faults: AtomFaults,
): Promise<ParsedItem[]> {
  if (!faults.mayCall("atom_a")) {
    faults.add("atom_a", "atom_threw", "was no longer called", { file: sourceFile });
    return [];
  }
  const outcome: Outcome = await session.call(ATOM_FUNCTIONS.atom_a, [text, sourceFile], {
    limits: limitsFor(text.length, limits),
  });
  if (!outcome.ok) {
    faults.addFailure("atom_a", outcome.error, { file: sourceFile });
    return [];
  }
  const checked = checkRecords(outcome.value, sourceFile);
  if (checked.ok) return checked.items;
  faults.add("atom_a", "atom_bad_record", checked.problem, { file: sourceFile });
  return [];
}

/** Limits grow with the input: a second per MiB, and memory for the text, its lines and its records. */
function limitsFor(chars: number, base: Partial<CallLimits>): Partial<CallLimits> {
  const mib = Math.floor(chars / 2 ** 20);
  const timeoutMs = (base.timeoutMs ?? DEFAULT_CALL_LIMITS.timeoutMs) + mib * 1_000;
  const memoryMb = (base.memoryMb ?? DEFAULT_CALL_LIMITS.memoryMb) + mib * 8;
  const maxResultBytes = Math.min(MAX_RESULT_BYTES, DEFAULT_CALL_LIMITS.maxResultBytes + 4 * chars);
  return { ...base, timeoutMs, memoryMb, maxResultBytes };
}

/** Below the longest string of V8, 512 MiB. */
const MAX_RESULT_BYTES = 400 * 2 ** 20;

/** Estimated size of records as JSON, from a sample. */
function roughChars(items: readonly ParsedItem[]): number {
  const sample = items.slice(0, 100);
  return sample.length === 0 ? 0 : (JSON.stringify(sample).length / sample.length) * items.length;
}
