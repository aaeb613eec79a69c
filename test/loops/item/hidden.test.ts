// What a batch hides from the author's tools: pages, output and cache below the search root, each once.
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configSchema } from "../../../src/config/schema.ts";
import { HiddenPaths } from "../../../src/loops/item/index.ts";

const root = mkdtempSync(join(tmpdir(), "atomsmith-hidden-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("pages in a hidden folder are not listed one by one; other pages are, with those beside them", async () => {
  for (const folder of ["specs", "pages"]) mkdirSync(join(root, folder));
  const page = (name: string): string => {
    writeFileSync(join(root, name), "# ItemSpec: X\n");
    return join(root, name);
  };
  const inSpecs = [page("specs/A_ItemSpec.md"), page("specs/B_ItemSpec.md")];
  const inPages = [page("pages/C_ItemSpec.md"), page("pages/D_ItemSpec.md"), page("pages/log.md")];
  const config = configSchema.parse({
    paths: {
      search_root: root,
      item_specs_dir: join(root, "specs"),
      output_dir: join(root, "out"),
      cache_dir: "/elsewhere/cache",
    },
  });
  const hidden = new HiddenPaths(config, [...inSpecs, join(root, "out", "report.html"), "/elsewhere/x.html"]);
  const whole = [join(root, "out"), join(root, "specs")];
  expect(await hidden.listFor(join(root, "specs/A_ItemSpec.md"))).toEqual(whole);
  const both = [join(root, "out"), ...inPages.slice(0, 2), join(root, "specs")];
  expect(await hidden.listFor(join(root, "pages/C_ItemSpec.md"))).toEqual(both);
  // The same list for all pages of a folder, so that links are resolved once.
  expect(await hidden.listFor(join(root, "pages/D_ItemSpec.md"))).toBe(
    await hidden.listFor(join(root, "pages/C_ItemSpec.md")),
  );
  expect(await hidden.listFor(join(root, "pages/log.md"))).toEqual([...both, inPages[2] as string].sort());
  expect(await hidden.listFor("/elsewhere/E_ItemSpec.md")).toEqual(whole);
});
