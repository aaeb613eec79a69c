// The executable is replaced or removed while a run is under way: the jail is started with the version that runs.
import { expect, test } from "bun:test";
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox } from "../../sandbox/index.ts";
import { folders } from "../support/folder.ts";

const folder = folders("replaced-executable");
const SOURCES = join(import.meta.dir, "../..");

/** Starts a sandbox once its own executable is gone or another one, and prints the level. */
const SCRIPT = `
import { renameSync, rmSync } from "node:fs";
import { createSandbox } from ${JSON.stringify(join(SOURCES, "sandbox/index.ts"))};
if (process.argv[2] === "removed") rmSync(process.execPath);
else renameSync(process.argv[2], process.execPath);
const sandbox = await createSandbox({ require: "process", children: 1 }, () => {});
const session = await sandbox.open({ name: "a.js", source: "function twice(x) { return 2 * x; }" });
const outcome = await session.call("twice", [21]);
console.log(sandbox.info.level, outcome.ok ? outcome.value : outcome.error.message);
await session.close();
await sandbox.close();
`;

test.skipIf(process.platform !== "linux").each(["removed", "replaced"])(
  "the level of the sandbox is the same when the executable is %s",
  async (change) => {
    const here = await createSandbox({ require: "process", children: 1 }, () => {});
    const { level } = here.info;
    await here.close();
    const dir = folder();
    const [copy, other, script] = ["copy", "other", "script.ts"].map((name) => join(dir, name)) as [
      string,
      string,
      string,
    ];
    copyFileSync(process.execPath, copy);
    writeFileSync(other, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    writeFileSync(script, SCRIPT);
    const run = Bun.spawn([copy, script, change === "removed" ? change : other], { stderr: "inherit" });
    expect(await new Response(run.stdout).text()).toBe(`${level} 42\n`);
    expect(await run.exited).toBe(0);
    rmSync(dir, { recursive: true });
  },
  60_000,
);
