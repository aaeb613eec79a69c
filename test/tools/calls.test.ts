// Calls as models make them: unknown tools, malformed arguments; the specifications of the tools.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { TOOL_SPECS } from "../../src/tools/index.ts";
import { toolsTree } from "./tree.ts";

// Generous, since test machines are shared.
setDefaultTimeout(60_000);

const { root, discovered } = toolsTree();

describe("calls as models make them", () => {
  test("unknown tools, malformed JSON, missing and wrong arguments are refused", async () => {
    const box = await discovered();
    for (const [name, args, rule] of [
      ["read_whole_file", {}, "unknown_tool"],
      ["toString", {}, "unknown_tool"],
      ["read_file_header", '{"file_path": ', "bad_arguments"],
      ["read_file_header", null, "bad_arguments"],
      ["read_file_header", { file_path: 3 }, "bad_arguments"],
      ["read_file_range", { file_path: "logs/run.log", start_line: 0, end_line: 3 }, "bad_arguments"],
      ["list_available_files", [], "bad_arguments"],
      ["list_available_files", {}, "bad_arguments"],
    ] as const) {
      const result = await box.call(name, args);
      expect([name, result.ok, result.data["error"]]).toEqual([name, false, rule]);
      expect(result.data["instead"]).toBeString();
    }
  });

  test("the specifications match the arguments that the tools accept", () => {
    for (const spec of TOOL_SPECS) {
      expect(spec.description.length).toBeGreaterThan(40);
      const parameters = spec.parameters as { required: string[]; properties: Record<string, unknown> };
      for (const key of parameters.required) expect(parameters.properties[key]).toBeDefined();
    }
    expect(existsSync(root)).toBe(true);
  });
});
