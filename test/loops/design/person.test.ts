// Work without a model: patches, undo, hand edits, show, runs and how they end; the commands pipeline.
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalHash } from "../../../src/core/canonical.ts";
import type { StageResult } from "../../../src/loops/design/schemas.ts";
import { cliJson } from "../../support/cli.ts";
import { folders } from "../../support/folder.ts";
import { type Bench, design, PIPELINE, patchFile } from "./support.ts";

setDefaultTimeout(60_000);
const folder = folders("design-person");
const open: Bench[] = [];
afterEach(async () => {
  for (const bench of open.splice(0)) await bench.stop();
});
const json = (dir: string, path: string) => JSON.parse(readFileSync(join(dir, path), "utf8"));

async function project(pipeline: string = PIPELINE, dir = folder()): Promise<Bench> {
  const bench = design(dir);
  open.push(bench);
  expect(await bench.run("--create", "net", "--pipeline", pipeline)).toMatchObject({ code: 0 });
  return bench;
}
const patch = (bench: Bench, ...operations: object[]) =>
  cliJson(["design", "patch", "-", "--project-dir", bench.dir], {
    env: { GIT_AUTHOR_NAME: "Bob" },
    ...patchFile(...operations),
  });
const radius = (value: unknown) => ({ op: "replace", path: "/components/outlet/radius", value });

test("a manual patch is applied at once, completely or not at all", async () => {
  const bench = await project();
  expect(await patch(bench, radius(3))).toMatchObject({
    code: 0,
    document: { state: "IDLE", patch_id: "0001", version: 2 },
  });
  expect(json(bench.dir, "patches/0001.json")).toMatchObject({
    status: "approved",
    decided_by: "Bob",
    patches: [radius(3)],
  });
  expect(await patch(bench, radius(4), radius("wide"))).toMatchObject({ code: 2 });
  expect(await patch(bench, { op: "nonsense" })).toMatchObject({ code: 2 });
  const { spec, hash } = json(bench.dir, "spec_history/0002.json");
  expect(json(bench.dir, "spec.json")).toEqual(spec);
  expect(canonicalHash(spec)).toBe(hash);
  expect(json(bench.dir, "reports/compile_report.json")).toEqual({ ok: true, version: 2, errors: [] });
});

test("undo reverts patch by patch and creates new versions", async () => {
  const bench = await project();
  const [first] = [json(bench.dir, "spec.json")];
  await patch(bench, radius(3));
  await patch(bench, radius(4));
  expect(await bench.run("undo")).toMatchObject({ code: 0, document: { version: 4, undoes: "0002" } });
  expect(json(bench.dir, "spec.json").components.outlet.radius).toBe(3);
  expect(await bench.run("undo")).toMatchObject({ code: 0, document: { version: 5, undoes: "0001" } });
  expect(json(bench.dir, "spec.json")).toEqual(first);
  expect((await bench.run("undo")).code).toBe(2);
  await patch(bench, radius(5));
  expect(await bench.run("undo")).toMatchObject({ document: { undoes: "0003" } });
  expect(json(bench.dir, "spec.json")).toEqual(first);
});

test("a valid hand-edited spec becomes a version; an invalid one exits with 2 and its name", async () => {
  const bench = await project();
  const spec = json(bench.dir, "spec.json");
  writeFileSync(
    join(bench.dir, "spec.json"),
    JSON.stringify({ ...spec, policies: { resolution: 1, min_wall: 1 } }),
  );
  expect(await bench.run("run", "--until", "compile_policies")).toMatchObject({
    code: 0,
    document: { spec_version: 2 },
  });
  expect(json(bench.dir, "spec_history/0002.json")).toMatchObject({ patch_id: null });
  writeFileSync(join(bench.dir, "spec.json"), JSON.stringify({ ...spec, units: "inch" }));
  const refused = await bench.run("run");
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.document.error.message).toContain("spec.json");
  expect(json(bench.dir, "reports/compile_report.json")).toMatchObject({ ok: false });
  writeFileSync(join(bench.dir, "spec.json"), "{");
  expect((await bench.run("run")).code).toBe(2);
});

test("a stage runs again when its part of the spec, its command or an earlier stage changed", async () => {
  const dir = folder();
  mkdirSync(join(dir, "own"));
  cpSync(join(PIPELINE, "..", "stages.mjs"), join(dir, "own/stages.mjs"));
  cpSync(PIPELINE, join(dir, "own/pipeline.yaml"));
  const bench = await project(join(dir, "own/pipeline.yaml"), join(dir, "project"));
  const statuses = async () =>
    (await bench.run("run")).document.stages.map(({ status }: { status: string }) => status);
  const [nine] = [Array<string>(9)];
  expect(await statuses()).toEqual(nine.fill("ok"));
  expect(await statuses()).toEqual([...nine].fill("reused"));
  await patch(
    bench,
    { op: "replace", path: "/ports/out", value: [24, 8, 8] },
    { op: "replace", path: "/domain/size", value: [24, 18, 16] },
  );
  expect(await statuses()).toEqual(["reused", ...Array<string>(8).fill("ok")]);
  const last = (await bench.run("run")).document;
  expect(last.stages[1]).toMatchObject({ status: "reused", reused_from: "run_0003" });
  expect(json(bench.dir, "runs/run_0004/component_build/network.json").edges).toHaveLength(2);
  writeFileSync(
    join(dir, "own/stages.mjs"),
    `${readFileSync(join(dir, "own/stages.mjs"), "utf8")}// changed\n`,
  );
  expect(await statuses()).toEqual([...nine].fill("ok"));
  // A project can be moved.
  renameSync(bench.dir, join(dir, "moved"));
  const moved = design(join(dir, "moved"));
  open.push(moved);
  expect((await moved.run("run")).document.stages[0].status).toBe("reused");
});

describe("stages", () => {
  const pipelineOf = (dir: string, stages: object[], more: object = {}) => {
    const path = join(dir, "p.yaml");
    writeFileSync(path, JSON.stringify({ name: "p", stages, ...more }));
    return path;
  };
  const sh = (name: string, script: string, more: object = {}) => ({
    name,
    run: ["sh", "-c", script],
    ...more,
  });

  test("a failure without a report states its exit code and the end of stderr; later stages are absent", async () => {
    const dir = folder();
    const stages = [
      sh("a", "echo out; pwd > place; echo kept >&2"),
      sh("b", "echo broken >&2; exit 3"),
      sh("c", "true"),
    ];
    const bench = await project(pipelineOf(dir, stages), join(dir, "project"));
    const { code, document } = await bench.run("run");
    expect(code).toBe(7);
    expect(document.stages.map(({ name, status }: StageResult) => [name, status])).toEqual([
      ["a", "ok"],
      ["b", "failed"],
    ]);
    expect(document.stages[1].failures[0].reason).toBe("exit code 3; end of stderr: broken");
    expect(readFileSync(join(bench.dir, "runs/run_0001/a.stdout.txt"), "utf8")).toBe("out\n");
    expect(readFileSync(join(bench.dir, "runs/run_0001/a/place"), "utf8").trim()).toEndWith(
      "runs/run_0001/a",
    );
    expect((await bench.run("show", "artifacts")).document.artifacts.runs[0].files).toContainEqual({
      path: "runs/run_0001/b.stderr.txt",
      bytes: 7,
    });
  });

  test("time limits, missing keys, no shell, ok: false, invalid reports and named metrics are handled", async () => {
    const dir = folder();
    const stages = [sh("slow", "sleep 30", { timeout: 0.5 })];
    const slow = await project(pipelineOf(dir, stages), join(dir, "slow"));
    expect((await slow.run("run")).document.stages[0]).toMatchObject({ status: "timeout" });
    const rest = [
      sh(
        "env",
        'test -z "$KEY" && test "$A" = 1 && test -n "$HOME" && echo \'{"metrics":{"x":1,"y":2}}\' > report.json',
        { env: { A: 1 }, metrics: ["x"] },
      ),
      { name: "argv", run: ["test", "$(echo no) ${SPEC_}", "=", "$(echo no) ${SPEC_}"] },
      sh("files", 'grep -q 7 "$1" && test -d "$2"', {
        run: ["sh", "-c", 'grep -q 7 "$0" && test -f "$1/report.json"', "${SPEC}", "${PREV}/../env"],
      }),
      sh("soft", `echo '{"ok":true,"failures":[{"name":"n","reason":"r"}]}' > report.json`),
      sh("bad", `echo '[]' > report.json`),
    ];
    const bench = await project(pipelineOf(dir, rest, { spec: { seven: 7 } }), join(dir, "rest"));
    const { document } = await bench.run("run");
    expect(document.stages.map(({ status }: StageResult) => status)).toEqual([
      "ok",
      "ok",
      "ok",
      "ok",
      "failed",
    ]);
    expect(document.stages[0].metrics).toEqual({ x: 1 });
    expect(document.stages[3].failures).toEqual([{ name: "n", reason: "r" }]);
    expect(document.stages[4].failures[0].reason).toContain("report.json");
  });

  test("the jail prevents writing outside the stage's folder and reading the rest of the machine", async () => {
    const dir = folder({ "private.txt": "mine", "beside/p.yaml": "" });
    const stages = [sh("w", `echo x > ${dir}/escaped; cat ${dir}/private.txt; true`)];
    const bench = await project(pipelineOf(join(dir, "beside"), stages), join(dir, "project"));
    const { document } = await bench.run("run");
    if (document.jail === "none") return;
    expect(existsSync(join(dir, "escaped"))).toBe(false);
    expect(readFileSync(join(bench.dir, "runs/run_0001/w.stdout.txt"), "utf8")).toBe("");
    expect((await bench.run("run", "--no-jail")).document).toMatchObject({ status: "ok" });
  });

  test.each([
    ["twice", { stages: [sh("a", "true"), sh("a", "true")] }],
    ["full", { stages: [sh("full", "true")] }],
    ["sign", { stages: [sh("a/b", "true")] }],
    ["no stage", { stages: [] }],
    ["unknown key", { stages: [sh("a", "true", { cwd: "/" })] }],
    ["unknown validity stage", { stages: [sh("a", "true")], validity_stage: "b" }],
    ["first spec that does not fit", { stages: [sh("a", "true")], spec_schema: { required: ["x"] } }],
  ])("an invalid pipeline file is refused: %s", async (_what, content) => {
    const dir = folder();
    writeFileSync(join(dir, "p.yaml"), JSON.stringify({ name: "p", ...content }));
    const bench = design(join(dir, "project"));
    open.push(bench);
    expect(await bench.run("--create", "x", "--pipeline", join(dir, "p.yaml"))).toMatchObject({ code: 2 });
    expect(existsSync(join(dir, "project/project.json"))).toBe(false);
  });
});

describe("usage", () => {
  test.each([
    [["run", "--until", "tapeout"]],
    [["approve", "0009"]],
    [["approve", "run"]],
    [["reject", "run"]],
    [["cancel"]],
    [["undo"]],
    [["show", "nothing"]],
    [["show", "history", "7"]],
    [["--message", "  "]],
    [[]],
    [["patch", "missing.json"]],
  ])("%p exits with 2", async (args) => {
    const bench = await project();
    expect(await bench.run(...args)).toMatchObject({ code: 2 });
    expect(json(bench.dir, "state.json")).toMatchObject({ state: "IDLE", turn: 0 });
  });

  test("a missing project and an existing one are refused", async () => {
    const bench = design(folder());
    open.push(bench);
    expect(await bench.run("run")).toMatchObject({ code: 2 });
    await bench.run("--create", "a");
    expect(await bench.run("--create", "a")).toMatchObject({ code: 2 });
  });

  test("show prints the spec, patches, runs, history and state", async () => {
    const bench = await project();
    await patch(bench, radius(3));
    await bench.run("run", "--until", "compile_domains");
    expect((await bench.run("show", "spec")).document.spec.components.outlet.radius).toBe(3);
    expect((await bench.run("show", "patches")).document.patches).toHaveLength(1);
    expect((await bench.run("show", "patches", "1")).document.patches.patch_id).toBe("0001");
    expect((await bench.run("show", "runs", "run_0001")).document.runs.stages).toHaveLength(2);
    expect((await bench.run("show", "history", "1")).document.history).toMatchObject({
      version: 1,
      patch_id: null,
    });
    expect((await bench.run("show", "state")).document.state).toMatchObject({ state: "IDLE", turn: 0 });
  });
});
