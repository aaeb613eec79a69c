// Services shared by all items of a run, in addition to those of any run (src/run/context.ts): the search root,
// authors, the sandbox, the log reader, the slots for gates. Created once per command, so that a wrong configuration
// is reported before anything starts.
import { realpathSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { createSandbox } from "../../../sandbox/index.ts";
import type { Sandbox } from "../../../sandbox/types.ts";
import { createAuthor, PROMPTS_SHA256 } from "../../author/index.ts";
import { AUTHOR_ROLES } from "../../author/roles.ts";
import type { Author } from "../../author/types.ts";
import { AtomsmithError } from "../../core/errors.ts";
import { hashJson } from "../../core/hash.ts";
import { createSlots, type Slots } from "../../core/slots.ts";
import { ProofCache } from "../../gates/index.ts";
import { memoryTurnLog, type TurnLog } from "../../llm/index.ts";
import { createRunContext, type RunContext, type RunOptions } from "../../run/context.ts";
import { LogPool } from "../../runtime/log-pool.ts";
import { hashListing } from "./listing.ts";

/** What proves sets: one for all runs of a command that differ in nothing but their paths and limits. */
export interface ProofServices {
  /** Random seed of the gates; a proof counts for its seed alone. */
  seed: number;
  /** Started when the first item needs it. */
  sandbox(): Promise<Sandbox>;
  gateSlots: Slots;
  /** Proofs about sources that items share. */
  proofs: ProofCache;
  /** Ends the sandbox; another is started when one is asked for again. */
  close(): Promise<void>;
}

export interface RunServices extends RunContext, ProofServices {
  /** Absolute, links resolved. */
  searchRoot: string;
  reader: LogPool;
  promptsSha256: string;
  /** Creates the author of one item; its replies are stored in, and replayed from, the turn log. */
  author(turns: TurnLog): Author;
  /** Provider, models and settings of the authors of this run, without secrets. */
  authorSettings: { provider: string; settings_sha256: string };
  /** Hash of the names of all files below the search root, computed once. */
  listing(): Promise<string>;
}

/** Creates the services; nothing is started yet. */
export function createProofServices({
  config,
  bus,
  seed,
}: Pick<RunOptions, "config" | "bus" | "seed">): ProofServices {
  const children = config.sandbox.children ?? Math.min(4, availableParallelism());
  let sandbox: Promise<Sandbox> | undefined;
  const reportLevel = (started: Sandbox): Sandbox => {
    const { level, missing } = started.info;
    if (level !== "full") {
      const message = `the sandbox has level ${level}: ${missing[0] ?? ""} (details: atomsmith doctor)`;
      bus.emit({ type: "log", level: "warning", message });
    }
    return started;
  };
  return {
    seed: seed ?? Math.floor(Math.random() * 2 ** 31),
    gateSlots: createSlots(children),
    proofs: new ProofCache(),
    sandbox: () => {
      sandbox ??= createSandbox(
        {
          require: config.sandbox.require,
          children,
          limits: { timeoutMs: config.sandbox.timeout * 1000, memoryMb: config.sandbox.memory_mb },
        },
        bus.emit,
      ).then(reportLevel);
      return sandbox;
    },
    async close() {
      const started = sandbox;
      sandbox = undefined;
      await (await started?.catch(() => undefined))?.close();
    },
  };
}

/** Throws kind `config` for a configuration no item can run with.
 * @param shared used instead of services of its own; the caller closes them */
export function createRunServices(options: RunOptions, shared?: ProofServices): RunServices {
  const { config } = options;
  if (config.paths.output_dir === config.paths.cache_dir) {
    throw new AtomsmithError("config", "the output folder and the cache folder are the same", {
      where: config.paths.cache_dir,
      hint: "choose another --cache or --out folder",
    });
  }
  if (!statSync(config.paths.search_root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new AtomsmithError("config", `the search root ${config.paths.search_root} is not a directory`, {
      where: config.paths.search_root,
      hint: "name the folder of the logs with --search-root DIR",
    });
  }
  const searchRoot = realpathSync(config.paths.search_root);
  const proving = shared ?? createProofServices(options);
  const context = createRunContext({ ...options, seed: proving.seed }, AUTHOR_ROLES);
  const author = (turns: TurnLog): Author =>
    createAuthor(config, {
      turns,
      services: context.llm,
      searchRoot,
    });
  const sample = author(memoryTurnLog());
  let listing: Promise<string> | undefined;
  return {
    ...context,
    ...proving,
    searchRoot,
    author,
    promptsSha256: PROMPTS_SHA256,
    authorSettings: { provider: sample.name, settings_sha256: hashJson(sample.settings) },
    reader: new LogPool({ maxTextBytes: config.check.max_text_mb * 2 ** 20, signal: options.signal }),
    listing: () => {
      const { output_dir, cache_dir } = config.paths;
      listing ??= hashListing(searchRoot, [output_dir, cache_dir, ...(options.ownFiles ?? [])]);
      return listing;
    },
    close: async () => {
      if (shared === undefined) await proving.close();
    },
  };
}
