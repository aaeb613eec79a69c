// One item through the real pipeline: real sandbox and gates, a scripted model behind real HTTP.
import { afterAll, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type Manifest, manifestSchema } from "../../../src/contract/manifest.ts";
import { OutputStore } from "../../../src/loops/item/output-store.ts";
import { verifyAtomSet } from "../../../src/runtime/atom-set.ts";
import { cli, cliJson } from "../../support/cli.ts";
import { type ModelServer, type Script, startModelServer } from "../../support/model-server.ts";
import { PROGRAM } from "../../support/program.ts";
import {
  ALL_STAGES,
  AT_ONCE,
  ENV,
  GOOD_A,
  GOOD_B,
  GOOD_C,
  GOOD_CONFIG,
  LOG,
  makeProject,
  type Project,
  pageOf,
  removeProjects,
  scriptedModel,
  WRONG_A,
  WRONG_B,
} from "./scripted.ts";

const servers: ModelServer[] = [];
afterAll(async () => {
  for (const server of servers) await server.stop();
  removeProjects();
});

interface Place extends Project {
  server: ModelServer;
  set: string;
  run(args: readonly string[]): Promise<{ code: number; document: Document; stderr: string }>;
  journal(): { type: string; stage?: string; iteration?: number; reason?: string }[];
}
interface Document {
  item_id: string;
  status: string;
  iterations: number;
  gates: Record<string, boolean | null>;
  errors: { gate?: string; message: string }[];
  usage: { calls: number };
  error?: { kind: string; message: string; hint?: string };
}

function place(script: Script, extra = ""): Place {
  const server = startModelServer(script);
  servers.push(server);
  const project = makeProject(server.url, ["CLK-1"], extra);
  const flags = ["--config", project.config, "--search-root", project.logs, "--seed", "7"];
  return {
    ...project,
    server,
    set: join(project.root, "output", "CLK-1"),
    run: async (args) => {
      const common = args[0] === "status" ? ["--config", project.config] : flags;
      const { code, document, stderr } = await cliJson([...args, ...common], { cwd: project.root, env: ENV });
      return { code, document: document as Document, stderr };
    },
    journal: () =>
      readFileSync(join(project.root, "cache", "item", "CLK-1", "journal.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
  };
}

function stagesOf(at: Place): string[] {
  return at
    .journal()
    .filter((event) => event.type === "stage_started")
    .map((event) => `${event.stage}/${event.iteration}`);
}

/** A model whose every submission of Atom A differs and is wrong. */
function neverRight(): Script {
  const model = scriptedModel({ a: [WRONG_A, WRONG_A], b: [GOOD_B, GOOD_B] });
  let attempt = 0;
  return async (request, number) => {
    const reply = await model(request, number);
    const call = reply.tool_calls?.[0];
    if (call?.name !== "submit_extract_context") return reply;
    attempt += 1;
    const code = (call.arguments as { code: string }).code.replace("i + 2", `i + ${attempt + 1}`);
    return { tool_calls: [{ ...call, arguments: { ...(call.arguments as object), code } }] };
  };
}

/** Asks a person until the request shows a hint. */
function asksUntilHinted(hint: string): Script {
  const model = scriptedModel(AT_ONCE);
  return (request, number) => {
    const told = request.messages.some((message) => message.content?.includes(hint) === true);
    const parsing = request.tools?.some((tool) => tool.function.name === "submit_extract_context") === true;
    if (told || !parsing) return model(request, number);
    return {
      tool_calls: [
        {
          name: "ask_person",
          arguments: { reasons: ["Two columns could be meant."], questions: ["Which column is the period?"] },
        },
      ],
    };
  };
}

test("every stage: a repair of Atom A that changes the records' shape has the logic written again", async () => {
  const at = place(scriptedModel(ALL_STAGES));
  const { code, document } = await at.run(["generate", at.spec]);
  expect([code, document.status, document.iterations]).toEqual([0, "accepted", 3]);
  expect(stagesOf(at)).toEqual([
    "load_spec/1",
    "preprocess/1",
    "agent_a/1",
    "agent_b/1",
    "validate/1",
    "reflect_a/2",
    "agent_b/2",
    "validate/2",
    "reflect_b/3",
    "validate/3",
    "done/3",
  ]);
  const set = await verifyAtomSet(at.set);
  expect(set.state).toBe("accepted");
  expect(set.sources.atom_a).toContain("period: match[2]");
  expect(readdirSync(join(at.root, "cache", "item", "CLK-1", "error_logs")).sort()).toEqual([
    "iteration_1.json",
    "iteration_2.json",
    "iteration_3.json",
  ]);
  expect(readdirSync(join(at.root, "cache", "item", "CLK-1", "stage_outputs")).sort()).toEqual([
    "agent_a_output.json",
    "agent_b_output.json",
    "discover_logs.json",
    "extraction.json",
    "load_spec.json",
    "preprocess.json",
    "reflect_a_output.json",
    "reflect_b_output.json",
    "validation_result.json",
  ]);
}, 30_000);

test("a repair that keeps the shape keeps the logic", async () => {
  const wrong = WRONG_A.replace("ns: match[2]", "period: match[2]");
  const at = place(scriptedModel({ a: [wrong, GOOD_A], b: [GOOD_B, GOOD_B] }));
  const { code } = await at.run(["generate", at.spec]);
  expect(code).toBe(0);
  expect(stagesOf(at).filter((stage) => stage.startsWith("agent_b"))).toEqual(["agent_b/1"]);
  expect(stagesOf(at).slice(-3)).toEqual(["reflect_a/2", "validate/2", "done/2"]);
}, 30_000);

test("an error of the logic alone is repaired by reflect_b", async () => {
  const at = place(scriptedModel({ a: [GOOD_A, GOOD_A], b: [WRONG_B, GOOD_B] }));
  expect((await at.run(["generate", at.spec])).code).toBe(0);
  expect(stagesOf(at).slice(-3)).toEqual(["reflect_b/2", "validate/2", "done/2"]);
}, 30_000);

test("after the last attempt a person is asked: stubs, report, best attempt; raising the limit goes on", async () => {
  const at = place(neverRight(), "execution: {max_iterations: 2}\n");
  const { code, document } = await at.run(["generate", at.spec]);
  expect([code, document.status, document.iterations]).toEqual([3, "human_required", 2]);
  const set = await verifyAtomSet(at.set);
  expect(set.state).toBe("stub");
  expect(set.sources.atom_a).toContain("Safe stub");
  const report = readFileSync(join(at.set, "human_intervention_report.md"), "utf8");
  expect(report).toContain("No attempt of 2 for CLK-1 passed all gates");
  // The smallest example that a gate gives: lines of the log, whichever they are.
  expect(report).toMatch(/CLOCK (core|bus) period \d/);
  expect(report).toContain("atomsmith resume CLK-1 --hint");
  expect(report).toContain("atomsmith resume CLK-1 --accept-edits");
  expect(report).toMatch(/atomsmith resume CLK-1 .*-c execution\.max_iterations=4$/m);
  const json = JSON.parse(readFileSync(join(at.set, "human_intervention_report.json"), "utf8"));
  expect(json.status).toBe("HUMAN_INTERVENTION_REQUIRED");
  expect(json.total_iterations).toBe(2);
  expect(json.error_history).toHaveLength(2);
  expect(json).toMatchObject({
    error_source: "atom_a",
    last_attempt: { iteration: 2 },
    best_attempt: { iteration: 2 },
  });
  expect(json.last_validation_errors).toEqual(json.last_attempt.validation_errors);
  expect(json.error_history.map((one: { error_source: string }) => one.error_source)).toEqual([
    "atom_a",
    "atom_a",
  ]);
  expect(report).toContain("## Errors of attempt 2, the last and the best");
  expect(json.page_advice.join(" ")).toMatch(
    /Sections 1 and 4\.1 may be ambiguous.*Compare section 4\.1.*Split the item/,
  );
  for (const advice of json.page_advice) expect(report).toContain(advice.slice(0, 40));
  const example: string = json.smallest_failing_example.example;
  expect(example).not.toBe("");
  expect(report).toContain(example);
  expect(readFileSync(join(at.set, "attempt", "atom_a.js"), "utf8")).toContain("extract_context");

  // Final: there is its result again, and no model is asked; a raised limit is a reason to go on.
  const asked = at.server.requests.length;
  const again = await at.run(["resume", "CLK-1"]);
  expect([again.code, again.document.status]).toEqual([3, "human_required"]);
  expect(again.document.errors).toEqual(document.errors);
  expect(at.server.requests).toHaveLength(asked);
  const raised = await at.run(["resume", "CLK-1", "-c", "execution.max_iterations=3"]);
  expect([raised.code, raised.document.iterations]).toEqual([3, 3]);
}, 30_000);

test("a model that asks gets its answer by --hint, and the item goes on where it asked", async () => {
  const at = place(asksUntilHinted("the second column"));
  const first = await at.run(["generate", at.spec]);
  expect([first.code, first.document.status, first.document.iterations]).toEqual([3, "human_required", 0]);
  const report = readFileSync(join(at.set, "human_intervention_report.md"), "utf8");
  expect(report).toContain("- Which column is the period?");
  expect(report).toContain("- Two columns could be meant.");
  expect(existsSync(join(at.set, "attempt"))).toBe(false);
  const second = await at.run(["resume", "CLK-1", "--hint", "it is the second column"]);
  expect([second.code, second.document.status, second.document.iterations]).toEqual([0, "accepted", 1]);
  // The page was not loaded again, and the report is gone.
  expect(stagesOf(at).filter((stage) => stage.startsWith("load_spec"))).toHaveLength(1);
  expect(existsSync(join(at.set, "human_intervention_report.md"))).toBe(false);
}, 30_000);

test("edited atoms are gated: bad ones stay where they are, good ones are accepted", async () => {
  const at = place(neverRight(), "execution: {max_iterations: 1}\n");
  expect((await at.run(["generate", at.spec])).code).toBe(3);
  const file = join(at.set, "attempt", "atom_a.js");
  writeFileSync(file, `${WRONG_A}// mine\n`);
  const rejected = await at.run(["resume", "CLK-1", "--accept-edits"]);
  expect([rejected.code, rejected.document.status]).toEqual([3, "human_required"]);
  expect(rejected.document.errors.length).toBeGreaterThan(0);
  expect(readFileSync(file, "utf8")).toContain("// mine");
  expect((await verifyAtomSet(at.set)).state).toBe("stub");
  writeFileSync(file, `${GOOD_A}// mine\n`);
  const calls = at.server.requests.length;
  const accepted = await at.run(["resume", "CLK-1", "--accept-edits"]);
  expect([accepted.code, accepted.document.status]).toEqual([0, "accepted"]);
  expect(at.server.requests.length).toBe(calls);
  const set = await verifyAtomSet(at.set);
  expect(set.state).toBe("accepted");
  expect(set.sources.atom_a).toContain("// mine");
}, 30_000);

test("atoms written by hand where no code ever came are proved on the logs their config names", async () => {
  const at = place(asksUntilHinted("never said"));
  expect((await at.run(["generate", at.spec])).code).toBe(3);
  const write = (name: string, text: string): Promise<number> =>
    Bun.write(join(at.set, "attempt", name), text);
  await write("atom_a.js", GOOD_A);
  await write("atom_b.js", GOOD_B);
  await write("atom_c.js", GOOD_C);
  await write("config.yaml", GOOD_CONFIG);
  const { code } = await at.run(["resume", "CLK-1", "--accept-edits"]);
  expect(code).toBe(0);
  const set = await verifyAtomSet(at.set);
  expect(set.state === "accepted" && set.manifest.evidence.map((file) => file.path)).toEqual(["clocks.rpt"]);
}, 30_000);

test("a server that fails is no result: exit 4, and resume goes on in the same stage without a repeated call", async () => {
  let broken = true;
  const model = scriptedModel(AT_ONCE);
  const at = place((request, number) => {
    const logic = request.tools?.some((tool) => tool.function.name === "submit_logic") === true;
    if (logic && broken) return { http: { status: 500, body: "{}" } };
    return model(request, number);
  });
  const failed = await at.run(["generate", at.spec]);
  expect([failed.code, failed.document.status, failed.document.error?.kind]).toEqual([
    4,
    "error",
    "provider",
  ]);
  expect(existsSync(at.set)).toBe(false);
  const status = await at.run(["status", "CLK-1"]);
  expect(status.document).toMatchObject({ state: "unfinished", stage: "agent_b" });
  broken = false;
  at.server.requests.length = 0;
  const resumed = await at.run(["resume", "CLK-1"]);
  expect(resumed.code).toBe(0);
  expect(at.server.requests).toHaveLength(1);
  // What was spent before counts.
  expect(resumed.document.usage.calls).toBe(4);
}, 30_000);

test("--from and --checkpoint begin where a person says; what cannot run there is refused", async () => {
  const at = place(scriptedModel(ALL_STAGES));
  expect((await at.run(["generate", at.spec])).code).toBe(0);
  const from = await at.run(["resume", "CLK-1", "--from", "validate"]);
  expect([from.code, from.document.iterations]).toEqual([0, 4]);
  for (const [flag, value, words] of [
    ["--from", "somewhere", "no stage"],
    ["--from", "done", "no stage"],
    ["--checkpoint", "2020010101_010101", "no readable checkpoint"],
  ] as const) {
    const refused = await at.run(["resume", "CLK-1", flag, value]);
    expect([refused.code, refused.document.error?.message]).toEqual([2, expect.stringContaining(words)]);
  }
  const { document } = await at.run(["status", "CLK-1"]);
  const { checkpoints } = document as unknown as { checkpoints: string[] };
  const early = await at.run(["resume", "CLK-1", "--checkpoint", checkpoints[0] ?? ""]);
  expect([early.code, early.document.status]).toEqual([0, "accepted"]);
}, 40_000);

test("an edited page begins the item anew and keeps the hints", async () => {
  const at = place(asksUntilHinted("second column"));
  expect((await at.run(["generate", at.spec])).code).toBe(3);
  writeFileSync(at.spec, pageOf("CLK-1").replace("Read the clock report.", "Read the report of the clocks."));
  const { code } = await at.run(["resume", "CLK-1", "--hint", "the second column"]);
  expect(code).toBe(0);
  expect(stagesOf(at).filter((stage) => stage.startsWith("load_spec"))).toHaveLength(2);
}, 30_000);

function manifestOf(at: { set: string }): Manifest {
  return manifestSchema.parse(JSON.parse(readFileSync(join(at.set, "manifest.json"), "utf8")));
}

test("a set holds no path of the machine that made it, and is the same set somewhere else", async () => {
  const at = place(scriptedModel(AT_ONCE));
  expect((await at.run(["generate", at.spec])).code).toBe(0);
  const text = readFileSync(join(at.set, "manifest.json"), "utf8");
  expect(text).not.toContain(dirname(at.spec));
  const { spec } = manifestOf(at);
  expect(realpathSync(join(at.set, spec.path))).toBe(realpathSync(at.spec));
  const moved = join(dirname(at.spec), "elsewhere/CLK-1");
  cpSync(at.set, moved, { recursive: true });
  expect((await verifyAtomSet(moved)).state).toBe("accepted");
  // As older programs wrote it.
  writeFileSync(
    join(moved, "manifest.json"),
    text.replace(JSON.stringify(spec.path), JSON.stringify(at.spec)),
  );
  expect((await verifyAtomSet(moved)).state).toBe("accepted");
}, 30_000);

const EXAMPLE = "CLOCK usb period 20.83 ns\n---\nvalue: usb\nperiod: 20.83\n";
const CHECK =
  '```check\nrequirements: {value: 2, pattern_items: ["core", "bus"]}\nwaivers: {value: N/A}\n```';

test("a page that says all exactly: no author of the logic is asked, the examples are proved", async () => {
  const at = place(scriptedModel(AT_ONCE));
  const page = pageOf("CLK-1")
    .replace("- **Fields**", `\`\`\`example\n${EXAMPLE}\`\`\`\n- **Fields**`)
    .replace(/Type 2, two patterns[\s\S]*?`bus`/, `The clocks of the core.\n\n${CHECK}`)
    .replace("### 4.2 Special Scenarios\nNone.", "### 4.2 Special Scenarios\n");
  writeFileSync(at.spec, page);
  const { code, document } = await at.run(["generate", at.spec]);
  expect([code, document.status, document.iterations]).toEqual([0, "accepted", 1]);
  expect(document.gates).toMatchObject({ gate4_examples: true, consistency: true });
  const tools = at.server.requests.flatMap(({ body }) => body.tools?.map((tool) => tool.function.name) ?? []);
  expect(tools).not.toContain("submit_logic");
  const set = await verifyAtomSet(at.set);
  expect(set.sources.atom_b).toBe(GOOD_B);
  expect(set.sources.config).toBe(
    `description: The clocks of the core.\ninput_files:\n  - clocks.rpt\n${CHECK.split("\n").slice(1, -1).join("\n")}\nwitnesses:\n  - end of report\n`,
  );
  expect(manifestOf(at).witnesses).toEqual({ patterns: ["end of report"], from_page: false });
  // A person's config that says something else than the block is not accepted.
  mkdirSync(join(at.set, "attempt"), { recursive: true });
  for (const name of ["atom_a.js", "atom_b.js", "atom_c.js"]) {
    writeFileSync(join(at.set, "attempt", name), readFileSync(join(at.set, name)));
  }
  writeFileSync(
    join(at.set, "attempt", "config.yaml"),
    set.sources.config.replace(
      '2, pattern_items: ["core", "bus"]',
      '1, pattern_items: ["core"], extra: info',
    ),
  );
  const edited = await at.run(["resume", "CLK-1", "--accept-edits"]);
  expect(edited.code).toBe(3);
  expect(edited.document.errors.map(({ message }) => message).join()).toContain(
    "The check block of the page says",
  );
}, 30_000);

test("a wrong witness is repaired by the author of Atom A, with the same code", async () => {
  const witnesses: [string[], string[]] = [["Clock report"], ["regex:^end of report$"]];
  const at = place(scriptedModel({ ...AT_ONCE, witnesses }));
  expect((await at.run(["generate", at.spec])).code).toBe(0);
  expect(stagesOf(at).slice(-3)).toEqual(["reflect_a/2", "validate/2", "done/2"]);
  const { sources } = await verifyAtomSet(at.set);
  expect(sources.config).toContain("witnesses:\n  - regex:^end of report$\n");
  expect(manifestOf(at).witnesses).toEqual({ patterns: ["regex:^end of report$"], from_page: false });
  const texts = at.server.requests.map(({ body }) => JSON.stringify(body));
  expect(texts.filter((text) => text.includes("still occurs in")).length).toBe(1);
  // Whoever writes the logic is not shown them.
  const logic = texts.filter((text) => text.includes("submit_logic"));
  expect(logic.length).toBeGreaterThan(0);
  expect(logic.filter((text) => text.includes("end of report"))).toEqual([]);
}, 30_000);

test("the witness of the page counts, and a wrong one is the person's", async () => {
  const at = place(scriptedModel({ ...AT_ONCE, witnesses: [["Clock report"], ["Clock report"]] }));
  const page = (witness: string) =>
    pageOf("CLK-1").replace("- **Fields**", `\`\`\`witness\n${witness}\n\`\`\`\n- **Fields**`);
  writeFileSync(at.spec, page("regex:^end of re"));
  expect((await at.run(["generate", at.spec])).code).toBe(0);
  expect(manifestOf(at).witnesses).toEqual({ patterns: ["regex:^end of re"], from_page: true });
  writeFileSync(at.spec, page("Clock report"));
  expect((await at.run(["generate", at.spec])).code).toBe(3);
  const report = readFileSync(join(at.set, "pending", "human_intervention_report.md"), "utf8");
  expect(report).toContain("Correct the witness block of the page.");
}, 30_000);

test("a wrong field is found by the example of the page and repaired", async () => {
  const wrong = GOOD_A.replace("period: match[2]", "period: match[1]");
  const at = place(scriptedModel({ a: [wrong, GOOD_A], b: [GOOD_B, GOOD_B] }));
  writeFileSync(
    at.spec,
    pageOf("CLK-1").replace("- **Fields**", `\`\`\`example\n${EXAMPLE}\`\`\`\n- **Fields**`),
  );
  expect((await at.run(["generate", at.spec])).code).toBe(0);
  expect(stagesOf(at).slice(-3)).toEqual(["reflect_a/2", "validate/2", "done/2"]);
  const repair = at.server.requests
    .map(({ body }) => JSON.stringify(body.messages))
    .find((text) => text.includes("gate4_examples"));
  expect(repair).toContain("example_differs");
}, 30_000);

test("resume --example answers: the author is told, the gates prove it, the item keeps it and is up to date", async () => {
  const at = place(asksUntilHinted("CLOCK usb period 20.83 ns"));
  expect((await at.run(["generate", at.spec])).code).toBe(3);
  const report = readFileSync(join(at.set, "human_intervention_report.md"), "utf8");
  expect(report).toContain("atomsmith resume CLK-1 --example -");
  writeFileSync(join(at.root, "answer.md"), EXAMPLE);
  writeFileSync(join(at.root, "check.md"), `It is\n\n${CHECK}\n`);
  const wrong = ["resume", "CLK-1", "--example", "no-such.md"];
  expect(await at.run(wrong)).toMatchObject({
    code: 2,
    document: { error: { kind: "usage", message: expect.stringContaining("no-such.md") } },
  });
  const second = await at.run(["resume", "CLK-1", "--example", "answer.md", "--example", "check.md"]);
  expect([second.code, second.document.status]).toEqual([0, "accepted"]);
  expect(second.document.gates["gate4_examples"]).toBe(true);
  expect(stagesOf(at).filter((stage) => stage.startsWith("load_spec"))).toHaveLength(1);
  const status = await at.run(["status", "CLK-1"]);
  expect(status.document).toMatchObject({ answers: [`\`\`\`example\n${EXAMPLE}\`\`\``, CHECK] });
  const batch = await cliJson(["batch", at.specs, "--config", at.config, "--search-root", at.logs], {
    cwd: at.root,
    env: ENV,
  });
  expect(batch.document).toMatchObject({ items: [{ status: "accepted", up_to_date: true }] });
  // A page that changed begins anew, with the answers.
  writeFileSync(at.spec, pageOf("CLK-1").replace("Read the clock report.", "Read the report of the clocks."));
  const again = await at.run(["generate", at.spec]);
  expect([again.code, again.document.gates["gate4_examples"]]).toEqual([0, true]);
  // Nothing new is no reason to go on: the result is said again.
  const requests = at.server.requests.length;
  const same = await at.run(["resume", "CLK-1"]);
  expect([same.code, same.document.status]).toEqual([0, "accepted"]);
  expect(same.document.gates).toEqual(again.document.gates);
  expect(at.server.requests).toHaveLength(requests);
}, 60_000);

test("resume --example reads standard input, and refuses what is no block or contradicts the page", async () => {
  const at = place(asksUntilHinted("CLOCK usb period 20.83 ns"));
  writeFileSync(at.spec, pageOf("CLK-1").replace("Type 2, two", `${CHECK}\n\nType 2, two`));
  expect((await at.run(["generate", at.spec])).code).toBe(3);
  const flags = ["--config", at.config, "--search-root", at.logs, "--seed", "7"];
  const give = (stdin: string) =>
    cli(["resume", "CLK-1", "--example", "-", ...flags], { cwd: at.root, env: ENV, stdin });
  for (const [stdin, said] of [
    ["just some words", "An example needs a line `---`"],
    ["CLOCK a period 1 ns\n---\nvalue: b", "`value: b` is not in the example's log text"],
    [CHECK, "The page already has a check block"],
  ] as const) {
    const run = await give(stdin);
    expect([run.code, run.stdout]).toEqual([2, ""]);
    expect(run.stderr).toContain(said);
  }
  const twice = await cli(["resume", "CLK-1", "--example", "-", "--example", "-", ...flags], {
    cwd: at.root,
    env: ENV,
  });
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining("can be given only once")]);
  const process_ = Bun.spawn([...PROGRAM, "resume", "CLK-1", "--example", "-", ...flags], {
    cwd: at.root,
    env: ENV,
    stdin: Buffer.from("words through a pipe"),
    stdout: "ignore",
    stderr: "pipe",
  });
  expect(await new Response(process_.stderr).text()).toContain(
    "--example -: The example block cannot be read.",
  );
  expect(await process_.exited).toBe(2);
  const run = await give(EXAMPLE);
  expect([run.code, run.stdout]).toEqual([0, expect.stringContaining("accepted")]);
}, 40_000);

test("path variables are resolved for Agent A and left for Agent B", async () => {
  const at = place(scriptedModel(AT_ONCE));
  const page = pageOf("CLK-1")
    .replace("The report is `clocks.rpt`", "The report is `${LOG_ROOT}/clocks.rpt`")
    .replace("### 4.2 Special Scenarios\nNone.", "### 4.2 Special Scenarios\nAlso under ${DESIGN_ROOT}.");
  writeFileSync(at.spec, page);
  mkdirSync(join(at.logs, "logs"));
  expect((await at.run(["generate", at.spec])).code).toBe(0);
  const [first, last] = [at.server.requests[0], at.server.requests.at(-1)];
  expect(JSON.stringify(first?.body)).toContain(`${at.logs}/logs/clocks.rpt`);
  expect(JSON.stringify(last?.body)).toContain("${DESIGN_ROOT}");
}, 30_000);

test("an item held by another process is left alone: exit 2", async () => {
  const at = place(scriptedModel(AT_ONCE));
  expect((await at.run(["generate", at.spec])).code).toBe(0);
  const holder = Bun.spawn(["sleep", "60"]);
  const stat = readFileSync(`/proc/${holder.pid}/stat`, "utf8");
  const start = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  const { hostname } = await import("node:os");
  writeFileSync(
    join(at.root, "cache", "item", "CLK-1", "lock"),
    JSON.stringify({ token: "x", host: hostname(), pid: holder.pid, start, boot: null, since: "now" }),
  );
  const refused = await at.run(["generate", at.spec]);
  expect([refused.code, refused.document.error?.message]).toEqual([
    2,
    expect.stringContaining(`process ${holder.pid}`),
  ]);
  expect((await at.run(["status", "CLK-1"])).document).toMatchObject({ state: "running" });
  holder.kill();
  await holder.exited;
}, 30_000);

test("an output that another process writes is left alone, whatever its cache: exit 2, and no model is asked", async () => {
  const at = place(scriptedModel(AT_ONCE));
  const holder = await OutputStore.open(join(at.set, ".."), "CLK-1");
  const refused = await at.run(["generate", at.spec]);
  expect([refused.code, refused.document.error?.message]).toEqual([
    2,
    expect.stringContaining(`process ${process.pid}`),
  ]);
  expect(at.server.requests).toHaveLength(0);
  await holder.close();
  // The refused run let go of the item.
  expect((await at.run(["generate", at.spec])).code).toBe(0);
}, 30_000);

test("a page that cannot be used is exit 2 and leaves nothing behind", async () => {
  const at = place(scriptedModel(AT_ONCE));
  writeFileSync(at.spec, pageOf("CLK-1").replace("Type 2, two patterns", "{TODO: which type?}"));
  const { code, document } = await at.run(["generate", at.spec]);
  expect([code, document.error?.kind]).toEqual([2, "spec"]);
  expect(existsSync(join(at.root, "cache"))).toBe(false);
  expect(existsSync(at.set)).toBe(false);
  const missing = await cli(["generate", "nowhere.md"], { cwd: at.root });
  expect([missing.code, missing.stdout]).toEqual([2, ""]);
});

test("the same folder for output and cache, and a search root that is not there, are told before anything runs", async () => {
  const at = place(scriptedModel(AT_ONCE));
  const same = await cliJson(["generate", at.spec, "--out", "x", "--cache", "x", "--search-root", at.logs], {
    cwd: at.root,
  });
  expect(same.code).toBe(2);
  const gone = await cliJson(["generate", at.spec, "--search-root", join(at.root, "gone")], { cwd: at.root });
  expect([gone.code, JSON.stringify(gone.document)]).toEqual([2, expect.stringContaining("--search-root")]);
});

test("keys and passwords of logs and of the run stand nowhere in the store, and what was masked is still resumable", async () => {
  const at = place(scriptedModel(ALL_STAGES));
  const secret = "hunter2-Very-Secret";
  writeFileSync(join(at.logs, "clocks.rpt"), LOG.replace("some other line", `login password=${secret} ok`));
  expect((await at.run(["generate", at.spec])).code).toBe(0);
  const files = readdirSync(at.root, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  const holding = files
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => {
      const text = readFileSync(path, "utf8");
      return text.includes(secret) || text.includes(ENV.TEST_KEY);
    });
  expect(holding).toEqual([join(at.logs, "clocks.rpt")]);
  expect(files.some((file) => file.name === "agent_turns.jsonl")).toBe(true);
  expect((await at.run(["resume", "CLK-1", "--from", "agent_b"])).code).toBe(0);
}, 30_000);
