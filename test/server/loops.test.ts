// Design projects, agents and the factory over HTTP: every action is the command, and changes by other processes are
// visible.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Job } from "../../src/server/jobs/record.ts";
import type {
  AgentFilesWire,
  AgentListWire,
  AgentTurnsWire,
  AgentWire,
} from "../../src/server/wire/agents.ts";
import type {
  DesignConversationWire,
  DesignPatchWire,
  DesignSpecWire,
  DesignWire,
} from "../../src/server/wire/design.ts";
import type { FactoryListWire, FactoryRunWire } from "../../src/server/wire/factory.ts";
import { cliJson } from "../support/cli.ts";
import { addItem, type Loops, ORDER, serveLoops } from "./loops.ts";

setDefaultTimeout(120_000);
let server: Loops;
beforeAll(async () => {
  server = await serveLoops();
});
afterAll(() => server.stop());

const status = async (path: string, body?: object): Promise<number> =>
  (
    await fetch(new URL(path, server.url), {
      ...(body === undefined
        ? {}
        : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    })
  ).status;

describe("design", () => {
  const patches = async () =>
    (await server.get<{ patches: DesignPatchWire[] }>("/api/design/soc/patches")).patches;

  test("a project is created, a turn proposes, and two users decide about what they saw", async () => {
    await server.post("/api/design", { name: "soc", person: "Bob" });
    expect(await status("/api/design", { name: "soc" })).toBe(409);
    server.replies.push({
      assistant_message: "One item.",
      proposed_patches: addItem(server, "DRC-04"),
      run_request: { run: true, run_until: "lint", reason: "to see" },
    });
    const job = await server.job("design-message", {
      project: "soc",
      message: "The DRC summary.",
      person: "Bob",
    });
    expect(job).toMatchObject({ exit_code: 3, waits_for_person: true, usage: { calls: 1 } });
    const it = await server.get<DesignWire>("/api/design/soc");
    expect(it).toMatchObject({
      state: "WAITING_PATCH_APPROVAL",
      pending_patch_ids: ["0001"],
      can_talk: true,
    });
    const [patch] = await patches();
    expect(patch?.difference.map(({ pointer }) => pointer)).toEqual(["/search_root", "/items/DRC-04"]);
    const { turns } = await server.get<DesignConversationWire>("/api/design/soc/conversation");
    expect(turns.at(-1)).toMatchObject({ turn: 1, patch_id: "0001", run_request: { run_until: "lint" } });
    expect(await status("/api/design/soc/approve", { patch_id: "0001", base_hash: "other" })).toBe(409);
    const decision = { patch_id: "0001", base_hash: patch?.base_hash ?? "" };
    // Two simultaneous decisions: the second is refused.
    const both = await Promise.all([
      status("/api/design/soc/approve", { ...decision, person: "Ann" }),
      status("/api/design/soc/reject", { patch_id: "0001", person: "Ben" }),
    ]);
    expect(both.sort()).toEqual([200, 409]);
  });

  test("patches, versions, runs, artifacts and reports equal those of the command line", async () => {
    const { version } = await server.get<DesignSpecWire>("/api/design/soc/spec");
    const add = { operations: [{ op: "add", path: "/variables/X", value: "1" }], person: "Ann" };
    expect(await status("/api/design/soc/patch", { ...add, version: version + 7 })).toBe(409);
    await server.post("/api/design/soc/patch", { ...add, version, reason: "ticket 1" });
    const [patch] = await patches();
    expect(patch).toMatchObject({ status: "approved", decided_by: "Ann", reason: "ticket 1" });
    const undone = await server.post<{ undoes: string }>("/api/design/soc/undo", { person: "Ben" });
    expect(undone.undoes).toBe(patch?.patch_id ?? "");
    expect(await status("/api/design/soc/patch", { operations: [{ op: "remove", path: "/nothing" }] })).toBe(
      409,
    );
    const spec = await server.get<DesignSpecWire>(`/api/design/soc/spec?version=${version}`);
    const shown = await cliJson([
      "design",
      "show",
      "spec",
      "--project-dir",
      join(server.dir, "projects/soc"),
    ]);
    expect((await server.get<DesignSpecWire>("/api/design/soc/spec")).spec).toEqual(
      (shown.document as { spec: unknown }).spec as DesignSpecWire["spec"],
    );
    expect(spec.versions.length).toBeGreaterThan(version);
    await server.job("design-run", { project: "soc", until: "lint" });
    const { runs } = await server.get<{ runs: { run_id: string; until: string }[] }>("/api/design/soc/runs");
    expect(runs[0]).toMatchObject({ until: "lint" });
    const { runs: left } = await server.get<{ runs: { files: { path: string }[] }[] }>(
      "/api/design/soc/artifacts",
    );
    const file = left[0]?.files[0]?.path ?? "";
    const text = await (
      await fetch(new URL(`/api/design/soc/artifacts/files?file=${file}`, server.url))
    ).text();
    expect(text).toBe(readFileSync(join(server.dir, "projects/soc", file), "utf8"));
    expect(await server.get<object>("/api/design/soc/reports")).toMatchObject({ compile: { ok: true } });
  });

  test("only files that belong to runs are served", async () => {
    for (const file of ["project.json", "../../items", "runs/../project.json", "/etc/passwd", "spec.json"]) {
      expect(await status(`/api/design/soc/artifacts/files?file=${encodeURIComponent(file)}`)).toBe(404);
    }
    expect(await status("/api/design/..%2Fworkspace")).toBe(400);
    expect(await status("/api/design/nobody")).toBe(404);
  });

  test("actions of the command line are events", async () => {
    const control = new AbortController();
    const stream = await fetch(new URL("/api/events", server.url), { signal: control.signal });
    const dir = join(server.dir, "projects/soc");
    const done = cliJson(["design", "patch", "-", "--project-dir", dir], {
      stdin: JSON.stringify([{ op: "add", path: "/variables/Y", value: "2" }]),
    });
    let text = "";
    for await (const chunk of stream.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes("design_changed")) break;
    }
    control.abort();
    // 3: the run of the first turn may still be waiting.
    expect([0, 3]).toContain((await done).code);
    expect(text).toContain('"subject":"soc"');
  });
});

describe("agents", () => {
  test("a job is started with documents, and shown with plan, todos, turns, files and tokens", async () => {
    const document = { name: "notes.txt", base64: Buffer.from("hello").toString("base64") };
    const params = { config: "tidy", description: "Sort the notes", documents: [document] };
    const job = await server.job("agent-run", params);
    expect(job).toMatchObject({ exit_code: 0, params: { documents: [{ name: "notes.txt", base64: "" }] } });
    const { jobs, configs } = await server.get<AgentListWire>("/api/agents");
    expect(jobs[0]).toMatchObject({ job_id: job.id, status: "completed" });
    expect(configs.map(({ name }) => name)).toContain("tidy");
    const it = await server.get<AgentWire>(`/api/agents/${job.id}`);
    expect(it.phases.map(({ state }) => state)).toEqual(["complete", "complete"]);
    expect(it.display).toContain("ACTIVE TODO LIST");
    expect(it.document.usage.requests).toBeGreaterThan(20);
    expect(it.sizes?.total_tokens).toBeGreaterThan(100);
    const turns = await server.get<AgentTurnsWire>(`/api/agents/${job.id}/turns?offset=3&limit=2`);
    expect(turns.turns).toHaveLength(2);
    const { files } = await server.get<AgentFilesWire>(`/api/agents/${job.id}/workspace`);
    const paths = files.map(({ path }) => path);
    expect(paths).toContain("documents/notes.txt");
    expect(paths.filter((path) => path.startsWith(".agent") || path.startsWith(".git/"))).toEqual([]);
    const lines = `/api/agents/${job.id}/workspace/logs/lines?file=`;
    expect(await server.get<object>(`${lines}documents/notes.txt`)).toMatchObject({ lines: ["hello"] });
    expect(await status(`${lines}.agent/journal.jsonl`)).toBe(404);
    expect(await status(`${lines}../jobs.db`)).toBe(404);
    // A link inside the job's folder is not followed.
    symlinkSync("/etc/passwd", join(server.dir, "workspace", `job_${job.id}`, "notes/link.txt"));
    expect(await status(`${lines}notes/link.txt`)).toBe(404);
  });

  test("a waiting job is answered, and another is approved as it is", async () => {
    server.script.confidence = 0.1;
    const waiting = await server.job("agent-run", { config: "tidy", description: "Unsure" });
    expect(waiting).toMatchObject({ exit_code: 3, waits_for_person: true });
    expect(waiting.can).toEqual(["resume", "answer", "approve"]);
    const { waiting: listed } = await server.get<{ waiting: { id: string }[] }>("/status");
    expect(listed.map(({ id }) => id)).toContain(waiting.id);
    server.script.confidence = 0.9;
    const next = await server.post<Job>(`/jobs/${waiting.id}/answer`, { answer: "Be sure." });
    await (await fetch(new URL(`/api/events?job=${next.id}`, server.url))).text();
    const it = await server.get<AgentWire>(`/api/agents/${waiting.id}`);
    expect(it.answers.at(-1)?.answer).toBe("Be sure.");
    server.script.confidence = 0.1;
    const other = await server.job("agent-run", { config: "tidy", description: "Unsure again" });
    expect(await server.post<object>(`/api/agents/${other.id}/approve`)).toMatchObject({
      status: "completed",
    });
    expect(await status(`/api/agents/${other.id}/approve`, {})).toBe(409);
    expect(await status(`/api/agents/${other.id}/cancel`, {})).toBe(409);
    expect(await status("/api/agents/nobody/cancel", {})).toBe(404);
    server.script.confidence = 0.9;
  });
});

describe("factory", () => {
  test("a work order is executed on a configured repository only, and shown with its commands", async () => {
    const params = { repository: server.repo, order: ORDER, commit: "wo-02" };
    expect(await status("/jobs", { kind: "factory-run", params: { ...params, repository: "/etc" } })).toBe(
      403,
    );
    expect(await status("/jobs", { kind: "factory-run", params: { ...params, order: { id: "x" } } })).toBe(
      400,
    );
    const job = await server.job("factory-run", params);
    expect(job.message).toBeNull();
    expect(job).toMatchObject({ exit_code: 0 });
    const { runs } = await server.get<FactoryListWire>("/api/factory");
    expect(runs[0]).toMatchObject({ verdict: "PASS", order_id: "WO-02", attempts: 1 });
    const run = await server.get<FactoryRunWire>(`/api/factory/runs/${runs[0]?.id}`);
    expect(run.attempts_made[0]?.diff).toContain("+++ b/slug.mjs");
    const command = run.attempts_made[0]?.record.verify[0];
    expect(command?.exit_code).toBe(0);
    const output = `/api/factory/runs/${runs[0]?.id}/output/logs/lines?file=${command?.stdout_path}`;
    expect((await server.get<{ lines: string[] }>(output)).lines.length).toBeGreaterThan(0);
    for (const bad of [".store/journal.jsonl", "../../repo/slug.mjs"]) {
      expect(await status(`/api/factory/runs/${runs[0]?.id}/output/files?file=${bad}`)).toBe(404);
    }
  });

  test("an interrupted or damaged run is listed with the others", async () => {
    const dir = join(server.dir, "runs/0123456789ab");
    await Bun.write(join(dir, "work_order.json"), JSON.stringify({ ...ORDER, id: "WO-99" }));
    writeFileSync(join(dir, "notes.txt"), "x");
    await Bun.write(join(server.dir, "runs/broken/run_summary.json"), "{");
    const { runs } = await server.get<FactoryListWire>("/api/factory");
    expect(runs.find(({ order_id }) => order_id === "WO-99")?.verdict).toBeNull();
    expect(await server.get<object>("/api/factory/runs/0123456789ab")).toMatchObject({ summary: null });
    expect(existsSync(join(dir, "run_summary.json"))).toBe(false);
  });
});

test("the operations of the loops are in the OpenAPI document", async () => {
  const { paths } = await server.get<{ paths: Record<string, object> }>("/openapi.json");
  for (const path of [
    "/api/design/{project}/approve",
    "/api/design/{project}/artifacts/files",
    "/api/agents/{id}/workspace",
    "/api/factory/runs/{run}",
  ]) {
    expect(Object.keys(paths)).toContain(path);
  }
});
