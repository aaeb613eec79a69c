// Where the citations of a job stand: the program's own file, which no tool can write, and a copy among the results.
import { type Citation, readCitations } from "../../../../documents/citations.ts";
import type { FileOp, Workspace } from "../../workspace/workspace.ts";

const STORE = ".agent/citations.json";
const COPY = "output/citations.json";

export function citationsOf(workspace: Workspace): Citation[] {
  return readCitations(workspace.page(STORE), STORE);
}

export function storeOps(json: string): FileOp[] {
  return [STORE, COPY].map((path) => ({ op: "write", path, text: json }));
}
