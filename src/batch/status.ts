// What stands where: checkpoints, manifests and locks of items, read without taking any lock.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ItemReader, listItems } from "../loops/item/item-store.ts";
import { verifyAtomSetSync } from "../runtime/atom-set.ts";

/** running, unfinished (interrupted or failed), accepted, needs a person, changed by hand, unreadable. */
export type ItemStateName =
  | "running"
  | "unfinished"
  | "accepted"
  | "human_required"
  | "modified"
  | "unreadable";

export interface ItemOverview {
  item_id: string;
  state: ItemStateName;
  stage: string | null;
  /** Attempts that reached the gates. */
  iterations: number | null;
  updated_at: string | null;
  /** What to do next, a command where there is one. */
  next: string;
}

export interface ItemDetails extends ItemOverview {
  checkpoints: string[];
  errors: string[];
  hints: string[];
  /** Blocks given with `resume --example`. */
  answers: string[];
  output_dir: string;
  cache_dir: string;
}

/** Every item that has a checkpoint or an output folder, sorted by id. */
export async function statusOfAll(cacheDir: string, outputDir: string): Promise<ItemOverview[]> {
  const ids = new Set(await listItems(cacheDir));
  for (const name of existsSync(outputDir) ? readdirSync(outputDir) : []) {
    if (existsSync(join(outputDir, name, "manifest.json"))) ids.add(name);
  }
  const items: ItemOverview[] = [];
  for (const id of [...ids].sort()) {
    const found = await itemStatus(cacheDir, outputDir, id);
    if (found === undefined) continue;
    const { item_id, state, stage, iterations, updated_at, next } = found;
    items.push({ item_id, state, stage, iterations, updated_at, next });
  }
  return items;
}

/** Undefined when nothing is stored of the item. Throws kind `store` for a store of a newer program. */
export async function itemStatus(
  cacheDir: string,
  outputDir: string,
  itemId: string,
): Promise<ItemDetails | undefined> {
  const reader = new ItemReader(cacheDir, itemId);
  const dir = join(outputDir, itemId);
  const set = verifyAtomSetSync(dir);
  const checkpoint = await reader.loadCheckpoint();
  const hasManifest = set !== undefined && "manifest" in set;
  if (checkpoint === undefined && !hasManifest) return undefined;
  const state = checkpoint?.state ?? {};
  const running = await reader.isLocked();
  const finished = checkpoint === undefined || state["finished"] === true;
  const name: ItemStateName = running
    ? "running"
    : !finished
      ? "unfinished"
      : set?.state === "accepted"
        ? "accepted"
        : set?.state === "stub"
          ? "human_required"
          : set?.state === "modified"
            ? "modified"
            : "unreadable";
  return {
    item_id: itemId,
    state: name,
    stage: checkpoint?.stage ?? null,
    iterations: numberOf(state["iteration_count"]) ?? (hasManifest ? set.manifest.iterations : null),
    updated_at: checkpoint?.at ?? (hasManifest ? set.manifest.created_at : null),
    next: nextStep(name, itemId, dir),
    checkpoints: (await reader.listCheckpoints()).map((entry) => entry.id),
    errors: messagesOf(state["validation_errors"]),
    hints: textsOf(state["hints"]),
    answers: textsOf(state["answers"]),
    output_dir: dir,
    cache_dir: reader.dir,
  };
}

function nextStep(state: ItemStateName, itemId: string, dir: string): string {
  switch (state) {
    case "running":
      return "wait for it";
    case "unfinished":
      return `atomsmith resume ${itemId}`;
    case "accepted":
      return `atomsmith check ${dir}`;
    case "human_required":
      return `read ${dir}/human_intervention_report.md`;
    case "modified":
      return `changed since it was accepted: atomsmith batch makes it anew, atomsmith validate ${dir} gates it`;
    case "unreadable":
      return "atomsmith batch makes it anew";
  }
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function messagesOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry) =>
    typeof entry === "object" && entry !== null && "message" in entry ? [String(entry.message)] : [],
  );
}
