// Tools over documents in whole calls: text, chunks, citations and search of one workspace.
import { expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TOOLS } from "../../../src/loops/agent/tools/registry.ts";
import type { Outcome, ToolContext } from "../../../src/loops/agent/tools/types.ts";
import { Refused, Workspace } from "../../../src/loops/agent/workspace/workspace.ts";
import { folders } from "../../support/folder.ts";

const folder = folders("agent-documents");
const fixtures = join(import.meta.dirname, "../../../fixtures/documents");

/** A workspace with the checklists, and how a tool is called in it. */
function job() {
  const workspace = new Workspace(folder({ "notes/a.md": "Waivers are listed in the plan.\n" }));
  mkdirSync(join(workspace.root, "documents"));
  for (const name of ["checklist.pdf", "checklist.xlsx", "encrypted.pdf"])
    copyFileSync(join(fixtures, name), join(workspace.root, "documents", name));
  const context = { workspace, signal: new AbortController().signal, embedder: () => undefined };
  const use = async (name: string, args: object): Promise<Outcome> => {
    const tool = TOOLS.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    try {
      const outcome = await tool.call(args, context as unknown as ToolContext);
      for (const op of outcome.ops) await workspace.apply(op);
      return outcome;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { ok: false, text: error.message, isData: false, ops: [], patch: {} };
    }
  };
  return { root: workspace.root, use };
}

test("from a document to its text, chunks, citations and search", async () => {
  const { root, use } = job();
  const pdf = "documents/checklist.pdf";
  expect((await use("get_document_info", { path: pdf })).text).toContain("extract_document_text first");
  const made = await use("extract_document_text", { path: pdf });
  expect(made.text).toMatch(
    /^Written to documents\/text\/checklist\.pdf\.md: pdf, 2 pages, \d+ characters\.$/,
  );
  const page = readFileSync(join(root, "documents/text/checklist.pdf.md"), "utf8");
  expect(page).toStartWith("--- page 1 ---\nSign-off checklist\n");
  expect(page).toContain("\n--- page 2 ---\n");
  expect((await use("get_document_info", { path: pdf })).text).toContain(
    "pdf, 2 pages, text in documents/text/",
  );

  expect((await use("chunk_document", { path: pdf, max_chars: 500, overlap_chars: 50 })).ok).toBe(true);
  const manifest = JSON.parse(readFileSync(join(root, "chunks/checklist.pdf/manifest.json"), "utf8"));
  expect(manifest).toMatchObject({ document: pdf, unit: "page", overlap_chars: 50 });
  expect(readFileSync(join(root, "chunks/checklist.pdf", manifest.chunks[0].file), "utf8")).toContain(
    "REQ-1",
  );

  const cite = { path: pdf, page: 1, claim: "Nets are routed", quote: "all NETS are routed" };
  expect((await use("cite_document", cite)).text).toBe("Stored as C1. Refer to it as [C1].");
  expect(await use("cite_document", { ...cite, page: 2 })).toMatchObject({
    ok: false,
    text: "The quote does not stand on page 2, but on page 1.",
  });
  expect((await use("list_citations", {})).text).toStartWith(
    "[C1] Nets are routed (documents/checklist.pdf, 1:",
  );
  expect(JSON.parse((await use("get_citation", { id: "C1" })).text)).toMatchObject({ id: "C1", page: 1 });
  expect((await use("get_citation", { id: "C2" })).ok).toBe(false);
  expect(JSON.parse(readFileSync(join(root, "output/citations.json"), "utf8")).citations).toHaveLength(1);

  await use("extract_document_text", { path: "documents/checklist.xlsx" });
  const found = await use("semantic_search", { query: "setup violations", limit: 3 });
  expect(found.text).toStartWith("Full text (BM25).\n\n1. documents/text/checklist.");
  expect((await use("get_vector_index_stats", {})).text).toContain("No embedding server is configured.");
  expect((await use("index_file_for_search", { path: "notes/a.md" })).text).toStartWith(
    "notes/a.md: 1 chunks.",
  );
}, 60_000);

test("what is not in the document cannot be cited by changing its text", async () => {
  const { root, use } = job();
  await use("extract_document_text", { path: "documents/checklist.pdf" });
  const path = join(root, "documents/text/checklist.pdf.md");
  writeFileSync(path, readFileSync(path, "utf8").replace("All nets", "Some nets"));
  const cite = { path: "documents/checklist.pdf", page: 1, claim: "x", quote: "Some nets are routed" };
  expect(await use("cite_document", cite)).toMatchObject({
    ok: false,
    text: expect.stringContaining("was changed"),
  });
}, 30_000);

test("a document that cannot be read is an answer, not the end of the job", async () => {
  const { use } = job();
  expect(await use("extract_document_text", { path: "documents/encrypted.pdf" })).toMatchObject({
    ok: false,
    text: "cannot read the document encrypted.pdf: it is encrypted; save it without a password.",
  });
  expect((await use("extract_document_text", { path: "documents/none.pdf" })).text).toContain(
    "There is no document",
  );
}, 30_000);
