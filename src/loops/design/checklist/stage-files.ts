// The files of a checklist stage: its report and documents.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFilesAtomic } from "../../../store/index.ts";
import type { StageOutcome } from "../pipeline/types.ts";
import type { Failure } from "../schemas.ts";

/** A failed item fails its stage. */
export function outcome(failures: Failure[], metrics: StageOutcome["metrics"]): StageOutcome {
  return { status: failures.length === 0 ? "ok" : "failed", failures, metrics };
}

/** Writes `report.json` and the documents of a stage. */
export async function writeStage(
  out: string,
  result: StageOutcome,
  documents: Readonly<Record<string, object | string>>,
): Promise<StageOutcome> {
  const { status, failures, metrics } = result;
  const all = { ...documents, "report.json": { ok: status === "ok", failures, metrics } };
  const files = Object.entries(all).map(([name, value]) => ({
    path: join(out, name),
    data: typeof value === "string" ? value : `${JSON.stringify(value, null, 2)}\n`,
  }));
  await writeFilesAtomic(files, { flush: false });
  return result;
}

/** A document of a stage; undefined if it is missing or unreadable. */
export function jsonFile<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as T;
  } catch {
    return undefined;
  }
}
