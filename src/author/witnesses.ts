// The `witnesses` of a config: proposed by the author who reads the logs, and written by the program into
// the config of the other author, as `input_files` are. Contract, section 7.
import { Document, isMap, parseDocument } from "yaml";

/** What an author says of the end of a run. */
export interface WitnessProposal {
  /** Plain texts, or `regex:` and an expression; each is matched on one line of a log. */
  patterns: string[];
  /** Why there is none. */
  reason: string;
}

/** The config with these witnesses; unchanged when it is no YAML map. What else it says stays as it is written. */
export function withWitnesses(config: string, { patterns, reason }: WitnessProposal): string {
  if (config.trim() === "") return config;
  const rest = config.replace(OWN_KEYS, "");
  const document = parseDocument(rest);
  const map = document.contents;
  if (document.errors.length > 0 || !isMap(map)) return config;
  const own = {
    witnesses: [...patterns],
    ...(patterns.length === 0 && reason !== "" ? { no_witness_reason: reason } : {}),
  };
  const flow = map.flow === true || map.has("witnesses") || /^(?:---|\.\.\.|%)/m.test(rest);
  if (!flow) return `${rest.trimEnd()}\n${new Document(own).toString({ lineWidth: 0 })}`;
  document.delete("no_witness_reason");
  for (const [key, value] of Object.entries(own)) document.set(key, document.createNode(value));
  return document.toString({ lineWidth: 0 });
}

const OWN_KEYS = /^(?:witnesses|no_witness_reason):.*(?:\n(?:[ \t].*|-.*))*\n?/gm;

/** The config without the keys that the program writes: the logic author does not see them. */
export function withoutProgramKeys(config: string): string {
  return config.replace(/^(?:input_files|witnesses|no_witness_reason):.*(?:\n(?:[ \t].*|-.*))*\n?/gm, "");
}
