import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { AtomsmithError } from "../../src/core/errors.ts";
import { type ExtractOptions, extractDocument } from "../../src/documents/extract.ts";
import { bomb, FIXTURES, file, pages, pdf, stream, zip } from "./files.ts";

/** The message with which a document is refused. */
async function refusal(path: string, options?: ExtractOptions): Promise<string> {
  const error = await extractDocument(path, options).then(
    ({ parts }) => new Error(`it was read: ${parts.length} parts`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AtomsmithError)) throw error;
  expect(error.kind).toBe("usage");
  expect(error.message).not.toContain("\n");
  return error.message;
}

const WORD = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>';

describe("hostile documents end with a clear error within limits", () => {
  test("encrypted PDF and Office files and old Office files are refused", async () => {
    expect(await refusal(join(FIXTURES, "encrypted.pdf"))).toEndWith(
      "it is encrypted; save it without a password",
    );
    const head = Buffer.from("d0cf11e0a1b11ae1", "hex");
    const sealed = file("sealed.xlsx", Buffer.concat([head, Buffer.from("EncryptedPackage", "utf16le")]));
    expect(await refusal(sealed)).toContain("it is encrypted");
    expect(await refusal(file("old.doc", Buffer.concat([head, Buffer.alloc(600)])))).toContain("before 2007");
  });

  test("bombs of DOCX, XLSX and PPTX are refused", async () => {
    for (const [name, member] of [
      ["bomb.docx", "word/document.xml"],
      ["bomb.xlsx", "xl/workbook.xml"],
      ["bomb.pptx", "ppt/presentation.xml"],
    ] as const) {
      const path = bomb(name, member, 260 * 2 ** 20);
      expect(await refusal(path)).toContain("decompresses to more than 268435456 bytes");
    }
  }, 60_000);

  test("a bomb whose directory states a wrong size is refused", async () => {
    const path = bomb("liar.docx", "word/document.xml", 260 * 2 ** 20, 100);
    expect(await refusal(path)).toContain("decompresses to more than");
  }, 60_000);

  test("a bomb in a PDF stream is refused", async () => {
    const nested = deflateSync(Buffer.alloc(1000 * 2 ** 20, " "), { level: 1 });
    const path = pdf("bomb.pdf", [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R >>",
      stream("/Filter /FlateDecode", nested),
    ]);
    const before = performance.now();
    const answer = await extractDocument(path, { timeMs: 20_000 }).then(
      ({ parts }) => parts.map(({ text }) => text).join(""),
      (error: unknown) => (error instanceof AtomsmithError ? "" : String(error)),
    );
    expect(answer).toBe("");
    expect(performance.now() - before).toBeLessThan(45_000);
  }, 90_000);

  test("deeply nested elements are refused: DOCX, PPTX, HTML", async () => {
    const deep = `${WORD}${"<w:sdt><w:sdtContent>".repeat(50_000)}${"</w:sdtContent></w:sdt>".repeat(50_000)}</w:body></w:document>`;
    expect(await refusal(zip("deep.docx", { "word/document.xml": deep }))).toContain(
      "nested deeper than 500",
    );
    const slides = `<p:presentation>${"<p:a>".repeat(50_000)}</p:presentation>`;
    expect(await refusal(zip("deep.pptx", { "ppt/presentation.xml": slides }))).toContain(
      "nested deeper than 500",
    );
    expect(await refusal(file("deep.html", "<div>".repeat(10_000)))).toContain("nested deeper than 500");
    expect(await refusal(file("lists.html", "<ul><li>".repeat(10_000)))).toContain("nested deeper than 500");
  });

  test("multiplying entities are not expanded", async () => {
    const laughs = Array.from({ length: 12 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join(
      "",
    );
    const xml = `<?xml version="1.0"?><!DOCTYPE w [<!ENTITY l0 "ha">${laughs}]>${WORD}<w:p><w:r><w:t>&l12;</w:t></w:r></w:p></w:body></w:document>`;
    const path = zip("laughs.docx", {
      "word/document.xml": xml,
      "[Content_Types].xml": "<Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'/>",
      "_rels/.rels":
        "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'><Relationship Id='r' Type='http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument' Target='word/document.xml'/></Relationships>",
    });
    const text = await extractDocument(path).then(
      ({ parts }) => parts.map((part) => part.text).join(""),
      (error: unknown) => String(error),
    );
    expect(text.length).toBeLessThan(1000);
  });

  test("a cyclic page tree is refused", async () => {
    const path = pdf("circle.pdf", [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 3 >>",
      "<< /Type /Pages /Kids [2 0 R] /Parent 2 0 R /Count 3 >>",
    ]);
    expect(await refusal(path, { timeMs: 20_000 })).toContain("cannot read the document circle.pdf: ");
  }, 60_000);

  test("limits of time and memory apply and are reported", async () => {
    const path = pages("long.pdf", 3000, (n) => `page ${n}`);
    expect(await refusal(path, { timeMs: 50 })).toContain(
      "reading it was stopped: not finished within 50 ms",
    );
    expect(await refusal(path, { memoryMb: 20 })).toContain(
      "reading it was stopped: more than 20 MiB of memory",
    );
  }, 60_000);

  test("damaged, foreign, binary and missing files and directories are errors", async () => {
    const sound = Buffer.from(await Bun.file(join(FIXTURES, "checklist.docx")).arrayBuffer());
    expect(await refusal(file("cut.docx", sound.subarray(0, sound.length / 2)))).toContain("cut.docx: it is");
    expect(await refusal(file("cut.pdf", "%PDF-1.7\n garbage"))).toContain("it is damaged");
    expect(await refusal(zip("other.zip", { "a.txt": "x" }))).toContain("not DOCX, XLSX or PPTX");
    expect(
      await refusal(
        file(
          "noise.bin",
          Uint8Array.from({ length: 999 }, (_, n) => (n * 7) % 256),
        ),
      ),
    ).toContain("not a text file");
    expect(await refusal(join(FIXTURES, "none.pdf"))).toContain("no such file");
    expect(await refusal(FIXTURES)).toContain("no such file");
  });

  test("an interrupted extraction ends", async () => {
    const control = new AbortController();
    const reading = extractDocument(
      pages("slow.pdf", 3000, (n) => `page ${n}`),
      { signal: control.signal },
    );
    control.abort();
    expect(await reading.catch((error: AtomsmithError) => error.kind)).toBe("interrupted");
  }, 60_000);
});
