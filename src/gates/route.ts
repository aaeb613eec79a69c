// Error routing: the part that has to be repaired, by the atom of the findings and not by their text.
import type { AtomPart } from "../contract/atoms.ts";
import { concernsParsing, type ErrorSource, type GateFinding } from "../contract/gates.ts";

const SOURCES: Record<AtomPart, ErrorSource> = {
  atom_a: "atom_a",
  atom_b: "atom_b",
  atom_c: "atom_c",
  config: "yaml",
};

/** `atom_a` if any error is about Atom A, since findings about the logic depend on it. Otherwise the part of the first
 * error, since errors that cause others come first. `unknown` without errors; the pipeline treats it like `atom_a`. */
export function errorSource(errors: readonly Pick<GateFinding, "atom" | "gate" | "code">[]): ErrorSource {
  if (errors.some(concernsParsing)) return "atom_a";
  const [first] = errors;
  return first === undefined ? "unknown" : SOURCES[first.atom];
}
