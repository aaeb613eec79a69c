// What the item loop keeps in its run store beside checkpoints, journal and replies: what a stage left
// (`stage_outputs/<stage>.json`) and the findings of each attempt (`error_logs/iteration_<n>.json`).
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

/** Read access to what is stored of an item; takes no lock. */
export class ItemReader extends RunReader {
  constructor(cacheDir: string, itemId: string) {
    super(cacheDir, { loop: LOOP, id: itemId });
  }

  /** What a stage left; undefined when nothing or nothing readable. */
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

/** For people and reports; nothing that resumes an item needs it. A power cut may take it. */
export function saveStageOutput(store: RunWriter, stage: string, output: unknown): Promise<void> {
  return store.saveView(STAGE_OUTPUTS, stage, output, { later: true });
}

/** As `saveStageOutput`. */
export function saveErrorLog(store: RunWriter, iteration: number, output: unknown): Promise<void> {
  return store.saveView(ERROR_LOGS, `iteration_${iteration}`, output, { later: true });
}

/** Forgets error logs of an earlier run, so that iterations of two runs never stand side by side. */
export function dropErrorLogs(store: RunWriter): Promise<void> {
  return store.dropViews(ERROR_LOGS);
}

/** Copies what a worker of the fleet stored of an item to the local store. Replies that are here already stay; those of
 * another run are put aside. */
export function copyItemRun(from: RunAccess, to: RunWriter): Promise<void> {
  return copyRun(from, to, { views: [STAGE_OUTPUTS, ERROR_LOGS] });
}
