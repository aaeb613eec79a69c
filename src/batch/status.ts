// The state of items, from their checkpoints, manifests and locks; read without acquiring a lock.
import { existsSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { quote, shellFlags } from "../core/shell.ts";
import { ItemReader, listItems } from "../loops/item/item-store.ts";
import {
  type AtomSetState,
  outdatedPage,
  PENDING_DIR,
  pendingManifest,
  reportPath,
  verifyAtomSetSync,
} from "../runtime/atom-set.ts";

/** Running, unfinished (interrupted or failed), accepted, accepted for a page that changed since, needs review,
 * modified after acceptance, unreadable. */
export type ItemStateName =
  | "running"
  | "unfinished"
  | "accepted"
  | "outdated"
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
  /** Folder of a newer result that is not accepted; the accepted set is kept meanwhile. */
  pending: string | null;
  /** The next step, usually a command. */
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

/** Flags of the status request, which suggested commands repeat. */
export interface Asked {
  /** Names and values of flags, alternating. */
  flags: readonly string[];
  /** The search root that commands use without a flag. */
  searchRoot: string;
  /** Working directory; paths are shown relative to it. */
  cwd: string;
}

const NO_FLAGS: Asked = { flags: [], searchRoot: "", cwd: "/" };

/** Every item that has a checkpoint or an output folder, sorted by id. */
export async function statusOfAll(
  cacheDir: string,
  outputDir: string,
  asked: Asked = NO_FLAGS,
): Promise<ItemOverview[]> {
  const ids = new Set(await listItems(cacheDir));
  for (const name of existsSync(outputDir) ? readdirSync(outputDir) : []) {
    if (existsSync(join(outputDir, name, "manifest.json"))) ids.add(name);
  }
  const items: ItemOverview[] = [];
  for (const id of [...ids].sort()) {
    const found = await itemStatus(cacheDir, outputDir, id, asked);
    if (found === undefined) continue;
    const { item_id, state, stage, iterations, updated_at, pending, next } = found;
    items.push({ item_id, state, stage, iterations, updated_at, pending, next });
  }
  return items;
}

/** Undefined when the item has no stored data. Throws kind `store` for a store written by a newer program. */
export async function itemStatus(
  cacheDir: string,
  outputDir: string,
  itemId: string,
  asked: Asked = NO_FLAGS,
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
  const name = running ? "running" : finished ? stateOf(set, dir) : "unfinished";
  const pending = pendingManifest(dir) === undefined ? null : join(dir, PENDING_DIR);
  return {
    item_id: itemId,
    state: name,
    stage: checkpoint?.stage ?? null,
    iterations: numberOf(state["iteration_count"]) ?? (hasManifest ? set.manifest.iterations : null),
    updated_at: checkpoint?.at ?? (hasManifest ? set.manifest.created_at : null),
    pending,
    next: nextStep(name, itemId, dir, pending, { ...asked, root: textOf(state["search_root"]) }),
    checkpoints: (await reader.listCheckpoints()).map((entry) => entry.id),
    errors: messagesOf(state["validation_errors"]),
    hints: textsOf(state["hints"]),
    answers: textsOf(state["answers"]),
    output_dir: dir,
    cache_dir: reader.dir,
  };
}

function stateOf(set: AtomSetState | undefined, dir: string): ItemStateName {
  switch (set?.state) {
    case "accepted":
      return outdatedPage(set.manifest, dir) === undefined ? "accepted" : "outdated";
    case "stub":
      return "human_required";
    case "modified":
      return "modified";
    default:
      return "unreadable";
  }
}

function nextStep(
  state: ItemStateName,
  itemId: string,
  folder: string,
  pending: string | null,
  { flags, searchRoot, root, cwd }: Asked & { root: string },
): string {
  const near = relative(cwd, folder);
  const dir = near.startsWith("..") || near === "" ? folder : near;
  const rooted = root === "" || root === searchRoot ? "" : ` --search-root ${quote(root)}`;
  const check = `atomsmith check ${quote(dir)}${shellFlags(flags, ["--config", "-c"])}${rooted}`;
  if (pending !== null && (state === "accepted" || state === "outdated")) {
    return `read ${reportPath(dir)}; the accepted set is kept until a new one is accepted`;
  }
  switch (state) {
    case "outdated":
      return `the page changed: run atomsmith batch${shellFlags(flags)}${rooted}, or ${check} --outdated`;
    case "running":
      return "wait until it finishes";
    case "unfinished":
      return `atomsmith resume ${itemId}${shellFlags(flags)}${rooted}`;
    case "accepted":
      return check;
    case "human_required":
      return `read ${reportPath(dir)}`;
    case "modified":
      return `modified after acceptance: regenerate it with atomsmith batch${shellFlags(flags)}${rooted}, or run its gates with atomsmith validate ${quote(dir)}`;
    case "unreadable":
      return `regenerate it with atomsmith batch${shellFlags(flags)}${rooted}`;
  }
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
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
