import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { extractDocument } from "../../src/documents/extract.ts";
import { partsOf, textPage } from "../../src/documents/text-page.ts";
import { FIXTURES, file, pages, zip } from "./files.ts";

const fixture = (name: string) => extractDocument(join(FIXTURES, name));

describe("text of documents", () => {
  test("PDF: pages are read with table rows on one line and columns one after the other", async () => {
    const { format, unit, parts, lost } = await fixture("checklist.pdf");
    expect({ format, unit, pages: parts.length, lost }).toEqual({
      format: "pdf",
      unit: "page",
      pages: 2,
      lost: [],
    });
    expect(parts[0]?.text).toContain("REQ-1   No setup violations remain   reports/timing.rpt\n");
    const columns = parts[1]?.text.replace(/\s+/g, " ") ?? "";
    expect(columns).toContain("The left column ends. Right column begins after the left one");
  });

  test("DOCX: headings, tables and page breaks are read, and lost content is reported", async () => {
    const { format, parts, lost } = await fixture("checklist.docx");
    expect(format).toBe("docx");
    expect(parts).toHaveLength(2);
    expect(parts[0]?.text).toContain(
      "# Sign-off checklist\n\nEach requirement names the log that proves it: Größe ≤ 5 µm.",
    );
    expect(parts[0]?.text).toMatch(/^\| REQ-2 +\| All nets are routed +\| reports\/route\.rpt +\|$/m);
    expect(parts[1]?.text).toBe("## Second page\n\nWaivers need the name of a person.");
    expect(lost).toEqual(["Headers and footers are omitted."]);
  });

  test("XLSX: sheets are named, each row is one line, dates and numbers are formatted", async () => {
    const { unit, parts } = await fixture("checklist.xlsx");
    expect(unit).toBe("sheet");
    expect(parts).toEqual([
      {
        name: "Requirements",
        text: [
          "| Id | Requirement | Log |",
          "| --- | --- | --- |",
          "| REQ-1 | No setup violations remain | reports/timing.rpt |",
          "| REQ-2 | All nets \\| vias are routed | reports/route.rpt |",
        ].join("\n"),
      },
      { name: "Dates", text: "| Due | 2026-01-15 | 1.5 | true |\n| --- | --- | --- | --- |" },
    ]);
  });

  test("PPTX: slides, tables and notes are read", async () => {
    const { unit, parts } = await fixture("checklist.pptx");
    expect(unit).toBe("slide");
    expect(parts.map(({ text }) => text)).toEqual([
      [
        "Sign-off checklist",
        "",
        "| Id | Requirement | Log |",
        "| --- | --- | --- |",
        "| REQ-1 | No setup violations remain | reports/timing.rpt |",
        "| REQ-2 | All nets are routed | reports/route.rpt |",
        "",
        "Notes:",
        "",
        "Say who signs.",
      ].join("\n"),
      "Waivers need the name of a person.",
    ]);
  });

  test("HTML: tables and lists are read, scripts are not, and the declared encoding is used", async () => {
    const html =
      '<html><head><meta charset="iso-8859-2"><title>T</title><script>alert(1)</script></head><body><h1>Rule_1 *x*</h1>' +
      "<ul><li>\xb1 first<li>second</ul><table><tr><th>Id</th><th>Log</th></tr><tr><td>A</td><td>a.log</td></tr></table></body></html>";
    const { format, parts } = await extractDocument(file("page.html", Buffer.from(html, "latin1")));
    expect(format).toBe("html");
    expect(parts[0]?.text).toBe(
      "# Rule_1 *x*\n\n- ą first\n- second\n\n| Id | Log   |\n| -- | ----- |\n| A  | a.log |",
    );
  });

  test("HTML: words stay separate, exponents stay exponents, and nothing is added", async () => {
    const html =
      "<p>The supply is <b>limited</b>\n to 10<sup>3</sup> V,\nsee <code>a_b</code>\n</p><pre>x\n  y</pre>" +
      "<table><tr><th>a<br>b</th></tr><tr><td>one<br/>two</td></tr></table>" +
      '<p>see <a href="https://h/x">here</a>.</p><table><tr><th>x</th></tr><tr><td><table><tr><td>f</td><td>g</td></tr></table></td></tr></table>';
    const { parts } = await extractDocument(file("words.html", html));
    expect(parts[0]?.text).toBe(
      "The supply is limited to 10^3 V, see a_b\n\nx\n  y\n\n| a b     |\n| ------- |\n| one two |\n\nsee here.\n\n| x   |\n| --- |\n| f g |",
    );
  });

  test("DOCX: tabs of a table of contents separate words, equations are their symbols", async () => {
    const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
    const m = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
    const body =
      '<w:p><w:r><w:t>PURPOSE</w:t></w:r><w:r><w:ptab w:relativeTo="margin" w:alignment="right"/></w:r><w:r><w:t>1-1</w:t></w:r></w:p>' +
      "<w:p><m:oMathPara><m:oMath><m:r><m:t>a</m:t></m:r><m:r><m:t>=b</m:t></m:r></m:oMath></m:oMathPara></w:p>";
    const xml = `<?xml version="1.0"?><w:document ${w} ${m}><w:body>${body}</w:body></w:document>`;
    const path = zip("toc.docx", { "word/document.xml": xml });
    const { parts, lost } = await extractDocument(path);
    expect(parts[0]?.text).toBe("PURPOSE 1-1\n\na =b");
    expect(lost).toEqual(["Equations are given as their symbols in order, without fractions and powers."]);
  });

  test("text: UTF-8, UTF-16 with and without BOM, Windows-1252 and form feeds are read", async () => {
    const text = "Größe: 5 µm – passt\r\nzweite Zeile\n";
    const wanted = [{ name: "", text: "Größe: 5 µm – passt\nzweite Zeile\n" }];
    const wide = Buffer.from(text, "utf16le");
    const narrow = Buffer.from("Größe: 5 µm \x96 passt\r\nzweite Zeile\n", "latin1");
    const made: [string, Uint8Array][] = [
      ["utf8.txt", Buffer.from(text)],
      ["marked.txt", Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)])],
      ["wide.txt", wide],
      ["wide-marked.txt", Buffer.concat([Buffer.from([0xff, 0xfe]), wide])],
      ["big-endian.txt", Buffer.from(wide).swap16()],
      ["narrow.txt", narrow],
    ];
    for (const [name, bytes] of made)
      expect((await extractDocument(file(name, bytes))).parts).toEqual(wanted);
    expect(
      (await extractDocument(file("pages.txt", "one\ftwo"))).parts.map(({ text: page }) => page),
    ).toEqual(["one", "two"]);
  });

  test("a PDF of 1,000 pages is read page by page", async () => {
    const { parts } = await extractDocument(pages("thousand.pdf", 1000, (n) => `This is page ${n} of many`));
    expect(parts).toHaveLength(1000);
    expect(parts[999]?.text).toBe("This is page 1000 of many");
  }, 60_000);

  test("page marks are parsed, and a document's own text is not read as one", () => {
    const document = {
      format: "xlsx" as const,
      unit: "sheet" as const,
      parts: [
        { name: "A b", text: "first\n--- sheet 7 ---\nlast" },
        { name: "", text: "second" },
      ],
      lost: [],
    };
    const page = textPage(document);
    expect(page).toStartWith("--- sheet 1: A b ---\nfirst\n ---");
    expect(partsOf(page)).toEqual([
      { unit: "sheet", number: 1, name: "A b", text: "first\n --- sheet 7 ---\nlast" },
      { unit: "sheet", number: 2, name: "", text: "second" },
    ]);
  });
});
