// Facts about an opened log describe the open file, wherever its name leads by then.
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLog } from "../../src/logio/open.ts";

const dir = realpathSync(mkdtempSync(join(tmpdir(), "open-")));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("a link that is redirected all the time never gives one file the path of the other", async () => {
  for (const name of ["inside", "outside"]) {
    mkdirSync(join(dir, name));
    writeFileSync(join(dir, name, "a.log"), name);
  }
  const link = join(dir, "link.log");
  symlinkSync(join(dir, "inside/a.log"), link);
  const script = `
    import { renameSync, symlinkSync } from "node:fs";
    for (let i = 0; ; i += 1) {
      symlinkSync(${JSON.stringify(dir)} + "/" + (i % 2 ? "inside" : "outside") + "/a.log", ${JSON.stringify(`${link}.new`)});
      renameSync(${JSON.stringify(`${link}.new`)}, ${JSON.stringify(link)});
    }`;
  const turner = Bun.spawn([process.execPath, "-e", script], { stdout: "ignore", stderr: "ignore" });
  const seen = new Set<string>();
  try {
    const end = performance.now() + 10_000;
    for (let i = 0; (i < 40_000 || seen.size < 2) && performance.now() < end; i += 1) {
      const opened = openLog(link);
      if (!opened.ok) continue;
      const bytes = Buffer.alloc(10);
      const text = bytes.subarray(0, opened.file.readAt(bytes, 0)).toString();
      opened.file.close();
      seen.add(text);
      expect([opened.file.path, text]).toEqual([join(dir, text, "a.log"), text]);
    }
  } finally {
    turner.kill("SIGKILL");
    await turner.exited;
  }
  expect(seen.size).toBe(2);
}, 30_000);
