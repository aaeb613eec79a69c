// Checks that the folders exist and are usable; writes a probe file and removes it again.
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  statfsSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Config } from "../../config/schema.ts";
import { EXIT, toAtomsmithError } from "../../core/errors.ts";
import { randomHex } from "../../core/random.ts";
import type { Check } from "./types.ts";

/** With less free space, a run is likely to fill the disk. */
const LOW_SPACE_BYTES = 200 * 1024 * 1024;

/** Checks search root, ItemSpecs, output and cache. */
export function checkFolders(paths: Config["paths"]): Check[] {
  return [
    readable(
      "search root",
      paths.search_root,
      true,
      "set paths.search_root or --search-root to the folder of your logs",
    ),
    readable(
      "ItemSpecs",
      paths.item_specs_dir,
      false,
      "set paths.item_specs_dir or name the pages on the command line",
    ),
    writable("output folder", paths.output_dir),
    writable("cache folder", paths.cache_dir),
  ];
}

function readable(name: string, path: string, needed: boolean, hint: string): Check {
  try {
    const count = readdirSync(path).length;
    if (count === 0) return { name, status: "warning", message: `${path} is empty`, hint };
    return { name, status: "ok", message: path };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const reason =
      code === "ENOENT"
        ? "does not exist"
        : code === "ENOTDIR"
          ? "is not a directory"
          : `cannot be read (${code})`;
    const check: Check = { name, status: needed ? "error" : "warning", message: `${path} ${reason}`, hint };
    return needed ? { ...check, exit: EXIT.usage } : check;
  }
}

function writable(name: string, path: string): Check {
  const nearest = nearestExisting(path);
  const probe = join(nearest, `.atomsmith-doctor-${randomHex(6)}`);
  try {
    const fd = openSync(probe, "wx");
    try {
      writeSync(fd, "probe");
      fsyncSync(fd);
    } finally {
      closeSync(fd);
      unlinkSync(probe);
    }
  } catch (error) {
    return {
      name,
      status: "error",
      message: `${path} is not writable: ${toAtomsmithError(error).message}`,
      hint: "choose another folder or change its permissions",
      exit: EXIT.infrastructure,
    };
  }
  const space = freeBytes(nearest);
  const state = nearest === path ? "" : " (will be created)";
  if (space !== undefined && space < LOW_SPACE_BYTES) {
    const message = `${path}${state}: only ${Math.floor(space / 1_000_000)} MB are free`;
    return { name, status: "warning", message, hint: "free disk space before a long run" };
  }
  return { name, status: "ok", message: `${path}${state}` };
}

function nearestExisting(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    try {
      statSync(at);
      return at;
    } catch {
      if (dirname(at) === at) return at;
    }
  }
}

function freeBytes(path: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
