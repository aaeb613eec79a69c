// The quota of the tools: every byte counts, a repeated call is free, also after a restart.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { ToolsSnapshot } from "../../src/tools/index.ts";
import { answer, toolsTree } from "./tree.ts";

// Generous, since test machines are shared.
setDefaultTimeout(60_000);

const { root, events, tools, discovered } = toolsTree();

describe("quota", () => {
  test("every byte of every answer counts, also of refusals, and the limit applies", async () => {
    const box = tools({ maxTotalBytes: 6000 });
    let total = 0;
    const calls: [string, unknown][] = [
      ["list_available_files", { patterns: ["*.log"] }],
      ["read_file_header", { file_path: "logs/none.log" }],
      ["read_file_header", { file_path: "logs/run.log", max_lines: 60 }],
      ["search_in_file", { file_path: "logs/run.log", keywords: ["mark"], context_lines: 20 }],
      ["read_file_range", { file_path: "logs/run.log", start_line: 400, end_line: 599 }],
      ["read_file_range", { file_path: "logs/run.log", start_line: 600, end_line: 799 }],
      ["read_file_range", { file_path: "logs/run.log", start_line: 800, end_line: 999 }],
    ];
    for (const [name, args] of calls) {
      const result = await box.call(name, args);
      expect(result.bytes).toBe(Buffer.byteLength(result.content));
      total += result.bytes;
      expect(box.bytesLeft()).toBe(6000 - total);
      // The remaining quota is stated once, below the answer (author/file-tool-box.ts).
      expect(result.content).not.toContain("bytes_left");
    }
    expect(total).toBeLessThanOrEqual(6000);
    const last = await box.call("read_file_range", { file_path: "logs/run.log", start_line: 1, end_line: 2 });
    expect(last.data["error"]).toBe("quota_exhausted");
    expect(events.some((event) => event.type === "budget" && event.what === "tool_bytes")).toBe(true);
    expect(events.filter((event) => event.type === "tool_called").length).toBe(8);
  });

  test("an answer over the quota is shortened with a note", async () => {
    const box = await discovered({ maxTotalBytes: 2000 });
    const data = await answer(box, "read_file_range", {
      file_path: "logs/run.log",
      start_line: 1,
      end_line: 200,
    });
    const lines = String(data["content"]).split("\n");
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.length).toBeLessThan(200);
    expect(data["end_line"]).toBe(lines.length);
    expect(String(data["notes"])).toContain("quota");
  });

  test("a repeated call is answered from memory without cost", async () => {
    const box = await discovered();
    const first = await box.call("read_file_header", { file_path: "logs/run.log", max_lines: 3 });
    const remaining = box.bytesLeft();
    const again = await box.call("read_file_header", '{"max_lines": 3, "file_path": "logs/run.log"}');
    expect(again).toEqual({ ...first, bytes: 0 });
    expect(box.bytesLeft()).toBe(remaining);
  });

  test("a snapshot restores the quota, discovered files, evidence and memory", async () => {
    const box = await discovered();
    const first = await box.call("read_file_header", { file_path: "logs/run.log", max_lines: 3 });
    await box.call("search_in_file", { file_path: "logs/run.log", keywords: ["mark"], context_lines: 0 });
    const snapshot = JSON.parse(JSON.stringify(box.snapshot())) as ToolsSnapshot;
    expect(snapshot.observed[0]).toEqual({
      path: join(root, "logs/run.log"),
      startLine: 1,
      lines: ["line 1", "line 2", "line 3"],
    });
    expect(snapshot.observed[1]).toEqual({
      path: join(root, "logs/run.log"),
      startLine: 100,
      lines: ["line 100 MARK"],
    });
    const restored = tools({}, { restore: snapshot });
    expect(restored.bytesLeft()).toBe(box.bytesLeft());
    expect(await restored.call("read_file_header", { file_path: "logs/run.log", max_lines: 3 })).toEqual({
      ...first,
      bytes: 0,
    });
    expect((await restored.call("read_file_header", { file_path: "logs/short.log" })).ok).toBe(true);
    expect(restored.snapshot().observed.length).toBe(5);
    // A link keeps the name under which it was listed.
    expect((await restored.call("read_file_header", { file_path: "logs/latest.log", max_lines: 1 })).ok).toBe(
      true,
    );
    expect(snapshot.discovered.filter((path) => path.endsWith("logs/run.log")).length).toBe(1);
  });
});
