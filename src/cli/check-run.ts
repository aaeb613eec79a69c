// Runs the sets of `check`: in this process, or on the workers of a queue.
import type { PathGuard } from "../files/guard.ts";
import { variablesOf } from "../files/variables.ts";
import { createItemEmit } from "../loops/item/events.ts";
import {
  type CheckedSet,
  type CheckOptions,
  type CheckServices,
  checkAtomSets,
  type LogPool,
  parseOverride,
} from "../runtime/index.ts";
import { dayOf } from "../runtime/waiver-days.ts";
import type { CommandContext } from "./context.ts";
import { openSandbox } from "./open-sandbox.ts";
import { openQueue } from "./queue.ts";

/** Concurrent items per sandbox child: while one waits for its atoms, another reads logs. */
const ITEMS_PER_CHILD = 2;

/** Flags of `check` that affect how a set is run. */
interface CheckFlags {
  set: string[];
  unverified: boolean;
  outdated: boolean;
  queue: string | undefined;
}

export interface CheckInputs {
  dirs: readonly string[];
  inputs: string[];
  guard: PathGuard;
  pool: LogPool;
}
type OnDone = (set: CheckedSet) => Promise<void>;

/** Runs the checks in this process. */
export async function checkHere(
  args: CheckFlags,
  { dirs, inputs, guard, pool }: CheckInputs,
  context: CommandContext,
  onDone: OnDone,
): Promise<CheckedSet[]> {
  const { settings, services, children } = await openCheck(context, guard, pool);
  const options: CheckOptions = {
    ...settings,
    ...(inputs.length > 0 ? { inputs } : {}),
    overrides: args.set.map(parseOverride),
    unverified: args.unverified,
    outdated: args.outdated,
  };
  return checkAtomSets(dirs, children * ITEMS_PER_CHILD, options, services, onDone);
}

/** Opens the sandbox. Returns the services of checks in this process, the options that the configuration determines, and
 * the number of sandbox children. */
export async function openCheck(context: CommandContext, guard: PathGuard, pool: LogPool) {
  const { config, signal } = context;
  const { sandbox, children, limits } = await openSandbox(context);
  const settings = {
    variables: variablesOf(guard.root, config.paths.variables),
    limits,
    maxRecords: config.check.max_records,
    requireWitness: config.check.require_witness,
    parallel: children + 1,
  };
  const emitOf = (itemId: string) => createItemEmit(context.bus, itemId);
  const services: CheckServices = { sandbox, pool, guard, emit: context.emit, emitOf, signal };
  return { settings, services, children };
}

/** Runs the checks on the workers of a queue. */
export async function checkByQueue(
  args: CheckFlags,
  { dirs, inputs, guard }: CheckInputs,
  context: CommandContext,
  onDone: OnDone,
): Promise<CheckedSet[]> {
  const { checkByFleet } = await import("../worker/submit-checks.ts");
  const fleet = {
    queue: await openQueue(context, args.queue),
    config: context.config,
    searchRoot: guard.root,
    ownFiles: context.ownFiles,
    options: {
      overrides: args.set,
      unverified: args.unverified,
      outdated: args.outdated,
      inputs: inputs.length > 0 ? inputs : null,
      today: dayOf(new Date()),
    },
    emit: context.emit,
    signal: context.signal,
  };
  return checkByFleet(dirs, fleet, onDone);
}
