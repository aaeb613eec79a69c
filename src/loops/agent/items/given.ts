// Hashes of the documents that a job was started with. Only these prove a citation, because the model can write files
// itself.
import { z } from "zod";
import type { FileOp, Workspace } from "../workspace/workspace.ts";

const FILE = ".agent/given.json";
const givenSchema = z.record(z.string(), z.string());

/** SHA-256 by path in the workspace. Empty for a job of an older version. */
export function givenDocuments(workspace: Workspace): Record<string, string> {
  const text = workspace.page(FILE);
  return text === "" ? {} : givenSchema.parse(JSON.parse(text));
}

export function givenOp(documents: Readonly<Record<string, string>>): FileOp {
  return { op: "write", path: FILE, text: `${JSON.stringify(documents, undefined, 2)}\n` };
}
