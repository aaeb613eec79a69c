// Storage of the citations of a job: a file of the program, which tools cannot write, and a copy among the results.
import { type Citation, readCitations } from "../../../../documents/citations.ts";
import type { FileOp, Workspace } from "../../workspace/workspace.ts";

export const CITATIONS = ".agent/citations.json";
const COPY = "output/citations.json";

export function citationsOf(workspace: Workspace): Citation[] {
  return readCitations(workspace.page(CITATIONS), CITATIONS);
}

/** @param json empty without citations */
export function storeOps(json: string): FileOp[] {
  if (json === "") return [];
  return [CITATIONS, COPY].map((path) => ({ op: "write", path, text: json }));
}
