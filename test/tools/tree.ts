// A tree of logs and calls on it, for the tests of the tools.
import { afterAll, expect } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { EventBody } from "../../src/core/events.ts";
import {
  createFileTools,
  type FileTools,
  type ToolLimits,
  type ToolsSnapshot,
} from "../../src/tools/index.ts";

export const LIMITS: ToolLimits = {
  maxLinesPerCall: 200,
  maxTotalBytes: 102_400,
  maxFilesPerDiscovery: 20,
  maxMatchesPerKeyword: 3,
  requireDiscovery: true,
  headerLines: 100,
  contextLines: 10,
};

export async function answer(box: FileTools, name: string, args: unknown): Promise<Record<string, unknown>> {
  const result = await box.call(name, args);
  expect(JSON.parse(result.content)).toEqual(result.data);
  return result.data;
}

/** Creates the tree, which is removed after the tests of the file. `root` is the search root within `dir`. */
export function toolsTree() {
  const dir = mkdtempSync(join(tmpdir(), "tools-"));
  const root = join(dir, "root");
  createFiles(dir, root);
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  /** Events of the tools created last. */
  const events: EventBody[] = [];
  function tools(
    limits: Partial<ToolLimits> = {},
    more: { restore?: ToolsSnapshot; hidden?: string[] } = {},
  ): FileTools {
    events.length = 0;
    return createFileTools({
      searchRoot: root,
      limits: { ...LIMITS, ...limits },
      hidden: more.hidden ?? [],
      emit: (event) => events.push(event),
      scope: "item",
      ...(more.restore === undefined ? {} : { restore: more.restore }),
    });
  }
  async function discovered(limits: Partial<ToolLimits> = {}): Promise<FileTools> {
    const box = tools(limits);
    await box.call("list_available_files", { patterns: ["*.log", "*.gz"] });
    return box;
  }
  return { dir, root, events, tools, discovered };
}

function createFiles(dir: string, root: string): void {
  mkdirSync(join(root, "logs/deep"), { recursive: true });
  mkdirSync(join(root, ".git"), { recursive: true });
  mkdirSync(join(root, "output/X"), { recursive: true });
  mkdirSync(join(dir, "elsewhere"));
  const lines = Array.from({ length: 1000 }, (_, i) => `line ${i + 1}${(i + 1) % 100 === 0 ? " MARK" : ""}`);
  writeFileSync(join(root, "logs/run.log"), `${lines.join("\n")}\n`);
  writeFileSync(join(root, "logs/short.log"), "one\ntwo\nthree");
  writeFileSync(join(root, "logs/deep/run.log.gz"), gzipSync(`${lines.join("\n")}\n`));
  writeFileSync(join(root, "logs/empty.log"), "");
  writeFileSync(join(root, "logs/binary.log"), "a\0b");
  writeFileSync(join(root, "logs/two\nlines.log"), "odd name\n");
  writeFileSync(join(root, ".git/config.log"), "never seen");
  writeFileSync(join(root, "output/X/atom.log"), "hidden");
  writeFileSync(join(dir, "elsewhere/secret.log"), "secret");
  symlinkSync(join(dir, "elsewhere/secret.log"), join(root, "logs/leak.log"));
  symlinkSync("run.log", join(root, "logs/latest.log"));
  symlinkSync(join(dir, "elsewhere"), join(root, "logs/away"));
  symlinkSync("loop.log", join(root, "logs/loop.log"));
  Bun.spawnSync(["mkfifo", join(root, "logs/pipe.log")]);
}
