// A new folder for a test, removed when the test file ends.
import { afterAll } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Returns a function that creates folders below one temporary root; `files` are written by relative path. */
export function folders(name: string): (files?: Record<string, string | Uint8Array>) => string {
  const root = mkdtempSync(join(tmpdir(), `atomsmith-${name}-`));
  // Histories of git are thousands of files, which a busy disk removes slowly.
  afterAll(() => rmSync(root, { recursive: true, force: true }), 60_000);
  let count = 0;
  return (files = {}) => {
    count += 1;
    const dir = join(root, String(count));
    mkdirSync(dir);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    }
    return dir;
  };
}
