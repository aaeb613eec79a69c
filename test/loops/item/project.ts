// A small project with a model server, and the command line of the program on it. Used by the tests of items and
// batches that run the real pipeline: real sandbox and gates, a scripted model behind real HTTP.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Manifest, manifestSchema } from "../../../src/contract/manifest.ts";
import { type CliRun, cli, cliJson } from "../../support/cli.ts";
import { type Arrival, type ModelServer, type Script, startModelServer } from "../../support/model-server.ts";
import { ENV, makeProject, type Project, removeProjects } from "./scripted.ts";

export interface ProjectOptions {
  /** Items of the project; by default CLK-1 only. */
  ids?: readonly string[];
  /** Text of the page of the first item. */
  page?: string;
  /** Lines added to the configuration file. */
  config?: string;
  env?: Record<string, string>;
}

export interface RunningProject extends Project {
  /** Requests that the model received; none without a script. */
  requests: Arrival[];
  output: string;
  /** Output folder of the first item. */
  set: string;
  /** Working directory and environment of every command. */
  cli: { cwd: string; env: Record<string, string> };
  /** Runs a command with `--json` and the flags of the project. */
  run(...args: string[]): Promise<JsonRun>;
  /** Runs a command with the flags of the project. */
  print(...args: string[]): Promise<CliRun>;
  /** The flags that `run` and `print` add to a command. */
  flagsFor(...command: string[]): string[];
}

export interface JsonRun {
  code: number;
  // biome-ignore lint/suspicious/noExplicitAny: documents of several commands
  document: any;
  stderr: string;
}

const servers: ModelServer[] = [];

/** Stops the model servers and removes the projects. Call in `afterAll`. */
export async function removeRunningProjects(): Promise<void> {
  for (const server of servers.splice(0)) await server.stop();
  removeProjects();
}

/** A project whose model follows `script`; without a script it has no model. */
export function startProject(script: Script | undefined, options: ProjectOptions = {}): RunningProject {
  const server = script && startModelServer(script);
  if (server !== undefined) servers.push(server);
  const ids = options.ids ?? ["CLK-1"];
  const project = makeProject(server?.url, ids, options.config);
  if (options.page !== undefined) writeFileSync(project.spec, options.page);
  const output = join(project.root, "output");
  const where = { cwd: project.root, env: { ...ENV, ...options.env } };
  const flagsFor = (...command: string[]): string[] => flagsOf(command, project);
  return {
    ...project,
    requests: server?.requests ?? [],
    output,
    set: join(output, ids[0] as string),
    cli: where,
    run: (...args) => cliJson([...args, ...flagsFor(...args)], where),
    print: (...args) => cli([...args, ...flagsFor(...args)], where),
    flagsFor,
  };
}

function flagsOf([command = "", subcommand]: readonly string[], project: Project): string[] {
  const flags = ["--config", project.config];
  if (command === "status" || subcommand === "list") return flags;
  flags.push("--search-root", project.logs);
  return ["generate", "resume", "batch"].includes(command) ? [...flags, "--seed", "7"] : flags;
}

/** Stages that the first item entered, as `stage/iteration`. */
export function stagesOf(project: RunningProject, id = "CLK-1"): string[] {
  const journal = readFileSync(join(project.root, "cache", "item", id, "journal.jsonl"), "utf8");
  return journal
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; stage?: string; iteration?: number })
    .filter((event) => event.type === "stage_started")
    .map((event) => `${event.stage}/${event.iteration}`);
}

export function manifestOf(project: { set: string }): Manifest {
  return manifestSchema.parse(JSON.parse(readFileSync(join(project.set, "manifest.json"), "utf8")));
}
