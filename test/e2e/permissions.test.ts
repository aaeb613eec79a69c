// What may not be read, by the executable without the rights of root: a page, a log, a folder of logs.
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { emptyEnv, executable, PROJECT } from "../support/executable.ts";
import { folders } from "../support/folder.ts";

setDefaultTimeout(60_000);
const folder = folders("permissions");
const items = join(PROJECT, "fixtures/items");
const lvs = readFileSync(join(items, "LVS-05_ItemSpec.md"), "utf8");
const net = readFileSync(join(items, "NET-01_ItemSpec.md"), "utf8");

/** Root reads everything; without these two capabilities it is an ordinary user. */
const ORDINARY =
  process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"] : [];

async function atomsmith(cwd: string, ...args: string[]) {
  const child = Bun.spawn([...ORDINARY, executable(), ...args, "--json"], {
    cwd,
    env: { ...emptyEnv(cwd), PATH: process.env["PATH"] ?? "" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, err, document: out === "" ? undefined : JSON.parse(out) };
}

let cwd: string;
beforeAll(async () => {
  cwd = folder({ "specs/LVS-05_ItemSpec.md": lvs });
  cpSync(join(PROJECT, "fixtures/project"), join(cwd, "logs"), { recursive: true });
  const made = await atomsmith(cwd, "generate", "specs/LVS-05_ItemSpec.md", "--search-root", "logs");
  expect([made.code, made.err]).toEqual([0, expect.any(String)]);
});

/** Outcome of a check and the codes of its diagnostics while a path may not be read. */
async function checkWithout(path: string) {
  chmodSync(join(cwd, path), 0);
  try {
    const { code, document } = await atomsmith(cwd, "check", "output/LVS-05", "--search-root", "logs");
    const [{ outcome, diagnostics }] = document.results;
    return { code, outcome, codes: diagnostics.map((one: { code: string }) => one.code) };
  } finally {
    chmodSync(join(cwd, path), 0o755);
  }
}

test("a log: the check is an error, not a verdict", async () => {
  expect(await checkWithout("logs/lvs/pll_wrap.lvs.rpt")).toMatchObject({
    code: 8,
    outcome: "error",
    codes: ["input_unreadable", "no_witness_known"],
  });
});

test("a folder that may hold logs: the check is an error", async () => {
  const { outcome, codes } = await checkWithout("logs/lvs");
  expect(outcome).toBe("error");
  expect(codes).toContain("input_unreadable");
});

test("one page: a usage error that names it", async () => {
  const own = folder({ "NET-01_ItemSpec.md": net });
  chmodSync(join(own, "NET-01_ItemSpec.md"), 0);
  const { code, err, document } = await atomsmith(
    own,
    "generate",
    "NET-01_ItemSpec.md",
    "--search-root",
    ".",
  );
  expect([code, document.error.kind]).toEqual([2, "usage"]);
  expect(err + document.error.message).toContain("NET-01_ItemSpec.md");
  expect(existsSync(join(own, "output"))).toBe(false);
});

test("one page of a batch: a problem of that page, the others are worked on", async () => {
  const own = folder({ "specs/LVS-05_ItemSpec.md": lvs, "specs/NET-01_ItemSpec.md": net });
  cpSync(join(PROJECT, "fixtures/project"), join(own, "logs"), { recursive: true });
  chmodSync(join(own, "specs/NET-01_ItemSpec.md"), 0);
  const { code, document } = await atomsmith(own, "batch", "specs", "--search-root", "logs");
  expect(code).not.toBe(0);
  const states = document.items.map((one: { item_id: string; status: string }) => [one.item_id, one.status]);
  expect(states.sort()).toEqual([
    ["LVS-05", "accepted"],
    ["NET-01", "error"],
  ]);
  expect(document.items.find((one: { item_id: string }) => one.item_id === "NET-01").output_dir).toBe(
    join(own, "output/NET-01"),
  );
});
