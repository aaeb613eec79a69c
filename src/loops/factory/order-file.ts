// Reads work order files strictly, hashes them unchanged, and sorts them by id in natural order.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { canonicalJson } from "../../core/canonical.ts";
import { AtomsmithError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { storeError } from "../../store/atomic.ts";
import { type WorkOrder, workOrderSchema } from "./schemas.ts";

export interface OrderFile {
  path: string;
  order: WorkOrder;
  /** SHA-256 of the canonical JSON of the unchanged document. */
  hash: string;
}

/** Reads one work order. Throws kind `usage` for an invalid one. */
export async function readOrderFile(path: string): Promise<OrderFile> {
  const refuse = (problem: string, hint: string): AtomsmithError =>
    new AtomsmithError("usage", `the work order ${path} ${problem}`, { where: path, hint });
  const bytes = await readFile(path).catch((error: unknown) => {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw missing ? refuse("does not exist", "name the file of a work order") : storeError(error, path);
  });
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw refuse(
      `is not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
      "fix the file",
    );
  }
  const read = workOrderSchema.safeParse(document);
  if (!read.success) {
    const problems = read.error.issues
      .slice(0, 5)
      .map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw refuse(`is not valid: ${problems.join("; ")}`, "atomsmith schema work-order prints its schema");
  }
  if (read.data.allowed_files.length === 0) {
    throw refuse("names no allowed_files", "list the files that the order may write");
  }
  return { path, order: read.data, hash: sha256(canonicalJson(document)) };
}

/** All `*.json` of a folder in natural order of their ids. Throws kind `usage` if one is invalid, two have the same id,
 * or there is none. */
export async function readOrderFolder(folder: string): Promise<OrderFile[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new AtomsmithError("usage", `cannot read the folder of work orders: ${folder}`, {
      where: folder,
      cause: error,
    });
  });
  const files = names.filter((name) => name.endsWith(".json")).sort();
  if (files.length === 0) {
    throw new AtomsmithError("usage", `no work order (*.json) in ${folder}`, { where: folder });
  }
  const orders = await Promise.all(files.map((name) => readOrderFile(join(folder, name))));
  orders.sort((a, b) => naturalOrder(a.order.id, b.order.id));
  orders.forEach((file, index) => {
    const before = orders[index - 1];
    if (before?.order.id !== file.order.id) return;
    throw new AtomsmithError("usage", `${before.path} and ${file.path} have the same id ${file.order.id}`, {
      where: folder,
    });
  });
  return orders;
}

/** Compares numbers in ids by value: `WO-2` sorts before `WO-10`. */
export function naturalOrder(a: string, b: string): number {
  const parts = (id: string): string[] => id.match(/\d+|\D+/g) ?? [];
  const [left, right] = [parts(a), parts(b)];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const [x = "", y = ""] = [left[at], right[at]];
    if (x === y) continue;
    const numbers = /^\d/.test(x) && /^\d/.test(y);
    if (numbers && BigInt(x) !== BigInt(y)) return BigInt(x) < BigInt(y) ? -1 : 1;
    if (!numbers) return x < y ? -1 : 1;
  }
  return left.length - right.length || (a < b ? -1 : a > b ? 1 : 0);
}
