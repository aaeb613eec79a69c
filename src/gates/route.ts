// Who repairs what: the source of an error is the atom its gate names, never a word of its message.
import { concernsParsing, type GateFinding } from "../contract/gates.ts";

export type ErrorSource = "atom_a" | "logic" | "unknown";

/** `atom_a` when any error is about Atom A: until it is right, nothing said about the logic is sure. `logic` for
 * Atom B, Atom C and the config. `unknown` without errors; the pipeline then treats it like `atom_a`. */
export function errorSource(errors: readonly Pick<GateFinding, "atom" | "gate">[]): ErrorSource {
  if (errors.length === 0) return "unknown";
  return errors.some(concernsParsing) ? "atom_a" : "logic";
}
