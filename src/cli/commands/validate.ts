// `validate`: runs every gate on existing atom sets, without an author. Needs no manifest.
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Sandbox } from "../../../sandbox/types.ts";
import { ATOM_FILES } from "../../contract/atoms.ts";
import { GATE_NAMES, type GateReport } from "../../contract/gates.ts";
import { AtomsmithError, EXIT, type ExitCode } from "../../core/errors.ts";
import { allFiles } from "../../files/all-files.ts";
import { runGates } from "../../gates/index.ts";
import { readSetFiles } from "../../gates/read-set.ts";
import { findDeclarations, findSpec, inputsOfConfig, readLogs } from "../../gates/set-context.ts";
import { createItemEmit } from "../../loops/item/events.ts";
import { readManifest } from "../../runtime/atom-set.ts";
import { LogPool } from "../../runtime/index.ts";
import { logicSlice, parsingSlice } from "../../spec/index.ts";
import { type ArgValues, COMMON_ARGS, defineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { setsOrFolder } from "../item-target.ts";
import { openSandbox } from "../open-sandbox.ts";
import type { Style } from "../style.ts";

const MIB = 2 ** 20;

const ARGS = {
  sets: {
    type: "positional",
    valueHint: "ATOM_DIR",
    multiple: true,
    required: true,
    description: "ids of items, folders of atom sets, or folders of such folders",
  },
  logs: {
    type: "string",
    valueHint: "PATH",
    multiple: true,
    description: "log or folder of logs to run the atoms on; default: input_files of the item config",
  },
  ...COMMON_ARGS,
} as const;
type Args = ArgValues<typeof ARGS>;

/** One entry of the document. */
interface ValidateResult extends Pick<GateReport, "valid" | "gates" | "errors" | "warnings" | "duration_ms"> {
  dir: string;
  item_id: string;
}

export const validateCommand = defineCommand({
  name: "validate",
  summary: "run all gates on atom sets, without an author",
  details:
    "Runs every gate on atom_a.js, atom_b.js, atom_c.js and config.yaml of each folder in the " +
    "sandbox, with the given logs or those that the config names below the search root. No manifest is needed, " +
    "and nothing is changed. A gate is true (passed), false (failed) or null (not applicable).",
  args: ARGS,
  examples: [
    {
      command: "atomsmith validate output/STA-03 --logs logs/sta.log",
      does: "validate one set with one log",
    },
    {
      command: "atomsmith validate output --search-root runs/latest --json",
      does: "validate every set, with JSON output",
    },
  ],
  exits: {
    0: "all gates that ran passed",
    2: "wrong usage",
    3: "at least one gate failed",
    6: "the sandbox is not available",
  },
  run: runValidate,
});

async function runValidate(args: Args, context: CommandContext): Promise<ExitCode> {
  const { config, signal } = context;
  const { dirs, logs } = await splitPaths(args, context);
  const { sandbox, children } = await openSandbox(context);
  const pool = new LogPool({ maxTextBytes: config.check.max_text_mb * MIB, signal });
  const seed = args.seed ?? crypto.getRandomValues(new Uint32Array(1))[0] ?? 1;
  context.output.note(`seed ${seed}`);
  const results = new Array<ValidateResult>(dirs.length);
  let next = 0;
  let done = 0;
  context.emit({ type: "progress", what: "items", done, total: dirs.length });
  const worker = async (): Promise<void> => {
    for (let i = next++; i < dirs.length; i = next++) {
      signal.throwIfAborted();
      const dir = dirs[i];
      if (dir === undefined) continue;
      results[i] = await validateSet(dir, logs, pool, seed, sandbox, context);
      done += 1;
      context.emit({ type: "progress", what: "items", done, total: dirs.length });
    }
  };
  await Promise.all(Array.from({ length: Math.min(children, dirs.length) }, worker));
  const failed = results.filter((result) => !result.valid).length;
  Object.assign(context.totals, { valid: results.length - failed, invalid: failed });
  context.output.result({ results }, (style) => results.map((result) => text(result, style)).join("\n"));
  return failed > 0 ? EXIT.human : EXIT.ok;
}

/** Arguments that are files belong to `--logs`, so that `--logs a.log b.log` works. */
async function splitPaths(
  args: Args,
  context: CommandContext,
): Promise<{ dirs: string[]; logs: string[] | undefined }> {
  const logs: string[] = [];
  for (const path of args.logs) logs.push(...(await filesUnder(context.resolve(path))));
  const dirs: string[] = [];
  for (const word of args.sets) {
    const path = setsOrFolder(word, context);
    const info = await stat(path).catch(() => undefined);
    if (info?.isFile() && args.logs.length > 0) logs.push(path);
    else if (!info?.isDirectory()) {
      throw new AtomsmithError("usage", `${path} is not a directory`, {
        where: path,
        hint: `an atom set is a directory with ${Object.values(ATOM_FILES).join(", ")}`,
      });
    } else dirs.push(...(await setsIn(path)));
  }
  if (dirs.length === 0)
    throw new AtomsmithError("usage", "no atom set given", { hint: "name the folder of an atom set" });
  return { dirs: [...new Set(dirs)], logs: args.logs.length > 0 ? [...new Set(logs)] : undefined };
}

/** The folder itself, or the sets directly below it if it contains no atom files. */
async function setsIn(dir: string): Promise<string[]> {
  const names: readonly string[] = Object.values(ATOM_FILES);
  const entries = (await readdir(dir, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  if (entries.some((entry) => names.includes(entry.name))) return [dir];
  const below: string[] = [];
  for (const entry of entries) {
    if (!entry.isDirectory() || entry.name.startsWith(".")) continue;
    const inner = await readdir(join(dir, entry.name)).catch(() => []);
    if (inner.some((name) => names.includes(name))) below.push(join(dir, entry.name));
  }
  return below.length > 0 ? below : [dir];
}

async function filesUnder(path: string): Promise<string[]> {
  const info = await stat(path).catch(() => undefined);
  if (!info) throw new AtomsmithError("usage", `no such log: ${path}`, { where: path });
  if (!info.isDirectory()) return [path];
  const { paths, unreadable } = allFiles(path, {
    skip: ({ kind }) => kind !== "folder" && kind !== "file",
  });
  const [first] = unreadable;
  if (first) throw new AtomsmithError("usage", `cannot read ${first.path} (${first.code})`, { where: path });
  return paths;
}

async function validateSet(
  dir: string,
  logs: string[] | undefined,
  pool: LogPool,
  seed: number,
  sandbox: Sandbox,
  context: CommandContext,
): Promise<ValidateResult> {
  const started = performance.now();
  const { signal, config } = context;
  const manifest = await readManifest(dir).catch(() => undefined);
  const itemId = manifest?.item_id ?? basename(dir);
  const emit = createItemEmit(context.bus, itemId);
  emit({ type: "item_started", reason: "validate" });
  const { sources, problems } = await readSetFiles(dir);
  const declarations = manifest?.declarations ?? (await findDeclarations(dir));
  const spec = await findSpec(dir, itemId, config.paths.item_specs_dir, manifest?.spec);
  const inputs = await inputsOfConfig(sources.config, config.paths.search_root, config.paths.variables);
  const paths = logs ?? inputs.files;
  const reading = await readLogs(paths, pool, logs !== undefined);
  const report = await runGates(
    {
      itemId,
      sources,
      logs: reading.logs,
      inputs,
      searchRoot: config.paths.search_root,
      seed,
      requireWitness: config.check.require_witness,
      problems: [...problems, ...reading.problems],
      waived: manifest?.waivers?.map(({ pattern }) => pattern) ?? [],
      ...(declarations === undefined ? {} : { declarations }),
      ...(spec ? { spec, examples: parsingSlice(spec).examples, check: logicSlice(spec).check } : {}),
    },
    { sandbox, emit, signal, budgetMs: config.execution.gate_budget * 1000 },
  );
  const duration = Math.round(performance.now() - started);
  const { valid, gates, errors, warnings } = report;
  emit({ type: "item_finished", status: valid ? "pass" : "fail", duration_ms: duration });
  return { dir, item_id: itemId, valid, gates, errors, warnings, duration_ms: duration };
}

function text(result: ValidateResult, style: Style): string {
  const passed = GATE_NAMES.filter((gate) => result.gates[gate] === true).length;
  const open = GATE_NAMES.filter((gate) => result.gates[gate] === null);
  const verdict = result.valid ? style.green("valid") : style.red("NOT VALID");
  const lines = [
    `${style.bold(result.item_id)}  ${verdict}  ${passed} of ${GATE_NAMES.length} gates passed  ${result.dir}`,
  ];
  if (open.length > 0) lines.push(style.dim(`  not run: ${open.join(", ")}`));
  const finding = (mark: string, f: ValidateResult["errors"][number]): void => {
    const line = f.line === undefined ? "" : `:${f.line}`;
    lines.push(`  ${mark} ${f.gate} ${ATOM_FILES[f.atom]}${line} [${f.code}] ${f.message}`);
    if (f.example !== undefined) lines.push(style.dim(`      ${f.example}`));
  };
  for (const error of result.errors) finding(style.red("error"), error);
  for (const warning of result.warnings) finding(style.yellow("warning"), warning);
  return lines.join("\n");
}
