// A pipeline of commands: each stage is a program that reads the spec and the folder of the previous stage, and writes
// files to its own folder. It runs in the jail, with a time limit, without a shell.
import { readdirSync, statSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { Validator } from "@cfworker/json-schema";
import { type CommandResult, runCommand } from "../../../../sandbox/command.ts";
import { canonicalHash } from "../../../core/canonical.ts";
import type { JsonValue } from "../../../core/json.ts";
import { truncate } from "../../../core/limits.ts";
import { hashFile } from "../../../store/index.ts";
import { valueAt } from "../patches.ts";
import { type StageReport, stageReportSchema } from "../schemas.ts";
import type { PipelineFile, StageSpec } from "./file.ts";
import { streamFiles } from "./reuse.ts";
import type { Pipeline, Stage, StageOutcome, StageRun } from "./types.ts";

export interface CommandRules {
  /** Folder of the pipeline file, absolute. */
  dir: string;
  /** Environment of the commands, in addition to private HOME and TMPDIR. */
  env: { PATH: string; LANG: string };
  jail: "required" | "preferred" | "off";
  network: boolean;
}

const OUTPUT_BYTES = 32 * 2 ** 20;
/** Maximum size of `report.json`, bytes. */
const MAX_REPORT = 8 * 2 ** 20;
/** Bytes of the end of stderr in the failure of a stage without a report. */
const EXCERPT = 2_000;

export function commandPipeline(file: PipelineFile, rules: CommandRules): Pipeline {
  const schema = file.spec_schema;
  const validator = schema === undefined ? undefined : new Validator(schema, "2020-12", false);
  return {
    name: file.name,
    stages: file.stages.map((stage) => commandStage(stage, rules)),
    validityStage: file.validity_stage ?? null,
    continuesOnFailure: false,
    firstSpec: () => file.spec,
    problems: (spec) => {
      const errors = validator?.validate(spec).errors ?? [];
      // The innermost errors name the problem; the outer ones only say that a member is invalid.
      const inner = errors.filter(
        ({ keyword }) =>
          !["properties", "items", "additionalProperties"].includes(keyword) || errors.length === 1,
      );
      return inner.map(({ instanceLocation, error }) => `${instanceLocation.slice(1) || "/"}: ${error}`);
    },
  };
}

function commandStage(stage: StageSpec, rules: CommandRules): Stage {
  return {
    name: stage.name,
    inputsHash: async ({ spec, before }) =>
      canonicalHash({
        command: stage.run,
        env: stage.env,
        // A changed program is a different command.
        files: await filesOf(stage, rules),
        spec: stage.inputs?.map((pointer) => [pointer, valueAt(spec, pointer) ?? null] as JsonValue) ?? spec,
        declared: stage.inputs !== undefined,
        before: [...before],
      }),
    run: (run) => runStage(stage, rules, run),
  };
}

async function runStage(stage: StageSpec, rules: CommandRules, run: StageRun): Promise<StageOutcome> {
  const [stdout, stderr] = streamFiles(stage.name).map((name) => join(dirname(run.out), name)) as [
    string,
    string,
  ];
  const argv = argvOf(stage, rules, run);
  await mkdir(run.out, { recursive: true });
  const result = await runCommand({
    argv,
    cwd: run.out,
    readable: readablePaths(argv, rules, run),
    writable: [run.out],
    privateTmp: true,
    network: rules.network,
    env: { ...rules.env, ...stage.env },
    limits: { timeMs: stage.timeout * 1000, outputBytes: OUTPUT_BYTES },
    stdout,
    stderr,
    signal: run.signal,
    jail: rules.jail,
  });
  const report = await readReport(join(run.out, "report.json"));
  return { ...(await outcomeOf(stage, result, report)), jail: result.level };
}

async function outcomeOf(
  stage: StageSpec,
  result: CommandResult,
  report: StageReport | string,
): Promise<StageOutcome> {
  const { exit } = result;
  const failures =
    typeof report === "string" ? [{ name: "report.json", reason: report }] : (report.failures ?? []);
  const metrics = metricsOf(stage, typeof report === "string" ? {} : (report.metrics ?? {}));
  const succeeded = "code" in exit && exit.code === 0;
  if (succeeded && typeof report !== "string" && report.ok !== false)
    return { status: "ok", failures, metrics };
  const status = "reason" in exit && exit.reason === "timeout" ? "timeout" : "failed";
  if (succeeded && failures.length > 0) return { status, failures, metrics };
  const stderrEnd = await tailOf(result.stderr.path);
  const description = succeeded ? "report.json says ok: false" : describeExit(stage, exit);
  const own = {
    name: stage.name,
    reason: stderrEnd === "" ? description : `${description}; end of stderr: ${stderrEnd}`,
  };
  return {
    status,
    failures: failures.length > 0 && status !== "timeout" ? failures : [...failures, own],
    metrics,
  };
}

function describeExit(stage: StageSpec, exit: CommandResult["exit"]): string {
  if ("code" in exit) return `exit code ${exit.code}`;
  if ("signal" in exit) return `ended by ${exit.signal}`;
  return exit.reason === "timeout" ? `timed out after ${stage.timeout} s` : exit.message;
}

function metricsOf(stage: StageSpec, metrics: Record<string, JsonValue>): Record<string, JsonValue> {
  const names = stage.metrics ?? Object.keys(metrics);
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(metrics, name) ? [[name, metrics[name] ?? null]] : [])),
  );
}

/** The report or its problem; a report is optional. */
async function readReport(path: string): Promise<StageReport | string> {
  const info = statSync(path, { throwIfNoEntry: false });
  if (info === undefined) return {};
  if (!info.isFile()) return "report.json is not a regular file";
  if (info.size > MAX_REPORT) return `report.json has ${info.size} bytes; at most ${MAX_REPORT}`;
  try {
    const read = stageReportSchema.safeParse(JSON.parse(await readFile(path, "utf8")));
    if (read.success) return read.data;
    const issue = read.error.issues[0];
    return `report.json: ${issue?.path.join(".")}: ${issue?.message}`;
  } catch (error) {
    return `report.json is not valid JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function tailOf(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch(() => "");
  const end = text.trimEnd().slice(-EXCERPT);
  return truncate(end, EXCERPT * 4).text;
}

/** Replaces `${SPEC}`, `${OUT}` and `${PREV}` in the arguments. A program name with a slash, and an argument that starts
 * with `./`, are relative to the folder of the pipeline file. */
function argvOf(stage: StageSpec, rules: CommandRules, run: StageRun): string[] {
  const values: Record<string, string> = { SPEC: run.specFile, OUT: run.out, PREV: run.prev };
  return stage.run.map((argument, index) =>
    resolveArgument(argument, index, rules).replace(
      /\$\{(SPEC|OUT|PREV)\}/g,
      (_, name: string) => values[name] ?? "",
    ),
  );
}

function resolveArgument(argument: string, index: number, { dir }: CommandRules): string {
  const relative = index === 0 ? argument.includes("/") && !isAbsolute(argument) : argument.startsWith("./");
  return relative ? resolve(dir, argument) : argument;
}

/** Content of the files that a command names. */
async function filesOf(stage: StageSpec, rules: CommandRules): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const [index, argument] of stage.run.entries()) {
    const path = resolveArgument(argument, index, rules);
    if (!isAbsolute(path) || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) continue;
    const hash = await hashFile(path);
    if (hash !== undefined) hashes[argument] = hash.sha256;
  }
  return hashes;
}

const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/proc", "/sys", "/nix/store"];
const SECRETS = ["shadow", "shadow-", "gshadow", "gshadow-", "sudoers", "sudoers.d"];

/** Readable paths: the system, the pipeline's folder, files that the command names, and the run. */
function readablePaths(argv: readonly string[], rules: CommandRules, run: StageRun): string[] {
  const etc = namesIn("/etc")
    .filter((name) => !SECRETS.includes(name))
    .map((name) => join("/etc", name));
  const named = argv.filter((argument) => isAbsolute(argument));
  const paths = [
    ...SYSTEM,
    ...etc,
    rules.dir,
    ...programPrefix(argv[0] ?? "", rules),
    ...named,
    dirname(run.out),
  ];
  return [...new Set(paths)].filter((path) => statSync(path, { throwIfNoEntry: false }) !== undefined);
}

/** `/x/bin/python3` reads its library from `/x/lib`. */
function programPrefix(program: string, { env }: CommandRules): string[] {
  const places = program.includes("/")
    ? [program]
    : env.PATH.split(delimiter).map((dir) => join(dir, program));
  const found = places.find((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
  if (found === undefined) return [];
  const dir = dirname(resolve(found));
  return dir.endsWith("/bin") && dirname(dir) !== "/" ? [found, dirname(dir)] : [found];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
