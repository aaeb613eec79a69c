// The hand-over of ItemSpecs and its tools: nothing is lost or handed out twice, and nothing is accepted that
// the program did not validate, regardless of the model.
import { afterEach, expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { itemTrials } from "../../../src/batch/item-trials.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { EventBus } from "../../../src/core/event-bus.ts";
import {
  createJob,
  type JobStore,
  jobFolder,
  loadAgentConfig,
  openJobs,
} from "../../../src/loops/agent/index.ts";
import type { Submission } from "../../../src/loops/agent/jobs/submissions.ts";
import { say } from "../../../src/loops/agent/prompts.ts";
import { firstState } from "../../../src/loops/agent/schemas.ts";
import { TOOLS, toolSet } from "../../../src/loops/agent/tools/registry.ts";
import type { Outcome, ToolContext } from "../../../src/loops/agent/tools/types.ts";
import { Refused, Workspace } from "../../../src/loops/agent/workspace/workspace.ts";
import { folders } from "../../support/folder.ts";
import { pageOf, REQUIREMENTS } from "./sample/requirements.ts";

const folder = folders("agent-items");
const FIXTURES = join(import.meta.dir, "../../../fixtures");
const LOGS = join(FIXTURES, "project");
const CHECKLIST = join(FIXTURES, "creator/documents/checklist.md");
const WANTED = REQUIREMENTS[3]; // CK-04

type Use = (name: string, args?: object) => Promise<Outcome>;

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const trials of open.splice(0)) await trials.close();
});

interface Project {
  cwd: string;
  jobs: JobStore;
  /** Sandboxes started so far. */
  sandboxes(): number;
  /** A job with its tools. */
  job(id: string, agent: "creator" | "validator"): Promise<Use>;
}

async function project(settings: string[] = []): Promise<Project> {
  const cwd = folder();
  const { config } = await loadConfig({ cwd, env: {}, settings });
  const jobsFolder = config.loops.agent.workspace;
  const jobs = openJobs(jobsFolder);
  const bus = new EventBus("items");
  let sandboxes = 0;
  bus.subscribe((event) => {
    if (event.type === "sandbox" && "what" in event && event.what === "level") sandboxes += 1;
  });
  const trials = itemTrials({ config, bus, env: {}, commandFlags: [] }, config.paths.output_dir);
  open.push(trials);
  return {
    cwd,
    jobs,
    sandboxes: () => sandboxes,
    async job(id, name) {
      const agent = loadAgentConfig(name, config.loops.agent.configs, cwd);
      const documents = name === "creator" ? [{ from: CHECKLIST, place: "checklist.md" }] : [];
      const more = { workspace: jobsFolder, jobs, documents, documentDirs: [], searchRoot: LOGS, id };
      if (jobs.get(id) === undefined) await createJob({ agent, description: "x", ...more });
      const workspace = new Workspace(jobFolder(jobsFolder, id));
      const context = {
        state: firstState(id),
        config,
        agent: agent.config,
        workspace,
        searchRoot: LOGS,
        jobs,
        jobsFolder,
        toolsOf: toolSet,
        trials,
        say,
        signal: new AbortController().signal,
      } as unknown as ToolContext;
      return async (tool, args = {}) => {
        const found = TOOLS.find((one) => one.name === tool);
        if (found === undefined) throw new Error(`no tool ${tool}`);
        try {
          const outcome = await found.call(args, context);
          for (const op of outcome.ops) await workspace.apply(op);
          return outcome;
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          return { ok: false, text: error.message, isData: false, ops: [], patch: {} };
        }
      };
    },
  };
}

const PATH = "output/CK-04_ItemSpec.md";

/** The page of CK-04 in the job of a creator, cited. */
async function written(use: Use, change: (page: string) => string = (page) => page): Promise<void> {
  if (WANTED === undefined) throw new Error("no requirement");
  await use("extract_document_text", { path: "documents/checklist.md" });
  const cite = {
    path: "documents/checklist.md",
    page: 1,
    quote: WANTED.text,
    claim: "The deck is asked for",
  };
  expect((await use("cite_document", cite)).text).toContain("Stored as C");
  const listed = await use("list_citations");
  await use("write_file", { path: PATH, content: change(pageOf(WANTED, listed.text.split("\n"))) });
}

test("from the creator to the project: lint, trial, submission, proof", async () => {
  const { cwd, jobs, job, sandboxes } = await project();
  const creator = await job("c", "creator");
  await written(creator);
  expect((await creator("spec_lint", { path: PATH })).text).toContain("Ready to be submitted");
  const tried = await creator("try_item", { path: PATH });
  expect(tried.text).toContain("CK-04: ACCEPTED (author: offline, 1 attempt)");
  expect(tried.text).toContain('drc/soc_top.drc.rpt:2 "2025.11"');
  expect(tried.text).toContain("The check today: PASS");
  expect(tried.text.length).toBeLessThan(1_500);
  expect((await creator("submit_item_spec", { path: PATH })).text).toBe(
    "CK-04 is submitted as S1 (submitted).",
  );
  // Twice, as after a crash.
  expect((await creator("submit_item_spec", { path: PATH })).text).toBe(
    "CK-04 is submitted as S1 (submitted).",
  );
  expect(jobs.submissions.list()).toHaveLength(1);

  const validator = await job("v", "validator");
  expect((await validator("next_item_spec")).text).toContain("inbox/CK-04_ItemSpec.md");
  expect((await validator("next_item_spec")).text).toContain("Submission S1 ");
  const accept = { submission_id: "S1", decision: "accept", reasons: "compared" };
  const other = await job("w", "validator");
  expect((await other("next_item_spec")).text).toBe("No ItemSpec waits for a decision.");
  expect((await other("decide_item_spec", accept)).text).toContain("not assigned");
  const early = await validator("decide_item_spec", accept);
  expect(early).toMatchObject({
    ok: false,
    text: expect.stringContaining("try_item was not called with this text"),
  });
  await validator("try_item", { path: "inbox/CK-04_ItemSpec.md" });
  // Trials share it.
  expect(sandboxes()).toBe(1);
  expect(await validator("decide_item_spec", accept)).toMatchObject({ ok: true });
  expect(await validator("decide_item_spec", accept)).toMatchObject({ ok: true });
  expect(await validator("decide_item_spec", { ...accept, decision: "reject" })).toMatchObject({ ok: false });

  const page = readFileSync(join(cwd, "item_specs/CK-04_ItemSpec.md"), "utf8");
  expect(page).toBe(readFileSync(join(cwd, "workspace/job_c", PATH), "utf8"));
  const proof = JSON.parse(readFileSync(join(cwd, "item_specs/CK-04_ItemSpec.proof.json"), "utf8"));
  expect(proof).toMatchObject({ submission: "S1", set: { author: "offline" }, citations: [{ id: "C1" }] });
  const manifest = JSON.parse(readFileSync(join(cwd, "output/CK-04/manifest.json"), "utf8"));
  expect(manifest).toMatchObject({
    status: "accepted",
    spec: { path: "../../item_specs/CK-04_ItemSpec.md" },
  });
  expect((await creator("find_similar_items", { path: PATH })).text).not.toContain("items/CK-04");
  jobs.close();
}, 60_000);

test("what the program refuses to hand over", async () => {
  const { job, jobs } = await project();
  const creator = await job("c", "creator");
  const refusal = async (change: (page: string) => string): Promise<string> => {
    await written(creator, change);
    const { ok, text } = await creator("submit_item_spec", { path: PATH });
    expect(ok).toBe(false);
    return text;
  };
  expect(await refusal((page) => page.replace("deck revision", "deck  REVISION of"))).toContain(
    "copy it from there unchanged",
  );
  expect(await refusal((page) => page.replace("[C1]", "[C7]"))).toContain("no such citation");
  expect(await refusal((page) => page.replace(/<!--[\s\S]*-->/, ""))).toContain("There is no citation");
  expect(await refusal((page) => page.replace(/```check[\s\S]*?```/, ""))).toContain("no check block");
  expect(
    await refusal((page) => page.replaceAll("sky130A_mr", "other").replace("03:12:55", "03:12:56")),
  ).toContain("No worked example occurs in a log");
  expect(await refusal((page) => page.replace("## 2. Check Logic", "## 9. Else"))).toContain(
    "missing_section",
  );
  expect(jobs.submissions.list()).toEqual([]);
  jobs.close();
}, 60_000);

test("a document that the model wrote itself proves nothing", async () => {
  const { job, jobs } = await project();
  const creator = await job("c", "creator");
  await creator("write_file", { path: "documents/own.md", content: "DRC may be skipped in this release.\n" });
  await creator("extract_document_text", { path: "documents/own.md" });
  const cite = { path: "documents/own.md", page: 1, quote: "DRC may be skipped", claim: "DRC is optional" };
  await creator("cite_document", cite);
  await written(creator, (page) => page);
  const listed = (await creator("list_citations")).text.split("\n");
  if (WANTED === undefined) throw new Error("no requirement");
  await creator("write_file", { path: PATH, content: pageOf(WANTED, listed) });
  const { ok, text } = await creator("submit_item_spec", { path: PATH });
  expect({ ok, text }).toMatchObject({
    ok: false,
    text: expect.stringContaining("is not a document of the job"),
  });
  jobs.close();
}, 60_000);

test("a quote that becomes invalid after the submission prevents acceptance", async () => {
  const { cwd, job, jobs } = await project();
  const creator = await job("c", "creator");
  await written(creator);
  await creator("submit_item_spec", { path: PATH });
  const validator = await job("v", "validator");
  await validator("next_item_spec");
  await validator("try_item", { path: "inbox/CK-04_ItemSpec.md" });
  const document = join(cwd, "workspace/job_c/documents/checklist.md");
  writeFileSync(document, readFileSync(document, "utf8").replace("2025.11", "2026.01"));
  const accept = { submission_id: "S1", decision: "accept", reasons: "compared" };
  const refused = await validator("decide_item_spec", accept);
  expect(refused).toMatchObject({ ok: false, text: expect.stringContaining("[C1] is invalid") });
  copyFileSync(CHECKLIST, document);
  // Another page of the same id in the project is not written over.
  mkdirSync(join(cwd, "item_specs"));
  writeFileSync(join(cwd, "item_specs/CK-04_ItemSpec.md"), "# of a person\n");
  expect((await validator("decide_item_spec", accept)).text).toContain("another page of CK-04");
  expect(existsSync(join(cwd, "output/CK-04"))).toBe(false);
  rmSync(join(cwd, "item_specs/CK-04_ItemSpec.md"));
  // Neither is a set that a person wrote.
  mkdirSync(join(cwd, "output/CK-04"), { recursive: true });
  writeFileSync(join(cwd, "output/CK-04/atom_a.js"), "// of a person\n");
  expect((await validator("decide_item_spec", accept)).text).toContain("contains a set of another page");
  expect(existsSync(join(cwd, "item_specs/CK-04_ItemSpec.md"))).toBe(false);
  rmSync(join(cwd, "output/CK-04"), { recursive: true });
  expect(await validator("decide_item_spec", accept)).toMatchObject({ ok: true });
  jobs.close();
}, 60_000);

test("a page goes back as a job of its creator, with documents and citations, until a page needs review", async () => {
  const { cwd, job, jobs } = await project(["loops.agent.max_returns=1"]);
  await written(await job("c", "creator"));
  await (await job("c", "creator"))("submit_item_spec", { path: PATH });
  const validator = await job("v", "validator");
  await validator("next_item_spec");
  const reject = {
    submission_id: "S1",
    decision: "reject",
    reasons: "Section 2 asks for less than the quote.",
  };
  expect((await validator("decide_item_spec", reject)).text).toContain("as job redo-S1");
  expect((await validator("decide_item_spec", reject)).text).toContain("as job redo-S1");
  const instructions = readFileSync(join(cwd, "workspace/job_redo-S1/instructions.md"), "utf8");
  expect(instructions).toContain("Section 2 asks for less than the quote.");
  expect(jobs.get("redo-S1")).toMatchObject({ agent_id: "creator", status: "created", search_root: LOGS });

  const again = await job("redo-S1", "creator");
  expect((await again("list_cited", { path: PATH })).text).toContain("HOLDS");
  await again("edit_file", { path: PATH, old: "agreed one", new: "agreed one, 2025.11" });
  expect((await again("submit_item_spec", { path: PATH })).text).toContain("S2");
  expect(jobs.submissions.get("S2")).toMatchObject({ round: 1, creator_job: "redo-S1" });
  await validator("next_item_spec");
  const second = await validator("decide_item_spec", { ...reject, submission_id: "S2" });
  expect(second.text).toContain("a person must look at it");
  expect(jobs.get("redo-S2")).toBeUndefined();
  expect((await again("submit_item_spec", { path: PATH })).text).toContain("already sent back as S2");
  jobs.close();
}, 60_000);

const submission = (n: number): Parameters<JobStore["submissions"]["submit"]>[0] => ({
  item_id: `I-${n}`,
  page: `page ${n}`,
  sha256: String(n).padStart(64, "0"),
  citations: [],
  creator_job: "c",
  search_root: "/logs",
});

test("what a job held that ended is free again; one that lives keeps it", () => {
  const jobs = openJobs(folder());
  const request = { agent_id: "validator", config_ref: "validator", description: "x", search_root: "" };
  for (const id of ["v", "w"]) jobs.create(id, request);
  jobs.submissions.submit(submission(1));
  expect(jobs.submissions.next("v")?.id).toBe("S1");
  expect(jobs.submissions.next("w")).toBeUndefined();
  const taken = jobs.get("v");
  if (taken === undefined) throw new Error("no job");
  jobs.claim(taken, "worker", Date.now());
  expect(jobs.submissions.next("w")).toBeUndefined();
  jobs.release("v", "worker", { status: "failed" });
  expect(jobs.submissions.newestFree()?.id).toBe("S1");
  expect(jobs.submissions.next("w")?.id).toBe("S1");
  expect(jobs.submissions.decide("S1", "v", { status: "accepted", reasons: "late" })).toBe("lost");
  expect(jobs.submissions.decide("S1", "w", { status: "accepted", reasons: "ok" })).toBe("done");
  expect(jobs.submissions.decide("S1", "w", { status: "accepted", reasons: "ok" })).toBe("again");
  jobs.close();
});

/** Takes and decides submissions one by one until none is left. */
const WORKER = `
const { openJobs } = await import(process.argv[1]);
const jobs = openJobs(process.argv[2]);
const me = process.argv[3];
for (let taken = jobs.submissions.next(me); taken; taken = jobs.submissions.next(me)) {
  const request = { agent_id: "creator", config_ref: "creator", description: taken.id, search_root: "" };
  const decision = { status: "rejected", reasons: me, job: { id: "redo-" + taken.id, request } };
  if (jobs.submissions.decide(taken.id, me, decision) === "done") console.log(taken.id);
}
`;

test("killed workers lose nothing and decide nothing twice", async () => {
  const cwd = folder();
  const jobs = openJobs(cwd);
  const request = { agent_id: "validator", config_ref: "validator", description: "x", search_root: "" };
  const COUNT = 300;
  for (let n = 0; n < COUNT; n += 1) jobs.submissions.submit(submission(n));
  const module = join(import.meta.dir, "../../../src/loops/agent/index.ts");
  const said: string[] = [];
  for (let round = 0; jobs.submissions.newestFree() !== undefined; round += 1) {
    const names = [`v${round}`, `w${round}`];
    for (const name of names) jobs.create(name, request);
    const running = names.map((name) =>
      Bun.spawn([process.execPath, "-e", WORKER, module, cwd, name], { stdout: "pipe", stderr: "inherit" }),
    );
    const outputs = running.map((child) => new Response(child.stdout).text());
    if (round < 4) {
      while (jobs.submissions.list().filter(({ status }) => status === "rejected").length < 40 * (round + 1))
        await Bun.sleep(5);
      for (const child of running) child.kill("SIGKILL");
    }
    for (const child of running) await child.exited;
    said.push(
      ...(await Promise.all(outputs)).flatMap((out) => out.split("\n").filter((line) => line !== "")),
    );
    // Their jobs ended with them, as the next worker finds out.
    for (const name of names) {
      const dead = jobs.get(name);
      if (dead !== undefined) jobs.finish(dead, { status: "failed" });
    }
  }
  expect(new Set(said).size).toBe(said.length);
  const all: Submission[] = jobs.submissions.list();
  expect(all.map(({ status }) => status)).toEqual(Array(COUNT).fill("rejected"));
  for (const { id } of all) expect(jobs.get(`redo-${id}`)?.description).toBe(id);
  jobs.close();
}, 120_000);
