// Files that the tools may read: below the search root, discovered, not hidden.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AtomsmithError } from "../../src/core/errors.ts";
import { createFileTools } from "../../src/tools/index.ts";
import { answer, LIMITS, toolsTree } from "./tree.ts";

// Generous, since test machines are shared.
setDefaultTimeout(60_000);

const { dir, root, tools, discovered } = toolsTree();

describe("path guard", () => {
  test("only discovered files can be read", async () => {
    const box = tools();
    const before = await answer(box, "read_file_header", { file_path: "logs/run.log" });
    expect(before).toMatchObject({
      error: "not_discovered",
      instead: expect.stringContaining("list_available_files"),
    });
    await box.call("list_available_files", { patterns: ["**/short.log"] });
    expect((await answer(box, "read_file_header", { file_path: "logs/run.log" }))["error"]).toBe(
      "not_discovered",
    );
    expect((await box.call("read_file_header", { file_path: "logs/short.log" })).ok).toBe(true);
    expect(
      (await box.call("read_file_header", { file_path: join(root, "logs/short.log"), max_lines: 1 })).ok,
    ).toBe(true);
    expect(
      (await box.call("read_file_header", { file_path: "./logs/../logs/short.log", max_lines: 2 })).ok,
    ).toBe(true);
  });

  test("a hidden folder created later is hidden, also through a link", async () => {
    symlinkSync(root, join(dir, "link-to-root"));
    const hidden = [join(dir, "link-to-root", "made", "later")];
    await tools({}, { hidden }).call("list_available_files", { patterns: ["**/*.late"] });
    mkdirSync(join(root, "made/later"), { recursive: true });
    writeFileSync(join(root, "made/later/x.late"), "of the program itself");
    writeFileSync(join(root, "made/y.late"), "a log");
    const data = await answer(tools({}, { hidden }), "list_available_files", { patterns: ["**/*.late"] });
    expect(data["files"]).toEqual([{ path: "made/y.late", size: 5, type: "unknown" }]);
    rmSync(join(root, "made"), { recursive: true });
  });

  test("nothing outside the root, hidden or behind a link can be read, with or without required discovery", async () => {
    for (const requireDiscovery of [true, false]) {
      const box = tools({ requireDiscovery }, { hidden: [join(root, "output")] });
      await box.call("list_available_files", { patterns: ["**/*"] });
      for (const path of [
        join(dir, "elsewhere/secret.log"),
        "../elsewhere/secret.log",
        "logs/leak.log",
        "logs/away/secret.log",
        "output/X/atom.log",
        "/etc/passwd",
        "logs/loop.log",
        "logs/pipe.log",
        "logs",
        "logs/none.log",
        "logs/\0.log",
      ]) {
        const result = await box.call("read_file_header", { file_path: path });
        expect([path, result.ok]).toEqual([path, false]);
        expect(result.content).not.toContain("secret\n");
        expect(result.data["content"]).toBeUndefined();
      }
      expect(JSON.stringify(box.snapshot().discovered)).not.toContain("atom.log");
    }
  });

  test("a discovered file replaced by a link to another place is refused", async () => {
    writeFileSync(join(root, "logs/turn.log"), "harmless");
    const box = await discovered();
    expect((await box.call("read_file_header", { file_path: "logs/turn.log" })).ok).toBe(true);
    renameSync(join(root, "logs/turn.log"), join(root, "logs/turned"));
    symlinkSync(join(dir, "elsewhere/secret.log"), join(root, "logs/turn.log"));
    const after = await box.call("read_file_header", { file_path: "logs/turn.log", max_lines: 7 });
    expect(after.data["error"]).toBe("outside_root");
    rmSync(join(root, "logs/turn.log"));
    const gone = await box.call("read_file_header", { file_path: "logs/turn.log", max_lines: 8 });
    expect(gone.data["error"]).toBe("input_missing");
    rmSync(join(root, "logs/turned"));
  });

  test("a root reached through a link works with both paths", async () => {
    symlinkSync(root, join(dir, "link"));
    const box = createFileTools({
      searchRoot: join(dir, "link"),
      limits: LIMITS,
      hidden: [],
      emit: () => undefined,
      scope: "item",
    });
    await box.call("list_available_files", { patterns: ["**/short.log"] });
    for (const path of [join(dir, "link/logs/short.log"), join(root, "logs/short.log"), "logs/short.log"]) {
      expect((await box.call("read_file_header", { file_path: path })).ok).toBe(true);
    }
  });

  test("a search root that is not a directory is a configuration error", () => {
    for (const searchRoot of [join(dir, "nowhere"), join(root, "logs/run.log")]) {
      expect(() =>
        createFileTools({ searchRoot, limits: LIMITS, hidden: [], emit: () => undefined, scope: "item" }),
      ).toThrow(AtomsmithError);
    }
  });
});
