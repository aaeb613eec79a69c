// Generated logs and a folder for them, for the tests of searching and of reading by line number.
import { afterAll } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that is removed after the tests of the file. `put` writes a file into it and returns its path. */
export function searchFolder() {
  const dir = mkdtempSync(join(tmpdir(), "search-"));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  function put(name: string, bytes: string | Uint8Array): string {
    const path = join(dir, name);
    writeFileSync(path, bytes);
    return path;
  }
  return { dir, put };
}

/** A repeatable source of numbers in [0, 1). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** A generated log of about `bytes` bytes. */
export function logText(bytes: number, seed = 7): string {
  const next = randomNumbers(seed);
  const lines: string[] = [];
  for (let size = 0; size < bytes; ) {
    const line = `${lines.length} ${next().toString(36)} path ${Math.floor(next() * 1e6)} slack ${next().toFixed(4)}`;
    lines.push(next() < 0.001 ? `${line} WARNING ${Math.floor(next() * 50)}` : line);
    size += line.length + 1;
  }
  return `${lines.join("\n")}\n`;
}
