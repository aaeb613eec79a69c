// Trial runs of the item loop for the agent's tools: a page is written, proved and checked on the logs in a separate
// folder, within limits of time and cost, and an accepted set is copied into the project.
import { readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { z } from "zod";
import type { Config } from "../config/schema.ts";
import { withPaths } from "../config/with-paths.ts";
import type { ItemEmit } from "../contract/item-events.ts";
import { toAtomsmithError } from "../core/errors.ts";
import { PathGuard } from "../files/guard.ts";
import { variablesOf } from "../files/variables.ts";
import type { ItemTrials, Trial, TrialRequest } from "../loops/agent/index.ts";
import { adoptSet, createProofServices, createRunServices, type RunServices } from "../loops/item/index.ts";
import { headline } from "../report/index.ts";
import type { RunOptions } from "../run/context.ts";
import { REPORT_FILES, readManifest } from "../runtime/atom-set.ts";
import type { CheckServices } from "../runtime/check-types.ts";
import { type CheckedSet, checkAtomSets } from "../runtime/index.ts";
import { fencedBlock } from "../spec/index.ts";
import { discoverSpecs } from "./discover.ts";
import { runBatch } from "./run.ts";

/** Most records and characters in an answer. */
const SHOWN_RECORDS = 5;
const SHOWN_CHARS = 160;
const SHOWN_BLOCKS = 4;

const reviewSchema = z.object({
  questions: z.array(z.string()).default([]),
  blocks: z.array(z.object({ kind: z.string(), content: z.string() })).default([]),
});

/** Trials that run the item loop with the configured author. They share the sandbox, and what the gates proved. */
export function itemTrials(options: Omit<RunOptions, "signal" | "pause">, outputDir: string): ItemTrials {
  const proving = createProofServices(options);
  return {
    run: async (request) => {
      let run: RunServices | undefined;
      try {
        const own = {
          config: trialConfig(options.config, request),
          signal: request.signal,
          ownFiles: [...(options.ownFiles ?? []), ...request.ownFiles],
        };
        run = createRunServices({ ...options, ...own }, proving);
        return await runTrial(request, run);
      } catch (thrown) {
        request.signal.throwIfAborted();
        const error = toAtomsmithError(thrown);
        if (error.kind === "interrupted") throw error;
        // A sandbox that did not start is tried again by the next trial; one that runs stays for the others.
        if (error.kind === "sandbox") await proving.sandbox().catch(() => proving.close());
        return failed(error.message, error.details.hint);
      } finally {
        await run?.close();
      }
    },
    adopt: (folder, itemId, pagePath) => adoptSet(join(setsOf(folder), itemId), outputDir, itemId, pagePath),
    close: () => proving.close(),
  };
}

function setsOf(folder: string): string {
  return join(folder, "output");
}

function trialConfig(config: Config, { folder, searchRoot, maxSeconds, maxCostUsd }: TrialRequest): Config {
  const paths = { searchRoot, outputDir: setsOf(folder), cacheDir: join(folder, "cache") };
  const { execution, llm } = config;
  return {
    ...withPaths(config, paths),
    execution: { ...execution, timeout_total: Math.min(execution.timeout_total, maxSeconds) },
    llm: {
      ...llm,
      ...(maxCostUsd === undefined
        ? {}
        : { max_cost_usd: Math.min(llm.max_cost_usd ?? Number.POSITIVE_INFINITY, maxCostUsd) }),
    },
  };
}

async function runTrial({ folder, page }: TrialRequest, run: RunServices): Promise<Trial> {
  const options = { force: false, failFast: false, dryRun: false, concurrency: 1 };
  const { items, not_started } = await runBatch(discoverSpecs([page], folder), run, options);
  run.signal.throwIfAborted();
  const [item] = items;
  if (item === undefined) return failed(not_started[0]?.reason ?? "the page is not a valid ItemSpec");
  const dir = join(setsOf(folder), item.item_id);
  const manifest = item.status === "error" ? undefined : await readManifest(dir);
  const checked = item.status === "accepted" ? await checkAccepted(dir, run) : undefined;
  const names = Object.entries(item.gates);
  return {
    status: item.status,
    problems: item.status === "accepted" ? [] : problemsOf(item, dir),
    author: manifest?.author.provider ?? "",
    attempts: item.iterations,
    gates: {
      passed: names.filter(([, passed]) => passed === true).length,
      failed: names.flatMap(([name, passed]) => (passed === false ? [name] : [])),
    },
    warnings: manifest?.warnings.map(({ gate, message }) => `${gate}: ${message}`) ?? [],
    logs: manifest?.evidence.map(({ path }) => path) ?? [],
    records: recordsOf(checked, run.searchRoot),
    ...(checked === undefined
      ? {}
      : { verdict: { outcome: checked.result.outcome, why: whyOf(checked, run.searchRoot) } }),
    usage: item.up_to_date ? { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 } : item.usage,
  };
}

/** Errors first, then the author's questions. */
function problemsOf(
  item: { errors: { message: string }[]; error?: { message: string } },
  dir: string,
): string[] {
  const messages =
    item.error === undefined ? item.errors.map(({ message }) => message) : [item.error.message];
  return [...new Set([...messages, ...questionsOf(dir)])];
}

/** The questions of the review report, with the blocks to choose from. */
function questionsOf(dir: string): string[] {
  let report: unknown;
  try {
    report = JSON.parse(readFileSync(join(dir, REPORT_FILES[1]), "utf8"));
  } catch {
    return []; // no report: the errors are enough
  }
  const { questions, blocks } = reviewSchema.parse(report);
  const shown = blocks.slice(0, SHOWN_BLOCKS).map(({ kind, content }) => fencedBlock(kind, content));
  return shown.length === 0 ? questions : [...questions, `The blocks:\n${shown.join("\nor\n")}`];
}

/** The verdict of the accepted set on the logs. */
async function checkAccepted(dir: string, run: RunServices): Promise<CheckedSet | undefined> {
  const { config, searchRoot, signal } = run;
  const guard = new PathGuard(searchRoot);
  const services: CheckServices = {
    sandbox: await run.sandbox(),
    pool: run.reader,
    guard,
    emit: () => {},
    emitOf: () => (() => {}) as ItemEmit,
    signal,
  };
  const { sandbox, check } = config;
  const [checked] = await checkAtomSets(
    [dir],
    1,
    {
      variables: variablesOf(guard.root, config.paths.variables),
      overrides: [],
      unverified: false,
      outdated: false,
      limits: { timeoutMs: sandbox.timeout * 1000, memoryMb: sandbox.memory_mb },
      maxRecords: check.max_records,
      requireWitness: check.require_witness,
      parallel: 2,
    },
    services,
  );
  return checked;
}

function whyOf(checked: CheckedSet, searchRoot: string): string {
  const item = { ...checked, records: checked.items.length, excerpts: [] };
  return headline(item, searchRoot, { text: SHOWN_CHARS });
}

function recordsOf(checked: CheckedSet | undefined, searchRoot: string): Trial["records"] {
  const items = checked?.items ?? [];
  return {
    total: items.length,
    shown: items.slice(0, SHOWN_RECORDS).map(({ source_file, line_number, value, parsed_fields }) => ({
      file: relative(searchRoot, source_file).split(sep).join("/"),
      line: line_number,
      value,
      fields: JSON.stringify(parsed_fields),
    })),
  };
}

function failed(message: string, hint?: string): Trial {
  return {
    status: "error",
    problems: [hint === undefined ? message : `${message} (${hint})`],
    author: "",
    attempts: 0,
    gates: { passed: 0, failed: [] },
    warnings: [],
    logs: [],
    records: { total: 0, shown: [] },
    usage: { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 },
  };
}
