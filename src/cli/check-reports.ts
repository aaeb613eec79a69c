// Resolves the report paths of `check` and writes the reports after all items are judged.
import { mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AtomsmithError } from "../core/errors.ts";
import {
  type BatchReport,
  type ReportRun,
  renderBatchJunit,
  renderBatchPage,
  renderBatchSarif,
  renderItemLog,
  renderItemReport,
  renderRunJunit,
  renderRunPage,
  renderRunSarif,
  renderSummaryYaml,
} from "../report/index.ts";
import { storeError, writeFileAtomic } from "../store/index.ts";
import type { CommandContext } from "./context.ts";

export interface ReportTargets {
  junit: string | undefined;
  sarif: string | undefined;
  html: string | undefined;
  reportDir: string | undefined;
}

/** Resolves the paths and creates their folders before anything runs, so that a report that cannot be written
 * fails at once. Throws kind `usage` when a target is a folder, `store` when it cannot be created. */
export async function reportTargets(
  args: {
    junit: string | undefined;
    sarif: string | undefined;
    html: string | undefined;
    "report-dir": string | undefined;
  },
  context: CommandContext,
): Promise<ReportTargets> {
  const file = (path: string | undefined, flag: string) => reportFile(path, flag, context);
  const reportDir = args["report-dir"] === undefined ? undefined : context.resolve(args["report-dir"]);
  if (reportDir !== undefined) await makeFolder(reportDir);
  const targets = {
    junit: await file(args.junit, "--junit"),
    sarif: await file(args.sarif, "--sarif"),
    html: await file(args.html, "--html"),
    reportDir,
  };
  context.ownFiles.push(...Object.values(targets).filter((path) => path !== undefined));
  return targets;
}

/** The absolute path of a report; creates its folder. Throws kind `usage` for a folder. */
export async function reportFile(
  path: string | undefined,
  flag: string,
  context: CommandContext,
): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const target = context.resolve(path);
  if ((await stat(target).catch(() => undefined))?.isDirectory()) {
    throw new AtomsmithError("usage", `${flag} ${path} is a directory; give the name of a file`, {
      where: target,
    });
  }
  await makeFolder(dirname(target));
  return target;
}

async function makeFolder(dir: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "EEXIST" && code !== "ENOTDIR") throw storeError(error, dir);
    throw new AtomsmithError("usage", `cannot write reports to ${dir}: a part of this path is a file`, {
      where: dir,
    });
  }
}

/** Writes the requested reports. Throws kind `store`. */
export async function writeReports(targets: ReportTargets, run: ReportRun, document: unknown): Promise<void> {
  if (targets.junit !== undefined) await writeFileAtomic(targets.junit, renderRunJunit(run));
  if (targets.sarif !== undefined) await writeFileAtomic(targets.sarif, json(renderRunSarif(run)));
  if (targets.html !== undefined) await writeFileAtomic(targets.html, renderRunPage(run));
  if (targets.reportDir === undefined) return;
  const dir = targets.reportDir;
  await writeFileAtomic(join(dir, "summary.yaml"), renderSummaryYaml(run));
  await writeFileAtomic(join(dir, "results.json"), json(document));
  const used = new Set<string>();
  for (const item of run.items) {
    const name = freeName(item.result.item_id, used);
    await writeFileAtomic(join(dir, "logs", `${name}.log`), renderItemLog(item, run));
    await writeFileAtomic(join(dir, "reports", `${name}.rpt`), renderItemReport(item, run));
  }
}

/** The reports of a batch. Throws kind `store`. */
export async function writeBatchReports(targets: ReportTargets, report: BatchReport): Promise<void> {
  if (targets.junit !== undefined) await writeFileAtomic(targets.junit, renderBatchJunit(report));
  if (targets.sarif !== undefined) await writeFileAtomic(targets.sarif, json(renderBatchSarif(report)));
  if (targets.html !== undefined) await writeFileAtomic(targets.html, renderBatchPage(report));
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A unique file name for an id: ids are read from manifests and folder names, so unsafe characters are replaced. */
function freeName(id: string, used: Set<string>): string {
  const base = id.replace(/[^A-Za-z0-9._-]/g, "_").replace(/^\.+/, "_") || "item";
  let name = base;
  for (let n = 2; used.has(name); n += 1) name = `${base}-${n}`;
  used.add(name);
  return name;
}
