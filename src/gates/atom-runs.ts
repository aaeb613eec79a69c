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
  /** The text is not a realistic log: failing on it is a warning. Wrong lines are errors nevertheless. */
  odd?: boolean;
}

/** Smallest time limit of a call; longer texts get more. Generous: the machine may be busy. */
const BASE_TIMEOUT_MS = 4_000;
const MS_PER_MIB = 1_500;
/** Text of one request, in characters, unless a single one is longer. */
const MAX_PART_CHARS = 1_048_576;
/** Results of texts up to this length are remembered. */
const MEMO_CHARS = 512 * 1024;

/** A text that waits to be run, and who waits for it. */
interface Waiting {
  input: RunInput;
  resolve: (run: Run) => void;
  reject: (error: unknown) => void;
}

/** All runs of one candidate Atom A. Checks may ask at the same time: what is asked for while an answer is under way
 * goes out together, in the order it was asked. */
export class AtomRuns {
  private readonly memo = new Map<string, Promise<Run>>();
  private readonly session: AtomSession;
  private readonly findings: Findings;
  private hung = false;
  private queue: Waiting[] = [];
  private sending = false;
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
  runMany(inputs: readonly RunInput[]): Promise<Run[]> {
    return Promise.all(
      inputs.map((input) => {
        const key = `${input.sourceFile}\0${input.text.length > MEMO_CHARS ? sha256(input.text) : input.text}`;
        let run = this.memo.get(key);
        if (run === undefined) {
          run = this.ask(input);
          this.memo.set(key, run);
        }
        return run;
      }),
    );
  }

  /** Calls that the memory must not answer, one after the other: for stability and time. */
  runAnew(inputs: readonly RunInput[]): Promise<Run[]> {
    return Promise.all(inputs.map((input) => this.ask(input)));
  }

  /** One call in an isolate that nothing has run in before. */
  async runFresh(input: RunInput): Promise<Run> {
    if (this.hung) return { ok: false, ms: 0 };
    const [run] = await this.call([input], { fresh: true });
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

  private ask(input: RunInput): Promise<Run> {
    return new Promise((resolve, reject) => {
      this.queue.push({ input, resolve, reject });
      if (!this.sending) void this.send();
    });
  }

  /** Sends what waits, about a megabyte at once, until nothing waits any more. */
  private async send(): Promise<void> {
    this.sending = true;
    while (this.queue.length > 0) {
      // Others that are ready to ask do so before this goes out.
      await new Promise((resolve) => setImmediate(resolve));
      const part = this.nextPart();
      try {
        const runs = await this.call(
          part.map(({ input }) => input),
          {},
        );
        part.forEach(({ resolve }, i) => {
          resolve(runs[i] ?? { ok: false, ms: 0 });
        });
      } catch (error) {
        for (const { reject } of part) reject(error);
      }
    }
    this.sending = false;
  }

  /** So that one slow text does not hold up many results, and no request grows without end. */
  private nextPart(): Waiting[] {
    let size = 0;
    let count = 0;
    for (const { input } of this.queue) {
      size += input.text.length;
      if (count > 0 && size > MAX_PART_CHARS) break;
      count += 1;
    }
    return this.queue.splice(0, count);
  }

  private async call(inputs: RunInput[], options: CallOptions): Promise<Run[]> {
    if (this.hung) return inputs.map(() => ({ ok: false, ms: 0 }));
    const longest = Math.max(0, ...inputs.map((input) => input.text.length));
    const timeoutMs = timeoutFor(longest);
    const outcomes = await this.session.callMany(
      ATOM_FUNCTIONS.atom_a,
      inputs.map((input) => [input.text, input.sourceFile]),
      { ...options, halt: true, limits: { timeoutMs } },
    );
    return inputs.map((input, i) => {
      const outcome = outcomes[i];
      if (!outcome) return { ok: false, ms: 0 };
      if (!outcome.ok) {
        if (outcome.error.kind !== "not_run") this.reportFailure(input, outcome.error, timeoutMs);
        return { ok: false, ms: outcome.ms };
      }
      const reading = readRecords(outcome.value, input.sourceFile);
      if (!reading.ok) {
        const { gate, code, message } = reading.problem;
        const more = { example: show(input.text, 240) };
        const level = input.odd ? "warn" : "error";
        this.findings[level](gate, "atom_a", code, `${message} (On ${input.what}.)`, more);
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
      const level = input.odd ? "warn" : "error";
      const hint = /\.value\b/.test(failure.message) ? " ParsedItem['value'] must be str." : "";
      const message = `\`${fn}\` returned something that is not plain JSON on ${input.what}: ${failure.message}.${hint}`;
      findings[level](gate, "atom_a", "not_json", message, more);
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
