// The states of thousands of items: read once, and again when files change. Work is done in slices, so that requests are
// not blocked.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { discoverSpecs } from "../../batch/index.ts";
import { type ItemStateName, itemStatus } from "../../batch/status.ts";
import { ATOM_FILES } from "../../contract/atoms.ts";
import { ItemReader, listItems } from "../../loops/item/item-store.ts";
import { checkId } from "../../store/index.ts";

export interface ItemRow {
  item_id: string;
  /** `new`: a page that was never run; `reading`: not yet read since the start. */
  state: ItemStateName | "new" | "reading";
  stage: string | null;
  iterations: number | null;
  updated_at: string | null;
  /** What to do next; a command where possible. */
  next: string;
  has_page: boolean;
}

export interface ItemsOptions {
  specsDir: string;
  cacheDir: string;
  outputDir: string;
  /** Called after changes. */
  onChange(): void;
}

/** Poll interval for changes by other processes, milliseconds. */
const SWEEP_MS = 10_000;
/** Items read before yielding to other work. */
const SLICE = 25;
const CHANGED_MS = 300;

const SET_FILES = ["manifest.json", ...Object.values(ATOM_FILES)];

export class Items {
  private readonly options: ItemsOptions;
  private readonly rows = new Map<string, ItemRow>();
  private readonly marks = new Map<string, string>();
  private pages: ReadonlyMap<string, string> = new Map();
  private pagesMark = "";
  private reads = 0;
  /** Sequence number of the read that produced each row. */
  private readonly readBy = new Map<string, number>();
  /** Sorted; undefined when it has to be rebuilt. */
  private ids: string[] | undefined;
  private order: ItemRow[] = [];
  private counts: Record<string, number> = {};
  private sweeping: Promise<void> | undefined;
  private again = false;
  private closed = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private announced: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ItemsOptions) {
    this.options = options;
  }

  /** Starts polling. Resolves when the names are known; states follow. */
  async open(): Promise<void> {
    await this.readNames();
    this.refresh();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.announced);
  }

  /** Schedules a poll. */
  refresh(): void {
    clearTimeout(this.timer);
    if (this.closed) return;
    if (this.sweeping !== undefined) this.again = true;
    else {
      this.sweeping = this.sweep().finally(() => {
        this.sweeping = undefined;
        if (this.again) {
          this.again = false;
          this.refresh();
        } else if (!this.closed) this.timer = setTimeout(() => this.refresh(), SWEEP_MS);
      });
    }
  }

  /** Resolves when no read is in progress. */
  async settled(): Promise<void> {
    while (this.sweeping !== undefined) await this.sweeping;
  }

  /** An item has changed. */
  touch(id: string): void {
    if (!isId(id)) return;
    void this.read(id).then(() => this.sort());
  }

  list(query: { state?: string | undefined; q?: string | undefined; offset: number; limit: number }): {
    items: ItemRow[];
    total: number;
  } {
    const { state, q, offset, limit } = query;
    const text = q?.toLowerCase();
    const found =
      state === undefined && text === undefined
        ? this.order
        : this.order.filter(
            (row) =>
              (state === undefined || row.state === state) &&
              (text === undefined || row.item_id.toLowerCase().includes(text)),
          );
    return { items: found.slice(offset, offset + limit), total: found.length };
  }

  /** Items by state. */
  get byState(): Readonly<Record<string, number>> {
    return this.counts;
  }

  get size(): number {
    return this.rows.size;
  }

  get(id: string): ItemRow | undefined {
    return this.rows.get(id);
  }

  /** Absolute path of an item's page, if it exists. */
  pagePath(id: string): string | undefined {
    return this.pages.get(id);
  }

  /** Folder of an item's atom set. Throws kind `usage` for an id that is not a valid folder name. */
  outputDir(id: string): string {
    checkId(id);
    return join(this.options.outputDir, id);
  }

  private async sweep(): Promise<void> {
    const ids = await this.readNames();
    let slice = 0;
    for (const id of ids) {
      if (this.closed) return;
      slice += 1;
      if (slice % SLICE === 0) await new Promise((resolve) => setImmediate(resolve));
      const mark = this.markOf(id);
      // Read again what was read while a process worked on it: the process may have ended since, without a new mark.
      const running = mark.endsWith("locked") || this.rows.get(id)?.state === "running";
      if (this.marks.get(id) === mark && !running) continue;
      await this.read(id);
      this.marks.set(id, mark);
      if (slice % 500 === 0) this.sort();
    }
    this.sort();
  }

  private async readNames(): Promise<string[]> {
    const { cacheDir, outputDir } = this.options;
    this.readPages();
    const ids = new Set([...this.pages.keys(), ...(await listItems(cacheDir).catch(() => []))]);
    for (const name of namesIn(outputDir)) if (isId(name) && !name.startsWith(".")) ids.add(name);
    for (const id of ids) {
      const has_page = this.pages.has(id);
      const known = this.rows.get(id);
      if (known !== undefined) known.has_page = has_page;
      else this.add({ ...NOTHING, item_id: id, state: "reading", has_page });
    }
    for (const id of this.rows.keys()) if (!ids.has(id)) this.forget(id);
    this.sort();
    return [...ids];
  }

  /** Pages are read again when their folder has changed. */
  private readPages(): void {
    const { specsDir } = this.options;
    const info = statSync(specsDir, { throwIfNoEntry: false });
    const mark = `${info?.mtimeMs} ${info?.ino}`;
    if (mark === this.pagesMark) return;
    this.pagesMark = mark;
    try {
      const { specs } = discoverSpecs([specsDir], specsDir);
      this.pages = new Map(specs.map(({ itemId, path }) => [itemId, path]));
    } catch {
      this.pages = new Map(); // no folder, or no page in it
    }
  }

  /** Changes with any file that determines the state of the item. */
  private markOf(id: string): string {
    const { cacheDir } = this.options;
    const dir = this.outputDir(id);
    const cache = new ItemReader(cacheDir, id).dir;
    const stats = [join(cache, "checkpoint_latest.json"), ...SET_FILES.map((name) => join(dir, name))].map(
      (path) => {
        const info = statSync(path, { throwIfNoEntry: false });
        return info === undefined ? "-" : `${info.mtimeMs}:${info.size}`;
      },
    );
    const locked = statSync(join(cache, "lock"), { throwIfNoEntry: false }) !== undefined;
    return `${stats.join(" ")} ${this.pages.has(id)}${locked ? " locked" : ""}`;
  }

  private async read(id: string): Promise<void> {
    const { cacheDir, outputDir } = this.options;
    this.reads += 1;
    const number = this.reads;
    const has_page = this.pages.has(id);
    let row: ItemRow | undefined;
    try {
      const found = await itemStatus(cacheDir, outputDir, id);
      if (found !== undefined) {
        const { item_id, state, stage, iterations, updated_at, next } = found;
        row = { item_id, state, stage, iterations, updated_at, next, has_page };
      }
    } catch (error) {
      const next = error instanceof Error ? error.message : String(error);
      row = { ...NOTHING, item_id: id, state: "unreadable", next, has_page };
    }
    // Of two concurrent reads the one that started later wins, whichever ends last.
    if ((this.readBy.get(id) ?? 0) > number) return;
    this.readBy.set(id, number);
    row ??= has_page ? { ...NOTHING, item_id: id, state: "new", next: "generate", has_page } : undefined;
    if (row === undefined) {
      this.forget(id);
      return;
    }
    const before = this.rows.get(id);
    this.add(row);
    if (JSON.stringify(before) !== JSON.stringify(row)) this.announce();
  }

  private add(row: ItemRow): void {
    if (!this.rows.has(row.item_id)) this.ids = undefined;
    this.rows.set(row.item_id, row);
  }

  private forget(id: string): void {
    this.marks.delete(id);
    this.ids = undefined;
    if (this.rows.delete(id)) this.announce();
  }

  /** Ids are sorted only after additions and removals: sorting 10,000 of them would delay requests. */
  private sort(): void {
    this.ids ??= [...this.rows.keys()].sort();
    this.order = this.ids.flatMap((id) => this.rows.get(id) ?? []);
    this.counts = {};
    for (const { state } of this.order) this.counts[state] = (this.counts[state] ?? 0) + 1;
  }

  /** Combines many changes into one notification. */
  private announce(): void {
    this.announced ??= setTimeout(() => {
      this.announced = undefined;
      if (!this.closed) this.options.onChange();
    }, CHANGED_MS);
  }
}

const NOTHING = { stage: null, iterations: null, updated_at: null, next: "" };

function isId(name: string): boolean {
  return /^[A-Za-z0-9._-]{1,200}$/.test(name) && name !== "." && name !== "..";
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  } catch {
    return [];
  }
}
