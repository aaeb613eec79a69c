// The walk over damaged or unusual trees: it ends, reports what it left out, and loses nothing else.
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allFiles, folderSize } from "../../src/files/all-files.ts";
import { pathOf, TreeWalk } from "../../src/files/walk.ts";
import { hashListing } from "../../src/loops/item/listing.ts";
import { removeScratch, scratch } from "../store/helpers.ts";

afterAll(removeScratch);

function tree(...names: string[]): string {
  const root = scratch();
  for (const name of names) {
    mkdirSync(join(root, name, ".."), { recursive: true });
    writeFileSync(join(root, name), "four");
  }
  return root;
}

test("link cycles are reported and not followed", () => {
  const root = tree("a/x.log");
  symlinkSync("..", join(root, "a/up"));
  symlinkSync("self", join(root, "self"));
  const { paths, stopped } = allFiles(root);
  expect(paths).toEqual(["a/up", "a/x.log", "self"].map((name) => join(root, name)));
  expect(stopped).toBeUndefined();
});

test("a directory that disappears during the walk is left out", () => {
  const root = tree("a/x.log", "b/y.log", "c/z.log");
  const visited: string[] = [];
  const unreadable: string[] = [];
  const walk = new TreeWalk<true>({
    visit(entry) {
      if (entry.kind === "folder") return true;
      visited.push(entry.name);
      rmSync(join(root, "a"), { recursive: true, force: true });
      return undefined;
    },
    unreadable: (folder) => unreadable.push(folder),
    sorted: true,
  });
  walk.from(root, true).runSync();
  expect(visited).toEqual(["z.log", "y.log"]);
  expect(unreadable).toEqual([]);
});

test("a directory too deep for a path is reported, and the others are walked", () => {
  const root = tree("good/x.log");
  const unreadable: string[] = [];
  const visited: string[] = [];
  const walk = new TreeWalk<true>({
    visit(entry) {
      if (entry.kind !== "folder") visited.push(entry.name);
      return entry.kind === "folder" ? true : undefined;
    },
    unreadable: (_folder, code) => unreadable.push(code),
  });
  walk
    .from(join(root, "n/".repeat(3000)), true)
    .from(root, true)
    .runSync();
  expect(visited).toEqual(["x.log"]);
  expect(unreadable).toEqual(["ENAMETOOLONG"]);
});

test("names with line breaks are returned, names that are not UTF-8 are reported", () => {
  const root = tree("two\nlines.log", "\ufffd.log");
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xfe, 0x2e, 0x78])]), "bad");
  const { paths, unreadable } = allFiles(root);
  expect(paths.map((path) => path.slice(root.length + 1))).toEqual(["two\nlines.log", "\ufffd.log"]);
  expect(unreadable.map(({ code }) => code)).toEqual(["EILSEQ"]);
});

test("every limit that applies is reported", async () => {
  const root = tree(..."abcdefgh".split("").map((name) => `${name}/x.log`));
  const rules = { visit: () => true as const, unreadable: () => undefined };
  const stopped = async (limits: ConstructorParameters<typeof TreeWalk>[1]) =>
    (await new TreeWalk<true>(rules, limits).from(root, true).run()).stopped;
  expect(await stopped({})).toBeUndefined();
  expect(await stopped({ names: 16 })).toBeUndefined();
  expect(await stopped({ names: 15 })).toBe("names");
  expect(await stopped({ folders: 3 })).toBe("folders");
  const enough = new TreeWalk<true>({ ...rules, enough: () => true }).from(root, true).runSync();
  expect(enough.stopped).toBe("enough");
});

test("an endless walk stops at its time limit and at its signal", async () => {
  const root = tree("x.log");
  const endless = (limits: ConstructorParameters<typeof TreeWalk>[1]) => {
    const walk: TreeWalk<true> = new TreeWalk<true>(
      {
        visit: (entry) => {
          walk.from(entry.folder, true);
          return undefined;
        },
        unreadable: () => undefined,
      },
      limits,
    );
    return walk.from(root, true).run();
  };
  expect((await endless({ ms: 60 })).stopped).toBe("time");
  expect((await endless({ signal: AbortSignal.timeout(60) })).stopped).toBe("interrupted");
});

test("the size of a directory is the sum of its files", () => {
  const root = tree("a/x.log", "y.log");
  expect(folderSize(root)).toEqual({ bytes: 8, files: 2 });
  expect(folderSize(join(root, "nowhere"))).toEqual({ bytes: 0, files: 0 });
});

test("the hash of a listing depends on the listed names only, and a truncated listing is marked", async () => {
  const root = tree("a/x.log", "b/y.log");
  const hash = await hashListing(root, [join(root, "b")]);
  writeFileSync(join(root, "b/z.log"), "");
  expect(await hashListing(root, [join(root, "b")])).toBe(hash);
  const all = await hashListing(root, []);
  writeFileSync(join(root, "a/z.log"), "");
  expect(await hashListing(root, [])).not.toBe(all);
  const cut = await hashListing(root, [], 3);
  expect(await hashListing(root, [], 3)).toBe(cut);
  expect(cut).not.toBe(await hashListing(root, []));
});

test("pathOf joins folder and name and resolves ..", () => {
  expect(pathOf({ folder: "/", name: "a" })).toBe("/a");
  expect(pathOf({ folder: "/a", name: "b" })).toBe("/a/b");
  expect(pathOf({ folder: "/a/b", name: ".." })).toBe("/a");
});
