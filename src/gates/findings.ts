// Collects the findings of the gates, limited in number and length, the most useful ones first. All errors fit into about
// 2,000 tokens of a prompt.
import type { AtomPart } from "../contract/atoms.ts";
import type { FindingCode } from "../contract/finding-codes.ts";
import {
  GATE_NAMES,
  type GateFinding,
  type GateName,
  type GateResults,
  type KnownFinding,
  noGateResults,
} from "../contract/gates.ts";
import { truncate } from "../core/limits.ts";

/** Findings of one gate, atom and code that are kept; further ones are counted. */
const MAX_PER_CODE = 3;
const MAX_MESSAGE_BYTES = 480;
const MAX_EXAMPLE_BYTES = 320;
/** Limit for all findings of a list: about 2,000 tokens. */
const MAX_TOTAL_BYTES = 7_000;

type Details = Omit<GateFinding, "gate" | "atom" | "code" | "message"> & { example?: string };

export class Findings {
  private readonly errors: KnownFinding[] = [];
  private readonly warnings: KnownFinding[] = [];
  private readonly suspected: KnownFinding[] = [];
  private readonly counts = new Map<string, number>();
  private readonly failed = new Set<GateName>();
  private readonly done = new Set<GateName>();

  /** Reports something that no correct atom does. The gate fails. */
  error(gate: GateName, atom: AtomPart, code: FindingCode, message: string, more: Details = {}): void {
    this.failed.add(gate);
    this.keep(this.errors, { gate, atom, code, message, ...more });
  }

  /** Reports something that a correct atom may do. */
  warn(gate: GateName, atom: AtomPart, code: FindingCode, message: string, more: Details = {}): void {
    this.keep(this.warnings, { gate, atom, code, message, ...more });
  }

  /** Reports something that the prose of the page suggests: a warning, and a question to the author before the set is
   * accepted. */
  suspect(gate: GateName, atom: AtomPart, code: FindingCode, message: string, more: Details = {}): void {
    this.warn(gate, atom, code, message, more);
    this.keep(this.suspected, { gate, atom, code, message, ...more });
  }

  /** Adds the findings of another collector, as if they had been reported here. */
  absorb(other: Findings): void {
    for (const { gate, atom, code, message, ...more } of other.errors)
      this.error(gate, atom, code, message, more);
    for (const { gate, atom, code, message, ...more } of other.warnings)
      this.warn(gate, atom, code, message, more);
    this.suspected.push(...other.suspected);
    for (const gate of other.failed) this.failed.add(gate);
    this.ran(...other.done);
    // Findings that were only counted.
    const kept = (head: string, list: GateFinding[], key: string): number =>
      list.filter((f) => `${head} ${f.gate} ${f.atom} ${f.code}` === key).length;
    for (const [key, count] of other.counts) {
      const listed = kept("error", other.errors, key) + kept("warning", other.warnings, key);
      if (count > listed) this.counts.set(key, (this.counts.get(key) ?? 0) + count - listed);
    }
  }

  /** The gate completed all of its checks. */
  ran(...gates: GateName[]): void {
    for (const gate of gates) this.done.add(gate);
  }

  hasFailed(gate: GateName): boolean {
    return this.failed.has(gate);
  }

  hasErrors(atom: AtomPart): boolean {
    return this.errors.some((error) => error.atom === atom);
  }

  /** Have these gates reported neither errors nor warnings? */
  isClean(...gates: GateName[]): boolean {
    const heads = gates.flatMap((gate) => [`error ${gate} `, `warning ${gate} `]);
    return ![...this.counts.keys()].some((key) => heads.some((head) => key.startsWith(head)));
  }

  errorCount(gate: GateName): number {
    let sum = 0;
    for (const [key, n] of this.counts) if (key.startsWith(`error ${gate} `)) sum += n;
    return sum;
  }

  /** Number of errors of all gates, including those that are only counted. */
  totalErrors(): number {
    return GATE_NAMES.reduce((sum, gate) => sum + this.errorCount(gate), 0);
  }

  results(): GateResults {
    const results = noGateResults();
    for (const gate of GATE_NAMES) {
      if (this.failed.has(gate)) results[gate] = false;
      else if (this.done.has(gate)) results[gate] = true;
    }
    return results;
  }

  /** Errors within the limit: those that block other gates first, one of each code before a second one of any code. */
  sortedErrors(): KnownFinding[] {
    const sorted = [...this.errors].sort((a, b) => rank(a) - rank(b));
    const counts = new Map<string, number>();
    const withRound = sorted.map((finding) => {
      const key = `${finding.gate} ${finding.atom} ${finding.code}`;
      const round = counts.get(key) ?? 0;
      counts.set(key, round + 1);
      return { finding, round };
    });
    return bounded(withRound.sort((a, b) => a.round - b.round).map(({ finding }) => finding));
  }

  sortedWarnings(): KnownFinding[] {
    return bounded([...this.warnings].sort((a, b) => rank(a) - rank(b)));
  }

  /** Questions to the author, within the limit. */
  suspicions(): KnownFinding[] {
    return bounded([...this.suspected]);
  }

  private keep(list: KnownFinding[], finding: KnownFinding): void {
    const head = list === this.errors ? "error" : list === this.warnings ? "warning" : "suspicion";
    const key = `${head} ${finding.gate} ${finding.atom} ${finding.code}`;
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    if (count > MAX_PER_CODE) return;
    const message = truncate(finding.message, MAX_MESSAGE_BYTES).text;
    if (list.some((f) => f.message === message && f.gate === finding.gate && f.atom === finding.atom)) return;
    const example =
      finding.example === undefined ? undefined : truncate(finding.example, MAX_EXAMPLE_BYTES).text;
    list.push({ ...finding, message, ...(example === undefined ? {} : { example }) });
  }
}

/** Gates whose failure makes the results of others meaningless. */
const BLOCKING_GATES: readonly GateName[] = [
  "gate1_syntax",
  "gate1_signature",
  "gate1_forbidden",
  "gate4_evidence",
  "gate4_examples",
  "gate1_schema",
  "gate1_type_safety",
  "config_schema",
];

function rank(finding: GateFinding): number {
  const index = BLOCKING_GATES.indexOf(finding.gate);
  return index >= 0 ? index : BLOCKING_GATES.length + GATE_NAMES.indexOf(finding.gate);
}

function bounded(findings: KnownFinding[]): KnownFinding[] {
  const kept: KnownFinding[] = [];
  let bytes = 0;
  for (const finding of findings) {
    bytes += Buffer.byteLength(finding.message) + Buffer.byteLength(finding.example ?? "") + 60;
    if (kept.length > 0 && bytes > MAX_TOTAL_BYTES) break;
    kept.push(finding);
  }
  const omitted = findings.length - kept.length;
  const last = kept.at(-1);
  if (omitted > 0 && last) last.message += ` (${omitted} more findings are not listed.)`;
  return kept;
}

/** Runs checks concurrently, so that their calls of an atom are sent together. The findings are in the order of the
 * checks. */
export async function together(
  findings: Findings,
  checks: readonly ((findings: Findings) => Promise<void>)[],
): Promise<void> {
  const parts = await Promise.all(
    checks.map(async (check) => {
      const part = new Findings();
      await check(part);
      return part;
    }),
  );
  for (const part of parts) findings.absorb(part);
}
