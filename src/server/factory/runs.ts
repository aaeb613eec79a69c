// Runs of the factory for the page: the directories of one directory, finished or not.
import { lstatSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { z } from "zod";
import type { Config } from "../../config/schema.ts";
import { allFiles } from "../../files/all-files.ts";
import { readSummary } from "../../loops/factory/artifacts.ts";
import { type RunView, readRun } from "../../loops/factory/index.ts";
import { type WorkOrder, workOrderSchema } from "../../loops/factory/schemas.ts";
import { readTextIfAny } from "../../store/index.ts";
import { refusal } from "../http/problem.ts";
import { markOf } from "../watches.ts";
import type { FactoryRowWire, FactoryRunWire } from "../wire/factory.ts";

/** Maximum numbers of runs in the list, and of files of a run. */
const LIMITS = { runs: 500, files: 2_000 };
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const ORDER_FILE = "work_order.json";

export const runIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}(~[A-Za-z0-9][A-Za-z0-9._-]{0,99})?$/)
  .describe("id of a run: RUN_ID, or FOLDER~RUN_ID");

/** Newest first. */
export async function listRuns(config: Config): Promise<FactoryRowWire[]> {
  const ids = runIds(config).slice(0, LIMITS.runs);
  const rows = await Promise.all(ids.map((id) => rowOf(id, dirOf(config, id)).catch(() => undefined)));
  return rows
    .filter((row): row is FactoryRowWire => row !== undefined)
    .sort((a, b) => ((a.started_at ?? "~") < (b.started_at ?? "~") ? 1 : -1));
}

/** Throws a 404 when the run does not exist. */
export async function runDocument(config: Config, id: string): Promise<FactoryRunWire> {
  const dir = dirOf(config, id);
  const row = await rowOf(id, dir);
  const view: RunView | undefined = row.verdict === null ? undefined : await readRun(dir);
  return {
    ...row,
    summary: view?.summary ?? null,
    order: view?.order ?? (await orderOf(dir)),
    attempts_made: view?.attempts ?? [],
    files: filesOf(dir),
  };
}

/** Directory of a run. Throws a 404 when it does not exist. */
export function dirOf(config: Config, id: string): string {
  const parts = id.split("~");
  const dir = join(config.loops.factory.runs, ...parts);
  if (parts.every((part) => NAME.test(part)) && isRun(dir)) return dir;
  throw refusal(404, `run ${JSON.stringify(id)} not found`, "runs are stored in loops.factory.runs");
}

/** Files of a run, without its store. */
export function filesOf(dir: string): { path: string; bytes: number }[] {
  const { paths } = allFiles(dir, {
    skip: ({ name, kind }) => name === ".store" || kind === "link" || kind === "special",
  });
  return paths.slice(0, LIMITS.files).flatMap((path) => {
    const info = lstatSync(path, { throwIfNoEntry: false });
    return info?.isFile() === true ? [{ path: relative(dir, path), bytes: info.size }] : [];
  });
}

/** Changes with every attempt and end of a run. */
export function runMarks(config: Config): ReadonlyMap<string, string> {
  return new Map(
    runIds(config).map((id) => {
      const dir = join(config.loops.factory.runs, ...id.split("~"));
      return [id, markOf([dir, join(dir, "run_summary.json"), join(dir, ".store", "journal.jsonl")])];
    }),
  );
}

/** Ids of all runs, those of a folder of several orders included. */
function runIds(config: Config): string[] {
  const root = config.loops.factory.runs;
  return namesIn(root).flatMap((name) => {
    if (isRun(join(root, name))) return [name];
    return namesIn(join(root, name)).flatMap((inner) =>
      isRun(join(root, name, inner)) ? [`${name}~${inner}`] : [],
    );
  });
}

function isRun(dir: string): boolean {
  return [ORDER_FILE, "run_summary.json"].some(
    (name) => statSync(join(dir, name), { throwIfNoEntry: false }) !== undefined,
  );
}

async function rowOf(id: string, dir: string): Promise<FactoryRowWire> {
  const summary = await readSummary(dir);
  const order = await orderOf(dir);
  const began = statSync(join(dir, ORDER_FILE), { throwIfNoEntry: false })?.mtime.toISOString() ?? null;
  return {
    id,
    order_id: order?.id ?? id,
    title: order?.title ?? "",
    verdict: summary?.verdict ?? null,
    ended_stage: summary?.ended_stage ?? "",
    attempts: summary?.attempts.length ?? 0,
    started_at: summary?.started_utc ?? began,
    ended_at: summary?.ended_utc ?? null,
    repository: summary?.repo_path ?? "",
  };
}

async function orderOf(dir: string): Promise<WorkOrder | null> {
  try {
    return workOrderSchema.parse(JSON.parse((await readTextIfAny(join(dir, ORDER_FILE))) ?? "null"));
  } catch {
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => NAME.test(name));
  } catch {
    return [];
  }
}
