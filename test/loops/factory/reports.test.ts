// Output of a run for users and CI: the page, show, JUnit and events; and the requested response format.
import { afterEach, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eventSchema } from "../../../src/loops/events.ts";
import { runAllSchema } from "../../../src/loops/factory/documents.ts";
import { runSummarySchema } from "../../../src/loops/factory/schemas.ts";
import { cli, cliJson } from "../../support/cli.ts";
import type { ModelServer } from "../../support/model-server.ts";
import {
  env,
  flags,
  GOOD,
  git,
  order,
  reply,
  replyingServer,
  run,
  sha,
  stateOf,
  workspaces,
  writeOrder,
} from "./support.ts";

const makeWorkspace = workspaces("reports");
let model: ModelServer | undefined;
afterEach(async () => model?.stop());

const WRONG = reply({ path: "a.txt", base_sha256: sha("one\n"), content: "<script>alert(1)</script>\n" });

test("page, show, JUnit and events describe a run with a failed attempt", async () => {
  const workspace = makeWorkspace();
  model = replyingServer(WRONG, GOOD);
  const extra = ["--verify", "cat a.txt", "--junit", "j.xml", "--events", "e.jsonl"];
  const { code, summary } = await run(workspace, model.url, order(), extra);
  expect(code).toBe(0);
  runSummarySchema.parse(summary);
  const dir = join(workspace.out, summary.run_id);
  const page = readFileSync(join(dir, "report.html"), "utf8");
  expect(page).toContain("-one");
  expect(page).toContain("&lt;script&gt;alert(1)");
  expect(page).not.toContain("<script>alert");
  expect(page).toContain("grep -q changed a.txt");
  const junit = readFileSync(join(workspace.dir, "j.xml"), "utf8");
  expect(junit).toContain('testcase name="cat a.txt"');
  expect(junit).toContain('failures="0"');
  const events = readFileSync(join(workspace.dir, "e.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => eventSchema.parse(JSON.parse(line)));
  const types = events.filter(({ loop }) => loop === "factory").map(({ type }) => type);
  for (const type of [
    "order_started",
    "attempt_started",
    "command_finished",
    "attempt_failed",
    "rolled_back",
    "order_finished",
  ]) {
    expect(types as string[]).toContain(type);
  }
  const shown = await cli(["factory", "show", dir, "--html", "again.html"], { cwd: workspace.dir });
  expect(shown.stdout).toContain("attempt 1: acceptance_failed, wrote a.txt");
  expect(shown.stdout).toContain("attempt 2: accepted");
  expect(readFileSync(join(workspace.dir, "again.html"), "utf8")).toBe(page);
  const none = await cli(["factory", "show", workspace.out], { cwd: workspace.dir });
  expect(none.code).toBe(2);
});

test("a failed run is a JUnit failure", async () => {
  const workspace = makeWorkspace();
  model = replyingServer(WRONG);
  await run(workspace, model.url, order(), ["--verify", "false", "--junit", "j.xml", "--max-attempts", "1"]);
  expect(readFileSync(join(workspace.dir, "j.xml"), "utf8")).toContain("verify_failed");
});

test("every artifact is stored at its documented path", async () => {
  const workspace = makeWorkspace();
  model = replyingServer({ content: "no" }, WRONG, GOOD);
  const { summary } = await run(workspace, model.url, order(), ["--verify", "true", "--max-attempts", "3"]);
  const dir = join(workspace.out, summary.run_id);
  const files = {
    "": ["run_summary.json", "work_order.json", "report.html"],
    attempt_1: ["se_prompt.txt", "raw_llm_response.txt", "failure_brief.json"],
    attempt_2: [
      "se_prompt.txt",
      "proposed_writes.json",
      "write_result.json",
      "verify_result.json",
      "acceptance_result.json",
      "failure_brief.json",
    ],
    attempt_3: [
      "proposed_writes.json",
      "verify_1_stdout.txt",
      "verify_1_stderr.txt",
      "acceptance_1_stdout.txt",
      "changes.diff",
    ],
  };
  for (const [folder, names] of Object.entries(files)) {
    for (const name of names) expect(existsSync(join(dir, folder, name)), `${folder}/${name}`).toBe(true);
  }
  for (const { stdout_path } of summary.attempts[2]?.acceptance ?? [])
    expect(existsSync(join(dir, stdout_path))).toBe(true);
  expect(existsSync(join(dir, ".raw"))).toBe(false);
});

test("run-all makes one commit per order, removes drift between orders and stops at the first failure", async () => {
  const workspace = makeWorkspace({ "a.txt": "one\n", "b.txt": "two\n" });
  const write = (path: string, base: string) =>
    reply({ path, base_sha256: sha(base), content: `changed ${path}\n` });
  model = replyingServer(
    write("a.txt", "one\n"),
    write("b.txt", "two\n"),
    reply({ path: "a.txt", base_sha256: sha("x"), content: "" }),
  );
  const next = (id: string, path: string) =>
    order({ id, title: id, allowed_files: [path], context_files: [path], acceptance_commands: ["true"] });
  const { mkdirSync } = await import("node:fs");
  mkdirSync(join(workspace.dir, "orders"));
  for (const [id, path] of [
    ["WO-2", "b.txt"],
    ["WO-10", "a.txt"],
    ["WO-1", "a.txt"],
  ] as const) {
    writeOrder(workspace, next(id, path), `orders/${id}.json`);
  }
  const argv = [
    "factory",
    "run-all",
    ...flags(workspace, model.url),
    "--work-orders",
    "orders",
    "--commit",
    "all",
  ];
  const verify = ["--verify", "sh -c 'echo d > drift.txt'", "--max-attempts", "1", "--junit", "j.xml"];
  const { code, document } = await cliJson([...argv, ...verify], { env: env(), cwd: workspace.dir });
  const { orders } = runAllSchema.parse(document);
  expect(code).toBe(7);
  expect(orders.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    "WO-1 PASS",
    "WO-2 PASS",
    "WO-10 FAIL",
  ]);
  expect(git(workspace.repo, "log", "--format=%s", "all")).toBe("WO-2\nWO-1\nfirst");
  expect(git(workspace.repo, "status", "--porcelain", "--untracked-files=all")).toBe("");
  const first = JSON.parse(
    readFileSync(join(workspace.out, orders[0]?.run_id ?? "", "run_summary.json"), "utf8"),
  );
  expect(first.drift).toEqual([{ path: "drift.txt", change: "added" }]);
  const asked = model.requests.length;
  const before = stateOf(workspace.repo);
  const again = await cliJson([...argv, ...verify], { env: env(), cwd: workspace.dir });
  expect(again).toMatchObject({ code: 7, document });
  expect(model.requests.length).toBe(asked);
  expect(stateOf(workspace.repo)).toEqual(before);
  const other = await cli([...argv.map((word) => (word === "all" ? "other" : word)), ...verify], {
    env: env(),
    cwd: workspace.dir,
  });
  expect(other.code).toBe(2);
});

test("the schema is sent as response format, with JSON and text as fallbacks for servers that refuse it", async () => {
  const workspace = makeWorkspace();
  const forms: unknown[] = [];
  const { startModelServer } = await import("../../support/model-server.ts");
  model = startModelServer((request) => {
    const form = (request as { response_format?: { type: string } }).response_format?.type;
    forms.push(form);
    if (form === undefined) return GOOD;
    const body = JSON.stringify({
      error: { message: `response_format ${form} is not supported`, param: "response_format" },
    });
    return { http: { status: 400, body } };
  });
  const { code } = await run(workspace, model.url);
  expect(code).toBe(0);
  expect(forms).toEqual(["json_schema", "json_object", undefined]);
});

test("schema NAME prints the schemas of the documents", async () => {
  for (const name of ["work-order", "write-proposal", "factory-summary", "factory-run-all", "factory-plan"]) {
    const { code, document } = await cliJson(["schema", name]);
    expect(code).toBe(0);
    expect(document).toMatchObject({ type: "object", additionalProperties: false });
  }
  const graph = await cli(["graph", "factory"]);
  expect(graph.stdout).toContain("roll_back");
});
