// `factory plan`: every check with its code, all errors returned together, and nothing written unless all checks
// pass.
import { afterEach, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkPlan } from "../../../src/loops/factory/plan/check.ts";
import { pythonProblem } from "../../../src/loops/factory/plan/python.ts";
import { cliJson } from "../../support/cli.ts";
import type { ModelServer } from "../../support/model-server.ts";
import { env, order, replyingServer, type Workspace, workspaces } from "./support.ts";

const makeWorkspace = workspaces("plan");
let model: ModelServer | undefined;
afterEach(async () => model?.stop());

function plannedOrder(number: number, change: Record<string, unknown> = {}) {
  const path = `f${number}.txt`;
  return order({
    id: `WO-0${number}`,
    allowed_files: [path],
    context_files: [],
    acceptance_commands: [`test -f ${path}`],
    preconditions: [{ kind: "file_absent", path }],
    postconditions: [{ kind: "file_exists", path }],
    ...change,
  });
}

async function codes(...orders: unknown[]): Promise<string[]> {
  const { problems } = await checkPlan({ work_orders: orders }, new Set(["there.txt"]), pythonProblem);
  return problems.map(({ code, id }) => `${code} ${id}`);
}

test("a valid plan has no problems", async () => {
  const second = plannedOrder(2, {
    preconditions: [
      { kind: "file_exists", path: "f1.txt" },
      { kind: "file_exists", path: "there.txt" },
    ],
  });
  expect(await codes(plannedOrder(1), second)).toEqual([]);
});

const WRONG: [string, Record<string, unknown>, string[]][] = [
  ["another id", { id: "WO-1" }, ["E001 WO-1"]],
  ["a pipe", { acceptance_commands: ["cat f1.txt | grep x"] }, ["E003 WO-01"]],
  ["and", { acceptance_commands: ["true && true"] }, ["E003 WO-01"]],
  ["a semicolon at a word", { acceptance_commands: ["true; true"] }, ["E003 WO-01"]],
  ["a redirection", { acceptance_commands: ["echo x >f1.txt"] }, ["E003 WO-01"]],
  ["a substitution", { acceptance_commands: ["echo $(date)"] }, ["E003 WO-01"]],
  [
    "operators inside quotes",
    { acceptance_commands: ["grep -q 'a|b;c' f1.txt", 'python3 -c "a = 1; b = a > 0"'] },
    [],
  ],
  ["a glob in a path", { allowed_files: ["f1.txt", "*.txt"] }, ["E004 WO-01"]],
  ["an unknown key", { extra: 1 }, ["E005 WO-01"]],
  ["Python that does not parse", { acceptance_commands: ['python3 -c "def f(:"'] }, ["E006 WO-01"]],
  ["a quotation that is not closed", { acceptance_commands: ["echo 'x"] }, ["E007 WO-01"]],
  [
    "a precondition that nothing fulfils",
    { preconditions: [{ kind: "file_exists", path: "nowhere" }] },
    ["E101 WO-01"],
  ],
  [
    "a file that is there already",
    { preconditions: [{ kind: "file_absent", path: "there.txt" }] },
    ["E101 WO-01"],
  ],
  [
    "a contradiction",
    {
      preconditions: [
        { kind: "file_exists", path: "there.txt" },
        { kind: "file_absent", path: "there.txt" },
      ],
    },
    ["E101 WO-01", "E102 WO-01"],
  ],
  [
    "a postcondition outside",
    {
      postconditions: [
        { kind: "file_exists", path: "f1.txt" },
        { kind: "file_exists", path: "other" },
      ],
    },
    ["E103 WO-01"],
  ],
  ["an allowed file without a postcondition", { postconditions: [] }, ["E104 WO-01"]],
];

test.each(WRONG)("%s", async (_, change, expected) => {
  expect(await codes(plannedOrder(1, change))).toEqual(expected);
});

test("a document that is not a list is E000", async () => {
  for (const document of [
    {},
    { work_orders: [] },
    { work_orders: {} },
    { work_orders: [order()], more: 1 },
    [],
  ]) {
    const { problems } = await checkPlan(document, new Set(), pythonProblem);
    expect(problems.map(({ code }) => code)).toEqual(["E000"]);
  }
});

function runPlan(workspace: Workspace, url: string, extra: string[] = []) {
  writeFileSync(join(workspace.dir, "spec.md"), "Make two files.\n");
  const argv = ["factory", "plan", "--spec", "spec.md", "--out", workspace.out, "--llm-model", "m", ...extra];
  return cliJson([...argv, "-c", `llm.factory.base_url=${url}`, "-c", "llm.factory.max_retries=0"], {
    env: env(),
    cwd: workspace.dir,
  });
}

const planReply = (...orders: unknown[]) => ({ content: JSON.stringify({ work_orders: orders }) });

test("all errors of a plan are returned to the model together, and the corrected plan is written", async () => {
  const workspace = makeWorkspace();
  model = replyingServer(
    planReply(plannedOrder(1, { id: "WO-7" }), plannedOrder(2, { postconditions: [] })),
    planReply(plannedOrder(1), plannedOrder(2)),
  );
  const { code, document } = await runPlan(workspace, model.url);
  expect(code).toBe(0);
  expect(document).toMatchObject({ verdict: "PASS", replies: 2, problems: [] });
  const message = model.requests[1]?.body.messages.at(-1)?.content ?? "";
  expect(message).toContain("E001 WO-7");
  expect(message).toContain("E104 WO-02");
  const orders = readdirSync(workspace.out).filter((name) => name.endsWith(".json"));
  expect(orders.sort()).toEqual(["WO-01.json", "WO-02.json"]);
  expect(JSON.parse(readFileSync(join(workspace.out, "WO-02.json"), "utf8"))).toEqual(plannedOrder(2));
  const again = await runPlan(workspace, model.url);
  expect(again.code).toBe(0);
  expect(model.requests.length).toBe(2);
});

test("an invalid plan is requested six times, and nothing is written", async () => {
  const workspace = makeWorkspace();
  model = replyingServer(planReply(plannedOrder(1, { id: "WO-7" })));
  const { code, document } = await runPlan(workspace, model.url, ["--repo", workspace.repo]);
  expect(code).toBe(7);
  expect(document).toMatchObject({
    verdict: "FAIL",
    replies: 6,
    files: [],
    problems: [{ code: "E001", id: "WO-7" }],
  });
  expect(model.requests.length).toBe(6);
  expect(model.requests[0]?.body.messages.at(-1)?.content).toContain("a.txt");
  expect(readdirSync(workspace.out).filter((name) => name.endsWith(".json"))).toEqual([]);
});

test("a folder with other documents is refused before any request", async () => {
  const workspace = makeWorkspace();
  model = replyingServer(planReply(plannedOrder(1)));
  const first = await runPlan(workspace, model.url);
  expect(first.code).toBe(0);
  writeFileSync(join(workspace.dir, "spec.md"), "Another one.\n");
  writeFileSync(join(workspace.out, "notes.json"), "{}");
  const other = makeWorkspace();
  const moved = await runPlan({ ...other, out: workspace.out }, model.url, ["--repo", other.repo]);
  expect(moved.code).toBe(2);
  expect(model.requests.length).toBe(1);
  expect(existsSync(join(workspace.out, "WO-01.json"))).toBe(true);
});
