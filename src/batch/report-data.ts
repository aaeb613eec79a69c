// Data of the batch reports, read from each item's store after the run: the page, the files read, each attempt, the
// conversation, the records. Bounded: a large batch has details only for items that ran or need review.
import { z } from "zod";
import { describeDeclared } from "../contract/declarations.ts";
import { GATE_NAMES } from "../contract/gates.ts";
import { VERSION } from "../core/version.ts";
import { gateRoundSchema, transcript } from "../llm/transcript.ts";
import { agentTurnSchema } from "../llm/turns.ts";
import type { ItemResult } from "../loops/item/index.ts";
import { ItemReader } from "../loops/item/item-store.ts";
import type { BatchAttempt, BatchReport, BatchReportItem, RecordWithContext } from "../report/index.ts";
import { readManifest } from "../runtime/atom-set.ts";
import { readLines } from "../store/index.ts";
import type { BatchItem, BatchResult } from "./run.ts";

/** Maximum items with details, bytes of one message, and characters of a conversation. */
const LIMITS = { detailed: 500, messageBytes: 3000, conversationChars: 200_000 };

const finding = z.looseObject({
  gate: z.enum(GATE_NAMES),
  atom: z.enum(["atom_a", "atom_b", "atom_c", "config"]),
  code: z.string(),
  message: z.string(),
  line: z.number().exactOptional(),
  example: z.string().exactOptional(),
});
const attemptSchema = z.looseObject({
  iteration: z.number(),
  gates: z.record(z.string(), z.boolean().nullable()),
  errors: z.array(finding),
  sources: z.object({ atom_a: z.string(), atom_b: z.string(), atom_c: z.string(), config: z.string() }),
});
const specSchema = z.looseObject({
  title: z.string(),
  spec_sections: z.record(z.string(), z.looseObject({ heading: z.string(), text: z.string() })),
});
const humanSchema = z.looseObject({
  questions: z.array(z.string()),
  suggested_actions: z.array(z.looseObject({ title: z.string(), commands: z.array(z.string()) })),
});
const discoverySchema = z.looseObject({
  observed: z.array(z.object({ path: z.string(), lines: z.number() })),
});
const recordsSchema = z.looseObject({
  total: z.number(),
  records: z.array(
    z.object({
      value: z.string(),
      file: z.string(),
      line_number: z.number().nullable(),
      parsed_fields: z.record(z.string(), z.json()),
      context: z.object({ start_line: z.number(), lines: z.array(z.string()) }),
    }),
  ),
});

export interface ReportInput {
  result: BatchResult;
  dryRun: boolean;
  cacheDir: string;
  searchRoot: string;
  createdAt: string;
  costText(usage: ItemResult["usage"]): string;
}

/** Collects the data of the reports of a batch. */
export async function batchReport(input: ReportInput): Promise<BatchReport> {
  const items: BatchReportItem[] = [];
  let detailed = 0;
  for (const item of input.result.items) {
    const wanted = (!item.up_to_date || item.status !== "accepted") && detailed < LIMITS.detailed;
    if (wanted) detailed += 1;
    items.push({ ...plain(item, input), ...(wanted ? await details(item, input.cacheDir) : {}) });
  }
  const { totals, not_started } = input.result;
  return {
    version: VERSION,
    created_at: input.createdAt,
    search_root: input.searchRoot,
    duration_ms: totals.duration_ms,
    cost: input.costText(totals.usage),
    dry_run: input.dryRun,
    items,
    not_started,
  };
}

function plain(item: BatchItem, input: ReportInput): BatchReportItem {
  return {
    item_id: item.item_id,
    status: item.error?.kind === "interrupted" ? "interrupted" : item.status,
    up_to_date: item.up_to_date,
    reason: item.reason,
    iterations: item.iterations,
    duration_ms: item.duration_ms,
    spec_path: item.spec_path,
    output_dir: item.output_dir,
    error: item.error ? { message: item.error.message, hint: item.error.hint ?? "" } : null,
    gates: item.gates,
    errors: item.errors.flatMap((error) => ("gate" in error ? [error] : [])),
    cost: input.costText(item.usage),
    changes: item.changes ?? null,
    title: "",
    spec_text: "",
    questions: [],
    next_steps: [],
    files_read: [],
    attempts: [],
    records: [],
    records_total: 0,
    conversation: "",
    declared: [],
  };
}

async function details(item: BatchItem, cacheDir: string): Promise<Partial<BatchReportItem>> {
  let store: ItemReader;
  try {
    store = new ItemReader(cacheDir, item.item_id);
  } catch {
    return {}; // a page without an id has no store
  }
  const stored = await storedDetails(store);
  const manifest = await readManifest(item.output_dir).catch(() => undefined);
  const needsReview = item.status === "human_required";
  return {
    ...stored,
    ...(needsReview ? {} : { questions: [], next_steps: [] }),
    declared: manifest === undefined ? [] : describeDeclared(manifest),
    conversation: await conversation(store, stored.attempts),
  };
}

/** An item's page, attempts and records in the store. */
export type StoredDetails = Pick<
  BatchReportItem,
  "title" | "spec_text" | "questions" | "next_steps" | "files_read" | "attempts" | "records" | "records_total"
>;

/** Omits missing or damaged parts: a report must not fail because of a detail. */
export async function storedDetails(store: ItemReader): Promise<StoredDetails> {
  const spec = specSchema.safeParse(await store.loadStageOutput("load_spec")).data;
  const human = humanSchema.safeParse(await store.loadStageOutput("human_intervention_report")).data;
  const discovery = discoverySchema.safeParse(await store.loadStageOutput("discover_logs")).data;
  const records = recordsSchema.safeParse(await store.loadStageOutput("extraction")).data;
  const attempts = (await store.loadErrorLogs()).flatMap(({ value }): BatchAttempt[] => {
    const parsed = attemptSchema.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
  return {
    title: spec?.title ?? "",
    spec_text: Object.entries(spec?.spec_sections ?? {})
      .map(([key, section]) => `## ${key}: ${section.heading}\n${section.text.trim()}`)
      .join("\n\n"),
    questions: human?.questions ?? [],
    next_steps: human?.suggested_actions ?? [],
    files_read: discovery?.observed ?? [],
    attempts,
    records: (records?.records ?? []) as RecordWithContext[],
    records_total: records?.total ?? 0,
  };
}

const PLAIN = {
  bold: (text: string) => text,
  dim: (text: string) => text,
  red: (text: string) => text,
  green: (text: string) => text,
  cyan: (text: string) => text,
};

async function conversation(store: ItemReader, attempts: readonly BatchAttempt[]): Promise<string> {
  const { values } = await readLines(store.turnsPath).catch(() => ({ values: [] }));
  const turns = values.flatMap((line) => {
    const parsed = agentTurnSchema.safeParse(line);
    return parsed.success ? [parsed.data] : [];
  });
  if (turns.length === 0) return "";
  const rounds = attempts.flatMap((attempt) => {
    const parsed = gateRoundSchema.safeParse(attempt);
    return parsed.success ? [{ iteration: attempt.iteration, errors: parsed.data.errors }] : [];
  });
  const text = transcript(turns, rounds, { messageBytes: LIMITS.messageBytes, paint: PLAIN });
  const over = text.length - LIMITS.conversationChars;
  return over > 0
    ? `${text.slice(0, LIMITS.conversationChars)}\n… ${over} more characters: atomsmith show`
    : text;
}
