// Shared by the tests of the offline author: the author over real log files, and the atoms that it writes.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createOfflineAuthor } from "../../src/author/offline/index.ts";
import type { AtomADraft, AuthorContext, GivenUp } from "../../src/author/types.ts";
import type { ParsedItem } from "../../src/contract/atoms.ts";
import { readExample, type WorkedExample } from "../../src/spec/example.ts";
import { createFileTools } from "../../src/tools/index.ts";
import { programAccess } from "./program-access.ts";

export type LogFiles = Record<string, string | Uint8Array>;

/** An example from the text of its block: log text, `---`, records. */
export function ex(content: string): WorkedExample {
  const reading = readExample(content);
  if (!reading.ok) throw new Error(reading.message);
  return reading.example;
}

/** An example of one record: `one(line, value, fields)`, or of a line without record: `one(line)`. */
export function one(text: string, value?: string, fields: Record<string, string> = {}): WorkedExample {
  const entries = Object.entries(fields).map(([name, field]) => `${name}: ${field}`);
  return ex([text, "---", value === undefined ? "none" : `value: ${value}`, ...entries].join("\n"));
}

/** Calls `run` with an author's context over log files, which are removed afterwards. */
export async function withLogs<T>(
  files: LogFiles,
  examples: readonly WorkedExample[],
  run: (context: AuthorContext) => Promise<T>,
): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), "atomsmith-offline-"));
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), content);
    }
    const tools = createFileTools({
      searchRoot: root,
      limits: {
        maxLinesPerCall: 100,
        maxTotalBytes: 1e6,
        maxFilesPerDiscovery: 100,
        maxMatchesPerKeyword: 100,
        requireDiscovery: true,
        headerLines: 10,
        contextLines: 10,
      },
      hidden: [],
      emit: () => {},
      scope: "item",
    });
    return await run({
      tools,
      emit: () => {},
      signal: new AbortController().signal,
      deadline: Number.POSITIVE_INFINITY,
      hints: [],
      item_id: "OFF-1",
      iteration: 1,
      ...programAccess(root, examples),
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

export interface Page {
  section_1?: string;
  section_4_1?: string;
}

/** The answer of the author for logs and examples. */
export function parse(
  files: LogFiles,
  examples: readonly WorkedExample[],
  page: Page = {},
): Promise<AtomADraft | GivenUp> {
  return withLogs(files, examples, (context) =>
    createOfflineAuthor().agentA(
      {
        item_id: "OFF-1",
        section_1: page.section_1 ?? "Records.",
        section_4_1: page.section_4_1 ?? "`*.log`",
        examples: [...examples],
        witnesses: [],
      },
      context,
    ),
  );
}

export function drafted<T extends { kind: string }>(outcome: T | GivenUp): T {
  if (outcome.kind === "gave_up") throw new Error(JSON.stringify(outcome, null, 1));
  return outcome as T;
}

/** Runs the source of an Atom A. */
export function runAtom(source: string, text: string, file: string): ParsedItem[] {
  return new Function("text", "source_file", `${source}\nreturn extract_context(text, source_file);`)(
    text,
    file,
  );
}
