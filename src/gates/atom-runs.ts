// Runs Atom A for all gates: one place that calls it, checks every record it ever returns, checks that every
// record is grounded in the text it came from, remembers results, and stops calling code that hangs.
import type { AtomSession, CallOptions, SandboxFailure } from "../../sandbox/types.ts";
import { ATOM_FUNCTIONS, type ParsedItem } from "../contract/atoms.ts";
import type { GateName } from "../contract/gates.ts";
import { AtomsmithError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import type { Findings } from "./findings.ts";
import { groundingProblem } from "./grounding.ts";
import { readRecords } from "./records.ts";
import { show } from "./show.ts";

export type Run = { ok: true; records: ParsedItem[]; ms: number } | { ok: false; ms: number };

export interface RunInput {
  text: string;
  sourceFile: string;
  /** The gate that asks; a failure of the atom is its error. */
  gate: GateName;
  /** What the text is, for the message: "empty text", "log with CRLF". */
  what: string;
  /** The text is no log that anybody wrote: failing on it is a warning. Wrong lines are errors all the same. */
  odd?: boolean;
}

/** Smallest time limit of a call; longer texts get more. Generous: the machine may be busy. */
const BASE_TIMEOUT_MS = 4_000;
const MS_PER_MIB = 1_500;
/** Results of texts up to this length are remembered. */
const MEMO_CHARS = 512 * 1024;

/** All runs of one candidate Atom A. */
export class AtomRuns {
  private readonly memo = new Map<string, Run>();
  private readonly session: AtomSession;
  private readonly findings: Findings;
  private hung = false;
  /** Codes of wrong records that were reported. */
  private readonly ungrounded = new Set<string>();
  /** Did any run return at least one record? */
  everFound = false;

  constructor(session: AtomSession, findings: Findings) {
    this.session = session;
    this.findings = findings;
  }

  /** False once a call ran into its time limit; nothing more is called then. */
  get usable(): boolean {
    return !this.hung;
  }

  async run(input: RunInput): Promise<Run> {
    const [run] = await this.runMany([input]);
    return run ?? { ok: false, ms: 0 };
  }

  /** Runs several texts in one round trip where the memory does not know them. Order is kept. */
  async runMany(inputs: readonly RunInput[]): Promise<Run[]> {
    const runs = new Map<number, Run>();
    const open: { index: number; input: RunInput; key: string }[] = [];
    inputs.forEach((input, index) => {
      const key = `${input.sourceFile}\0${input.text.length > MEMO_CHARS ? sha256(input.text) : input.text}`;
      const known = this.memo.get(key);
      if (known) runs.set(index, known);
      else open.push({ index, input, key });
    });
    for (const part of chunks(open)) {
      const results = await this.call(part.map((o) => o.input));
      part.forEach((entry, i) => {
        const run = results[i] ?? { ok: false, ms: 0 };
        this.memo.set(entry.key, run);
        runs.set(entry.index, run);
      });
    }
    return inputs.map((_, i) => runs.get(i) ?? { ok: false, ms: 0 });
  }

  /** One call that the memory must not answer: for stability and time. */
  async runAnew(input: RunInput, options: CallOptions = {}): Promise<Run> {
    const [run] = await this.call([input], options);
    return run ?? { ok: false, ms: 0 };
  }

  /** One call whose failure the caller judges: nothing is reported but wrong records, nothing is remembered. */
  async tryOnce(
    input: RunInput,
    timeoutMs?: number,
  ): Promise<
    { ok: true; records: ParsedItem[] } | { ok: false; kind: SandboxFailure["kind"]; message: string }
  > {
    if (this.hung) return { ok: true, records: [] };
    const outcome = await this.session.call(ATOM_FUNCTIONS.atom_a, [input.text, input.sourceFile], {
      limits: { timeoutMs: timeoutMs ?? timeoutFor(input.text.length) },
    });
    if (!outcome.ok) return { ok: false, kind: outcome.error.kind, message: outcome.error.message };
    const reading = readRecords(outcome.value, input.sourceFile);
    if (!reading.ok) {
      const { gate, code, message } = reading.problem;
      this.findings.warn(gate, "atom_a", code, `${message} (On ${input.what}.)`);
      return { ok: true, records: [] };
    }
    this.checkGrounding(input, reading.records);
    return { ok: true, records: reading.records };
  }

  /** Calls nothing any more: the atom was found to run away. */
  giveUp(): void {
    this.hung = true;
  }

  private async call(inputs: RunInput[], options: CallOptions = {}): Promise<Run[]> {
    if (this.hung) return inputs.map(() => ({ ok: false, ms: 0 }));
    const longest = Math.max(0, ...inputs.map((input) => input.text.length));
    const timeoutMs = timeoutFor(longest);
    const outcomes = await this.session.callMany(
      ATOM_FUNCTIONS.atom_a,
      inputs.map((input) => [input.text, input.sourceFile]),
      { ...options, limits: { timeoutMs, ...options.limits } },
    );
    return inputs.map((input, i) => {
      const outcome = outcomes[i];
      if (!outcome) return { ok: false, ms: 0 };
      if (!outcome.ok) {
        this.reportFailure(input, outcome.error, timeoutMs);
        return { ok: false, ms: outcome.ms };
      }
      const reading = readRecords(outcome.value, input.sourceFile);
      if (!reading.ok) {
        const { gate, code, message } = reading.problem;
        const more = { example: show(input.text, 240) };
        const tell = input.odd ? "warn" : "error";
        this.findings[tell](gate, "atom_a", code, `${message} (On ${input.what}.)`, more);
        return { ok: false, ms: outcome.ms };
      }
      if (reading.records.length > 0) this.everFound = true;
      this.checkGrounding(input, reading.records);
      return { ok: true, records: reading.records, ms: outcome.ms };
    });
  }

  private checkGrounding(input: RunInput, records: ParsedItem[]): void {
    const problem = groundingProblem(input.text, records);
    // Once is enough: the same fault shows in every text that is derived from the first.
    if (!problem || this.ungrounded.has(problem.code)) return;
    this.ungrounded.add(problem.code);
    this.findings.error("gate4_evidence", "atom_a", problem.code, `${problem.message} (On ${input.what}.)`, {
      example: problem.example,
    });
  }

  private reportFailure(input: RunInput, failure: SandboxFailure, timeoutMs: number): void {
    reportFailure(this.findings, input, failure, timeoutMs);
    if (failure.kind === "timeout" || failure.kind === "memory" || failure.kind === "crashed")
      this.hung = true;
  }
}

function reportFailure(
  findings: Findings,
  input: RunInput,
  failure: SandboxFailure,
  timeoutMs: number,
): void {
  const more = { ...(failure.line ? { line: failure.line } : {}), example: show(input.text, 240) };
  const fn = ATOM_FUNCTIONS.atom_a;
  switch (failure.kind) {
    case "unavailable":
    case "protocol":
      throw new AtomsmithError("sandbox", `The sandbox failed while Atom A ran: ${failure.message}`);
    case "timeout": {
      const message = `\`${fn}\` did not end within ${timeoutMs / 1000} s on ${input.what} (${input.text.length} characters). Avoid nested repetition in patterns and loops that do not advance.`;
      findings.error("gate4_scaling", "atom_a", "timeout", message, more);
      return;
    }
    case "memory":
    case "crashed":
    case "result_too_large": {
      const message = `\`${fn}\` used too much memory or returned too much on ${input.what}: ${failure.message}.`;
      findings.error("gate4_scaling", "atom_a", failure.kind, message, more);
      return;
    }
    case "result_invalid": {
      const typed = /value|line_number/.test(failure.message);
      const gate = typed ? "gate1_type_safety" : "gate1_schema";
      const tell = input.odd ? "warn" : "error";
      const hint = /\.value\b/.test(failure.message) ? " ParsedItem['value'] must be str." : "";
      const message = `\`${fn}\` returned something that is not plain JSON on ${input.what}: ${failure.message}.${hint}`;
      findings[tell](gate, "atom_a", "not_json", message, more);
      return;
    }
    default: {
      const name = failure.name ? `${failure.name}: ` : "";
      const message = `\`${fn}\` failed on ${input.what}: ${name}${failure.message}.`;
      findings[input.odd ? "warn" : "error"](input.gate, "atom_a", failure.kind, message, more);
    }
  }
}

function timeoutFor(chars: number): number {
  return BASE_TIMEOUT_MS + Math.ceil((chars / 1_048_576) * MS_PER_MIB);
}

/** Batches of about a megabyte, so that one slow text does not hold up many results. */
function chunks<T extends { input: RunInput }>(entries: T[]): T[][] {
  const parts: T[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    if (size + entry.input.text.length > 1_048_576) {
      parts.push([]);
      size = 0;
    }
    parts[parts.length - 1]?.push(entry);
    size += entry.input.text.length;
  }
  return parts;
}
