// The reading tools in their simplest form, until src/tools is there.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EventBody } from "../../src/core/events.ts";
import type { FileTools, ToolLimits, ToolResult, ToolsSnapshot } from "../../src/tools/types.ts";

export function createFileTools(o: {
  searchRoot: string;
  limits: ToolLimits;
  hidden: string[];
  emit: (event: EventBody) => void;
  itemId: string;
  restore?: ToolsSnapshot;
}): FileTools {
  const state: ToolsSnapshot = structuredClone(
    o.restore ?? { bytes_used: 0, calls: 0, discovered: [], observed: [] },
  );
  const answer = (tool: string, ok: boolean, data: ToolResult["data"]): ToolResult => {
    const content = JSON.stringify(data);
    state.calls += 1;
    state.bytes_used += content.length;
    return { ok, tool, content, bytes: content.length, data };
  };
  return {
    limits: o.limits,
    bytesLeft: () => o.limits.maxTotalBytes - state.bytes_used,
    snapshot: () => structuredClone(state),
    call: async (name, raw) => {
      const args = raw as Record<string, unknown>;
      if (name === "list_available_files") {
        const patterns = args["patterns"] as string[];
        const names = (readdirSync(o.searchRoot, { recursive: true }) as string[]).filter((file) =>
          patterns.some((pattern) => new Bun.Glob(pattern).match(file)),
        );
        const files = names.sort().map((file) => ({ path: join(o.searchRoot, file) }));
        state.discovered.push(...files.map(({ path }) => path));
        return answer(name, true, { files });
      }
      const path = String(args["file_path"]);
      if (!state.discovered.includes(path)) return answer(name, false, { refused: "discover first" });
      const lines = readFileSync(path, "utf8").split("\n");
      state.observed.push({ path, startLine: 1, lines });
      return answer(name, true, { path, lines });
    },
  };
}
