// Extraction against what others read in the same documents: words that are lost, and words that are only here.
//   npm run bench -- documents FOLDER     FOLDER/NAME beside FOLDER/reference/NAME.txt
// References are made by other programs (HTML: here, by Chromium), and looked at by a person; the documents are not stored.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { extractDocument } from "../../src/documents/extract.ts";
import { startChromium } from "../support/chromium.ts";

const folder = resolve(process.argv[2] ?? ".");
const names = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());
await readHtml(names.filter((name) => /\.html?$/.test(name)));
console.log(
  "| document | parts | words | lost | only here | of the lost: | time |\n|---|---|---|---|---|---|---|",
);
for (const name of names.sort()) console.log(await row(name));

async function row(name: string): Promise<string> {
  const began = performance.now();
  try {
    const { parts, unit } = await extractDocument(join(folder, name));
    const ms = Math.round(performance.now() - began);
    const text = parts.map((part) => `${part.name}\n${part.text}`).join("\n");
    writeFileSync(join(folder, "reference", `${name}.ours.txt`), text);
    const reference = readFileSync(join(folder, "reference", `${name}.txt`), "utf8");
    const [theirs, ours] = [words(reference), words(text)];
    const [lost, added] = [missing(theirs, ours), missing(ours, theirs)];
    const sample = lost.slice(0, 12).join(" ");
    return `| ${name} | ${parts.length} ${unit} | ${theirs.length} | ${lost.length} | ${added.length} | ${sample} | ${ms} ms |`;
  } catch (error) {
    return `| ${name} | ${error instanceof Error ? error.message : error} |||||`;
  }
}

function words(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .replace(/\u00ad/g, "")
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

function missing(of: readonly string[], from: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const word of from) left.set(word, (left.get(word) ?? 0) + 1);
  return of.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count <= 0;
  });
}

/** What a page shows without its scripts. */
async function readHtml(pages: readonly string[]): Promise<void> {
  const todo = pages.filter((name) => !existsSync(join(folder, "reference", `${name}.txt`)));
  if (todo.length === 0) return;
  const browser = await startChromium();
  const context = await browser.newContext({ javaScriptEnabled: false, offline: true });
  for (const name of todo) {
    const page = await context.newPage();
    await page.goto(pathToFileURL(join(folder, name)).href, { waitUntil: "domcontentloaded" });
    writeFileSync(join(folder, "reference", `${name}.txt`), await page.innerText("body"));
  }
  await browser.close();
}
