// The state of a set, and the reasons not to trust it.
import type { AtomSources } from "../contract/atoms.ts";
import type { Manifest } from "../contract/manifest.ts";
import { AtomsmithError } from "../core/errors.ts";
import { type AtomSetState, outdatedPage, verifyAtomSet } from "./atom-set.ts";

/** Reads and verifies a set. Unreadable files are a state; a missing directory throws kind `usage`. */
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

/** A reason not to trust a set, and the flag of `check` that runs it anyway. */
export interface Doubt {
  flag: "unverified" | "outdated";
  code: string;
  message: string;
}

/** The reasons not to trust a set; none for an accepted set whose page is unchanged. Stubs are reported elsewhere. */
export function doubtsOf(set: SetState, dir: string): Doubt[] {
  switch (set.state) {
    case "no_manifest":
      return [unverified(set.state, "This set has no manifest, so there is no record that it was proved.")];
    case "bad_manifest":
      return [unverified(set.state, `The manifest of this set ${set.problem}.`)];
    case "modified": {
      const changed = set.changed.join(", ");
      const message = `This set was changed since it was accepted (${changed}).`;
      return [unverified(set.state, message), ...outdated(set.manifest, dir)];
    }
    case "accepted":
      return outdated(set.manifest, dir);
    default:
      return [];
  }
}

function unverified(code: string, message: string): Doubt {
  return { flag: "unverified", code, message };
}

function outdated(manifest: Manifest, dir: string): Doubt[] {
  if (outdatedPage(manifest, dir) === undefined) return [];
  const message = "This set is outdated: its page changed since it was accepted.";
  return [{ flag: "outdated", code: "outdated", message }];
}
