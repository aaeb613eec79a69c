// The effect of a proposed patch on the verdicts: the affected items are judged with both specs on the extraction of
// the last check. Calls no model and reads no log.
import { basename, dirname } from "node:path";
import type { JsonValue } from "../../../core/json.ts";
import { isJsonObject } from "../../../core/json.ts";
import { compareWithBaseline, type ReportItem } from "../../../report/index.ts";
import type { CheckedSet } from "../../../runtime/index.ts";
import { tokensOf } from "../patches.ts";
import type { Preview } from "../pipeline/types.ts";
import type { Difference, VerdictChange } from "../schemas.ts";
import { type CheckEntry, entriesOf } from "./check.ts";
import { Judge, type Judged, type JudgeRequest } from "./judge.ts";
import { configOverrides } from "./overrides.ts";
import type { Checklist } from "./services.ts";
import { type ChecklistSpec, readSpec } from "./spec.ts";

/** Members of an item that do not affect its verdict. */
const WITHOUT_EFFECT = ["note"];

/** @param folder folder of the last `check`; undefined before the first */
export async function previewChange(
  checklist: Checklist,
  before: JsonValue,
  after: JsonValue,
  changes: readonly Difference[],
  folder: string | undefined,
  signal: AbortSignal,
  titleOf: (id: string) => string | undefined,
): Promise<Preview> {
  const [oldSpec, newSpec] = [readSpec(before), readSpec(after)];
  const { items, rereadItems } = affectedItems(oldSpec, newSpec, changes);
  const entries = new Map(
    (folder === undefined ? [] : entriesOf(folder)).map((entry) => [entry.item, entry]),
  );
  const changesOf = items.map((id) => ({ id, entry: entries.get(id), reread: rereadItems.has(id) }));
  const known = changesOf.filter(({ entry, reread }) => entry !== undefined && !reread);
  const judgeOf = async (spec: ChecklistSpec): Promise<Map<string, Judged>> => {
    const due = known.filter(({ id }) => spec.items[id]?.enabled === true);
    if (due.length === 0) return new Map();
    const judge = await Judge.open(checklist, spec, signal);
    try {
      const requests = due.map(({ id, entry }) => requestOf(checklist, spec, id, entry as CheckEntry));
      const judged = await judge.judgeAll(requests, true);
      return new Map(due.map(({ id }, at) => [id, judged[at] as Judged]));
    } finally {
      await judge.close();
    }
  };
  const [earlier, later] = [await judgeOf(oldSpec), await judgeOf(newSpec)];
  const verdicts = changesOf.map(({ id, reread, entry }) =>
    verdictChange(
      { item: id, title: titleOf(id) ?? id, removed: newSpec.items[id]?.enabled !== true },
      [earlier.get(id), later.get(id)],
      noteOf(reread, entry, folder),
    ),
  );
  return { judged_anew: items.filter((id) => newSpec.items[id]?.enabled === true), verdicts };
}

/** Items affected by a difference, and those of them whose logs or page must be read again first. */
function affectedItems(
  oldSpec: ChecklistSpec,
  newSpec: ChecklistSpec,
  changes: readonly Difference[],
): { items: string[]; rereadItems: Set<string> } {
  const items = new Set<string>();
  const rereadItems = new Set<string>();
  const all = [...new Set([...Object.keys(oldSpec.items), ...Object.keys(newSpec.items)])];
  for (const change of changes) {
    const [top, id, member] = tokensOf(change.pointer);
    if (top === "search_root" || top === "variables") {
      for (const itemId of all) {
        items.add(itemId);
        rereadItems.add(itemId);
      }
    } else if (top === "items") {
      const ids = id === undefined ? idsOf(change) : [id];
      for (const itemId of ids) {
        if (member !== undefined && WITHOUT_EFFECT.includes(member)) continue;
        items.add(itemId);
        if (member === "page") rereadItems.add(itemId);
      }
    }
  }
  const active = (itemId: string): boolean =>
    oldSpec.items[itemId]?.enabled === true || newSpec.items[itemId]?.enabled === true;
  return { items: [...items].filter(active).sort(), rereadItems };
}

function idsOf({ old, new: now }: Difference): string[] {
  return [old, now].flatMap((value) => (isJsonObject(value) ? Object.keys(value) : []));
}

function requestOf(
  checklist: Checklist,
  spec: ChecklistSpec,
  id: string,
  { dir, extraction }: CheckEntry,
): JudgeRequest {
  const item = spec.items[id];
  return {
    item: id,
    dir,
    extraction,
    overrides: item === undefined ? [] : configOverrides(item, checklist.today),
  };
}

function noteOf(reread: boolean, entry: CheckEntry | undefined, folder: string | undefined): string {
  if (folder === undefined) return "not checked yet: run until check to see";
  if (reread) return "page, search root or variables change: run until check to see";
  if (entry === undefined) return "not in the last check: run until check to see";
  return `judged on the extraction of ${basename(dirname(folder))}`;
}

function verdictChange(
  { item, title, removed: gone }: { item: string; title: string; removed: boolean },
  [earlier, later]: [Judged | undefined, Judged | undefined],
  note: string,
): VerdictChange {
  const [first, second] = [checkedOf(earlier), checkedOf(later)];
  const compared = comparison(first, second);
  const missingNote =
    (earlier ?? later) !== undefined && first === undefined && second === undefined
      ? "the extraction no longer exists: run until check to see"
      : undefined;
  return {
    item,
    title,
    before: first?.result.outcome ?? null,
    after: second?.result.outcome ?? null,
    ...compared,
    note: gone ? "the item is no longer checked" : (missingNote ?? note),
  };
}

function checkedOf(judged: Judged | undefined): CheckedSet | undefined {
  return judged === undefined || "missing" in judged ? undefined : judged.checked;
}

function comparison(
  first: CheckedSet | undefined,
  second: CheckedSet | undefined,
): Pick<VerdictChange, "appeared" | "disappeared"> {
  if (first === undefined || second === undefined) return { appeared: [], disappeared: [] };
  const item: ReportItem = { ...second, records: second.items.length, excerpts: [] };
  const baseline = { results: [{ ...first.result, item_id: second.result.item_id }] };
  const change = compareWithBaseline([item], baseline as never, "").items[0];
  return { appeared: change?.appeared ?? [], disappeared: change?.disappeared ?? [] };
}
