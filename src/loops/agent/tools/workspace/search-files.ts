import { readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { z } from "zod";
import { allFiles } from "../../../../files/all-files.ts";
import { data, defineTool, refused } from "../types.ts";

const MAX_MATCHES = 100;
const MAX_LINE = 200;
const MAX_BYTES = 5 * 2 ** 20;

export const searchFiles = defineTool({
  name: "search_files",
  category: "workspace",
  description: "Find lines in text files of the workspace that contain a text, ignoring case.",
  details: `Example: \`search_files("retention period", "documents/")\`. At most ${MAX_MATCHES} lines, each with file and number.`,
  schema: z.strictObject({
    query: z.string().min(1),
    path: z.string().default("").describe("file or folder"),
  }),
  run({ query, path }, { workspace }) {
    const start = join(workspace.root, workspace.readable(path));
    const info = statSync(start, { throwIfNoEntry: false });
    if (info === undefined) return refused(`There is no ${path}.`);
    const hidden = new Set([".git", ".agent"]);
    const files = info.isFile()
      ? [start]
      : allFiles(start, {
          skip: (entry) => hidden.has(entry.name) || entry.kind === "link",
          limits: { names: 20_000 },
        }).paths;
    const wanted = query.toLowerCase();
    const matches: string[] = [];
    for (const file of files) {
      if (matches.length >= MAX_MATCHES) break;
      const name = relative(workspace.root, file).split(sep).join("/");
      linesOf(file).forEach((line, index) => {
        if (matches.length >= MAX_MATCHES || !line.toLowerCase().includes(wanted)) return;
        matches.push(`${name}:${index + 1}: ${line.trim().slice(0, MAX_LINE)}`);
      });
    }
    if (matches.length === 0) return data(`No line contains ${JSON.stringify(query)}.`);
    const more = matches.length >= MAX_MATCHES ? `\n(only the first ${MAX_MATCHES} lines)` : "";
    return data(matches.join("\n") + more);
  },
});

function linesOf(file: string): string[] {
  const info = statSync(file, { throwIfNoEntry: false });
  if (!info?.isFile() || info.size > MAX_BYTES) return [];
  const bytes = readFileSync(file);
  return bytes.includes(0) ? [] : bytes.toString("utf8").split("\n");
}
