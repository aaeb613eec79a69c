import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { WorkspaceIndex } from "../../src/documents/search/index.ts";
import { createEmbedder } from "../../src/llm/embeddings.ts";

/** A server of embeddings on loopback: the vector of a text counts some of its words. */
const AXES = [
  ["net", "wire", "route"],
  ["timing", "slack", "setup"],
  ["waiver", "person"],
];
let broken = false;
const asked: string[] = [];
const server = Bun.serve({
  port: 0,
  async fetch(request) {
    if (broken) return new Response("no", { status: 400 });
    const { input, model } = (await request.json()) as { input: string[]; model: string };
    asked.push(`${request.headers.get("authorization")} ${model} ${input.length}`);
    const data = input.map((text, index) => ({
      index,
      embedding: AXES.map((words) => words.filter((word) => text.toLowerCase().includes(word)).length + 0.01),
    }));
    // The protocol does not guarantee an order.
    return Response.json({ data: data.reverse() });
  },
});
afterAll(() => server.stop(true));

const embedder = () =>
  createEmbedder({
    baseUrl: `http://127.0.0.1:${server.port}/v1/`,
    model: "axes",
    apiKey: "k",
    clock: systemClock,
    signal: new AbortController().signal,
  });

function workspace(files: Record<string, string>): { root: string; index: WorkspaceIndex; path: string } {
  const root = mkdtempSync(join(tmpdir(), "atomsmith-search-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, name, ".."), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const path = join(root, ".agent/search.db");
  return { root, path, index: new WorkspaceIndex(path, root) };
}

const FILES = {
  "notes/a.md": "# Routing\n\nEvery wire is routed.",
  "documents/text/b.pdf.md":
    "--- page 1 ---\nIntroduction\n\n--- page 2 ---\nThe slack of setup checks is positive.\n",
  "notes/c.md": "A waiver names a person.",
  ".agent/secret.md": "slack slack slack",
  "archive/old.md": "slack slack slack",
};

describe("search over a workspace", () => {
  test("full-text results are ranked, with pages, without the program's own files, and operators are plain words", async () => {
    const { index } = workspace(FILES);
    const { hits, answered } = await index.search("setup slack", 5);
    expect(hits.map(({ path, page, by }) => ({ path, page, by }))).toEqual([
      { path: "documents/text/b.pdf.md", page: 2, by: ["full text"] },
    ]);
    expect(answered).toBe("Full text (BM25).");
    expect((await index.search('slack" OR NEAR(waiver) -* ^:', 5)).hits).toHaveLength(2);
    expect((await index.search("?!", 5)).hits).toEqual([]);
    index.close();
  });

  test("changed files are read again, removed files are forgotten, unchanged files are not read", async () => {
    const { root, index } = workspace(FILES);
    expect(index.refresh().read).toBe(3);
    expect(index.refresh().read).toBe(0);
    writeFileSync(join(root, "notes/c.md"), "Hold margins are listed.");
    expect((await index.search("margins", 5)).hits.map(({ path }) => path)).toEqual(["notes/c.md"]);
    expect((await index.search("waiver", 5)).hits).toEqual([]);
    rmSync(join(root, "notes/a.md"));
    expect((await index.search("wire", 5)).hits).toEqual([]);
    expect(index.stats()).toMatchObject({ files: 2, vectors: 0 });
    index.close();
  });

  test("embeddings find texts without shared words, are computed once and are ranked with full text", async () => {
    const { index } = workspace(FILES);
    asked.length = 0;
    const { hits, answered } = await index.search("net", 2, embedder());
    expect(hits[0]).toMatchObject({ path: "notes/a.md", by: ["embeddings"] });
    expect(answered).toBe("Full text (BM25) and embeddings (axes), ranked together.");
    const both = await index.search("wire", 1, embedder());
    expect(both.hits[0]).toMatchObject({ path: "notes/a.md", by: ["full text", "embeddings"] });
    expect(asked).toEqual([
      expect.stringMatching(/^Bearer k axes [34]$/),
      "Bearer k axes 1",
      "Bearer k axes 1",
    ]);
    index.close();
  });

  test("when embeddings fail, full text answers and the failure is reported", async () => {
    const { index } = workspace(FILES);
    broken = true;
    try {
      const { hits, answered } = await index.search("slack", 5, embedder());
      expect(hits.map(({ path }) => path)).toEqual(["documents/text/b.pdf.md"]);
      expect(answered).toContain("Full text (BM25) only: embeddings failed: ");
      expect(answered).toContain("status 400");
    } finally {
      broken = false;
    }
    index.close();
  });

  test("a damaged index is rebuilt", async () => {
    const { root, path, index } = workspace(FILES);
    index.refresh();
    index.close();
    writeFileSync(path, Buffer.alloc(statSync(path).size, "x"));
    const again = new WorkspaceIndex(path, root);
    expect((await again.search("waiver", 5)).hits).toHaveLength(1);
    again.close();
    expect(readFileSync(path).subarray(0, 15).toString()).toBe("SQLite format 3");
  });
});
