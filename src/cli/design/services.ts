// Services of a design project: the user who decides, pipelines with their programs and isolates, and the item
// loop as author of a checklist's atoms.
import { availableParallelism } from "node:os";
import { isAbsolute, resolve } from "node:path";
import type { Sandbox } from "../../../sandbox/types.ts";
import { discoverSpecs, runBatch } from "../../batch/index.ts";
import { withPaths } from "../../config/with-paths.ts";
import { AtomsmithError } from "../../core/errors.ts";
import { hashJson } from "../../core/hash.ts";
import { CONTRACT_VERSION, GATES_VERSION } from "../../core/version.ts";
import {
  type AuthoredItem,
  type AuthorPaths,
  CHECKLIST,
  type ChecklistServices,
  checklistPipeline,
  commandPipeline,
  type ItemAuthor,
  type Pipeline,
  ProjectReader,
  readPipelineFile,
} from "../../loops/design/index.ts";
import { createRunServices, type RunServices } from "../../loops/item/index.ts";
import { commandJail } from "../../run/jail.ts";
import type { CommandContext } from "../context.ts";
import { openSandbox } from "../open-sandbox.ts";

/** The pipeline that a project names. Throws kind `usage` for an invalid pipeline file. */
export function openPipeline(reader: ProjectReader, context: CommandContext, noJail: boolean): Pipeline {
  const { pipeline, pipeline_dir } = reader.project;
  if (pipeline === CHECKLIST) {
    return checklistPipeline(
      reader.dir,
      checklistServices(reader.dir, context),
      () => new ProjectReader(reader.dir),
    );
  }
  const dir =
    pipeline_dir === undefined
      ? reader.dir
      : isAbsolute(pipeline_dir)
        ? pipeline_dir
        : resolve(reader.dir, pipeline_dir);
  return fromFile(reader.path(pipeline), dir, context, noJail);
}

/** A pipeline of commands. @param dir base of relative command paths */
export function fromFile(path: string, dir: string, context: CommandContext, noJail: boolean): Pipeline {
  return commandPipeline(readPipelineFile(path).file, {
    dir,
    env: {
      PATH: context.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
      LANG: context.env["LANG"] ?? "C.UTF-8",
    },
    jail: commandJail(context.config, context.config.loops.design.jail && !noJail),
    network: context.config.loops.design.network,
  });
}

/** Atom sets and the item store are inside the project unless flags name others. */
export function checklistServices(dir: string, context: CommandContext): ChecklistServices {
  const { config, bus, loaded } = context;
  const { children } = config.sandbox;
  let sandbox: Promise<Sandbox> | undefined;
  return {
    config,
    bus,
    author: itemAuthor(context),
    sandbox: () => {
      sandbox ??= openSandbox(context).then((opened) => opened.sandbox);
      return sandbox;
    },
    children: children ?? Math.min(4, availableParallelism()),
    outputDir: loaded.origins.has("paths.output_dir") ? config.paths.output_dir : resolve(dir, "output"),
    cacheDir: loaded.origins.has("paths.cache_dir") ? config.paths.cache_dir : resolve(dir, "cache"),
    now: () => new Date(),
  };
}

function itemAuthor(context: CommandContext): ItemAuthor {
  const open = (paths: AuthorPaths, signal: AbortSignal): RunServices =>
    createRunServices({
      config: withPaths(context.config, paths),
      bus: context.bus,
      env: context.env,
      signal,
      commandFlags: [],
      ownFiles: [...context.ownFiles, ...paths.ownFiles],
    });
  return {
    settings: (paths) => {
      try {
        const { authorSettings, promptsSha256 } = open(paths, context.signal);
        return hashJson([authorSettings, promptsSha256, CONTRACT_VERSION, GATES_VERSION]);
      } catch (error) {
        // A configuration with which no item can run: the stage reports it.
        if (error instanceof AtomsmithError) return `unusable: ${error.message}`;
        throw error;
      }
    },
    author: async (pages, paths, signal) => {
      const run = open(paths, signal);
      try {
        const options = {
          force: false,
          failFast: false,
          dryRun: false,
          concurrency: context.config.execution.concurrency,
        };
        const { items, not_started } = await runBatch(discoverSpecs(pages, context.cwd), run, options);
        signal.throwIfAborted();
        const done = items.map(({ item_id, status, errors, error, reason }): AuthoredItem => {
          const why = error?.message ?? errors[0]?.message ?? reason;
          return {
            item: item_id,
            status,
            message: status === "human_required" ? `needs review: ${why}` : why,
          };
        });
        const left = not_started.map(
          ({ item_id, reason }): AuthoredItem => ({
            item: item_id,
            status: "error",
            message: `not started: ${reason}`,
          }),
        );
        return [...done, ...left];
      } finally {
        await run.close();
      }
    },
  };
}
