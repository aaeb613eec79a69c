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

export interface RunServices extends RunContext {
  /** Absolute, links resolved. */
  searchRoot: string;
  /** Started on first use. */
  sandbox(): Promise<Sandbox>;
  reader: LogPool;
  gateSlots: Slots;
  /** Proofs of this run about sources that items share. */
  proofs: ProofCache;
  promptsSha256: string;
  /** Creates the author of one item; its replies are stored in, and replayed from, the turn log. */
  author(turns: TurnLog): Author;
  /** Provider, models and settings of the authors of this run, without secrets. */
  authorSettings: { provider: string; settings_sha256: string };
  /** Hash of the names of all files below the search root, computed once. */
  listing(): Promise<string>;
  close(): Promise<void>;
}

/** Throws kind `config` for a configuration no item can run with. */
export function createRunServices(options: RunOptions): RunServices {
  const { config, bus } = options;
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
  const context = createRunContext(options, AUTHOR_ROLES);
  const author = (turns: TurnLog): Author =>
    createAuthor(config, {
      turns,
      services: context.llm,
      searchRoot,
    });
  const sample = author(memoryTurnLog());
  const children = config.sandbox.children ?? Math.min(4, availableParallelism());
  let sandbox: Promise<Sandbox> | undefined;
  let listing: Promise<string> | undefined;
  const reportLevel = (started: Sandbox): Sandbox => {
    const { level, missing } = started.info;
    if (level !== "full") {
      const message = `the sandbox has level ${level}: ${missing[0] ?? ""} (details: atomsmith doctor)`;
      bus.emit({ type: "log", level: "warning", message });
    }
    return started;
  };
  return {
    ...context,
    searchRoot,
    author,
    promptsSha256: PROMPTS_SHA256,
    authorSettings: { provider: sample.name, settings_sha256: hashJson(sample.settings) },
    reader: new LogPool({ maxTextBytes: config.check.max_text_mb * 2 ** 20, signal: options.signal }),
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
    listing: () => {
      const { output_dir, cache_dir } = config.paths;
      listing ??= hashListing(searchRoot, [output_dir, cache_dir, ...(options.ownFiles ?? [])]);
      return listing;
    },
    async close() {
      const started = sandbox;
      sandbox = undefined;
      await (await started?.catch(() => undefined))?.close();
    },
  };
}
