// `cache ls` and `cache clean`: list and remove the stored data of items.
import { rm } from "node:fs/promises";
import type { Config } from "../../config/schema.ts";
import { AtomsmithError, EXIT } from "../../core/errors.ts";
import { didYouMean } from "../../core/suggest.ts";
import { count } from "../../core/words.ts";
import { folderSize } from "../../files/all-files.ts";
import { ItemReader, listItems, openItemStore } from "../../loops/item/item-store.ts";
import type { RunStore } from "../../store/index.ts";
import { COMMON_ARGS, type CommandGroup, defineCommand } from "../command.ts";
import { itemIdFor } from "../item-target.ts";

interface CacheEntry {
  item_id: string;
  checkpoints: number;
  latest: string | null;
  stage: string | null;
  files: number;
  bytes: number;
}

interface Cleaned {
  item_id: string;
  bytes: number;
  /** Reason for skipping the item. */
  skipped?: string;
}

const cacheArg = { cache: COMMON_ARGS.cache } as const;

async function describe(cacheDir: string, id: string): Promise<CacheEntry> {
  const store = new ItemReader(cacheDir, id);
  const checkpoints = await store.listCheckpoints();
  const latest = await store.loadCheckpoint();
  const size = folderSize(store.dir);
  return {
    item_id: id,
    checkpoints: checkpoints.length,
    latest: latest?.id ?? null,
    stage: latest?.stage ?? null,
    files: size.files,
    bytes: size.bytes,
  };
}

const lsCommand = defineCommand({
  name: "ls",
  summary: "list the stored data of each item",
  args: { ...cacheArg },
  examples: [{ command: "atomsmith cache ls --json", does: "list the sizes as JSON" }],
  run: async (_args, context) => {
    const cacheDir = context.config.paths.cache_dir;
    const items: CacheEntry[] = [];
    for (const id of await listItems(cacheDir)) items.push(await describe(cacheDir, id));
    context.output.result({ cache_dir: cacheDir, items }, (style) => {
      if (items.length === 0) return `no stored data in ${cacheDir}`;
      const rows = items.map((e) => [
        e.item_id,
        e.stage ?? style.dim("unreadable"),
        e.latest ?? "",
        String(e.checkpoints),
        sizeText(e.bytes),
      ]);
      const header = ["ITEM", "STAGE", "LATEST CHECKPOINT", "CHECKPOINTS", "SIZE"];
      return context.output.table(header, rows, ["left", "left", "left", "right", "right"]);
    });
    return EXIT.ok;
  },
});

const cleanCommand = defineCommand({
  name: "clean",
  summary: "remove old checkpoints, or all stored data of an item",
  details:
    "Without --all, removes only checkpoints older than cache.keep_hours; the latest is always kept, so every item " +
    "can still be resumed. With --all, removes the folder of each named item, including stored model replies. Items " +
    "that another process holds are skipped.",
  args: {
    ...cacheArg,
    items: {
      type: "positional",
      valueHint: "ITEM_ID",
      multiple: true,
      description: "ids of items (default: all)",
    },
    all: { type: "boolean", description: "remove all stored data, checkpoints and replies" },
  },
  examples: [
    { command: "atomsmith cache clean", does: "remove expired checkpoints" },
    { command: "atomsmith cache clean --all IMP-10-0-0-00", does: "remove all stored data of one item" },
  ],
  run: async (args, context) => {
    const { paths } = context.config;
    const known = await listItems(paths.cache_dir);
    const items = args.items.map((word) => itemIdFor(word, context));
    const unknown = items.filter((id) => !known.includes(id));
    if (unknown.length > 0) {
      const near = didYouMean(unknown[0] ?? "", known);
      const message = `no stored data of ${unknown.join(", ")} in ${paths.cache_dir}${near}`;
      throw new AtomsmithError("usage", message, {
        hint: "list stored items: atomsmith cache ls",
      });
    }
    const wanted = items.length > 0 ? items : known;
    const cleaned: Cleaned[] = [];
    for (const id of wanted) {
      context.signal.throwIfAborted();
      cleaned.push(await cleanItem(context.config, id, args.all));
    }
    const bytes = cleaned.reduce((sum, entry) => sum + entry.bytes, 0);
    context.output.result({ cache_dir: paths.cache_dir, bytes, items: cleaned }, () => {
      const skipped = cleaned
        .filter((e) => e.skipped !== undefined)
        .map((e) => `skipped ${e.item_id}: ${e.skipped}`);
      const emptied = count(cleaned.length - skipped.length, "item");
      return [...skipped, `removed ${sizeText(bytes)} of ${emptied} in ${paths.cache_dir}`].join("\n");
    });
    return EXIT.ok;
  },
});

/** Cleans one item under its lock; skips an item that another process holds, with the reason. */
async function cleanItem({ cache, paths }: Config, id: string, all: boolean): Promise<Cleaned> {
  const before = folderSize(new ItemReader(paths.cache_dir, id).dir).bytes;
  let store: RunStore;
  try {
    // Opening acquires the lock, and removes leftovers of killed processes and expired checkpoints.
    store = await openItemStore(paths.cache_dir, id, {
      maxCheckpointsPerHour: cache.max_checkpoints_per_hour,
      keepHours: cache.keep_hours,
    });
  } catch (error) {
    if (!(error instanceof AtomsmithError) || error.kind !== "usage") throw error;
    return { item_id: id, bytes: 0, skipped: error.message };
  }
  const { dir } = store;
  try {
    if (all) await rm(dir, { recursive: true, force: true });
  } finally {
    await store.close();
  }
  return { item_id: id, bytes: before - folderSize(dir).bytes };
}

/** `0 B`, `12.3 KB`, `4.0 MB`. */
export function sizeText(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return unit === 0 ? `${value} B` : `${value.toFixed(1)} ${units[unit]}`;
}

export const cacheGroup: CommandGroup = {
  kind: "group",
  name: "cache",
  summary: "list and clean the stored data of items",
  commands: [
    { name: "ls", summary: lsCommand.summary, load: async () => lsCommand },
    { name: "clean", summary: cleanCommand.summary, load: async () => cleanCommand },
  ],
};
