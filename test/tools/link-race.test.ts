// A link that is redirected between the check of its name and the opening: the opened file decides.
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileTools } from "../../src/tools/index.ts";
import { LIMITS } from "./tree.ts";

const dir = mkdtempSync(join(tmpdir(), "atomsmith-link-race-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Another process that redirects links and a folder as fast as it can, until it is killed. */
const TURN = `
const { linkSync, renameSync, symlinkSync } = require("node:fs");
const [root, outside] = process.argv.slice(1);
const turn = (name, target, make = symlinkSync) => {
  make(target, root + "/.next");
  renameSync(root + "/.next", root + "/" + name);
};
process.stdout.write("turning\\n");
for (;;) {
  turn("link.log", "inside/a.log");
  turn("folder", "inside");
  turn("file.log", root + "/inside/b.log", linkSync);
  turn("link.log", outside + "/a.log");
  turn("folder", outside);
  turn("file.log", outside + "/a.log");
}`;

test("no tool returns the text, size or count of an outside file while links are redirected", async () => {
  const root = join(dir, "root");
  const outside = join(dir, "outside");
  for (const folder of [join(root, "inside"), outside]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, "inside/a.log"), "harmless\n".repeat(10));
  for (const name of ["inside/b.log", "file.log"]) writeFileSync(join(root, name), "harmless\n".repeat(10));
  writeFileSync(join(outside, "a.log"), "secret\n".repeat(1_111));
  symlinkSync("inside/a.log", join(root, "link.log"));
  symlinkSync("inside", join(root, "folder"));
  const turner = Bun.spawn([process.execPath, "-e", TURN, root, outside], { stdout: "pipe" });
  try {
    await turner.stdout.getReader().read();
    let answered = 0;
    let refused = 0;
    const end = performance.now() + 3_000;
    while (performance.now() < end || answered === 0 || refused === 0) {
      const limits = { ...LIMITS, requireDiscovery: false, maxTotalBytes: 10_000_000 };
      const tools = createFileTools({
        searchRoot: root,
        limits,
        hidden: [],
        emit: () => undefined,
        scope: "r",
      });
      for (const path of ["link.log", "folder/a.log", "file.log"]) {
        const calls = [
          await tools.call("list_available_files", { patterns: ["*.log", "folder/*.log"] }),
          await tools.call("read_file_header", { file_path: path, max_lines: 3 }),
          await tools.call("search_in_file", { file_path: path, keywords: ["secret", "harmless"] }),
        ];
        for (const { ok, content } of calls) {
          if (ok) answered += 1;
          else refused += 1;
          expect(content).not.toContain("1111");
          expect(content).not.toContain(String(1_111 * "secret\n".length));
          expect(content).not.toContain("secret\\n");
        }
      }
    }
    expect(answered).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  } finally {
    turner.kill("SIGKILL");
    await turner.exited;
  }
}, 60_000);
