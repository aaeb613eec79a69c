// Verifies `line_local` while a large log is read in parts: around some borders Atom A runs on the lines before, the lines
// after, and both together. The gates proved the property on other logs; if it does not hold for this one, reading in
// parts may give other records than a single pass, which is an error.
import type { AtomSession, CallLimits } from "../../sandbox/types.ts";
import { ATOM_FUNCTIONS } from "../contract/atoms.ts";
import type { JsonValue } from "../core/json.ts";
import type { AtomFaults } from "./atom-calls.ts";

/** Maximum lines and characters on each side of a border. */
const LINES = 40;
const CHARS = 32 * 1024;
/** The first borders are all probed, then every STRIDE-th. */
const FIRST = 8;
const STRIDE = 32;

export class BorderProbe {
  private before = "";
  /** Parts seen so far. */
  private parts: number;
  private readonly session: AtomSession;
  private readonly path: string;
  private readonly limits: Partial<CallLimits>;
  private readonly faults: AtomFaults;

  /** @param parts number of parts of the log before the first one passed to `next` */
  constructor(
    session: AtomSession,
    path: string,
    limits: Partial<CallLimits>,
    faults: AtomFaults,
    parts = 0,
  ) {
    this.parts = parts;
    this.session = session;
    this.path = path;
    this.limits = limits;
    this.faults = faults;
  }

  /** Called with each part in order; reads the part synchronously. When the records around a border differ, the fault
   * `not_line_local` is added before the promise resolves. */
  async next(part: string | Uint8Array, startLine: number): Promise<void> {
    const border = this.parts;
    const before = this.before;
    this.before = isProbed(border + 1) ? lastLines(endOf(part)) : "";
    this.parts += 1;
    if (border === 0 || !isProbed(border)) return;
    const after = firstLines(startOf(part));
    if (before === "" || after === "") return;
    await this.compare(before, after, startLine);
  }

  private async compare(before: string, after: string, startLine: number): Promise<void> {
    const texts = [before + after, before, after];
    const outcomes = await this.session.callMany(
      ATOM_FUNCTIONS.atom_a,
      texts.map((text) => [text, this.path]),
      { limits: this.limits },
    );
    const [whole, first, second] = outcomes.map((outcome) => (outcome.ok ? outcome.value : undefined));
    const joined = [...records(first), ...records(second).map((r) => shifted(r, countLines(before)))];
    if (JSON.stringify(sorted(records(whole))) === JSON.stringify(sorted(joined))) return;
    this.faults.add(
      "atom_a",
      "not_line_local",
      "its manifest declares line_local, but in this log the records after a border depend on the lines before it, so it cannot be read in parts",
      { file: this.path, line: startLine },
    );
  }
}

function isProbed(border: number): boolean {
  return border <= FIRST || border % STRIDE === 0;
}

/** One character more than CHARS, so that a line that is too long is recognized. */
function startOf(part: string | Uint8Array): string {
  return typeof part === "string" ? part.slice(0, CHARS + 1) : latin1Text(part.subarray(0, CHARS + 1));
}

function endOf(part: string | Uint8Array): string {
  return typeof part === "string" ? part.slice(-CHARS - 1) : latin1Text(part.subarray(-CHARS - 1));
}

function latin1Text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

function records(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function shifted(record: JsonValue, by: number): JsonValue {
  if (typeof record !== "object" || record === null || Array.isArray(record)) return record;
  const line = record["line_number"];
  return typeof line === "number" ? { ...record, line_number: line + by } : record;
}

/** Records are sorted by line number later, so their order is ignored here. */
function sorted(list: JsonValue[]): string[] {
  return list.map((record) => JSON.stringify(sortKeys(record))).sort();
}

function sortKeys(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function lastLines(text: string): string {
  let at = text.length - 1;
  for (let n = 0; n < LINES && at > 0; n += 1) at = text.lastIndexOf("\n", at - 1);
  const lines = text.slice(at < 0 ? 0 : at + 1);
  if (lines.length <= CHARS) return lines;
  const cut = lines.indexOf("\n", lines.length - CHARS);
  return cut < 0 ? "" : lines.slice(cut + 1);
}

function firstLines(text: string): string {
  let at = -1;
  for (let n = 0; n < LINES; n += 1) {
    const next = text.indexOf("\n", at + 1);
    if (next < 0 || next > CHARS) break;
    at = next;
  }
  return text.slice(0, at + 1);
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
