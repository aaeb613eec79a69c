// Many items through the real program: which run and why, interruption, budgets.
import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { verifyAtomSet } from "../../src/runtime/atom-set.ts";
import { removeRunningProjects, startProject } from "../loops/item/project.ts";
import { AT_ONCE, GOOD_A, GOOD_B, LOG, pageOf, scriptedModel, WRONG_B } from "../loops/item/scripted.ts";
import { cliJson } from "../support/cli.ts";
import type { Script } from "../support/model-server.ts";

afterAll(removeRunningProjects);

interface Item {
  item_id: string;
  status: string;
  reason: string;
  up_to_date: boolean;
  error?: { kind: string; message: string };
}
interface Document {
  items: Item[];
  not_started: { item_id: string; reason: string }[];
  totals: Record<string, number>;
  error?: { message: string };
}

function startBatchProject(script: Script, ids: readonly string[]) {
  const project = startProject(script, { ids });
  return {
    ...project,
    setOf: (id: string) => join(project.output, id),
    batch: async (...args: string[]): Promise<{ code: number; document: Document }> =>
      project.run("batch", "specs", ...args),
  };
}
const reasons = (document: Document): string[] =>
  document.items.map((item) => `${item.item_id}: ${item.reason}`);

test("a second batch runs nothing; each change runs exactly the affected items and states the reason", async () => {
  const project = startBatchProject(scriptedModel(AT_ONCE), ["A-1", "A-2"]);
  const first = await project.batch();
  expect([first.code, first.document.totals["accepted"]]).toEqual([0, 2]);
  expect(reasons(first.document)).toEqual(["A-1: new", "A-2: new"]);
  const calls = project.requests.length;

  const second = await project.batch();
  expect([second.code, second.document.totals["up_to_date"]]).toEqual([0, 2]);
  expect(project.requests.length).toBe(calls);

  writeFileSync(
    join(project.specs, "A-2_ItemSpec.md"),
    pageOf("A-2").replace("Read the clock", "Look at the clock"),
  );
  expect(reasons((await project.batch("--list")).document as Document)).toEqual([
    "A-1: up to date",
    "A-2: the page changed",
  ]);
  expect(reasons((await project.batch()).document)).toEqual(["A-1: up to date", "A-2: the page changed"]);

  writeFileSync(join(project.logs, "clocks.rpt"), LOG.replace("1.25", "1.30"));
  expect(reasons((await project.batch()).document)).toEqual([
    "A-1: a log changed: clocks.rpt",
    "A-2: a log changed: clocks.rpt",
  ]);
  // Written again with the same content.
  writeFileSync(join(project.logs, "clocks.rpt"), LOG.replace("1.25", "1.30"));
  expect((await project.batch()).document.totals["up_to_date"]).toBe(2);

  expect(reasons((await project.batch("--list", "-c", "llm.agent_a.temperature=0.5")).document)).toEqual([
    "A-1: the author's settings changed",
    "A-2: the author's settings changed",
  ]);
  writeFileSync(join(project.setOf("A-1"), "atom_a.js"), "// by hand\n");
  expect(reasons((await project.batch()).document)).toEqual([
    "A-1: changed since acceptance: atom_a.js",
    "A-2: up to date",
  ]);
  rmSync(project.setOf("A-2"), { recursive: true });
  expect(reasons((await project.batch("--only", "A-2")).document)).toEqual(["A-2: new"]);
  expect(reasons((await project.batch("--force", "--list")).document)).toEqual([
    "A-1: forced",
    "A-2: forced",
  ]);
}, 60_000);

test("an item that needs review is not run again until something changes, and each batch exits with 3", async () => {
  const asks: Script = (request, number) =>
    request.tools?.some((tool) => tool.function.name === "submit_extract_context")
      ? { tool_calls: [{ name: "ask_person", arguments: { reasons: ["no log"], questions: ["where?"] } }] }
      : scriptedModel(AT_ONCE)(request, number);
  const project = startBatchProject(asks, ["A-1"]);
  expect((await project.batch()).code).toBe(3);
  const calls = project.requests.length;
  const again = await project.batch();
  expect([again.code, again.document.totals["up_to_date"]]).toEqual([3, 1]);
  expect(project.requests.length).toBe(calls);
  // No log was read, so a new file causes another run; so does a raised limit.
  writeFileSync(join(project.logs, "new.rpt"), "x");
  expect(reasons((await project.batch()).document)).toEqual([
    "A-1: files were added or removed since no log was found",
  ]);
  expect(reasons((await project.batch("-c", "execution.max_iterations=5")).document)).toEqual([
    "A-1: the limits changed since the review request",
  ]);
}, 30_000);

test("a provider error of one item does not affect the others, and the next batch retries it", async () => {
  let broken = true;
  const model = scriptedModel(AT_ONCE);
  const project = startBatchProject(
    (request, number) =>
      broken && JSON.stringify(request.messages).includes("A-2")
        ? { http: { status: 503, body: "{}" } }
        : model(request, number),
    ["A-1", "A-2", "A-3"],
  );
  const first = await project.batch();
  expect(first.code).toBe(4);
  expect(first.document.totals).toMatchObject({ accepted: 2, error: 1 });
  broken = false;
  const second = await project.batch();
  expect(second.code).toBe(0);
  expect(reasons(second.document)).toEqual([
    "A-1: up to date",
    "A-2: unfinished, continues at agent_a",
    "A-3: up to date",
  ]);
}, 30_000);

test("rejected credentials prevent new items from starting", async () => {
  const project = startBatchProject(
    () => ({ http: { status: 401, body: "{}" } }),
    ["A-1", "A-2", "A-3", "A-4"],
  );
  const { code, document } = await project.batch("--concurrency", "1");
  expect(code).toBe(4);
  expect(document.items).toHaveLength(1);
  expect(document.not_started.map((item) => item.item_id)).toEqual(["A-2", "A-3", "A-4"]);
  expect(document.totals["not_started"]).toBe(3);
}, 30_000);

test("--fail-fast stops at the first item that is not accepted", async () => {
  const project = startBatchProject(scriptedModel({ a: [GOOD_A, GOOD_A], b: [WRONG_B, WRONG_B] }), [
    "A-1",
    "A-2",
  ]);
  const { code, document } = await project.batch(
    "--concurrency",
    "1",
    "--fail-fast",
    "-c",
    "execution.max_iterations=1",
  );
  expect(code).toBe(3);
  expect(document.not_started.map((item) => item.item_id)).toEqual(["A-2"]);
}, 30_000);

test("--max-cost exits with 2 before any request when a price is unknown; otherwise it stops the scheduling with 5", async () => {
  const project = startBatchProject(scriptedModel(AT_ONCE), ["A-1", "A-2", "A-3"]);
  expect((await project.batch("--max-cost", "1")).code).toBe(2);
  expect(project.requests).toHaveLength(0);
  const price = "llm.prices={test-model: {input: 1000, output: 1000}}";
  const { code, document } = await project.batch("--max-cost", "0.3", "--concurrency", "1", "-c", price);
  expect(code).toBe(5);
  expect(document.totals["accepted"]).toBeLessThan(3);
  expect(document.totals["not_started"]).toBeGreaterThan(0);
  const rest = await project.batch();
  expect([rest.code, rest.document.totals["accepted"]]).toEqual([0, 3]);
}, 30_000);

test("unusable pages are errors of their items with exit code 2, and the other items run", async () => {
  const project = startBatchProject(scriptedModel(AT_ONCE), ["A-1"]);
  mkdirSync(join(project.specs, "again"));
  writeFileSync(join(project.specs, "T-1_ItemSpec.md"), pageOf("T-1").replace("`core`", "{TODO: name}"));
  for (const dir of [project.specs, join(project.specs, "again")])
    writeFileSync(join(dir, "D-1_ItemSpec.md"), pageOf("D-1"));
  const { code, document } = await project.batch();
  expect(code).toBe(2);
  expect(document.items.map((item) => `${item.item_id} ${item.status} ${item.error?.kind ?? ""}`)).toEqual([
    "A-1 accepted ",
    "D-1 error spec",
    "T-1 error spec",
  ]);
  expect(readdirSync(join(project.root, "output"))).toEqual(["A-1"]);
}, 30_000);

test("a cache folder that cannot be written stops the batch with exit code 4", async () => {
  const project = startBatchProject(scriptedModel(AT_ONCE), ["A-1", "A-2"]);
  writeFileSync(join(project.root, "cache"), "a file where the folder should be");
  const { code, document } = await project.batch("--concurrency", "1");
  expect([code, document.items[0]?.error?.kind]).toEqual([4, "store"]);
  expect(document.totals["not_started"]).toBe(1);
}, 30_000);

test("the first signal lets running items reach a checkpoint, starts no others and exits with 130", async () => {
  let send: (name: "SIGINT") => void = () => {};
  const model = scriptedModel(AT_ONCE);
  const project = startBatchProject(
    (request, number) => {
      if (number === 2) send("SIGINT");
      return model(request, number);
    },
    ["A-1", "A-2", "A-3"],
  );
  const run = await cliJson(["batch", "specs", "--concurrency", "1", ...project.flagsFor("batch")], {
    ...project.cli,
    onReady: (give) => {
      send = give;
    },
  });
  const document = run.document as Document;
  expect(run.code).toBe(130);
  expect(document.totals).toMatchObject({ interrupted: 1, not_started: 2, accepted: 0, error: 0 });
  const asked = new Set(project.requests.map((arrival) => JSON.stringify(arrival.body)));
  const rest = await project.batch();
  expect([rest.code, rest.document.totals["accepted"]]).toEqual([0, 3]);
  expect(rest.document.items[0]?.reason).toBe("unfinished, continues at agent_b");
  // No answered request was repeated.
  const after = project.requests.map((arrival) => JSON.stringify(arrival.body));
  expect(new Set(after).size).toBe(after.length);
  expect(asked.size).toBeGreaterThan(1);
}, 30_000);

test("two simultaneous batches over one store accept every item without damage", async () => {
  const ids = ["A-1", "A-2", "A-3", "A-4"];
  const project = startBatchProject(scriptedModel(AT_ONCE), ids);
  const [one, two] = await Promise.all([project.batch(), project.batch()]);
  for (const { code, document } of [one, two]) {
    expect([0, 2]).toContain(code);
    for (const item of document.items.filter((each) => each.status === "error")) {
      expect(item.error?.message).toContain("is locked by");
    }
  }
  for (const id of ids) {
    const set = await verifyAtomSet(project.setOf(id));
    expect([id, set.state, set.sources.atom_b === GOOD_B]).toEqual([id, "accepted", true]);
  }
  expect((await project.batch()).document.totals["up_to_date"]).toBe(4);
}, 30_000);

test("a batch with nothing to do writes its events", async () => {
  const project = startBatchProject(scriptedModel(AT_ONCE), ["A-1"]);
  await project.batch();
  const file = join(project.root, "events.jsonl");
  await project.batch("--events", file);
  expect(existsSync(file)).toBe(true);
  const types = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { type: string }).type);
  expect(types).toContain("item_skipped");
  expect(types.at(-1)).toBe("run_finished");
}, 30_000);
