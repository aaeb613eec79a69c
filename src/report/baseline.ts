// `check --baseline FILE`: this run beside an earlier one. Items are compared by id; violations by what they say
// and the name of their file, not by line or folder, which change every night.
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
    throw new AtomsmithError("usage", `the baseline ${file} is no JSON`, { where: file, hint: HINT });
  }
  const parsed = baselineSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new AtomsmithError(
    "usage",
    `the baseline ${file} is no result of check: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`,
    { where: file, hint: HINT },
  );
}

const HINT = "use what an earlier `atomsmith check --json` printed, or results.json of its --report-dir";

/** Compares; items in the order of this run, then those that are gone. */
export function compareWithBaseline(
  items: readonly ReportItem[],
  baseline: Baseline,
  file: string,
): Comparison {
  const before = new Map(baseline.results.map((result) => [result.item_id, result]));
  const compared = items.map((item): ItemComparison => {
    const was = before.get(item.result.item_id);
    before.delete(item.result.item_id);
    return compareItem(item, was);
  });
  for (const gone of before.values()) {
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

/** Is there anything that the earlier run did not have and that makes a build fail? `error`, `fail` or null. */
export function newlyBroken(item: ReportItem, comparison: ItemComparison): "error" | "fail" | null {
  const { outcome } = item.result;
  if (outcome === "pass") return null;
  if (comparison.before === null || comparison.before === "pass") return outcome;
  if (comparison.before !== outcome) return outcome;
  return comparison.appeared.length > 0 ? outcome : null;
}

function compareItem(item: ReportItem, was: BaselineItem | undefined): ItemComparison {
  const now = item.result.outcome;
  const absent = item.config?.requirements.expect === "absent";
  const mine = evidence(item.result, absent);
  const theirs = was === undefined ? NONE : evidence(was, absent);
  const appeared = minus(mine.bad, theirs.bad);
  const disappeared = minus(theirs.bad, mine.bad);
  const evidenceChanged = minus(mine.good, theirs.good).length + minus(theirs.good, mine.good).length > 0;
  const shared = { item_id: item.result.item_id, now, appeared, disappeared };
  if (was === undefined) return { ...shared, change: "new", before: null };
  return {
    ...shared,
    change: changeOf(was.outcome, now, appeared, disappeared, evidenceChanged),
    before: was.outcome,
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
  const same = before === now && appeared.length === 0 && disappeared.length === 0 && !evidenceChanged;
  return same ? "same" : "changed";
}

interface Evidence {
  /** What fails the item: open violations and errors. */
  bad: string[];
  good: string[];
}
const NONE: Evidence = { bad: [], good: [] };

function evidence(
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
  const put = (list: string, entries: readonly Entry[], violates: boolean) => {
    for (const entry of entries) {
      (violates && entry.severity !== "INFO" ? bad : good).push(`${list}: ${say(entry)}`);
    }
  };
  put("missing", document.missing_items, true);
  put("extra", document.extra_items ?? [], !absent);
  put("found", document.found_items, absent);
  put("waived", document.waived ?? [], false);
  return { bad, good };
}

function say(entry: Entry): string {
  const text = entry.value ?? entry.expected ?? entry.waiver_pattern ?? "";
  const file = entry.source_file ? ` (${basename(entry.source_file)})` : "";
  return oneLine(`${text}${file}`);
}

/** Multiset difference. */
function minus(a: readonly string[], b: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const one of b) counts.set(one, (counts.get(one) ?? 0) + 1);
  return a.filter((one) => {
    const left = counts.get(one) ?? 0;
    if (left > 0) counts.set(one, left - 1);
    return left === 0;
  });
}
