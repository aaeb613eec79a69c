// Who repairs what: the source of an error is the atom its gate names, never a word of its message.
import type { AtomPart } from "../contract/atoms.ts";
import { concernsParsing, type ErrorSource, type GateFinding } from "../contract/gates.ts";

/** `atom_a` when any error is about Atom A: until it is right, no finding about the logic is certain. Otherwise the
 * first of Atom B, Atom C and the config that has an error. `unknown` without errors; the pipeline treats it like
 * `atom_a`. */
export function errorSource(errors: readonly Pick<GateFinding, "atom" | "gate">[]): ErrorSource {
  if (errors.some(concernsParsing)) return "atom_a";
  const blamed = ORDER.find(([part]) => errors.some(({ atom }) => atom === part));
  return blamed?.[1] ?? "unknown";
}

const ORDER: readonly (readonly [AtomPart, ErrorSource])[] = [
  ["atom_b", "atom_b"],
  ["atom_c", "atom_c"],
  ["config", "yaml"],
];
