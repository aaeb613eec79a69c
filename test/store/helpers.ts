// Shared by the tests of the store: scratch folders and separate processes.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const folders: string[] = [];

export function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), "atomsmith-test-"));
  folders.push(dir);
  return dir;
}

/** Removes all scratch folders. Call in `afterAll`. */
export function removeScratch(): void {
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true });
}

export const STORE_INDEX = resolve(import.meta.dir, "../../src/store/index.ts");

/** Starts Bun on a script text; `shell` may wrap it, e.g. to set a limit. */
export function startBun(
  script: string,
  shell?: (command: string) => string,
): Bun.Subprocess<"pipe", "pipe", "pipe"> {
  const file = join(scratch(), "script.ts");
  require("node:fs").writeFileSync(file, script);
  const command = [process.execPath, "run", file];
  const argv = shell ? ["sh", "-c", shell(command.map((part) => `'${part}'`).join(" "))] : command;
  return Bun.spawn(argv, { stdin: "pipe", stdout: "pipe", stderr: "pipe" });
}

/** Waits until the process has printed the text; throws when it ends before. */
export async function waitForLine(stream: ReadableStream<Uint8Array>, text: string): Promise<void> {
  const reader = stream.getReader();
  let seen = "";
  while (!seen.includes(text)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`process ended without printing ${text}; it printed: ${seen}`);
    seen += new TextDecoder().decode(value);
  }
  reader.releaseLock();
}
