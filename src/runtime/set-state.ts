// May this folder be run? Its proof is read once, with the very sources that it speaks of.
import type { AtomSources } from "../contract/atoms.ts";
import { AtomsmithError } from "../core/errors.ts";
import { type AtomSetState, verifyAtomSet } from "./atom-set.ts";

/** A set whose files cannot be read is one that cannot be judged; only a missing folder is a usage error. */
export async function readSet(
  dir: string,
): Promise<AtomSetState | { state: "unreadable"; problem: string; sources: AtomSources }> {
  try {
    return await verifyAtomSet(dir);
  } catch (error) {
    if (!(error instanceof AtomsmithError) || error.kind !== "store") throw error;
    return { state: "unreadable", problem: error.message, sources: NO_SOURCES };
  }
}

const NO_SOURCES: AtomSources = { atom_a: "", atom_b: "", atom_c: "", config: "" };
export type SetState = Awaited<ReturnType<typeof readSet>>;

/** Why nothing vouches for a set, with a code; undefined for an accepted one. Stubs are told elsewhere. */
export function doubtOf(set: SetState): { code: string; message: string } | undefined {
  switch (set.state) {
    case "no_manifest":
      return { code: "no_manifest", message: "This set has no manifest: nothing says that it was proved." };
    case "bad_manifest":
      return { code: "bad_manifest", message: `The manifest of this set ${set.problem}.` };
    case "modified":
      return {
        code: "modified",
        message: `This set was changed since it was accepted (${set.changed.join(", ")}).`,
      };
    default:
      return undefined;
  }
}
