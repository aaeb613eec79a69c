// The `witnesses` of a config: found by whoever reads the logs, and written by the program into a config that somebody
// else writes, as `input_files` are. Contract, section 7.
import { parseDocument } from "yaml";

/** What an author says of the end of a run. */
export interface WitnessProposal {
  /** Plain texts, or `regex:` and an expression; each is matched on one line of a log. */
  patterns: string[];
  /** Why there is none. */
  reason: string;
}

/** The config with these witnesses; unchanged when it is no YAML map. */
export function withWitnesses(config: string, { patterns, reason }: WitnessProposal): string {
  if (config.trim() === "") return config;
  const document = parseDocument(config);
  if (document.errors.length > 0 || !document.contents || !("items" in document.contents)) return config;
  document.set("witnesses", document.createNode([...patterns]));
  if (patterns.length === 0 && reason !== "") document.set("no_witness_reason", reason);
  else document.delete("no_witness_reason");
  return document.toString({ lineWidth: 0 });
}

/** The config without the keys that the program writes: they are no business of the logic author. */
export function withoutProgramKeys(config: string): string {
  return config.replace(/^(?:input_files|witnesses|no_witness_reason):.*(?:\n(?:[ \t].*|-.*))*\n?/gm, "");
}
