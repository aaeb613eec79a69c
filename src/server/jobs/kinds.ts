// Kinds of jobs: each turns a validated body into the arguments of a command. A loop adds its own kinds.
import { z } from "zod";
import type { Config } from "../../config/schema.ts";
import { AtomsmithError } from "../../core/errors.ts";
import { checkId } from "../../store/index.ts";
import type { Items } from "../items/items.ts";
import type { CommandFlags } from "../program.ts";

/** Files of a job that a client may read, by name and media type. */
export type JobFiles = Readonly<Record<string, string>>;

/** What a kind can use to build a command line. */
export interface KindContext {
  /** Id of the new job. */
  id: string;
  items: Items;
  config: Config;
  /** Absolute path of a file in the new job's folder. */
  file(name: string): string;
  /** Absolute path of a file of an earlier job; throws when it does not exist. */
  fileOf(jobId: string, name: string): string;
}

/** One way to continue a job that has ended. */
export interface NextJob {
  kind: string;
  params: unknown;
}

/** A kind of job. `P`: its parameters. */
export interface JobKind<P = unknown> {
  name: string;
  summary: string;
  /** Parameters in the body of `POST /jobs`. */
  params: z.ZodType<P>;
  /** Title in lists. */
  title(params: P): string;
  /** Which flags of the server the command accepts; default: those of commands over items. */
  flags?: CommandFlags;
  /** Environment of the command, e.g. who decides. */
  env?(params: P): Readonly<Record<string, string>>;
  /** Words of the command line, without --json, --events and the flags of the server. Positional arguments
   * follow `--`, since an id may begin with a dash. */
  command(params: P, context: KindContext): string[];
  /** Files that the command leaves in the job's folder, beside `result.json`. */
  files?: JobFiles;
  /** Files that the command reads from the job's folder, by name. */
  inputs?(params: P): Readonly<Record<string, string | Uint8Array>>;
  /** Parameters that are stored once the inputs are written; default: all. */
  kept?(params: P): P;
  /** Resumes a stopped job; absent: the same command again. */
  resume?(params: P, id: string): NextJob;
  /** Answers a waiting job. */
  answer?: { body: z.ZodType; next(params: P, body: unknown, id: string): NextJob };
  /** Approves what a job proposes. */
  approve?: { body: z.ZodType; next(params: P, body: unknown, id: string): NextJob };
}

/** Declares a kind. */
export function jobKind<P>(kind: JobKind<P>): JobKind {
  return kind as unknown as JobKind;
}

export const itemIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,200}$/)
  .describe("id of an item");
const seed = z.int().min(0).max(4_294_967_295).optional();
const cost = z.number().positive().optional().describe("USD");

const answerBody = z.strictObject({
  hint: z.string().min(1).max(10_000).optional().describe("a sentence for the author"),
  examples: z
    .array(z.string().min(1).max(100_000))
    .max(50)
    .optional()
    .describe("worked examples, a check or witnesses, as in a page"),
  accept_edits: z.boolean().optional().describe("validate the files in attempt/ as they are now"),
});

const generateParams = z.strictObject({
  item: itemIdSchema,
  force: z.boolean().optional(),
  seed,
  max_cost_usd: cost,
});
const resumeParams = answerBody.extend({
  item: itemIdSchema,
  checkpoint: z
    .string()
    .regex(/^\d{10}_\d{6}(-\d+)?$/)
    .optional(),
  from: z
    .string()
    .regex(/^[a-z_]{1,40}$/)
    .optional()
    .describe("stage"),
  seed,
});
const batchParams = z.strictObject({
  only: z.array(z.string().min(1).max(200)).max(1000).optional().describe("globs over item ids"),
  force: z.boolean().optional(),
  concurrency: z.int().min(1).max(256).optional(),
  fail_fast: z.boolean().optional(),
  seed,
  max_cost_usd: cost,
});
const checkParams = z.strictObject({
  items: z.array(itemIdSchema).max(10_000).optional().describe("default: all with an atom set"),
  unverified: z.boolean().optional(),
  baseline: z.string().max(100).optional().describe("id of an earlier check"),
});

const REPORTS: JobFiles = {
  "report.html": "text/html",
  "junit.xml": "application/xml",
  "report.sarif": "application/sarif+json",
};

/** `atomsmith resume ITEM` with an answer. */
function answered(item: string, body: unknown): NextJob {
  return { kind: "resume", params: { item, ...answerBody.parse(body) } };
}

const generate = jobKind<z.infer<typeof generateParams>>({
  name: "generate",
  summary: "write and validate the atoms of one page",
  params: generateParams,
  title: ({ item }) => `generate ${item}`,
  command: ({ item, force, ...rest }, { items }) => [
    "generate",
    ...(force === true ? ["--force"] : []),
    ...common(rest),
    "--",
    pageOf(items, item),
  ],
  // A stopped run is resumed; --force would start it over.
  resume: ({ force: _, ...params }) => ({ kind: "generate", params }),
  answer: { body: answerBody, next: ({ item }, body) => answered(item, body) },
});

const resume = jobKind<z.infer<typeof resumeParams>>({
  name: "resume",
  summary: "resume an item, with or without an answer",
  params: resumeParams,
  title: ({ item }) => `resume ${item}`,
  command: ({ item, checkpoint, from, hint, examples = [], accept_edits, ...rest }, { file }) => [
    "resume",
    ...(checkpoint === undefined ? [] : [`--checkpoint=${checkpoint}`]),
    ...(from === undefined ? [] : [`--from=${from}`]),
    ...(hint === undefined ? [] : [`--hint=${hint}`]),
    ...examples.map((_, i) => `--example=${file(`example-${i + 1}.md`)}`),
    ...(accept_edits === true ? ["--accept-edits"] : []),
    ...common(rest),
    "--",
    item,
  ],
  inputs: ({ examples = [] }) => Object.fromEntries(examples.map((text, i) => [`example-${i + 1}.md`, text])),
  resume: ({ item }) => ({ kind: "resume", params: { item } }),
  answer: { body: answerBody, next: ({ item }, body) => answered(item, body) },
});

const batch = jobKind<z.infer<typeof batchParams>>({
  name: "batch",
  summary: "write and validate the atoms of every page that is not up to date",
  params: batchParams,
  title: ({ only = [] }) => (only.length === 0 ? "batch" : `batch ${only.join(" ")}`),
  command: ({ only = [], force, concurrency, fail_fast, ...rest }, { file }) => [
    "batch",
    ...only.map((glob) => `--only=${glob}`),
    ...(force === true ? ["--force"] : []),
    ...(concurrency === undefined ? [] : [`--concurrency=${concurrency}`]),
    ...(fail_fast === true ? ["--fail-fast"] : []),
    `--html=${file("report.html")}`,
    `--junit=${file("junit.xml")}`,
    `--sarif=${file("report.sarif")}`,
    ...common(rest),
  ],
  files: REPORTS,
});

const check = jobKind<z.infer<typeof checkParams>>({
  name: "check",
  summary: "run accepted atom sets over the logs",
  params: checkParams,
  title: ({ items = [] }) => (items.length === 0 ? "check all" : `check ${items.join(" ")}`),
  command: ({ items: wanted = [], unverified, baseline }, { items, file, fileOf }) => [
    "check",
    "--items",
    ...(unverified === true ? ["--unverified"] : []),
    ...(baseline === undefined ? [] : [`--baseline=${fileOf(baseline, "result.json")}`]),
    `--html=${file("report.html")}`,
    `--junit=${file("junit.xml")}`,
    `--sarif=${file("report.sarif")}`,
    "--",
    ...wanted.map((item) => items.outputDir(item)),
  ],
  files: REPORTS,
});

export const ITEM_KINDS: readonly JobKind[] = [generate, resume, batch, check];

function common({
  seed,
  max_cost_usd,
}: {
  seed?: number | undefined;
  max_cost_usd?: number | undefined;
}): string[] {
  return [
    ...(seed === undefined ? [] : [`--seed=${seed}`]),
    ...(max_cost_usd === undefined ? [] : [`--max-cost=${max_cost_usd}`]),
  ];
}

function pageOf(items: Items, item: string): string {
  checkId(item);
  const path = items.pagePath(item);
  if (path !== undefined) return path;
  throw new AtomsmithError("usage", `page of ${item} not found`, {
    status: 404,
    hint: "pages are read from paths.item_specs_dir",
  });
}
