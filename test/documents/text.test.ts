import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { chunkParts } from "../../src/documents/chunk.ts";
import { addCitation, citationLine, quoteFault, readCitations } from "../../src/documents/citations.ts";
import { partsOf, type TextPart } from "../../src/documents/text-page.ts";

const part = (number: number, text: string): TextPart => ({ unit: "page", number, name: "", text });

describe("chunks", () => {
  test("a heading starts a chunk, and chunks name their page and headings", () => {
    const filler = "words ".repeat(60).trim();
    const parts = [part(1, `# One\n\n${filler}\n\n## Inner\n\n${filler}`), part(2, `# Two\n\n${filler}`)];
    const chunks = chunkParts(parts, { maxChars: 600, overlapChars: 0 });
    expect(chunks.map(({ from, to, headings }) => ({ from, to, headings }))).toEqual([
      { from: 1, to: 1, headings: ["One"] },
      { from: 1, to: 1, headings: ["One", "Inner"] },
      { from: 2, to: 2, headings: ["Two"] },
    ]);
  });

  test("a table is split between rows and repeats its head", () => {
    const rows = Array.from({ length: 40 }, (_, n) => `| REQ-${n} | requirement ${n} |`);
    const table = ["| Id | Text |", "| --- | --- |", ...rows].join("\n");
    const chunks = chunkParts([part(1, table)], { maxChars: 300, overlapChars: 0 });
    expect(chunks.length).toBeGreaterThan(3);
    for (const { text } of chunks) expect(text).toStartWith("| Id | Text |\n| --- | --- |\n| REQ-");
    expect(chunks.flatMap(({ text }) => text.split("\n").slice(2))).toEqual(rows);
  });

  test("no text is lost, no chunk is too long, and each chunk starts with the end of the previous one", () => {
    const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 80 });
    const text = fc
      .array(word, { maxLength: 60 })
      .map((words) => words.join(" "))
      .map((t) => t.replaceAll("  ", "\n\n"));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (texts) => {
        const options = { maxChars: 200, overlapChars: 40 };
        const chunks = chunkParts(
          texts.map((value, n) => part(n + 1, value)),
          options,
        );
        const bare = (value: string): string => value.replace(/\s+/g, "");
        expect(chunks.map((chunk) => bare(chunk.text.slice(chunk.overlap))).join("")).toBe(
          bare(texts.join("")),
        );
        for (const [n, chunk] of chunks.entries()) {
          expect(chunk.text.length).toBeLessThanOrEqual(options.maxChars + 4);
          if (chunk.overlap > 0) expect(chunks[n - 1]?.text).toEndWith(chunk.text.slice(0, chunk.overlap));
        }
      }),
    );
  });
});

describe("citations", () => {
  const parts = partsOf(
    "--- page 1 ---\nAll nets\n  are routed.\n\n--- page 2 ---\nA waiver names a person.\n",
  );

  test("a quote must match its page character by character, except for blanks and case", () => {
    expect(quoteFault(parts, 1, "ALL nets are\trouted.")).toBeUndefined();
    expect(quoteFault(parts, 1, "All nets are route.")).toContain("does not stand on page 1. Copy it");
    expect(quoteFault(parts, 1, "A waiver names a person")).toBe(
      "The quote does not stand on page 1, but on page 2.",
    );
    expect(quoteFault(parts, 3, "A waiver names a person")).toBe("No page 3: the document has 2.");
    expect(quoteFault(parts, 1, " a   l    l ")).toBe("A quote has at least 8 characters.");
    expect(quoteFault(parts, 1, "routed. A waiver")).toContain("does not stand");
  });

  test("citations are stored once, read back and shown on one line", () => {
    const one = {
      kind: "document" as const,
      claim: "Nets must be routed",
      source: "documents/a.pdf",
      page: 1,
      quote: "All nets\nare routed.",
      sha256: "00",
    };
    const first = addCitation([], one);
    const stored = readCitations(first.json, "output/citations.json");
    expect(first.id).toBe("C1");
    expect(addCitation(stored, { ...one, quote: "all nets are routed." }).id).toBe("C1");
    expect(addCitation(stored, { ...one, claim: "another" }).id).toBe("C2");
    expect(stored.map(citationLine)).toEqual([
      '[C1] Nets must be routed (documents/a.pdf, 1: "All nets are routed.")',
    ]);
    expect(() => readCitations("{}", "output/citations.json")).toThrow(
      "the citations in output/citations.json cannot be read",
    );
  });
});
