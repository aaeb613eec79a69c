// gate4_witness: each witness of the config occurs in every observed log of the item, is not a record, and disappears when
// the last tenth of a log is cut off or the log is replaced by an empty text, unrelated text or the message of a shell.
// Proves that an incomplete log is distinguished from a complete one. Cannot prove that the tool did its work if the
// witness occurs, nor that a log truncated behind the witness is complete (docs/contract.md, section 7).
// Targets lines at the beginning, repeated lines, records used as witnesses, expressions that match any text.
import { relative, sep } from "node:path";
import type { AtomSession, Sandbox } from "../../sandbox/types.ts";
import type { NormalizedConfig } from "../contract/config.ts";
import type { FindingCode } from "../contract/finding-codes.ts";
import { matchesGlob } from "../files/glob.ts";
import { noWitnessMessage, witnessNeed } from "../runtime/completeness.ts";
import { WITNESS_PROGRAM, witnessLines } from "../runtime/witness.ts";
import type { Findings } from "./findings.ts";
import { ERROR_LOG, PROSE, SHELL_ERRORS } from "./plain-texts.ts";
import type { Observation } from "./samples.ts";
import { show } from "./show.ts";

const GATE = "gate4_witness";
/** Lines of one log that are compared with its records. */
const MAX_LINES = 1_000;

export interface WitnessAim {
  /** The observed logs with their records; empty if Atom A cannot be run. */
  observations: readonly Observation[];
  /** Absolute path. */
  searchRoot: string;
  /** A missing witness is an error, for checks that need one. */
  required: boolean;
}

/** Runs the gate. */
export async function runWitnessGate(
  sandbox: Sandbox,
  config: NormalizedConfig,
  aim: WitnessAim,
  findings: Findings,
): Promise<void> {
  const witnesses = config.witnesses ?? [];
  if (witnesses.length === 0) {
    if (witnessNeed(config) === "never") return;
    const message = `${noWitnessMessage(config)} Name a line that only a complete run writes, near the end of its log.`;
    findings[aim.required ? "error" : "warn"](GATE, "config", "no_witness_known", message);
    if (aim.required) findings.ran(GATE);
    return;
  }
  const logs = logsOfItem(config, aim);
  if (logs.length === 0) return;
  const session = await sandbox.open(WITNESS_PROGRAM);
  try {
    for (const witness of witnesses) await new WitnessProof(session, witness, findings).prove(logs);
  } finally {
    await session.close();
  }
  findings.ran(GATE);
}

/** The observed logs that match the globs of the config: an author also reads other logs, and files that inputs refer to. */
function logsOfItem({ input_files }: NormalizedConfig, aim: WitnessAim): readonly Observation[] {
  // A variable can be any folder.
  const globs = input_files.map((glob) => glob.replace(/\$\{[^{}]*\}/g, "**"));
  const named = aim.observations.filter(({ log }) => {
    const path = relative(aim.searchRoot, log.path).split(sep).join("/");
    return globs.some((glob) => matchesGlob(glob, glob.startsWith("/") ? log.path : path));
  });
  return named.length > 0 ? named : aim.observations;
}

class WitnessProof {
  private readonly session: AtomSession;
  private readonly witness: string;
  private readonly findings: Findings;
  /** The witness is not a valid expression. */
  private isInvalid = false;

  constructor(session: AtomSession, witness: string, findings: Findings) {
    this.session = session;
    this.witness = witness;
    this.findings = findings;
  }

  async prove(logs: readonly Observation[]): Promise<void> {
    for (const [what, text] of OTHER_TEXTS) {
      const [line] = await this.lines(text, 1);
      if (this.isInvalid) return;
      if (line === undefined) continue;
      this.error(
        "witness_in_other_text",
        `also occurs in ${what}; it must be a text that only this tool writes.`,
        line,
      );
      return;
    }
    const occurrences: { observation: Observation; lines: string[] }[] = [];
    for (const observation of logs) {
      const { log } = observation;
      const lines = await this.lines(log.text, MAX_LINES);
      if (this.isInvalid) return;
      occurrences.push({ observation, lines });
      if (lines.length === 0) {
        const end = log.text.trimEnd().split("\n").at(-1) ?? "";
        const message = `does not occur in ${log.path}; it must occur in all observed logs of the item.`;
        this.error("witness_missing", message, end);
        return;
      }
    }
    for (const { observation, lines } of occurrences) {
      const { log, records } = observation;
      const recorded = new Set(records.flatMap((record) => record.matched_content.split("\n")));
      const record = lines.find((line) => recorded.has(line));
      if (record !== undefined) {
        this.error("witness_is_record", `is a record of ${log.path}; a witness is another line.`, record);
        return;
      }
      const [earlier] = await this.lines(log.text.slice(0, Math.floor(log.text.length * 0.9)), 1);
      if (earlier === undefined) continue;
      const message = `still occurs in ${log.path} without its last tenth; it must occur only near the end.`;
      this.error("witness_before_end", message, earlier);
      return;
    }
  }

  private async lines(text: string, most: number): Promise<string[]> {
    const search = await witnessLines(this.session, text, this.witness, most);
    if (search.ok) return search.lines;
    this.isInvalid = true;
    this.error("witness_invalid", `is not valid: ${search.message}.`, this.witness);
    return [];
  }

  private error(code: FindingCode, message: string, line: string): void {
    const text = `The witness ${show(this.witness, 200)} ${message}`;
    this.findings.error(GATE, "config", code, text, { example: show(line, 240) });
  }
}

const OTHER_TEXTS: readonly (readonly [what: string, text: string])[] = [
  ["an empty text", ""],
  ["unrelated prose", `${PROSE.join("\n")}\n`],
  ["a log of errors", `${ERROR_LOG.join("\n")}\n`],
  ["the message of a shell", `${SHELL_ERRORS.join("\n")}\n`],
];
