import { z } from "zod";
import { lineCount } from "../../workspace/workspace.ts";
import { defineTool, done, refused } from "../types.ts";

export const editFile = defineTool({
  name: "edit_file",
  category: "workspace",
  description: "Replace one piece of text in a file of the workspace.",
  details: "`old` must occur exactly once in the file; include as many lines as that needs.",
  schema: z.strictObject({ path: z.string(), old: z.string().min(1), new: z.string() }),
  effects: "workspace",
  run({ path, old, new: replacement }, { workspace }) {
    const place = workspace.writable(path);
    const text = workspace.text(path);
    const at = text.indexOf(old);
    if (at < 0)
      return refused(`The text does not occur in ${place}. Read the file and copy the text exactly.`);
    if (text.indexOf(old, at + 1) >= 0) {
      return refused(`The text occurs more than once in ${place}. Include more of the surrounding lines.`);
    }
    const edited = text.slice(0, at) + replacement + text.slice(at + old.length);
    return done(`Edited ${place}, ${lineCount(edited)} lines`, {
      ops: [{ op: "write", path: place, text: edited }],
    });
  },
});
