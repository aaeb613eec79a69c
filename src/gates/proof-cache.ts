// What a run has already proved: Atom B and C are universal, so the items of a batch often share their source to the
// letter. What depends on nothing but sources and seed is proved once for each; what is aimed at the item's own words
// and records is run for every item. Only a clean pass is remembered, never a finding.
import { sha256 } from "../core/hash.ts";

type Proof = "atom_b" | "atom_c" | "types";

/** Lives as long as one run of the program. */
export class ProofCache {
  private readonly keys = new Set<string>();

  has(proof: Proof, seed: number, ...sources: string[]): boolean {
    return this.keys.has(keyOf(proof, seed, sources));
  }

  add(proof: Proof, seed: number, ...sources: string[]): void {
    this.keys.add(keyOf(proof, seed, sources));
  }
}

function keyOf(proof: Proof, seed: number, sources: string[]): string {
  return [proof, seed, ...sources.map((source) => sha256(source))].join(" ");
}
