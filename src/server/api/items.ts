// Items: the list, and of one its page, atoms, gates, attempts, conversation, records and logs.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { storedDetails } from "../../batch/report-data.ts";
import { itemStatus } from "../../batch/status.ts";
import { ATOM_FILES, type AtomSources } from "../../contract/atoms.ts";
import { usageByRole } from "../../llm/transcript.ts";
import { agentTurnSchema } from "../../llm/turns.ts";
import { ItemReader } from "../../loops/item/item-store.ts";
import { readAtomSources, readManifest } from "../../runtime/atom-set.ts";
import { decodePage } from "../../spec/decode.ts";
import { readSpecFile } from "../../spec/index.ts";
import { exists, readLines } from "../../store/index.ts";
import { refusal } from "../http/problem.ts";
import { itemIdSchema } from "../jobs/kinds.ts";
import { route, type ServerContext, type ServerModule } from "../types.ts";
import { itemSchemas } from "../wire/items.ts";
import { logRoutes } from "./log-routes.ts";

const idParams = z.object({ id: itemIdSchema });

export const itemsModule: ServerModule = {
  routes: [
    route({
      method: "get",
      path: "/api/items",
      summary: "items by id, paged",
      tag: "items",
      query: z.object({
        state: z.string().max(30).optional(),
        q: z.string().max(200).optional().describe("part of the id"),
        offset: z.coerce.number().int().min(0).default(0),
        limit: z.coerce.number().int().min(1).max(1000).default(100),
      }),
      answer: itemSchemas.list,
      handle: ({ query }, { items }) => ({ ...items.list(query), states: items.byState }),
    }),
    route({
      method: "get",
      path: "/api/items/{id}",
      summary: "one item: state, gates, findings, questions, attempts",
      tag: "items",
      params: idParams,
      answer: itemSchemas.item,
      handle: ({ params }, context) => itemDocument(params.id, context),
    }),
    route({
      method: "get",
      path: "/api/items/{id}/page",
      summary: "the current page of the item",
      tag: "items",
      params: idParams,
      answer: itemSchemas.page,
      handle: ({ params }, { items }) => {
        const path = items.pagePath(params.id);
        if (path === undefined) throw refusal(404, `page of ${params.id} not found`);
        const decoded = decodePage(readSpecFile(path));
        if (!decoded.ok) throw refusal(422, decoded.message);
        return { path, text: decoded.text };
      },
    }),
    route({
      method: "get",
      path: "/api/items/{id}/atoms",
      summary: "the atom set in the output folder, and the attempt that needs review",
      tag: "items",
      params: idParams,
      answer: itemSchemas.atoms,
      handle: ({ params }, { items }) => atomSets(items.outputDir(params.id)),
    }),
    route({
      method: "get",
      path: "/api/items/{id}/attempts",
      summary: "each attempt with its sources, gates and findings",
      tag: "items",
      params: idParams,
      answer: itemSchemas.attempts,
      handle: async ({ params }, context) => ({
        attempts: (await storedDetails(readerOf(params.id, context))).attempts,
      }),
    }),
    route({
      method: "get",
      path: "/api/items/{id}/conversation",
      summary: "the turns with the model, paged",
      tag: "items",
      params: idParams,
      query: z.object({
        offset: z.coerce.number().int().min(0).default(0),
        limit: z.coerce.number().int().min(1).max(200).default(50),
      }),
      answer: itemSchemas.conversation,
      handle: async ({ params, query: { offset, limit } }, context) => {
        const { values } = await readLines(readerOf(params.id, context).turnsPath);
        const turns = values.flatMap((line) => agentTurnSchema.safeParse(line).data ?? []);
        return { turns: turns.slice(offset, offset + limit), total: turns.length, usage: usageByRole(turns) };
      },
    }),
    route({
      method: "get",
      path: "/api/items/{id}/records",
      summary: "records extracted when the set was validated, with their log lines",
      tag: "items",
      params: idParams,
      answer: itemSchemas.records,
      handle: async ({ params }, context) => {
        const { records, records_total } = await storedDetails(readerOf(params.id, context));
        const { logs } = context;
        return {
          records: records.map((record) => ({ ...record, file: logs.shown(record.file) })),
          total: records_total,
        };
      },
    }),
    route({
      method: "get",
      path: "/api/items/{id}/logs",
      summary: "the logs that belong to the item",
      tag: "logs",
      params: idParams,
      answer: z.object({ logs: z.array(z.string()) }),
      handle: async ({ params }, context) => ({ logs: await itemLogs(params.id, context) }),
    }),
    ...logRoutes("/api/items/{id}", idParams, async ({ id }, context) => ({
      folder: context.logs,
      names: await itemLogs(String(id), context),
    })),
  ],
};

/** Read access to an item. Throws a 404. */
function readerOf(id: string, { items, options }: ServerContext): ItemReader {
  if (items.get(id) === undefined) throw refusal(404, `item ${id} not found`);
  return new ItemReader(options.config.paths.cache_dir, id);
}

async function itemDocument(id: string, context: ServerContext) {
  const { cache_dir, output_dir } = context.options.config.paths;
  const reader = readerOf(id, context);
  const row = context.items.get(id);
  const details = await itemStatus(cache_dir, output_dir, id);
  const stored = await storedDetails(reader);
  const manifest = await readManifest(context.items.outputDir(id)).catch(() => undefined);
  const attempt = stored.attempts.at(-1);
  return {
    ...row,
    checkpoints: details?.checkpoints ?? [],
    errors: details?.errors ?? [],
    hints: details?.hints ?? [],
    answers: details?.answers ?? [],
    title: stored.title,
    questions: row?.state === "human_required" ? stored.questions : [],
    ways_on: row?.state === "human_required" ? stored.next_steps : [],
    gates: manifest?.status === "accepted" ? manifest.gates : (attempt?.gates ?? manifest?.gates ?? {}),
    findings: manifest?.status === "accepted" ? [] : (attempt?.errors ?? []),
    attempts: stored.attempts.length,
    records: stored.records_total,
    manifest: manifest ?? null,
    checks: await context.checks.of(id),
  };
}

async function atomSets(dir: string) {
  const sets: { name: string; files: Record<string, string> }[] = [];
  for (const name of ["", "attempt", "pending/attempt"]) {
    const folder = join(dir, name);
    if (!(await exists(folder))) continue;
    const sources = await readAtomSources(folder);
    sets.push({ name: name === "" ? "output" : name, files: byFile(sources) });
  }
  const report = await readFile(join(dir, "human_intervention_report.md"), "utf8").catch(() => null);
  return { sets, report };
}

function byFile(sources: AtomSources): Record<string, string> {
  return Object.fromEntries(
    Object.entries(ATOM_FILES).map(([part, name]) => [name, sources[part as keyof AtomSources]]),
  );
}

/** Logs that were read for the item or have its records, relative to the search root. */
async function itemLogs(id: string, context: ServerContext): Promise<string[]> {
  const { items, logs } = context;
  const stored = await storedDetails(readerOf(id, context));
  const manifest = await readManifest(items.outputDir(id)).catch(() => undefined);
  const paths = [
    ...(manifest?.evidence ?? []).map(({ path }) => path),
    ...stored.files_read.map(({ path }) => path),
    ...stored.records.map(({ file }) => file),
  ];
  return [...new Set(paths.map((path) => logs.shown(path)))].sort();
}
