// What accepting a set changes: the accepted set and the new one are run on the same logs, before anything is
// written. Nothing here keeps a set from being accepted: what could not be compared is said.
import type { AtomSources } from "../../contract/atoms.ts";
import type { SetChanges } from "../../contract/changes.ts";
import { AtomsmithError } from "../../core/errors.ts";
import { PathGuard } from "../../files/guard.ts";
import { variablesOf } from "../../files/variables.ts";
import { type AtomSetState, verifyAtomSetSync } from "../../runtime/atom-set.ts";
import { checkSet } from "../../runtime/check-set.ts";
import type { CheckOptions, CheckServices } from "../../runtime/check-types.ts";
import { type ComparedSet, compareSets } from "../../runtime/compare-sets.ts";
import { type ManifestFacts, manifestOf } from "./output-store.ts";
import type { ItemServices } from "./services.ts";

/** Compares the set that stands in the output folder with the one that would replace it. A new set with nothing to
 * compare is run in a dry run only, which shows nothing else of it. Throws when the signal ends the stage. */
export async function changesBy(
  sources: AtomSources,
  facts: ManifestFacts,
  searchRoot: string,
  services: ItemServices,
  signal: AbortSignal,
): Promise<SetChanges> {
  const held = verifyAtomSetSync(services.output.dir);
  const before = services.output.keepsSet() ? held : undefined;
  const after: AtomSetState = {
    state: "accepted",
    manifest: manifestOf(sources, facts, "accepted"),
    sources,
  };
  if (before === undefined && !services.dryRun) {
    const run = { problem: "there is no accepted set to compare it with" };
    return compareSets(undefined, { sources, run }, searchRoot);
  }
  const limitMs = services.config.execution.gate_budget * 1000;
  const bound = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const checks = openChecks(searchRoot, services, bound);
  const run = async (set: AtomSetState): Promise<ComparedSet> => {
    try {
      const checked = await checkSet(services.output.dir, set, checks.options, checks.services);
      return { sources: set.sources, run: checked };
    } catch (error) {
      signal.throwIfAborted();
      const problem = bound.aborted
        ? `it was not run to its end within ${limitMs / 1000} s (execution.gate_budget)`
        : messageOf(error);
      return { sources: set.sources, run: { problem } };
    }
  };
  return services.gateSlots.run(async () => {
    const was = before === undefined ? undefined : await run(before);
    return compareSets(was, await run(after), searchRoot);
  });
}

/** A bug in the program is no property of a set. */
function messageOf(error: unknown): string {
  if (error instanceof AtomsmithError && error.kind !== "internal") return error.message;
  throw error;
}

/** Both sets are run as `check` runs them, in silence, whatever their manifests say. */
function openChecks(
  searchRoot: string,
  { config, sandbox, reader }: ItemServices,
  signal: AbortSignal,
): { options: CheckOptions; services: CheckServices } {
  const guard = new PathGuard(searchRoot);
  const { timeout, memory_mb } = config.sandbox;
  return {
    options: {
      variables: variablesOf(guard.root, config.paths.variables),
      overrides: [],
      unverified: true,
      outdated: true,
      limits: { timeoutMs: timeout * 1000, memoryMb: memory_mb },
      maxRecords: config.check.max_records,
      requireWitness: config.check.require_witness,
      parallel: 1,
    },
    services: { sandbox, pool: reader, guard, emit: () => {}, emitOf: () => () => {}, signal },
  };
}
