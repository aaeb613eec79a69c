// Turns over real HTTP: the context of a model, the effects of its directives, and the state after a failure.
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folders } from "../../support/folder.ts";
import { type Bench, design, KEY, PIPELINE } from "./support.ts";

setDefaultTimeout(60_000);
const folder = folders("design-turn");
const open: Bench[] = [];
afterEach(async () => {
  for (const bench of open.splice(0)) await bench.stop();
});

async function project(flags: string[] = []): Promise<Bench> {
  const bench = design(folder(), { flags });
  open.push(bench);
  expect(await bench.run("--create", "net", "--pipeline", PIPELINE)).toMatchObject({
    code: 0,
    document: { state: "IDLE", pending_patch_ids: [], pending_run: null, turn: 0 },
  });
  return bench;
}
const json = (bench: Bench, path: string) => JSON.parse(readFileSync(join(bench.dir, path), "utf8"));
const log = (bench: Bench) =>
  readFileSync(join(bench.dir, "logs/agent_turns.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const wider = [{ op: "replace", path: "/components/outlet/radius", value: 3 }];

test("a directive with a patch and a run applies the patch first and waits for approval of both", async () => {
  const bench = await project();
  const { code, turn } = await bench.say("make the outlet wider", {
    proposed_patches: wider,
    run_request: {
      run: true,
      run_until: "validity",
      reason: "is the wall thick enough?",
      expected_signal: "ok",
    },
    requires_approval: false,
  });
  expect(code).toBe(3);
  expect(turn).toMatchObject({
    turn: 1,
    state: "WAITING_PATCH_APPROVAL",
    assistant_message: "As you say.",
    proposal: {
      patch_id: "0001",
      difference: [{ pointer: "/components/outlet/radius", op: "replace", old: 2, new: 3 }],
      judged_anew: [],
    },
    pending_patch_ids: ["0001"],
    pending_run: { run_until: "validity" },
    warnings: ["requires_approval: false is ignored, approval is always asked"],
    error: null,
  });
  expect(json(bench, "spec.json").components.outlet.radius).toBe(2);
  expect(await bench.run("approve", "run")).toMatchObject({ code: 2 });
  expect(await bench.run("approve", "1", "--reason", "agreed")).toMatchObject({
    code: 3,
    document: { state: "WAITING_RUN_APPROVAL", pending_patch_ids: [] },
  });
  expect(json(bench, "spec.json").components.outlet.radius).toBe(3);
  expect(json(bench, "patches/0001.json")).toMatchObject({
    status: "approved",
    reason: "agreed",
    decided_by: "Alice",
    turn: 1,
  });
  expect(json(bench, "spec_history/0002.json")).toMatchObject({ version: 2, patch_id: "0001" });
  expect(existsSync(join(bench.dir, "runs"))).toBe(false);
  const ran = await bench.run("approve", "run");
  expect(ran).toMatchObject({ code: 0, document: { run_id: "run_0001", until: "validity", status: "ok" } });
  expect(json(bench, "state.json")).toMatchObject({ state: "IDLE", pending_run: null });
});

test("rejecting a patch rejects its run; a separate run request waits on its own", async () => {
  const bench = await project();
  await bench.say("wider", { proposed_patches: wider, run_request: { run: true } });
  expect(await bench.run("reject", "0001", "--reason", "no")).toMatchObject({
    code: 0,
    document: { state: "IDLE", pending_run: null },
  });
  const asked = await bench.say("run it", { run_request: { run: true, run_until: "embed" } });
  expect(asked.turn).toMatchObject({ state: "WAITING_RUN_APPROVAL", pending_run: { run_until: "embed" } });
  const newer = await bench.say("no, all", { run_request: { run: true } });
  expect(newer.turn.pending_run).toMatchObject({ run_until: "full" });
  expect(await bench.run("reject", "run")).toMatchObject({ code: 0, document: { state: "IDLE" } });
  expect(existsSync(join(bench.dir, "runs"))).toBe(false);
});

test("when one of two waiting patches is applied, the other is rebased or fails", async () => {
  const bench = await project();
  await bench.say("a", { proposed_patches: wider });
  await bench.say("b", { proposed_patches: [{ op: "replace", path: "/policies/min_wall", value: 1 }] });
  await bench.say("c", {
    proposed_patches: [
      { op: "test", path: "/components/outlet/radius", value: 2 },
      { op: "remove", path: "/components/inlet" },
    ],
  });
  const before = json(bench, "patches/0002.json").base_hash;
  expect(await bench.run("approve", "0001")).toMatchObject({
    code: 3,
    document: { pending_patch_ids: ["0002"] },
  });
  expect(json(bench, "patches/0002.json")).toMatchObject({ status: "proposed" });
  expect(json(bench, "patches/0002.json").base_hash).not.toBe(before);
  expect(json(bench, "patches/0003.json")).toMatchObject({ status: "failed" });
  expect(json(bench, "patches/0003.json").reason).toContain("the value there is another one");
  expect((await bench.run("approve", "0003")).code).toBe(2);
});

describe("returned to the model", () => {
  test("an unusable reply is returned once, then the turn is an error", async () => {
    const bench = await project();
    const good = await bench.say("hello", "I will not answer in JSON", { assistant_message: "better" });
    expect(good).toMatchObject({ code: 0, turn: { assistant_message: "better", error: null } });
    expect(bench.told()).toContain("holds no JSON object");
    const bad = await bench.say("hello", "no", "no");
    expect(bad).toMatchObject({ code: 4, turn: { turn: 2, state: "ERROR", error: { kind: "directive" } } });
    expect(bench.server.requests.length).toBe(4);
    const after = await bench.say("again", {});
    expect(after).toMatchObject({ code: 0, turn: { turn: 3, state: "IDLE" } });
  });

  test.each([
    ["does not apply", [{ op: "remove", path: "/nothing" }], "there is nothing at /nothing"],
    ["changes nothing", [{ op: "replace", path: "/units", value: "mm" }], "changes nothing"],
    ["breaks the schema", [{ op: "replace", path: "/units", value: "inch" }], "would not fit its schema"],
  ])("a patch that %s is returned", async (_what, proposed_patches, problem) => {
    const bench = await project();
    const { turn } = await bench.say("do it", { proposed_patches }, { proposed_patches: wider });
    expect(turn.proposal?.patch_id).toBe("0001");
    expect(bench.told()).toContain(problem);
    expect(await bench.say("again", { proposed_patches }, { proposed_patches })).toMatchObject({
      code: 4,
      turn: { state: "WAITING_PATCH_APPROVAL", pending_patch_ids: ["0001"], proposal: null },
    });
  });
});

describe("context", () => {
  test("compact contains the outline without values; one hop adds what is requested", async () => {
    const bench = await project();
    writeFileSync(join(bench.dir, "secret.txt"), "outside");
    const { turn } = await bench.say(
      "how thick?",
      {
        context_requests: {
          need_full_spec: true,
          need_last_run_report: true,
          need_specific_files: ["secret.txt"],
        },
        proposed_patches: [{ op: "remove", path: "/nothing" }],
      },
      { assistant_message: "2 mm", context_requests: { need_more_history: true } },
    );
    expect(turn).toMatchObject({ assistant_message: "2 mm", proposal: null });
    expect(turn.warnings).toContain("a second request for context in one turn was ignored");
    expect(bench.server.requests.length).toBe(2);
    expect(bench.told(0)).toContain("/components: {inlet: object, outlet: object}");
    expect(bench.told(0)).not.toContain("0.5");
    expect(bench.told(0)).not.toContain("24");
    expect(bench.told(1)).toContain('"min_wall": 2');
    expect(bench.told(1)).toContain("there was no run yet");
    expect(bench.told(1)).toContain("not in the artifact index");
    expect(bench.told(1)).not.toContain("outside\n");
    expect(log(bench)[0].packs).toMatchObject([
      { mode: "compact", hop: 0 },
      { mode: "full", hop: 1 },
    ]);
  });

  test("after a failed run the context describes the failure, and artifacts are included by name", async () => {
    const bench = await project();
    await bench.say("wider", {
      proposed_patches: [{ op: "replace", path: "/components/outlet/radius", value: 7 }],
    });
    await bench.run("approve", "0001");
    expect(await bench.run("run")).toMatchObject({ code: 7, document: { status: "failed" } });
    expect(json(bench, "state.json").state).toBe("ERROR");
    await bench.say(
      "why?",
      { context_requests: { need_network_artifact: true, need_validity_report: true } },
      {},
    );
    expect(bench.told(1)).toContain("wall outlet: 1 mm of wall are left, 2 are needed");
    expect(bench.told(2)).toContain("File runs/run_0001/component_build/network.json");
    expect(bench.told(2)).toContain('"failures"');
    expect(
      log(bench)
        .at(-1)
        .packs.map(({ mode }: { mode: string }) => mode),
    ).toEqual(["debug compact", "full"]);
  });

  test("context packs stay within their sizes and state what was cut", async () => {
    const bench = await project([
      "-c",
      "loops.design.compact_chars=2000",
      "-c",
      "loops.design.full_chars=1500",
    ]);
    const components = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`tube_${i}`, { from: [0, 8, 8], to: [12, 8, 8], radius: 2 }]),
    );
    await bench.say("many", {
      proposed_patches: [{ op: "replace", path: "/components", value: components }],
    });
    await bench.run("approve", "0001");
    await bench.say("all", { context_requests: { need_full_spec: true } }, {});
    const [compact, full] = log(bench).at(-1).packs;
    expect(compact.chars).toBeLessThanOrEqual(2000);
    expect(full.chars).toBeLessThanOrEqual(1500);
    expect(bench.told()).toContain("[cut, ");
  });
});

test("a turn with questions exits with 3, and they stay open until the next message", async () => {
  const bench = await project();
  const question = {
    id: "ticket",
    question: "Which ticket?",
    why_needed: "a reason is needed",
    default: "none",
  };
  expect(await bench.say("waive it", { questions: [question] })).toMatchObject({
    code: 3,
    turn: { state: "IDLE", questions: [question] },
  });
  expect(await bench.say("4711", {})).toMatchObject({ code: 0 });
  expect(bench.told()).toContain("question ticket: Which ticket?");
  await bench.say("and?", {});
  expect(bench.told()).not.toContain("question ticket: Which ticket?");
});

describe("an unavailable model", () => {
  test("the turn reports the error with the key masked, and pending proposals stay pending", async () => {
    const bench = await project();
    await bench.say("wider", { proposed_patches: wider });
    const spec = readFileSync(join(bench.dir, "spec.json"), "utf8");
    const failed = await bench.say("hello", {
      http: { status: 401, body: JSON.stringify({ error: { message: `bad key ${KEY}` } }) },
    });
    expect(failed).toMatchObject({
      code: 4,
      turn: { turn: 2, state: "WAITING_PATCH_APPROVAL", pending_patch_ids: ["0001"] },
    });
    expect(readFileSync(join(bench.dir, "spec.json"), "utf8")).toBe(spec);
    expect(readFileSync(join(bench.dir, "logs/agent_turns.jsonl"), "utf8")).not.toContain(KEY);
    expect(JSON.stringify(failed)).not.toContain(KEY);
  });

  test("without a configured model the command exits with 2 and creates no turn", async () => {
    const bench = await project(["--provider", "offline"]);
    expect(await bench.run("--message", "hello")).toMatchObject({
      code: 2,
      document: { error: { kind: "config" } },
    });
    expect(json(bench, "state.json").turn).toBe(0);
  });
});

test("a stored reply of a killed turn is not requested again", async () => {
  const bench = await project();
  await bench.say("wider", { proposed_patches: wider });
  const state = json(bench, "state.json");
  // As after a kill between storing the reply and creating the proposal.
  await bench.run("reject", "0001");
  writeFileSync(
    join(bench.dir, "state.json"),
    JSON.stringify({ ...state, state: "PROCESSING", pending_patch_ids: [], turn: 0 }),
  );
  writeFileSync(join(bench.dir, "logs/agent_turns.jsonl"), "");
  expect((await bench.run("show", "state")).document).toMatchObject({ state: { state: "ERROR" } });
  const asked = bench.server.requests.length;
  const again = await bench.say("wider");
  expect(again).toMatchObject({ code: 3, turn: { turn: 1, proposal: { patch_id: "0002" } } });
  expect(bench.server.requests.length).toBe(asked);
});

test("every document has a schema", async () => {
  const bench = await project();
  const { turn } = await bench.say("wider", { proposed_patches: wider });
  const { turnDocumentSchema, stateSchema, runSchema } = await import("../../../src/loops/design/schemas.ts");
  expect(turnDocumentSchema.parse(turn)).toEqual(turn);
  const state = (await bench.run("approve", "0001")).document;
  expect(stateSchema.parse(state)).toEqual(state);
  const run = (await bench.run("run", "--until", "embed")).document;
  expect(runSchema.parse(run)).toEqual(run);
});
