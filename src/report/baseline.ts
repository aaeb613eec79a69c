// `check --baseline FILE`: compares a run with an earlier one. Items are matched by id; violations by their text and
// the name of their file, not by line or directory, which change with every run of a tool.
import { basename } from "node:path";
import { z } from "zod";
import { AtomsmithError } from "../core/errors.ts";
import { oneLine } from "./escape.ts";
import type { Change, Comparison, ItemComparison, ReportItem } from "./types.ts";

const entrySchema = z.object({
  value: z.string().optional(),
  expected: z.string().optional(),
  source_file: z.string().optional(),
  severity: z.string().optional(),
  waiver_pattern: z.string().optional(),
});
const documentSchema = z.object({
  status: z.string(),
  found_items: z.array(entrySchema),
  missing_items: z.array(entrySchema),
  extra_items: z.array(entrySchema).optional(),
  waived: z.array(entrySchema).optional(),
});
const baselineSchema = z.object({
  results: z.array(
    z.object({
      item_id: z.string(),
      outcome: z.enum(["pass", "fail", "error"]),
      result: documentSchema.nullable(),
      diagnostics: z
        .array(z.object({ severity: z.string(), code: z.string(), file: z.string().optional() }))
        .optional(),
    }),
  ),
});
export type Baseline = z.infer<typeof baselineSchema>;
type Entry = z.infer<typeof entrySchema>;
type BaselineItem = Baseline["results"][number];

/** Reads the document of an earlier `check --json` (or `results.json` of a report folder). Throws kind `usage`. */
export function parseBaseline(text: string, file: string): Baseline {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AtomsmithError("usage", `the baseline ${file} is not valid JSON`, { where: file, hint: HINT });
  }
  const parsed = baselineSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new AtomsmithError(
    "usage",
    `the baseline ${file} is not a result of check: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`,
    { where: file, hint: HINT },
  );
}

const HINT = "use the output of `atomsmith check --json`, or results.json of its --report-dir";

/** Compares a run with a baseline. Items are in the order of this run, followed by those that are gone. */
export function compareWithBaseline(
  items: readonly ReportItem[],
  baseline: Baseline,
  file: string,
): Comparison {
  const earlier = new Map(baseline.results.map((result) => [result.item_id, result]));
  const compared = items.map((item): ItemComparison => {
    const previous = earlier.get(item.result.item_id);
    earlier.delete(item.result.item_id);
    return compareItem(item, previous);
  });
  for (const gone of earlier.values()) {
    compared.push({
      item_id: gone.item_id,
      change: "gone",
      before: gone.outcome,
      now: null,
      appeared: [],
      disappeared: [],
    });
  }
  return { baseline: file, items: compared };
}

/** The outcome that makes a build fail and that the earlier run did not have; null if there is none. */
export function newlyBroken(item: ReportItem, comparison: ItemComparison): "error" | "fail" | null {
  const { outcome } = item.result;
  if (outcome === "pass") return null;
  if (comparison.before === null || comparison.before === "pass") return outcome;
  if (comparison.before !== outcome) return outcome;
  return comparison.appeared.length > 0 ? outcome : null;
}

function compareItem(item: ReportItem, previous: BaselineItem | undefined): ItemComparison {
  const now = item.result.outcome;
  const absent = item.config?.requirements.expect === "absent";
  const after = evidenceOf(item.result, absent);
  const before = previous === undefined ? NONE : evidenceOf(previous, absent);
  const appeared = difference(after.bad, before.bad);
  const disappeared = difference(before.bad, after.bad);
  const evidenceChanged =
    difference(after.good, before.good).length + difference(before.good, after.good).length > 0;
  const shared = { item_id: item.result.item_id, now, appeared, disappeared };
  if (previous === undefined) return { ...shared, change: "new", before: null };
  return {
    ...shared,
    change: changeOf(previous.outcome, now, appeared, disappeared, evidenceChanged),
    before: previous.outcome,
  };
}

function changeOf(
  before: string,
  now: string,
  appeared: string[],
  disappeared: string[],
  evidenceChanged: boolean,
): Change {
  if (now === "pass" && before !== "pass") return "newly_passing";
  if (now !== "pass" && before === "pass") return "newly_failing";
  const unchanged = before === now && appeared.length === 0 && disappeared.length === 0 && !evidenceChanged;
  return unchanged ? "same" : "changed";
}

interface Evidence {
  /** Open violations and errors, which fail the item. */
  bad: string[];
  good: string[];
}
const NONE: Evidence = { bad: [], good: [] };

function evidenceOf(
  result: {
    result: {
      found_items: readonly Entry[];
      missing_items: readonly Entry[];
      extra_items?: readonly Entry[] | undefined;
      waived?: readonly Entry[] | undefined;
    } | null;
    diagnostics?: readonly { severity: string; code: string; file?: string | undefined }[] | undefined;
  },
  absent: boolean,
): Evidence {
  const bad = (result.diagnostics ?? [])
    .filter((d) => d.severity === "error")
    .map((d) => `error ${d.code}${d.file !== undefined ? ` (${basename(d.file)})` : ""}`);
  const document = result.result;
  if (document === null) return { bad, good: [] };
  const good: string[] = [];
  const addAll = (list: string, entries: readonly Entry[], violates: boolean) => {
    for (const entry of entries) {
      (violates && entry.severity !== "INFO" ? bad : good).push(`${list}: ${textOf(entry)}`);
    }
  };
  addAll("missing", document.missing_items, true);
  addAll("extra", document.extra_items ?? [], !absent);
  addAll("found", document.found_items, absent);
  addAll("waived", document.waived ?? [], false);
  return { bad, good };
}

function textOf(entry: Entry): string {
  const text = entry.value ?? entry.expected ?? entry.waiver_pattern ?? "";
  const file = entry.source_file ? ` (${basename(entry.source_file)})` : "";
  return oneLine(`${text}${file}`);
}

/** Multiset difference. */
function difference(a: readonly string[], b: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of b) counts.set(text, (counts.get(text) ?? 0) + 1);
  return a.filter((text) => {
    const remaining = counts.get(text) ?? 0;
    if (remaining > 0) counts.set(text, remaining - 1);
    return remaining === 0;
  });
}
