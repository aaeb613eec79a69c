// Time from the approval of a patch to the verdicts of 500 items, all of them judged anew, and the sizes of packs.
// npm run bench -- design-500
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cliJson } from "../support/cli.ts";

const ITEMS = 500;
const FIXTURES = join(import.meta.dir, "../../fixtures");
const dir = mkdtempSync(join(tmpdir(), "atomsmith-design-500-"));
const project = join(dir, "project");

async function design(
  args: string[],
  stdin?: unknown,
): Promise<{ code: number; document: Record<string, unknown> }> {
  const run = await cliJson(["design", ...args, "--project-dir", project], {
    env: { PATH: process.env["PATH"], ATOMSMITH_PERSON: "bench" },
    ...(stdin === undefined ? {} : { stdin: JSON.stringify(stdin) }),
  });
  return run as { code: number; document: Record<string, unknown> };
}
const seconds = (from: number): string => ((performance.now() - from) / 1000).toFixed(2);

try {
  cpSync(join(FIXTURES, "project/drc"), join(dir, "logs/drc"), { recursive: true });
  const page = readFileSync(join(FIXTURES, "items/DRC-04_ItemSpec.md"), "utf8");
  const ids = Array.from({ length: ITEMS }, (_, i) => `DRC-${String(i).padStart(4, "0")}`);
  mkdirSync(join(dir, "pages"));
  for (const id of ids) writeFileSync(join(dir, `pages/${id}_ItemSpec.md`), page.replaceAll("DRC-04", id));
  await design(["--create", "many"]);
  const add = (id: string) => ({
    op: "add",
    path: `/items/${id}`,
    value: { page: join(dir, `pages/${id}_ItemSpec.md`) },
  });
  await design(
    ["patch", "-"],
    [{ op: "replace", path: "/search_root", value: join(dir, "logs") }, ...ids.map(add)],
  );
  const first = performance.now();
  const made = await design(["run", "--until", "check"]);
  console.log(
    `first run, with authors: ${seconds(first)} s, ${JSON.stringify((made.document["stages"] as { metrics: object }[]).at(-1)?.metrics)}`,
  );
  const waive = (id: string) => ({ op: "add", path: `/items/${id}/waivers`, value: { "*": "bench" } });
  const patched = performance.now();
  await design(["patch", "-"], ids.map(waive));
  console.log(`patch of all ${ITEMS} items, with what it does to their verdicts: ${seconds(patched)} s`);
  const began = performance.now();
  const run = await design(["run", "--until", "check"]);
  console.log(
    `approval to verdicts, all ${ITEMS} judged anew: ${seconds(began)} s, ${JSON.stringify(run.document["stages"])}`,
  );
  await design(["patch", "-"], [{ op: "remove", path: "/items/DRC-0007/waivers" }]);
  const one = performance.now();
  await design(["run", "--until", "check"]);
  console.log(`approval to verdicts, one of ${ITEMS} judged anew: ${seconds(one)} s`);
} finally {
  rmSync(dir, { recursive: true, force: true });
}
