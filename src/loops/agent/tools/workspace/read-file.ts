import { z } from "zod";
import { data, defineTool } from "../types.ts";

const line = z.int().min(1).optional();

export const readFile = defineTool({
  name: "read_file",
  category: "workspace",
  description: "Read a text file of the workspace.",
  details:
    'Example: `read_file("notes/research.md")`. A long result is cut, with the path of the full text; continue with ' +
    "`start_line` and `end_line`.",
  schema: z.strictObject({
    path: z.string().describe("relative to the folder of the job"),
    start_line: line.describe("first line, from 1"),
    end_line: line.describe("last line"),
  }),
  run({ path, start_line, end_line }, { workspace }) {
    const text = workspace.text(path);
    if (start_line === undefined && end_line === undefined)
      return data(text === "" ? "(the file is empty)" : text);
    const lines = text.split("\n");
    const part = lines.slice((start_line ?? 1) - 1, end_line ?? lines.length);
    return data(part.length === 0 ? `(the file has only ${lines.length} lines)` : part.join("\n"));
  },
});
