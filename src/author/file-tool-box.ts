// The four file tools as the task loop calls them.
import type { ToolBox } from "../conversation/tool-box.ts";
import { TOOL_SPECS } from "../tools/index.ts";
import type { FileTools } from "../tools/types.ts";

/** What a tool read is data; a refusal is the program's own word. */
export function fileToolBox(files: FileTools): ToolBox {
  return {
    specs: TOOL_SPECS,
    call: async (name, args) => {
      const { ok, content, bytes } = await files.call(name, args);
      return { text: content, isData: ok, isNew: ok && bytes > 0 };
    },
    budgetLine: () => `${files.bytesLeft()} of ${files.limits.maxTotalBytes} bytes of reading are left.`,
  };
}
