// Collects what the gates find: bounded in number and length, each kind once or a few times, most useful first.
// The bounds make a whole error list fit into about 2,000 tokens, which is what a reflect prompt has room for.
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

/** Findings of one gate, atom and code that are kept; the rest is counted. */
const MAX_PER_CODE = 3;
const MAX_MESSAGE_BYTES = 480;
const MAX_EXAMPLE_BYTES = 320;
/** All errors together, about 2,000 tokens. */
const MAX_TOTAL_BYTES = 7_000;

type Draft = Omit<GateFinding, "gate" | "atom" | "code" | "message"> & { example?: string };

/** What the gates of one run report to. */
export class Findings {
  private readonly errors: KnownFinding[] = [];
  private readonly warnings: KnownFinding[] = [];
  private readonly suspected: KnownFinding[] = [];
  private readonly counts = new Map<string, number>();
  private readonly failed = new Set<GateName>();
  private readonly done = new Set<GateName>();

  /** Something no correct atom does. Fails the gate. */
  error(gate: GateName, atom: AtomPart, code: FindingCode, message: string, more: Draft = {}): void {
    this.failed.add(gate);
    this.keep(this.errors, { gate, atom, code, message, ...more });
  }

  /** Something a correct atom may do; shown, fails nothing. */
  warn(gate: GateName, atom: AtomPart, code: FindingCode, message: string, more: Draft = {}): void {
    this.keep(this.warnings, { gate, atom, code, message, ...more });
  }

  /** Something that words of the page suggest: a warning, and a question to the author before the set is accepted. */
  suspect(gate: GateName, atom: AtomPart, code: FindingCode, message: string, more: Draft = {}): void {
    this.warn(gate, atom, code, message, more);
    this.keep(this.suspected, { gate, atom, code, message, ...more });
  }

  /** Takes over what another collector holds, as if it had been reported here. */
  absorb(other: Findings): void {
    for (const { gate, atom, code, message, ...more } of other.errors)
      this.error(gate, atom, code, message, more);
    for (const { gate, atom, code, message, ...more } of other.warnings)
      this.warn(gate, atom, code, message, more);
    this.suspected.push(...other.suspected);
    for (const gate of other.failed) this.failed.add(gate);
    this.ran(...other.done);
    // What was only counted there is counted here as well.
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

  /** Neither an error nor a warning of these gates. */
  isClean(...gates: GateName[]): boolean {
    const heads = gates.flatMap((gate) => [`error ${gate} `, `warning ${gate} `]);
    return ![...this.counts.keys()].some((key) => heads.some((head) => key.startsWith(head)));
  }

  errorCount(gate: GateName): number {
    let sum = 0;
    for (const [key, n] of this.counts) if (key.startsWith(`error ${gate} `)) sum += n;
    return sum;
  }

  /** Errors of all gates, those included that are only counted. */
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

  /** Errors, bounded, most useful first: what blocks other gates, then what has an example, in gate order. */
  sortedErrors(): KnownFinding[] {
    const sorted = [...this.errors].sort((a, b) => rank(a) - rank(b));
    // One of each kind before the second of any.
    const nth = new Map<string, number>();
    const withTurn = sorted.map((finding) => {
      const key = `${finding.gate} ${finding.atom} ${finding.code}`;
      const turn = nth.get(key) ?? 0;
      nth.set(key, turn + 1);
      return { finding, turn };
    });
    const fair = withTurn.sort((a, b) => a.turn - b.turn).map(({ finding }) => finding);
    return bounded(fair);
  }

  sortedWarnings(): KnownFinding[] {
    return bounded([...this.warnings].sort((a, b) => rank(a) - rank(b)));
  }

  /** What is to be put to the author, bounded. */
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

/** Gates that make the results of others meaningless come first. */
const FIRST: readonly GateName[] = [
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
  const first = FIRST.indexOf(finding.gate);
  return first >= 0 ? first : FIRST.length + GATE_NAMES.indexOf(finding.gate);
}

function bounded(findings: KnownFinding[]): KnownFinding[] {
  const kept: KnownFinding[] = [];
  let bytes = 0;
  for (const finding of findings) {
    bytes += Buffer.byteLength(finding.message) + Buffer.byteLength(finding.example ?? "") + 60;
    if (kept.length > 0 && bytes > MAX_TOTAL_BYTES) break;
    kept.push(finding);
  }
  const left = findings.length - kept.length;
  const last = kept[kept.length - 1];
  if (left > 0 && last) last.message += ` (${left} more findings are not listed.)`;
  return kept;
}

/** Runs checks at the same time, so that their calls of an atom are sent together; their findings keep the
 * order of the checks, whichever was ready first. */
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
