// Who repairs what: the source of an error is the atom its gate names, never a word of its message.
import type { AtomPart } from "../contract/atoms.ts";
import { concernsParsing, type ErrorSource, type GateFinding } from "../contract/gates.ts";

const SOURCES: Record<AtomPart, ErrorSource> = {
  atom_a: "atom_a",
  atom_b: "atom_b",
  atom_c: "atom_c",
  config: "yaml",
};

/** `atom_a` when any error is about Atom A: until it is right, no finding about the logic is certain. Otherwise the
 * part that the first error names, since errors that cause others come first. `unknown` without errors; the pipeline
 * treats it like `atom_a`. */
export function errorSource(errors: readonly Pick<GateFinding, "atom" | "gate" | "code">[]): ErrorSource {
  if (errors.some(concernsParsing)) return "atom_a";
  const [first] = errors;
  return first === undefined ? "unknown" : SOURCES[first.atom];
}
