// Proofs of the current run. Atoms B and C are universal, so the items of a batch often have the same source. Proofs that
// depend only on sources and seed are made once; tests with the words and records of an item run for every item. Only a
// pass without findings is stored.
import { sha256 } from "../core/hash.ts";

type Proof = "atom_b" | "atom_c" | "types";

/** Shared by the items of one run of the program. */
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
