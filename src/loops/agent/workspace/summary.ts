// workspace_summary.md: a summary of the workspace for the model and the user, written by the program.
import { readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { allFiles } from "../../../files/all-files.ts";
import type { AgentState } from "../schemas.ts";
import { phaseText, plainText } from "../todo/display.ts";
import { doneCount } from "../todo/todos.ts";

const MAX_FILES = 60;
const MAX_NOTES = 20;

const PURPOSES: Readonly<Record<string, string>> = {
  "instructions.md": "Task instructions",
  "main_plan.md": "Execution plan",
  "workspace.md": "Long-term memory",
  "workspace_summary.md": "This page",
  "progress.md": "Finished todos",
  "todos.json": "Todo list of the phase",
};

/** The page. Tool pages, archives and hidden files are not listed one by one. */
export function workspaceSummary(root: string, state: AgentState, now: Date): string {
  const { phase, todos, accomplishments, notes } = state;
  const { files, more } = filesOf(root);
  const rows = files.map(({ path, purpose, time }) => `| ${cell(path)} | ${cell(purpose)} | ${time} |`);
  const list = (texts: readonly string[]): string[] =>
    texts.length === 0 ? ["- none yet"] : texts.slice(-MAX_NOTES).map((text) => `- ${plainText(text)}`);
  return `${[
    "# Workspace Summary",
    "",
    `Generated: ${now.toISOString().slice(0, 19).replace("T", " ")}`,
    "",
    "## Files",
    "",
    "| File | Purpose | Last Modified |",
    "|------|---------|---------------|",
    ...rows,
    ...(more > 0 ? [`| … and ${more} more | list_files shows them | |`] : []),
    "",
    "## Accomplishments",
    ...list(accomplishments),
    "",
    "## Current State",
    `- Working on ${phaseText(phase)}`,
    `- ${doneCount(todos)} of ${todos.length} tasks complete in current phase`,
    `- ${state.waiting !== null ? "Waits for the user" : state.rewind !== null ? `Rewound: ${plainText(state.rewind.issue)}` : "No blocking issues"}`,
    "",
    "## Notes",
    ...list(notes),
  ].join("\n")}\n`;
}

interface Listed {
  path: string;
  purpose: string;
  time: string;
}

function filesOf(root: string): { files: Listed[]; more: number } {
  const skipped = new Set([".git", ".agent", "tools", "archive"]);
  const { paths } = allFiles(root, {
    skip: (entry) =>
      (entry.folder === root && skipped.has(entry.name)) || entry.name.includes(".atomsmith-tmp-"),
    limits: { names: 20_000 },
  });
  const shown = paths.map((path) => relative(root, path).split(sep).join("/"));
  shown.sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
  const files = shown.slice(0, MAX_FILES).map((path): Listed => {
    const info = statSync(join(root, path), { throwIfNoEntry: false });
    const time = info === undefined ? "" : info.mtime.toISOString().slice(11, 16);
    return { path, purpose: PURPOSES[path] ?? firstHeading(join(root, path), info?.size ?? 0), time };
  });
  return { files, more: shown.length - files.length };
}

function depth(path: string): number {
  return path.split("/").length;
}

/** First heading of a text file; otherwise its size. */
function firstHeading(path: string, size: number): string {
  if (size <= 256 * 1024 && /\.(md|markdown|txt)$/i.test(path)) {
    try {
      const heading = /^#{1,3}[ \t]+(.+)$/m.exec(readFileSync(path, "utf8"))?.[1];
      if (heading !== undefined) return heading.trim().slice(0, 60);
    } catch {
      // Vanished or unreadable: the size is sufficient.
    }
  }
  return `${size} bytes`;
}

function cell(text: string): string {
  return plainText(text).replaceAll("|", "\\|");
}
