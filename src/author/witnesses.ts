// The `witnesses` of a config: proposed by the author who reads the logs, and written into the config of the other author
// by the program, as `input_files` are (docs/contract.md, section 7).
import { Document, isMap, parseDocument } from "yaml";

/** What shows that a run was complete, or why nothing does. */
export interface WitnessProposal {
  /** Plain texts, or `regex:` and an expression; each is matched on one line of a log. */
  patterns: string[];
  /** Why there is none. */
  reason: string;
}

/** The config with these witnesses; unchanged if it is not a YAML map. All other text is copied. */
export function withWitnesses(config: string, { patterns, reason }: WitnessProposal): string {
  if (config.trim() === "") return config;
  const rest = config.replace(OWN_KEYS, "");
  const document = parseDocument(rest);
  const map = document.contents;
  if (document.errors.length > 0 || !isMap(map)) return config;
  const members = {
    witnesses: [...patterns],
    ...(patterns.length === 0 && reason !== "" ? { no_witness_reason: reason } : {}),
  };
  const flow = map.flow === true || map.has("witnesses") || /^(?:---|\.\.\.|%)/m.test(rest);
  if (!flow) return `${rest.trimEnd()}\n${new Document(members).toString({ lineWidth: 0 })}`;
  document.delete("no_witness_reason");
  for (const [key, value] of Object.entries(members)) document.set(key, document.createNode(value));
  return document.toString({ lineWidth: 0 });
}

const OWN_KEYS = /^(?:witnesses|no_witness_reason):.*(?:\n(?:[ \t].*|-.*))*\n?/gm;

/** The config without the keys that the program writes, which the author of the logic does not see. */
export function withoutProgramKeys(config: string): string {
  return config.replace(/^(?:input_files|witnesses|no_witness_reason):.*(?:\n(?:[ \t].*|-.*))*\n?/gm, "");
}
