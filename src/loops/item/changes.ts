// What accepting a new set changes: the accepted set and the new one run on the same logs before anything is written.
// A failed comparison never blocks the acceptance; it is reported as a problem.
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

/** Compares the set in the output folder with the one that would replace it. Without a set to compare with, the new
 * set runs only in a dry run, where this is the only view of its results. Throws when the signal ends the stage. */
export async function compareWithAccepted(
  sources: AtomSources,
  facts: ManifestFacts,
  searchRoot: string,
  services: ItemServices,
  signal: AbortSignal,
): Promise<SetChanges> {
  const existing = verifyAtomSetSync(services.output.dir);
  const before = services.output.hasSetToKeep() ? existing : undefined;
  const after: AtomSetState = {
    state: "accepted",
    manifest: manifestOf(sources, facts, "accepted"),
    sources,
  };
  if (before === undefined && !services.dryRun) {
    const run = { problem: "no accepted set to compare with" };
    return compareSets(undefined, { sources, run }, searchRoot);
  }
  const limitMs = services.config.execution.gate_budget * 1000;
  const timeLimit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const checks = openChecks(searchRoot, services, timeLimit);
  const run = async (set: AtomSetState): Promise<ComparedSet> => {
    try {
      const checked = await checkSet(services.output.dir, set, checks.options, checks.services);
      return { sources: set.sources, run: checked };
    } catch (error) {
      signal.throwIfAborted();
      const problem = timeLimit.aborted
        ? `the run exceeded ${limitMs / 1000} s (execution.gate_budget)`
        : problemOf(error);
      return { sources: set.sources, run: { problem } };
    }
  };
  return services.gateSlots.run(async () => {
    const previous = before === undefined ? undefined : await run(before);
    return compareSets(previous, await run(after), searchRoot);
  });
}

/** Message of a typed error. Rethrows internal errors: a bug in the program is not a property of a set. */
function problemOf(error: unknown): string {
  if (error instanceof AtomsmithError && error.kind !== "internal") return error.message;
  throw error;
}

/** Options of `check` for both sets, without events and regardless of the state in their manifests. */
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
