// The stage that checks every enabled item, with the requirements and waivers of the spec in place of its own. An item
// whose set, logs, overrides and date are those of an earlier check is not checked again; if only its overrides
// changed, it is judged on the stored extraction.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CheckResult } from "../../../contract/results.ts";
import { canonicalHash } from "../../../core/canonical.ts";
import type { JsonValue } from "../../../core/json.ts";
import type { ReportItem } from "../../../report/index.ts";
import { verdictText } from "../../../runtime/index.ts";
import type { Stage, StageRun } from "../pipeline/types.ts";
import type { Failure, Version } from "../schemas.ts";
import { setHashes } from "./author.ts";
import { itemEmitOf } from "./item-events.ts";
import { dropExtractions, extractionHash, Judge, type JudgeRequest } from "./judge.ts";
import { configOverrides, type ItemOverrides, overridesOf, remarksOf } from "./overrides.ts";
import { LOGS_FILE } from "./prepare.ts";
import { type Checklist, enabledItems } from "./services.ts";
import { type ChecklistSpec, readSpec } from "./spec.ts";
import { jsonFile, outcome, writeStage } from "./stage-files.ts";

/** `check/results.json`, one entry per item. */
export interface CheckEntry extends Omit<ReportItem, "excerpts"> {
  item: string;
  overrides: ItemOverrides | null;
  /** Hashes of the extraction and of all inputs of the verdict. */
  extraction: string;
  inputs_hash: string;
}

export const RESULTS_FILE = "results.json";

export interface CheckHistory {
  /** Versions up to the checked one, oldest first. */
  versions(): readonly Version[];
  /** Folders of `check` of earlier runs, newest first. */
  earlier(): readonly string[];
}

export function checkStage(checklist: Checklist, history: CheckHistory): Stage {
  return {
    name: "check",
    inputsHash: async ({ spec, before }) => {
      const read = readSpec(spec);
      const items = enabledItems(read).map(([id, { requirements, waivers }]) => [
        id,
        requirements ?? null,
        waivers ?? null,
      ]);
      const sets = setHashes(
        checklist,
        enabledItems(read).map(([id]) => id),
      );
      // Waivers expire by date, including those of an item's own config.
      return canonicalHash({
        stage: "check",
        items,
        sets,
        today: checklist.today,
        config: limitsOf(checklist),
        before: [...before],
      } as never);
    },
    run: (run) => runCheck(checklist, history, run),
  };
}

async function runCheck(
  checklist: Checklist,
  history: CheckHistory,
  run: StageRun,
): Promise<ReturnType<typeof outcome>> {
  const spec = readSpec(run.spec);
  const plan = planCheck(checklist, spec, history.versions(), logsHash(run));
  const known = knownEntries(history.earlier());
  const pending = plan.filter(({ inputs_hash, dir }) => !known.has(inputs_hash) && existsSync(dir));
  const { bus } = checklist.services;
  let done = 0;
  bus.emit({ type: "progress", what: "items", done, total: pending.length });
  const judge =
    pending.length === 0 ? undefined : await Judge.open(checklist, spec, run.signal, itemEmitOf(bus));
  const judged = new Map<string, CheckEntry>();
  let reread = 0;
  try {
    const results =
      (await judge?.judgeAll(pending, false, () => {
        done += 1;
        bus.emit({ type: "progress", what: "items", done, total: pending.length });
      })) ?? [];
    for (const [index, result] of results.entries()) {
      const request = pending[index];
      if (request === undefined || "missing" in result) continue;
      if (result.reread) reread += 1;
      const { checked } = result;
      const remarks = request.itemOverrides === null ? [] : remarksOf(request.itemOverrides);
      judged.set(request.item, {
        item: request.item,
        // Without its duration, so that equal inputs give equal bytes.
        result: {
          ...checked.result,
          duration_ms: 0,
          diagnostics: [...remarks, ...checked.result.diagnostics],
        },
        dir: checked.dir,
        unverified: checked.unverified,
        outdated: checked.outdated,
        records: checked.items.length,
        config: checked.config,
        declared: checked.declared,
        searchedFiles: checked.searchedFiles,
        overrides: request.itemOverrides,
        extraction: request.extraction,
        inputs_hash: request.inputs_hash,
      });
    }
  } finally {
    await judge?.close();
  }
  const entries = plan.map(
    (entry): CheckEntry => judged.get(entry.item) ?? known.get(entry.inputs_hash) ?? missingSetEntry(entry),
  );
  const failures = entries.flatMap(({ item, result }): Failure[] => {
    return result.outcome === "pass"
      ? []
      : [{ name: item, reason: `${result.outcome}: ${reasonOf(result)}` }];
  });
  await dropExtractions(checklist.dir, new Set(entries.map(({ extraction }) => extraction)));
  const count = (what: CheckResult["outcome"]): number =>
    entries.filter(({ result }) => result.outcome === what).length;
  const metrics = {
    items: entries.length,
    pass: count("pass"),
    fail: count("fail"),
    error: count("error"),
    judged_anew: judged.size,
    read_anew: reread,
  };
  return writeStage(run.out, outcome(failures, metrics), { [RESULTS_FILE]: { entries } });
}

/** Hash of the files that the stage `discover` found, by content. */
function logsHash(run: StageRun): string {
  return canonicalHash(jsonFile<JsonValue>(join(run.folderOf("discover"), LOGS_FILE)) ?? null);
}

function reasonOf(result: CheckResult): string {
  const ended = result.diagnostics
    .filter(({ code }) => code === "waiver_ended")
    .map(({ message }) => message);
  return [verdictText(result), ...ended].join("; ");
}

type Planned = JudgeRequest & { inputs_hash: string; itemOverrides: ItemOverrides | null };

/** The items to check, with the hashes that identify their inputs. */
export function planCheck(
  checklist: Checklist,
  spec: ChecklistSpec,
  versions: readonly Version[],
  logs: string,
): Planned[] {
  const items = enabledItems(spec);
  const sets = setHashes(
    checklist,
    items.map(([id]) => id),
  );
  const { today } = checklist;
  return items.map(([id, item]) => {
    const overrides = configOverrides(item, today);
    const itemOverrides = overridesOf(id, item, versions, today) ?? null;
    const extraction = extractionHash(sets[id] ?? null, logs, checklist.searchRoot(spec));
    const inputs_hash = canonicalHash({
      extraction,
      overrides,
      itemOverrides,
      today,
      config: limitsOf(checklist),
    } as never);
    return { item: id, dir: checklist.setOf(id), overrides, itemOverrides, extraction, inputs_hash };
  });
}

/** Settings that affect verdicts. */
function limitsOf({ services: { config } }: Checklist): object {
  return { check: config.check, timeout: config.sandbox.timeout, memory: config.sandbox.memory_mb };
}

function knownEntries(folders: readonly string[]): Map<string, CheckEntry> {
  const known = new Map<string, CheckEntry>();
  // The newest check has nearly all entries; older ones are needed for inputs that were changed back.
  for (const folder of folders.slice(0, 3)) {
    for (const entry of entriesOf(folder))
      if (!known.has(entry.inputs_hash)) known.set(entry.inputs_hash, entry);
  }
  return known;
}

/** Entries of a check; empty if it does not exist. */
export function entriesOf(folder: string): CheckEntry[] {
  return jsonFile<{ entries: CheckEntry[] }>(join(folder, RESULTS_FILE))?.entries ?? [];
}

function missingSetEntry({ item, dir, itemOverrides, extraction, inputs_hash }: Planned): CheckEntry {
  const message = "This item has no atom set and was not checked.";
  return {
    item,
    result: {
      item_id: item,
      type: null,
      outcome: "error",
      result: null,
      diagnostics: [{ severity: "error", code: "no_set", message, file: dir }],
      input_files: [],
      duration_ms: 0,
    },
    dir,
    unverified: false,
    outdated: false,
    records: 0,
    config: null,
    declared: [],
    searchedFiles: [],
    overrides: itemOverrides,
    extraction,
    inputs_hash,
  };
}
