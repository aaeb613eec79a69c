// Views of the item loop in its run store: stage outputs (`stage_outputs/<stage>.json`) and the findings of each
// attempt (`error_logs/iteration_<n>.json`). Checkpoints, journal and replies belong to the run store itself.
import type { Redact } from "../../core/redact/index.ts";
import {
  copyRun,
  listRuns,
  type Retention,
  type RunAccess,
  RunReader,
  RunStore,
  type RunWriter,
} from "../../store/index.ts";

const LOOP = "item";
const STAGE_OUTPUTS = "stage_outputs";
const ERROR_LOGS = "error_logs";

/** Ids of all items with a checkpoint, sorted. */
export async function listItems(cacheDir: string): Promise<string[]> {
  return (await listRuns(cacheDir, LOOP)).map((run) => run.id);
}

/** Read access to the store of an item, without a lock. */
export class ItemReader extends RunReader {
  constructor(cacheDir: string, itemId: string) {
    super(cacheDir, { loop: LOOP, id: itemId });
  }

  /** Output of a stage; undefined when absent or unreadable. */
  loadStageOutput(stage: string): Promise<unknown> {
    return this.loadView(STAGE_OUTPUTS, stage);
  }

  /** Error details by iteration, ascending. */
  async loadErrorLogs(): Promise<{ iteration: number; value: unknown }[]> {
    const logs: { iteration: number; value: unknown }[] = [];
    for (const [name, value] of await this.loadViews(ERROR_LOGS)) {
      const match = /^iteration_(\d+)$/.exec(name);
      if (match !== null) logs.push({ iteration: Number(match[1]), value });
    }
    return logs.sort((a, b) => a.iteration - b.iteration);
  }
}

/** See `RunStore.open`. */
export function openItemStore(
  cacheDir: string,
  itemId: string,
  retention: Retention,
  mask?: Redact,
): Promise<RunStore> {
  return RunStore.open(cacheDir, { loop: LOOP, id: itemId }, retention, mask);
}

/** Saves an output for reports. Resuming does not need it, so it is not flushed to disk and may be lost in a power
 * failure. */
export function saveStageOutput(store: RunWriter, stage: string, output: unknown): Promise<void> {
  return store.saveView(STAGE_OUTPUTS, stage, output, { later: true });
}

/** Saves the findings of an attempt, with the same durability as `saveStageOutput`. */
export function saveErrorLog(store: RunWriter, iteration: number, output: unknown): Promise<void> {
  return store.saveView(ERROR_LOGS, `iteration_${iteration}`, output, { later: true });
}

/** Deletes the error logs of an earlier run, so that iterations of two runs are never mixed. */
export function dropErrorLogs(store: RunWriter): Promise<void> {
  return store.dropViews(ERROR_LOGS);
}

/** Copies the store of an item run by a worker to the local store. Replies that already exist locally stay; replies
 * of another run are set aside. */
export function copyItemRun(from: RunAccess, to: RunWriter): Promise<void> {
  return copyRun(from, to, { views: [STAGE_OUTPUTS, ERROR_LOGS] });
}
