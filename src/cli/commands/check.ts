// `check`: runs accepted atom sets on logs (L0 to L5) and writes the reports (L6).
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { AtomsmithError, EXIT, type ExitCode } from "../../core/errors.ts";
import { VERSION } from "../../core/version.ts";
import { PathGuard } from "../../files/guard.ts";
import {
  type Baseline,
  compareWithBaseline,
  newlyBroken,
  parseBaseline,
  type ReportRun,
  totalsOf,
} from "../../report/index.ts";
import {
  type CheckedSet,
  collectExcerpts,
  findAtomSets,
  LogPool,
  parseOverride,
} from "../../runtime/index.ts";
import { reportTargets, writeReports } from "../check-reports.ts";
import { resultDocument, resultText } from "../check-result.ts";
import { checkByQueue, checkHere } from "../check-run.ts";
import { type ArgValues, COMMON_ARGS, defineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { setsOrFolder } from "../item-target.ts";
import { QUEUE_ARG } from "../queue.ts";

const MIB = 2 ** 20;

const ARGS = {
  sets: {
    type: "positional",
    valueHint: "ATOM_DIR",
    multiple: true,
    description:
      "ids of items, folders of atom sets, or folders of such folders (default: the output folder)",
  },
  ...COMMON_ARGS,
  input: {
    type: "string",
    valueHint: "FILE",
    multiple: true,
    description: "read this file instead of those in the item config (input_files); may be repeated",
  },
  set: {
    type: "string",
    valueHint: "KEY=VALUE",
    multiple: true,
    description:
      "override a value of the item config for this run, e.g. requirements.value=N/A; may be repeated",
  },
  items: { type: "boolean", description: "print every extracted record" },
  unverified: {
    type: "boolean",
    description: "also run sets that have no manifest or were modified since acceptance (never stubs)",
  },
  outdated: {
    type: "boolean",
    description: "also run sets whose page changed since acceptance",
  },
  junit: { type: "string", valueHint: "FILE", description: "write a JUnit XML report" },
  sarif: { type: "string", valueHint: "FILE", description: "write a SARIF 2.1.0 report" },
  html: { type: "string", valueHint: "FILE", description: "write one self-contained HTML page" },
  "report-dir": {
    type: "string",
    valueHint: "DIR",
    description: "write a log and a report for each item, summary.yaml and results.json",
  },
  "work-orders": {
    type: "string",
    valueHint: "DIR",
    description: "write a work order for each failed item, for factory run; --repo is searched for the files",
  },
  repo: {
    type: "string",
    valueHint: "DIR",
    description: "repository whose files the work orders name",
    defaultHint: "the repository of the current folder",
  },
  baseline: {
    type: "string",
    valueHint: "FILE",
    description: "compare with the JSON result of an earlier run",
  },
  ...QUEUE_ARG,
  "only-new": {
    type: "boolean",
    description: "with --baseline: exit with 7 or 8 only for new failures and errors",
  },
} as const;
type Args = ArgValues<typeof ARGS>;

export const checkCommand = defineCommand({
  name: "check",
  summary: "run accepted atom sets on logs and report pass or fail",
  details:
    "Runs the atoms of each set on the logs named by its config, below the search root. An item passes, fails, or " +
    "ends in an error: a missing, damaged or unreadable input, a failed atom, a stub, a set that was modified " +
    "since acceptance, or a set whose page changed. An error never counts as a pass, whatever the waivers say.",
  args: ARGS,
  examples: [
    { command: "atomsmith check output --search-root runs/latest", does: "check every accepted item" },
    {
      command: "atomsmith check output/STA-03 --input sta.log --items",
      does: "check one item on one file and print its records",
    },
    {
      command: "atomsmith check output --html report.html --junit junit.xml --baseline last.json --only-new",
      does: "a nightly run that fails only for new violations",
    },
  ],
  exits: {
    0: "every item passed",
    2: "wrong usage, or an invalid item config",
    6: "the sandbox is not available",
    7: "at least one item failed",
    8: "at least one item could not be judged",
  },
  run: runCheck,
});

async function runCheck(args: Args, context: CommandContext): Promise<ExitCode> {
  const started = performance.now();
  const createdAt = new Date().toISOString();
  const { config, signal } = context;
  const { folders, inputs } = await splitWords(args, context);
  for (const flag of args.set) parseOverride(flag); // report an invalid override before anything starts
  const baseline = await readBaseline(args, context);
  const targets = await reportTargets(args, context);
  const dirs = await findAtomSets(folders.length > 0 ? folders : [config.paths.output_dir]);
  const rootIsChosen = context.loaded.origins.has("paths.search_root");
  // Without an explicit search root, files named on the command line may be anywhere.
  const guard = new PathGuard(config.paths.search_root, rootIsChosen ? {} : { also: inputs });
  const pool = new LogPool({ maxTextBytes: config.check.max_text_mb * MIB, signal });
  const excerpts = new Map<CheckedSet, ReportRun["items"][number]["excerpts"]>();
  const check = args.queue === undefined ? checkHere : checkByQueue;
  const checked = await check(args, { dirs, inputs, guard, pool }, context, async (set) => {
    // Read the excerpts while the log is likely still in memory.
    const document = set.result.result;
    if (targets.html !== undefined && document !== null) {
      excerpts.set(set, await collectExcerpts(document, pool));
    }
  });
  const items = checked.map((set) => ({
    result: set.result,
    dir: set.dir,
    unverified: set.unverified,
    outdated: set.outdated,
    declared: set.declared,
    config: set.config,
    records: set.items.length,
    searchedFiles: set.searchedFiles,
    excerpts: excerpts.get(set) ?? [],
  }));
  const run: ReportRun = {
    version: VERSION,
    created_at: createdAt,
    search_root: guard.root,
    duration_ms: Math.round(performance.now() - started),
    items,
    comparison: baseline === null ? null : compareWithBaseline(items, baseline.document, baseline.file),
  };
  Object.assign(context.totals, totalsOf(run));
  const code = exitCode(checked, run, args["only-new"]);
  const document = resultDocument(checked, run, args.items);
  await writeReports(targets, run, document);
  if (args["work-orders"] !== undefined) {
    const { writeWorkOrders } = await import("../check-work-orders.ts");
    const repo = context.resolve(args.repo ?? ".");
    const written = await writeWorkOrders(run, context.resolve(args["work-orders"]), repo);
    for (const path of written) context.output.note(`wrote ${path}`);
  }
  context.output.result(document, (style) => {
    const text = resultText(checked, run, args.items, style, context.output);
    const known = code === EXIT.ok && checked.some((set) => set.result.outcome !== "pass");
    return known ? `${text}\nnothing is new since the earlier run (--only-new)` : text;
  });
  for (const target of Object.values(targets))
    if (target !== undefined) context.output.note(`wrote ${target}`);
  return code;
}

/** Arguments that are files belong to `--input` (`--input a.log b.log`); all others are folders of sets. */
async function splitWords(
  args: Args,
  context: CommandContext,
): Promise<{ folders: string[]; inputs: string[] }> {
  const inputs = await Promise.all(args.input.map((file) => inputPath(file, context)));
  const folders: string[] = [];
  for (const word of args.sets) {
    const path = context.resolve(word);
    const isFile = args.input.length > 0 && (await stat(path).catch(() => undefined))?.isFile() === true;
    if (isFile) inputs.push(path);
    else folders.push(setsOrFolder(word, context));
  }
  return { folders, inputs };
}

/** Resolves a path against the working directory; if it does not exist there, against the search root. */
async function inputPath(file: string, context: CommandContext): Promise<string> {
  const here = context.resolve(file);
  if (await stat(here).catch(() => undefined)) return here;
  const below = resolve(context.config.paths.search_root, file);
  return (await stat(below).catch(() => undefined)) ? below : here;
}

async function readBaseline(
  args: Args,
  context: CommandContext,
): Promise<{ document: Baseline; file: string } | null> {
  if (args.baseline === undefined) {
    if (!args["only-new"]) return null;
    throw new AtomsmithError("usage", "--only-new requires --baseline FILE", {
      hint: "give the JSON result of an earlier run",
    });
  }
  const file = context.resolve(args.baseline);
  let text: string;
  try {
    text = await Bun.file(file).text();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "no such file" : (code ?? String(error));
    throw new AtomsmithError("usage", `cannot read the baseline ${file}: ${why}`, {
      where: file,
      hint: "use results.json of `check --report-dir`, or the output of `check --json`",
    });
  }
  return { document: parseBaseline(text, file), file };
}

/** The worst outcome determines the code; with `onlyNew`, the worst new outcome. */
function exitCode(checked: readonly CheckedSet[], run: ReportRun, onlyNew: boolean): ExitCode {
  if (checked.some((set) => set.configError)) return EXIT.usage;
  const comparisons = new Map(run.comparison?.items.map((item) => [item.item_id, item]));
  const outcomes = run.items.map((item) => {
    const comparison = onlyNew ? comparisons.get(item.result.item_id) : undefined;
    return comparison === undefined ? item.result.outcome : newlyBroken(item, comparison);
  });
  if (outcomes.includes("error")) return EXIT.checkError;
  return outcomes.includes("fail") ? EXIT.checkFailed : EXIT.ok;
}
