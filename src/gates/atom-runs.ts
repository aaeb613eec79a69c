// Calls Atom A for all gates. Every record that it returns is validated and grounded in its text; results are cached;
// after a call that hangs, no further call is made.
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
  /** The gate that a failure of the atom is reported under. */
  gate: GateName;
  /** Description of the text for messages: "empty text", "log with CRLF". */
  what: string;
  /** The text is not a realistic log: a failure is only a warning. Records that are not grounded remain errors. */
  odd?: boolean;
}

/** Time limit of a call, plus time by length. It is generous, since the machine may be busy. */
const BASE_TIMEOUT_MS = 4_000;
const MS_PER_MIB = 1_500;
/** Characters of one request, unless a single text is longer. */
const MAX_REQUEST_CHARS = 1_048_576;
/** Longer texts are identified by their hash in the cache. */
const MAX_KEY_CHARS = 512 * 1024;

interface QueuedRun {
  input: RunInput;
  resolve: (run: Run) => void;
  reject: (error: unknown) => void;
}

/** All runs of one Atom A. Runs that concurrent checks start during a request are sent together with the next one, in
 * order. */
export class AtomRuns {
  private readonly cache = new Map<string, Promise<Run>>();
  private readonly session: AtomSession;
  private readonly findings: Findings;
  private hung = false;
  private queue: QueuedRun[] = [];
  private sending = false;
  /** Codes of grounding problems that were reported. */
  private readonly reportedProblems = new Set<string>();

  constructor(session: AtomSession, findings: Findings) {
    this.session = session;
    this.findings = findings;
  }

  /** False after a call that hung or crashed; then no further call is made. */
  get usable(): boolean {
    return !this.hung;
  }

  /** Runs a text, unless its result is cached. */
  async run(input: RunInput): Promise<Run> {
    const [run] = await this.runMany([input]);
    return run ?? { ok: false, ms: 0 };
  }

  /** Runs the texts whose results are not cached, in one request if possible. The order is kept. */
  runMany(inputs: readonly RunInput[]): Promise<Run[]> {
    return Promise.all(
      inputs.map((input) => {
        const key = `${input.sourceFile}\0${input.text.length > MAX_KEY_CHARS ? sha256(input.text) : input.text}`;
        let run = this.cache.get(key);
        if (run === undefined) {
          run = this.enqueue(input);
          this.cache.set(key, run);
        }
        return run;
      }),
    );
  }

  /** Runs texts in order without the cache: for stability and time. */
  runUncached(inputs: readonly RunInput[]): Promise<Run[]> {
    return Promise.all(inputs.map((input) => this.enqueue(input)));
  }

  /** Runs a text in a new isolate. */
  async runFresh(input: RunInput): Promise<Run> {
    if (this.hung) return { ok: false, ms: 0 };
    const [run] = await this.call([input], { fresh: true });
    return run ?? { ok: false, ms: 0 };
  }

  /** Runs a text once, without the cache. The caller judges a failure; only incorrect records are reported. */
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

  /** Prevents further calls of an atom that hangs. */
  giveUp(): void {
    this.hung = true;
  }

  private enqueue(input: RunInput): Promise<Run> {
    return new Promise((resolve, reject) => {
      this.queue.push({ input, resolve, reject });
      if (!this.sending) void this.send();
    });
  }

  /** Sends the queue in requests of limited size until it is empty. */
  private async send(): Promise<void> {
    this.sending = true;
    while (this.queue.length > 0) {
      // Lets other checks that are ready add their runs to this request.
      await new Promise((resolve) => setImmediate(resolve));
      const batch = this.nextBatch();
      try {
        const runs = await this.call(
          batch.map(({ input }) => input),
          {},
        );
        batch.forEach(({ resolve }, i) => {
          resolve(runs[i] ?? { ok: false, ms: 0 });
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.sending = false;
  }

  /** The next runs up to the size limit of a request. */
  private nextBatch(): QueuedRun[] {
    let size = 0;
    let count = 0;
    for (const { input } of this.queue) {
      size += input.text.length;
      if (count > 0 && size > MAX_REQUEST_CHARS) break;
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
      this.checkGrounding(input, reading.records);
      return { ok: true, records: reading.records, ms: outcome.ms };
    });
  }

  private checkGrounding(input: RunInput, records: ParsedItem[]): void {
    const problem = groundingProblem(input.text, records);
    // The same problem occurs in all texts that are derived from the first one.
    if (!problem || this.reportedProblems.has(problem.code)) return;
    this.reportedProblems.add(problem.code);
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
