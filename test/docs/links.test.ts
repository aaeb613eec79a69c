// References between the documents and the code: relative links with their anchors, paths in backticks, and pages that
// comments name. Paths of examples (logs, output, item specifications) are outside the folders checked here.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dir, "../..");
const FOLDERS = [".ci", "docs", "fixtures", "prompts", "sandbox", "src", "test"];
const PAGES = ["README.md", "CONTRIBUTING.md", ...filesBelow("docs", /\.md$/)];
const SOURCES = [".ci", "sandbox", "src", "test"].flatMap((folder) => filesBelow(folder, /\.(?:ts|mjs|js)$/));

function filesBelow(folder: string, name: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => name.test(path))
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .sort();
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** The text of a page without code blocks. */
function prose(markdown: string): string {
  return markdown.replace(/^(`{3,})[\s\S]*?^\1/gm, "");
}

/** Anchors of the headings of a page, as GitHub derives them. */
function anchors(markdown: string): string[] {
  return [...prose(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** Broken relative links of a page. */
function deadLinks(page: string): string[] {
  return [...prose(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = ""]) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page : join(dirname(page), path);
    if (!existsSync(join(root, target))) return [`${page}: ${link}`];
    return anchor === undefined || anchors(read(target)).includes(anchor) ? [] : [`${page}: ${link}`];
  });
}

/** Paths in backticks that do not exist. A source file may be named by the end of its path: `core/events.ts`. */
function deadPaths(page: string): string[] {
  return [...prose(read(page)).matchAll(/`([\w.@-]+(?:\/[\w.@-]+)*\/?)`/g)].flatMap(([, path = ""]) => {
    const isFolder = FOLDERS.includes(path.split("/")[0] ?? "") && path.includes("/");
    const isSource = /^[\w.-]+\/.*\.(?:ts|mjs)$/.test(path);
    if ((!isFolder && !isSource) || path.includes("NAME")) return [];
    const exists =
      existsSync(join(root, path)) || (isSource && SOURCES.some((file) => file.endsWith(`/${path}`)));
    return exists ? [] : [`${page}: ${path}`];
  });
}

function missingPages(file: string): string[] {
  return [...read(file).matchAll(/(?<![\w./])docs\/[\w/-]+\.md/g)]
    .filter(([path]) => !existsSync(join(root, path)))
    .map(([path]) => `${file}: ${path}`);
}

test("relative links and their anchors exist", () => {
  expect(PAGES.flatMap(deadLinks)).toEqual([]);
});

test("paths in backticks exist", () => {
  expect(PAGES.flatMap(deadPaths)).toEqual([]);
});

test("pages named in documents and comments exist", () => {
  expect([...PAGES, ...SOURCES].flatMap(missingPages)).toEqual([]);
});

test("CONTRIBUTING.md links to every page of docs/", () => {
  const links = [...read("CONTRIBUTING.md").matchAll(/\]\((docs\/[^)#]+)/g)].map(([, path]) => path);
  const pages = PAGES.filter((page) => /^docs\/(?:[^/]+|measurements\/README)\.md$/.test(page));
  expect(pages.filter((page) => !links.includes(page))).toEqual([]);
});
