// Was the run complete? A truncated log has fewer records than the complete one, so a check that further records could
// fail does not pass unless each input contains a witness. docs/contract.md, section 7; details in docs/runtime.md.
import type { AtomSession, RawText } from "../../sandbox/types.ts";
import type { NormalizedConfig } from "../contract/config.ts";
import type { CheckDocument, Diagnostic } from "../contract/results.ts";
import type { InputEnd, InputFacts } from "./types.ts";
import { type WitnessLines, witnessLines } from "./witness.ts";

/** always: an input without records needs a witness even if nothing fails; pass: only a pass needs witnesses; never:
 * further records cannot fail the check. */
export type WitnessNeed = "always" | "pass" | "never";

/** When a check needs witnesses. Types 1 and 4 with `present`, and patterns with `extra: info`, pass by existing records;
 * with a global waiver everything passes. */
export function witnessNeed({ type, requirements, waivers }: NormalizedConfig): WitnessNeed {
  if (requirements.expect === "absent") return "always";
  if (type === 1 || type === 4 || waivers.value === 0) return "never";
  return requirements.extra === "fail" || requirements.pattern_items.length === 0 ? "pass" : "never";
}

/** The message for a set whose check needs witnesses and that has none. */
export function noWitnessMessage(config: NormalizedConfig): string {
  const reason = config.no_witness_reason === "" ? "" : ` (${config.no_witness_reason})`;
  return `Nothing in this log shows that the run was complete: the set has no witness${reason}.`;
}

/** Diagnostics about the completeness of the inputs, in addition to the judgement of the records. */
export function completenessDiagnostics(
  config: NormalizedConfig,
  document: CheckDocument,
  inputs: readonly InputFacts[],
  requireWitness: boolean,
): Diagnostic[] {
  const need = witnessNeed(config);
  const diagnostics: Diagnostic[] = [];
  const error = (code: string, message: string, file: string): void => {
    diagnostics.push({ severity: "error", code, message, file });
  };
  const hasWitnesses = config.witnesses !== null && config.witnesses.length > 0;
  const passes = document.status === "PASS";
  for (const { path, records, end } of inputs) {
    if (end.blank && need === "always") {
      error("input_empty", "This input is empty, which does not prove that there is no violation.", path);
    } else if (!hasWitnesses || end.witness) continue;
    else if ((need !== "never" && passes) || (need === "always" && records === 0)) {
      error("no_witness", `This input has no witness: ${RUN_UNKNOWN}`, path);
    } else if (passes && end.torn) {
      error("no_witness", `This input has no witness, and it ends within a record: ${RUN_UNKNOWN}`, path);
    }
  }
  if (!hasWitnesses && need !== "never") {
    const hint = requireWitness ? " check.require_witness requires one." : "";
    diagnostics.push({
      severity: requireWitness ? "error" : "warning",
      code: "no_witness_known",
      message: `${noWitnessMessage(config)}${hint}`,
    });
  }
  return diagnostics;
}

const RUN_UNKNOWN = "the run may have been cut off, or the tool may not have run. Run it again.";

/** Searches the inputs of one set for its witnesses. */
export class WitnessSearch {
  private readonly witnesses: readonly string[];
  private readonly open: () => Promise<AtomSession>;
  private readonly problems = new Map<string, Diagnostic>();

  /** @param open opens the session of `WITNESS_PROGRAM`; called only when needed */
  constructor(witnesses: readonly string[], open: () => Promise<AtomSession>) {
    this.witnesses = witnesses;
    this.open = open;
  }

  /** Whether any witness occurs in the text. */
  async occursIn(text: string | RawText, path: string): Promise<boolean> {
    for (const witness of this.witnesses) {
      const found = await witnessLines(await this.open(), text, witness, 1);
      if (!found.ok) this.addProblem(witness, found, path);
      else if (found.lines.length > 0) return true;
    }
    return false;
  }

  get diagnostics(): Diagnostic[] {
    return [...this.problems.values()];
  }

  private addProblem(witness: string, found: WitnessLines & { ok: false }, path: string): void {
    const code = found.kind === "syntax" ? "witness_invalid" : "witness_failed";
    const message = `The witness ${JSON.stringify(witness)} cannot be searched for: ${found.message}.`;
    this.problems.set(witness, { severity: "error", code, message, file: path });
  }
}

/** Collects the facts about the end of a text that is read in parts. */
export class EndOfText {
  private blank = true;
  private lastLine: number | null = null;

  add(text: string | RawText, startLine: number): void {
    if (this.blank) this.blank = isBlank(text);
    const end = text.length - 1;
    const closed = end < 0 || (typeof text === "string" ? text[end] === "\n" : text.bytes[end] === 10);
    this.lastLine = closed ? null : startLine + lineBreaks(text);
  }

  finish(lines: ReadonlySet<number | null>, witness: boolean): InputEnd {
    return { blank: this.blank, witness, torn: this.lastLine !== null && lines.has(this.lastLine) };
  }
}

function isBlank(text: string | RawText): boolean {
  return typeof text === "string" ? !/\S/.test(text) : !text.bytes.some((byte) => byte > 32);
}

function lineBreaks(text: string | RawText): number {
  let count = 0;
  if (typeof text === "string") {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  } else for (let at = text.bytes.indexOf(10); at >= 0; at = text.bytes.indexOf(10, at + 1)) count += 1;
  return count;
}
