// The HTTP interface end to end: jobs are real commands; items, checks, logs and events show their results.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { statusOfAll } from "../../src/batch/status.ts";
import type { Job } from "../../src/server/jobs/record.ts";
import type { CheckResultWire, CheckWire } from "../../src/server/wire/checks.ts";
import type { ItemWire } from "../../src/server/wire/items.ts";
import type { LabelWire } from "../../src/server/wire/label.ts";
import { type Served, serveFixtures } from "../support/serve.ts";

let server: Served;

beforeAll(async () => {
  server = await serveFixtures({ items: ["STA-03", "LVS-05", "IRD-10"] });
  expect((await server.job("batch")).exit_code).toBe(3);
  await server.context.items.settled();
}, 120_000);
afterAll(() => server.drop());

/** Messages of an event stream until `enough` returns true. */
async function readMessages(
  path: string,
  enough: (all: { id: string; data: { type: string } }[]) => boolean,
  last?: string,
) {
  const control = new AbortController();
  const headers: Record<string, string> = last === undefined ? {} : { "last-event-id": last };
  const response = await fetch(new URL(path, server.url), { headers, signal: control.signal });
  const found: { id: string; data: { type: string; [member: string]: unknown } }[] = [];
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    const parts = text.split("\n\n");
    text = parts.pop() ?? "";
    for (const part of parts) {
      const [, id, data] = /^id: (.*)\ndata: (.*)$/.exec(part) ?? [];
      if (id !== undefined && data !== undefined) found.push({ id, data: JSON.parse(data) });
    }
    if (enough(found)) break;
  }
  control.abort();
  return found;
}

describe("items", () => {
  test("states, gates, atoms, records and questions are served", async () => {
    const list = await server.get<{ items: { item_id: string; state: string }[]; total: number }>(
      "/api/items",
    );
    expect(list.items.map(({ item_id, state }) => [item_id, state])).toEqual([
      ["IRD-10", "human_required"],
      ["LVS-05", "accepted"],
      ["STA-03", "accepted"],
    ]);
    expect((await server.get<{ total: number }>("/api/items?state=accepted&q=sta")).total).toBe(1);
    const item = await server.get<ItemWire>("/api/items/STA-03");
    expect(item.gates["gate1_syntax"]).toBe(true);
    const { sets } = await server.get<{ sets: { files: Record<string, string> }[] }>(
      "/api/items/STA-03/atoms",
    );
    expect(sets[0]?.files["atom_a.js"]).toContain("extract_context");
    const { records } = await server.get<{ records: { file: string; line_number: number }[] }>(
      "/api/items/STA-03/records",
    );
    expect(records[0]).toMatchObject({ file: "sta/func_ss.log", line_number: 6 });
    const asked = await server.get<ItemWire>("/api/items/IRD-10");
    expect(asked.questions.length).toBeGreaterThan(0);
    expect((await server.get<{ text: string }>("/api/items/IRD-10/page")).text).toContain("IRD-10");
  });

  test("changes by another process are visible", async () => {
    rmSync(join(server.dir, "output/LVS-05/atom_b.js"));
    server.context.items.refresh();
    await server.context.items.settled();
    expect((await server.get<ItemWire>("/api/items/LVS-05")).state).toBe("modified");
    await server.job("generate", { item: "LVS-05", force: true });
    await server.context.items.settled();
    expect((await server.get<ItemWire>("/api/items/LVS-05")).state).toBe("accepted");
  });
});

describe("jobs", () => {
  test("a check job stores results and reports, and compares them with an earlier check", async () => {
    const first = await server.job("check");
    expect(first).toMatchObject({ state: "finished", exit_code: 8, totals: { items: 3 } });
    expect(first.files).toContain("report.html");
    const second = await server.job("check", { items: ["STA-03"], baseline: first.id });
    const { totals, comparison } = await server.get<CheckWire>(`/api/checks/${second.id}`);
    expect(totals).toEqual({ pass: 1, fail: 0, error: 0 });
    expect(comparison?.items.find(({ item_id }) => item_id === "STA-03")?.change).toBe("same");
    const { result, logs } = await server.get<CheckResultWire>(`/api/checks/${second.id}/results/STA-03`);
    expect(result.parsed_items?.length).toBe(4);
    expect(logs).toEqual(["sta/func_ss.log"]);
    const file = await fetch(new URL(`/jobs/${first.id}/files/report.html`, server.url));
    expect(file.headers.get("content-disposition")).toContain("attachment");
    expect(file.headers.get("content-security-policy")).toContain("sandbox");
    expect(await file.text()).toContain("STA-03");
  }, 60_000);

  test("an answer continues as a new job", async () => {
    const asked = await server.job("generate", { item: "IRD-10" });
    expect(asked).toMatchObject({ exit_code: 3, waits_for_person: true });
    expect(asked.can).toContain("answer");
    const next = await server.post<Job>(`/jobs/${asked.id}/answer`, { hint: "look at the power logs" });
    expect(next).toMatchObject({ kind: "resume", continues: asked.id });
    await expect(server.post(`/jobs/${asked.id}/answer`, { wrong: 1 })).rejects.toThrow("400");
    await expect(server.post(`/jobs/${asked.id}/approve`, {})).rejects.toThrow("409");
    await (await fetch(new URL(`/api/events?job=${next.id}`, server.url))).text();
    expect((await server.get<ItemWire>("/api/items/IRD-10")).hints[0]).toStartWith("look at the power logs");
  }, 60_000);

  test("a cancelled job keeps its results and can be resumed", async () => {
    const { id } = await server.post<Job>("/jobs", { kind: "batch", params: { force: true } });
    await readMessages(`/api/events?job=${id}`, (all) =>
      all.some(({ data }) => data.type === "item_started"),
    );
    expect((await server.post<Job>(`/jobs/${id}/cancel`)).id).toBe(id);
    await (await fetch(new URL(`/api/events?job=${id}`, server.url))).text();
    const ended = await server.get<Job>(`/jobs/${id}`);
    expect(ended.state).toBe("cancelled");
    expect(ended.exit_code).toBe(130);
    await expect(server.post(`/jobs/${id}/cancel`)).rejects.toThrow("409");
    const resumed = await server.post<Job>(`/jobs/${id}/resume`);
    await (await fetch(new URL(`/api/events?job=${resumed.id}`, server.url))).text();
    expect((await server.get<Job>(`/jobs/${resumed.id}`)).exit_code).toBe(3);
    await server.context.items.settled();
    const shown = (await server.get<{ items: { item_id: string; state: string }[] }>("/api/items")).items;
    const stored = await statusOfAll(join(server.dir, "cache"), join(server.dir, "output"));
    expect(shown.map(({ item_id, state }) => [item_id, state])).toEqual(
      stored.map(({ item_id, state }) => [item_id, state]),
    );
  }, 90_000);
});

describe("events", () => {
  test("a reconnecting client receives missed events, of the server and of one job", async () => {
    const started = readMessages("/api/events", (all) =>
      all.some(({ data }) => data.type === "run_finished"),
    );
    const job = await server.job("check", { items: ["STA-03"] });
    const live = await started;
    expect(live[0]?.data.type).toBe("hello");
    const middle = live[Math.floor(live.length / 2)];
    const again = await readMessages(
      "/api/events",
      (all) => all.some(({ data }) => data.type === "run_finished"),
      middle?.id,
    );
    const rest = live.slice(live.indexOf(middle as never) + 1);
    expect(again.slice(1, rest.length + 1)).toEqual(rest);
    const whole = await readMessages(`/api/events?job=${job.id}`, () => false);
    expect(whole.map(({ data }) => data["seq"])).toEqual(whole.map((_, i) => i + 1));
    const tail = await readMessages(`/api/events?job=${job.id}`, () => false, whole[3]?.id);
    expect(tail).toEqual(whole.slice(4));
    const journal = await readMessages("/api/events?run=item/STA-03", (all) => all.length > 3);
    expect(journal.every(({ data }) => data["subject"] === "STA-03")).toBe(true);
    const gap = await readMessages("/api/events", (all) => all.length > 0, "0000-17");
    expect(gap[0]?.data.type).toBe("gap");
  }, 60_000);
});

describe("logs", () => {
  test("ranges, counts and searches are served, for compressed logs too", async () => {
    const text = Array.from(
      { length: 50_000 },
      (_, i) => `line ${i + 1} of a log${i % 10_000 === 0 ? " NEEDLE" : ""}\n`,
    );
    const path = join(server.dir, "logs/sta/func_ss.log");
    const before = readFileSync(path);
    for (const bytes of [Buffer.from(text.join("")), gzipSync(text.join(""))]) {
      writeFileSync(path, bytes);
      const base = "/api/items/STA-03/logs";
      const file = "file=sta/func_ss.log";
      expect(await server.get<object>(`${base}/count?${file}`)).toEqual({ total_lines: 50_000 });
      const read = await server.get<{ lines: string[] }>(`${base}/lines?${file}&from=49999&count=10`);
      expect(read).toMatchObject({ lines: ["line 49999 of a log", "line 50000 of a log"], more: false });
      const found = await server.get<{ hits: { line: number }[] }>(`${base}/search?${file}&text=needle`);
      expect(found.hits.map(({ line }) => line)).toEqual([1, 10_001, 20_001, 30_001, 40_001]);
      const regex = await server.get<{ hits: { line: number }[] }>(
        `${base}/search?${file}&regex=true&text=${encodeURIComponent("^line 3\\d\\d of")}&most=3`,
      );
      expect(regex.hits.map(({ line }) => line)).toEqual([300, 301, 302]);
      await expect(server.get(`${base}/search?${file}&regex=true&text=(`)).rejects.toThrow("400");
    }
    writeFileSync(path, before);
  });
});

describe("labelling", () => {
  test("an example marked by requests is written into the page, and simultaneous edits do not overwrite each other", async () => {
    const page = join(server.dir, "items/NEW-1_ItemSpec.md");
    const source = readFileSync(join(server.dir, "items/STA-03_ItemSpec.md"), "utf8");
    writeFileSync(page, source.replace(/```example[\s\S]*?```\n/g, "").replaceAll("STA-03", "NEW-1"));
    server.context.items.refresh();
    await server.context.items.settled();
    let one = await server.post<LabelWire>("/api/items/NEW-1/label");
    const two = await server.post<LabelWire>("/api/items/NEW-1/label");
    expect(one.logs.map(({ path }) => path)).toEqual(["sta/func_ss.log"]);
    const { lines } = await server.get<{ lines: string[] }>(
      `/api/label/${one.id}/lines?file=sta/func_ss.log&from=6&count=1`,
    );
    const value = lines[0]?.split(" ").at(-1);
    const mark = { file: "sta/func_ss.log", first: 6, last: 6, value };
    await expect(
      server.post(`/api/label/${one.id}/examples`, { ...mark, value: "not there" }),
    ).rejects.toThrow("400");
    one = await server.post<LabelWire>(`/api/label/${one.id}/examples`, mark);
    expect(one.own).toHaveLength(1);
    expect(one.preview.kind).not.toBe("nothing");
    await server.post(`/api/label/${two.id}/examples`, { ...mark, value: undefined });
    one = await server.post<LabelWire>(`/api/label/${one.id}/save`, {});
    expect(one.written).toHaveLength(1);
    expect(readFileSync(page, "utf8")).toContain(`value: ${value}`);
    await expect(server.post(`/api/label/${two.id}/save`, {})).rejects.toThrow("changed by someone else");
    await server.post(`/api/label/${two.id}/close`);
    await expect(server.get(`/api/label/${two.id}`)).rejects.toThrow("404");
  });
});

describe("for programs", () => {
  test("every operation and every reference of the OpenAPI document resolves", async () => {
    const document = await server.get<Record<string, unknown>>("/openapi.json");
    expect(document["openapi"]).toBe("3.1.0");
    const text = JSON.stringify(document);
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      expect(Object.keys((document["components"] as { schemas: object }).schemas)).toContain(name ?? "");
    }
    const paths = Object.keys(document["paths"] as object);
    for (const path of [
      "/health",
      "/ready",
      "/status",
      "/metrics",
      "/jobs",
      "/jobs/{id}/answer",
      "/api/events",
    ]) {
      expect(paths).toContain(path);
    }
  });

  test("metrics count requests, jobs and results", async () => {
    const text = await (await fetch(new URL("/metrics", server.url))).text();
    expect(text).toMatch(/atomsmith_items\{state="accepted"\} \d/);
    expect(text).toMatch(
      /atomsmith_http_request_duration_seconds_count\{method="GET",route="\/api\/items",status="200"\} \d/,
    );
  });
});

test("a stopped server lets running jobs save, and the next server lists them", async () => {
  const { id } = await server.post<Job>("/jobs", { kind: "batch", params: { force: true } });
  await readMessages(`/api/events?job=${id}`, (all) => all.some(({ data }) => data.type === "item_started"));
  await expect(serveFixtures({ dir: server.dir })).rejects.toThrow();
  server = await server.again();
  const job = await server.get<Job>(`/jobs/${id}`);
  expect(job.state).toBe("interrupted");
  expect(job.can).toContain("resume");
  expect(existsSync(join(server.dir, "cache/item/STA-03/checkpoint_latest.json"))).toBe(true);
  const resumed = await server.post<Job>(`/jobs/${id}/resume`);
  await (await fetch(new URL(`/api/events?job=${resumed.id}`, server.url))).text();
  expect((await server.get<Job>(`/jobs/${resumed.id}`)).exit_code).toBe(3);
}, 90_000);
