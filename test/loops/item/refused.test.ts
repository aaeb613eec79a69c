// Runs that are refused before any request and change nothing.
import { afterAll, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OutputStore } from "../../../src/loops/item/output-store.ts";
import { cli, cliJson } from "../../support/cli.ts";
import { removeRunningProjects, startProject } from "./project.ts";
import { AT_ONCE, pageOf, scriptedModel } from "./scripted.ts";

afterAll(removeRunningProjects);

test("an item locked by another process is refused with exit code 2", async () => {
  const project = startProject(scriptedModel(AT_ONCE));
  expect((await project.run("generate", project.spec)).code).toBe(0);
  const holder = Bun.spawn(["sleep", "60"]);
  const stat = readFileSync(`/proc/${holder.pid}/stat`, "utf8");
  const start = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  const { hostname } = await import("node:os");
  writeFileSync(
    join(project.root, "cache", "item", "CLK-1", "lock"),
    JSON.stringify({ token: "x", host: hostname(), pid: holder.pid, start, boot: null, since: "now" }),
  );
  const refused = await project.run("generate", project.spec);
  expect([refused.code, refused.document.error?.message]).toEqual([
    2,
    expect.stringContaining(`process ${holder.pid}`),
  ]);
  expect((await project.run("status", "CLK-1")).document).toMatchObject({ state: "running" });
  holder.kill();
  await holder.exited;
}, 30_000);

test("an output locked by another process is refused with exit code 2 before any request, whatever the cache", async () => {
  const project = startProject(scriptedModel(AT_ONCE));
  const holder = await OutputStore.open(join(project.set, ".."), "CLK-1");
  const refused = await project.run("generate", project.spec);
  expect([refused.code, refused.document.error?.message]).toEqual([
    2,
    expect.stringContaining(`process ${process.pid}`),
  ]);
  expect(project.requests).toHaveLength(0);
  await holder.close();
  // The refused run released its lock.
  expect((await project.run("generate", project.spec)).code).toBe(0);
}, 30_000);

test("an unusable page exits with 2 and creates no files", async () => {
  const project = startProject(scriptedModel(AT_ONCE));
  writeFileSync(project.spec, pageOf("CLK-1").replace("Type 2, two patterns", "{TODO: which type?}"));
  const { code, document } = await project.run("generate", project.spec);
  expect([code, document.error?.kind]).toEqual([2, "spec"]);
  expect(existsSync(join(project.root, "cache"))).toBe(false);
  expect(existsSync(project.set)).toBe(false);
  const missing = await cli(["generate", "nowhere.md"], { cwd: project.root });
  expect([missing.code, missing.stdout]).toEqual([2, ""]);
});

test("one folder for output and cache, and a missing search root, are refused before anything runs", async () => {
  const project = startProject(scriptedModel(AT_ONCE));
  const same = await cliJson(
    ["generate", project.spec, "--out", "x", "--cache", "x", "--search-root", project.logs],
    {
      cwd: project.root,
    },
  );
  expect(same.code).toBe(2);
  const gone = await cliJson(["generate", project.spec, "--search-root", join(project.root, "gone")], {
    cwd: project.root,
  });
  expect([gone.code, JSON.stringify(gone.document)]).toEqual([2, expect.stringContaining("--search-root")]);
});
