// Search for texts of several lines below a root: first location, compressed logs, limits.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type FindTextsRequest, findTexts } from "../../src/tools/find-texts.ts";

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "find-texts-"));
  mkdirSync(join(root, "a"));
  mkdirSync(join(root, "z"));
  const long = "x".repeat(5000);
  const filler = Array.from({ length: 20_000 }, (_, i) => `line ${i} of the filler`).join("\n");
  writeFileSync(join(root, "a/one.log"), `head\nFail here\r\n  more\r\nend\n${long}\n`);
  writeFileSync(join(root, "z/two.log"), "Fail here\n  other\nFail here  \n  more\n");
  writeFileSync(join(root, "z/three.log.gz"), gzipSync(`${filler}\nFail there\nnow\n`));
  writeFileSync(join(root, "z/X_ItemSpec.md"), "only in a page\n");
  writeFileSync(join(root, "hidden.log"), "only hidden\n");
  symlinkSync(join(root, "../"), join(root, "z/up"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const find = (texts: string[], more: Partial<FindTextsRequest> = {}) =>
  findTexts(texts, {
    searchRoot: root,
    hidden: [join(root, "hidden.log")],
    first: [],
    variables: {},
    limits: { files: 100, bytes: 2 ** 30, ms: 20_000 },
    signal: new AbortController().signal,
    ...more,
  });

test("the first location of each text is found; lines must be consecutive; line ends and preceding blanks do not count", async () => {
  const { places, files, stopped } = await find([
    "Fail here\n  more",
    "Fail here\n  other",
    "Fail there\nnow",
    "Fail there\nthen",
    "x".repeat(5000),
    "fail here",
    "only hidden",
    "only in a page",
    " \n ",
  ]);
  expect(places).toEqual([
    { file: "a/one.log", line: 2 },
    { file: "z/two.log", line: 1 },
    { file: "z/three.log.gz", line: 20_001 },
    null,
    { file: "a/one.log", line: 5 },
    null,
    null,
    null,
    null,
  ]);
  expect([files, stopped]).toEqual([3, null]);
});

test("files named by the page come first, and the search ends when everything is found", async () => {
  const found = await find(["Fail here\n  more"], { first: ["z/*.log", "../out of the root", "[bad"] });
  expect(found).toMatchObject({ places: [{ file: "z/two.log", line: 3 }], files: 1 });
});

test("limits are reported", async () => {
  const limits = { files: 100, bytes: 2 ** 30, ms: 20_000 };
  expect((await find(["nowhere"], { limits: { ...limits, files: 1 } })).stopped).toBe("files");
  expect((await find(["nowhere"], { limits: { ...limits, bytes: 10 } })).stopped).toBe("bytes");
  expect((await find(["nowhere"], { limits: { ...limits, ms: 0 } })).stopped).toBe("time");
  await expect(find(["x"], { signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow("stop");
});
