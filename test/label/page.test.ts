// Blocks written into a page: at the end of their section, with all other bytes unchanged.
import { expect, test } from "bun:test";
import { lstatSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exampleBlock, examplesOf, openPage, writeBlocks } from "../../src/label/page.ts";
import { folders } from "../support/folder.ts";

const folder = folders("label-page");
const PAGE = `# ItemSpec: LAB-01

## 1. Parsing Logic
Records of \`a.log\`.

## 2. Check Logic
All.

## 3. Waiver Logic
N/A.

## 4. Implementation Guide
### 4.1 Data Source & Extraction
\`a.log\`

### 4.2 Special Scenarios
None.

### 4.3 Test Data Generation
None.
`;
const EXAMPLE = { text: "slack 1 at u1", records: [] };
const BLOCK = "```example\nslack 1 at u1\n---\nnone\n```";
const CHECK = { section: "2", kind: "check", content: "requirements:\n  value: N/A" } as const;

function page(content: string | Uint8Array): string {
  const path = join(folder(), "LAB-01_ItemSpec.md");
  writeFileSync(path, content);
  return path;
}

/** The kind of the error of a promise. */
async function kindOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "none",
    (error) => String(error.kind),
  );
}

test("an example is added to the end of section 1 and a check to the end of section 2", async () => {
  const path = page(PAGE);
  expect(await writeBlocks(openPage(path), [exampleBlock(EXAMPLE), CHECK])).toEqual([6, 15]);
  const written = readFileSync(path, "utf8");
  expect(written).toBe(
    PAGE.replace("`a.log`.\n", `\`a.log\`.\n\n${BLOCK}\n`).replace(
      "All.\n",
      "All.\n\n```check\nrequirements:\n  value: N/A\n```\n",
    ),
  );
  expect(examplesOf(openPage(path))).toEqual([EXAMPLE]);
});

test("a second example is added below the first", async () => {
  const path = page(PAGE);
  await writeBlocks(openPage(path), [exampleBlock(EXAMPLE)]);
  await writeBlocks(openPage(path), [exampleBlock({ ...EXAMPLE, text: "other" })]);
  expect(examplesOf(openPage(path)).map(({ text }) => text)).toEqual(["slack 1 at u1", "other"]);
});

test.each([
  ["CRLF", PAGE.replaceAll("\n", "\r\n")],
  ["a byte order mark", `\ufeff${PAGE}`],
  ["mixed line ends and trailing blanks", PAGE.replace("N/A.\n", "N/A.  \r\n")],
])("a page with %s keeps all its own bytes", async (_name, text) => {
  const path = page(text);
  await writeBlocks(openPage(path), [exampleBlock(EXAMPLE)]);
  const end = text.includes("\r\n") && !text.startsWith("# ItemSpec: LAB-01\n") ? "\r\n" : "\n";
  const added = `${end}${end}${BLOCK.replaceAll("\n", end)}`;
  const written = readFileSync(path, "utf8");
  expect(written).toContain(added);
  expect(written.replace(added, "")).toBe(text);
});

test("log text with fences and a section at the end of the page are handled", async () => {
  const text = PAGE.replace(/## 4[\s\S]*/, "");
  const sections = `${PAGE.slice(PAGE.indexOf("## 4"))}\n## 1. Parsing Logic\nRecords.`;
  const path = page(`${text.replace(/## 1[\s\S]*(?=## 2)/, "")}${sections}`);
  const example = { text: "```\nfenced ````", records: [] };
  await writeBlocks(openPage(path), [exampleBlock(example)]);
  expect(examplesOf(openPage(path))).toEqual([example]);
});

test("a page changed meanwhile by another process is not written", async () => {
  const path = page(PAGE);
  const opened = openPage(path);
  writeFileSync(path, `${PAGE}more\n`);
  expect(await kindOf(writeBlocks(opened, [exampleBlock(EXAMPLE)]))).toBe("spec");
  expect(readFileSync(path, "utf8")).toBe(`${PAGE}more\n`);
});

test("a page that is not UTF-8 is not written", async () => {
  const bytes = Buffer.from(PAGE.replace("All.", "All. \u00e9"), "latin1");
  const path = page(bytes);
  expect(await kindOf(writeBlocks(openPage(path), [exampleBlock(EXAMPLE)]))).toBe("spec");
  expect(readFileSync(path).equals(bytes)).toBe(true);
});

test("a link stays a link", async () => {
  const path = page(PAGE);
  const link = join(folder(), "LAB-01_ItemSpec.md");
  symlinkSync(path, link);
  await writeBlocks(openPage(link), [exampleBlock(EXAMPLE)]);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(examplesOf(openPage(path))).toEqual([EXAMPLE]);
});
