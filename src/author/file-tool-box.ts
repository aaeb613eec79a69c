// Adapts the four file tools to the task loop.
import type { ToolBox } from "../conversation/tool-box.ts";
import { TOOL_SPECS } from "../tools/index.ts";
import type { FileTools } from "../tools/types.ts";

/** The text of a successful call is data; the text of a refusal is an instruction of the program. */
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
