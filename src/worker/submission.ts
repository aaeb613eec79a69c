// Creates the submission for a run that a command would otherwise execute itself.
import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import type { Config } from "../config/schema.ts";
import { hashJson, sha256 } from "../core/hash.ts";
import type { JsonObject } from "../core/json.ts";
import { randomHex } from "../core/random.ts";
import { hashRoot, type JobKind, type Submission } from "../queue/index.ts";
import { readTextIfAny, writeFileAtomic } from "../store/index.ts";
import { belowRoot } from "./item-job.ts";
import { programHash } from "./program.ts";

/** Marks a shared folder, so that a worker recognizes its own mount of it. */
const MARK_FILE = ".atomsmith-fleet";

export interface SubmissionInput {
  kind: JobKind;
  config: Config;
  /** Absolute, links resolved; null: jobs without logs of their own. */
  searchRoot: string | null;
  seed: number;
  commandFlags: readonly string[];
  /** Absolute paths of the program's own files and of pages, which are not logs. */
  ownFiles: readonly string[];
  options: JsonObject;
}

/** Creates a submission; limits of cost and tokens apply to the whole submission. */
export async function createSubmission(input: SubmissionInput): Promise<Submission> {
  const { kind, config, searchRoot, ownFiles, seed, commandFlags, options } = input;
  const { cache_dir, output_dir } = config.paths;
  const own =
    searchRoot === null
      ? []
      : [cache_dir, output_dir, ...ownFiles].flatMap((path) => belowRoot(searchRoot, path) ?? []);
  const own_files = [...new Set(own)].sort();
  const { max_cost_usd, max_tokens_total } = config.llm;
  return {
    format: 1,
    kind,
    project: projectOf(config),
    host: hostname(),
    program: programHash(),
    config: JSON.parse(
      JSON.stringify({
        ...config,
        paths: { ...config.paths, search_root: searchRoot ?? config.paths.search_root },
      }),
    ),
    root:
      searchRoot === null
        ? null
        : { name: config.queue.root ?? searchRoot, hash: hashRoot(searchRoot, own_files) },
    own_files,
    seed,
    command_flags: [...commandFlags],
    store: config.queue.store,
    ...(config.queue.store === "files" ? { store_mark: await markFolder(output_dir) } : {}),
    ...(max_cost_usd === undefined ? {} : { max_cost_usd }),
    ...(max_tokens_total === undefined ? {} : { max_tokens: max_tokens_total }),
    options,
  };
}

/** The name of a project: the same for all commands of one machine with one output folder. */
export function projectOf({ queue, paths }: Config): string {
  if (queue.project !== undefined) return queue.project;
  const near = basename(paths.output_dir).replace(/[^A-Za-z0-9._-]/g, "_");
  return `${near}-${sha256(`${hostname()}\0${paths.output_dir}`).slice(0, 12)}`;
}

/** Hash of everything that affects the result of a job, except its subject. */
export function inputsHash(submission: Submission, own: readonly string[]): string {
  const { program, root, options, store } = submission;
  return hashJson([program, root?.hash ?? null, options, store, ...own]);
}

/** The mark of a shared folder; created if missing. */
export async function markFolder(folder: string): Promise<string> {
  const known = await folderMark(folder);
  if (known !== undefined) return known;
  const mark = randomHex(16);
  await writeFileAtomic(join(folder, MARK_FILE), `${mark}\n`);
  return (await folderMark(folder)) ?? mark;
}

export async function folderMark(folder: string): Promise<string | undefined> {
  if (!existsSync(folder)) return undefined;
  return (await readTextIfAny(join(folder, MARK_FILE)))?.trim();
}
