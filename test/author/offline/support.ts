// Runs the offline author on a case folder with the real page parser and the real file tools.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { look } from "../../../src/author/offline/index.ts";
import type { Candidate } from "../../../src/author/offline/synthesize.ts";
import type { AuthorContext } from "../../../src/author/types.ts";
import { configSchema } from "../../../src/config/schema.ts";
import { readText } from "../../../src/logio/index.ts";
import { loadItemSpec, parsingSlice } from "../../../src/spec/index.ts";
import type { ParsingSlice } from "../../../src/spec/types.ts";
import { createFileTools, toolLimits } from "../../../src/tools/index.ts";

export const CASES = join(import.meta.dir, "cases");

export interface ExpectedItem {
  file: string;
  line: number;
  value: string;
  fields: Record<string, string>;
  line_accept?: number[];
}

export function caseIds(): string[] {
  return readdirSync(CASES).sort();
}

export function expectedItems(id: string): ExpectedItem[] {
  const text = readFileSync(join(CASES, id, "expected.json"), "utf8");
  return (JSON.parse(text) as { items: ExpectedItem[] }).items;
}

/** An author's context over a folder, with the default limits. */
export function contextOn(searchRoot: string, hints: string[] = []): AuthorContext {
  const limits = toolLimits(configSchema.parse({}).tool_constraints);
  return {
    tools: createFileTools({ searchRoot, limits, hidden: [], emit: () => {}, itemId: "T" }),
    emit: () => {},
    signal: new AbortController().signal,
    hints,
    item_id: "T",
    iteration: 1,
  };
}

export function sliceOf(id: string): ParsingSlice {
  return parsingSlice(loadItemSpec(join(CASES, id, `${id}_ItemSpec.md`)));
}

export async function bestOf(id: string): Promise<Candidate | undefined> {
  const { candidates } = await look(sliceOf(id), contextOn(join(CASES, id, "logs")));
  return candidates[0];
}

/** The whole texts of the files that the best candidate was made for, by absolute path. */
export async function textsOf(candidate: Candidate): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of candidate.records.keys()) {
    const reading = await readText(path, { maxBytes: 64 * 2 ** 20 });
    if (!reading.ok) throw new Error(reading.diagnostic.message);
    texts.set(path, reading.input.text);
  }
  return texts;
}
