// What the commands really print and write is what `schema NAME` promises: one run of everything over the fixtures.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  batchDocumentSchema,
  checkDocumentSchema,
  checkResultByType,
  generateDocumentSchema,
  validateDocumentSchema,
} from "../../src/contract/documents.ts";
import { manifestSchema } from "../../src/contract/manifest.ts";
import { type AnyEvent, eventSchema } from "../../src/loops/events.ts";
import { atomsmith, type ExecutableRun, PROJECT } from "../support/executable.ts";
import { folders } from "../support/folder.ts";

// Whole processes on a machine that may be busy.
setDefaultTimeout(60_000);

const folder = folders("documents");
const items = join(PROJECT, "fixtures/items");
const logs = join(PROJECT, "fixtures/project");
const cwd = folder();

function run(...args: string[]): Promise<ExecutableRun> {
  return atomsmith([...args, "--search-root", logs], { cwd });
}

function events(name: string): AnyEvent[] {
  const lines = readFileSync(join(cwd, name), "utf8").trimEnd().split("\n");
  return lines.map((line) => eventSchema.parse(JSON.parse(line)) as AnyEvent);
}

let batch: ExecutableRun;
beforeAll(async () => {
  batch = await run("batch", items, "--json", "--events", "batch.jsonl");
}, 120_000);

/** Folders of the sets with the given status. */
function sets(status: "accepted" | "human_required"): string[] {
  return readdirSync(join(cwd, "output"))
    .map((id) => join(cwd, "output", id))
    .filter((dir) => existsSync(join(dir, "manifest.json")))
    .filter((dir) => JSON.parse(readFileSync(join(dir, "manifest.json"), "utf8")).status === status);
}

describe("documents", () => {
  test("batch: every page stands in it, and the exit code says what it says", () => {
    const document = batchDocumentSchema.parse(JSON.parse(batch.out));
    const pages = readdirSync(items).filter((name) => name.endsWith("_ItemSpec.md"));
    expect(document.items.map((item) => `${item.item_id}_ItemSpec.md`).sort()).toEqual(pages.sort());
    const asks = document.items.some((item) => item.status === "human_required");
    expect(document.items.every((item) => item.status !== "error")).toBe(true);
    expect(batch.code).toBe(asks ? 3 : 0);
  });

  test("events: numbered without gaps, one run, each item started and finished", () => {
    const all = events("batch.jsonl");
    expect(all.map((event) => event.seq)).toEqual(all.map((_, i) => i + 1));
    expect(new Set(all.map((event) => event.run)).size).toBe(1);
    const ids = (type: AnyEvent["type"]) =>
      all.flatMap((e) => (e.type === type && "item" in e ? [String(e.item)] : [])).sort();
    expect(ids("item_started").length).toBeGreaterThan(0);
    expect(ids("item_finished")).toEqual(ids("item_started"));
    // Whose event it is: every event of an item says so in all three members, the run's own in none.
    for (const { type, loop, subject, ...rest } of all) {
      const item = "item" in rest ? String(rest.item) : null;
      expect({ type, loop, subject } as object).toEqual({ type, loop: item && "item", subject: item });
    }
    for (const type of ["stage_finished", "gate_finished", "checkpoint"] as const) {
      expect(new Set(ids(type)).size).toBeGreaterThan(0);
    }
    const [id = ""] = ids("item_started");
    const journal = readFileSync(join(cwd, "cache", "item", id, "journal.jsonl"), "utf8")
      .trim()
      .split("\n");
    expect(journal.length).toBeGreaterThan(2);
    for (const line of journal)
      expect(JSON.parse(line)).toMatchObject({ loop: "item", subject: id, item: id });
    expect(all[0]).toMatchObject({ type: "run_started", command: "batch" });
    expect(all.at(-1)).toMatchObject({ type: "run_finished", exit_code: batch.code });
  });

  test("manifests", () => {
    const all = [...sets("accepted"), ...sets("human_required")];
    expect(all.length).toBeGreaterThan(0);
    for (const dir of all) {
      const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(dir, "manifest.json"), "utf8")));
      expect(manifest.stub).toBe(manifest.status === "human_required");
    }
  });

  test("generate and resume", async () => {
    const page = join(items, "NET-01_ItemSpec.md");
    const own = ["--out", "o2", "--cache", "c2", "--json"];
    const generated = await run("generate", page, ...own);
    const document = generateDocumentSchema.parse(JSON.parse(generated.out));
    expect(document).toMatchObject({ item_id: "NET-01", output_dir: join(cwd, "o2/NET-01") });
    expect(generated.code).toBe(document.status === "accepted" ? 0 : 3);
    const resumed = await run("resume", "NET-01", "--hint", "The header comment is the record.", ...own);
    const after = generateDocumentSchema.parse(JSON.parse(resumed.out));
    expect(after.item_id).toBe("NET-01");
    expect(resumed.code).toBe(after.status === "accepted" ? 0 : 3);
  });

  test("validate and check of what was accepted: valid, and strict results by type", async () => {
    const accepted = sets("accepted");
    expect(accepted.length).toBeGreaterThan(0);
    const validated = await run("validate", ...accepted, "--json");
    const verdicts = validateDocumentSchema.parse(JSON.parse(validated.out)).results;
    expect(verdicts.filter((verdict) => !verdict.valid)).toEqual([]);
    expect(verdicts.length).toBe(accepted.length);
    expect(validated.code).toBe(0);

    const checked = await run("check", ...accepted, "--json", "--items");
    const { results } = checkDocumentSchema.parse(JSON.parse(checked.out));
    expect(results.length).toBe(accepted.length);
    for (const { type, result, outcome, parsed_items } of results) {
      expect(parsed_items).toBeDefined();
      if (type === null || result === null) continue;
      checkResultByType[type].parse(result);
      if (outcome !== "error") expect(result.status).toBe(outcome === "pass" ? "PASS" : "FAIL");
    }
    const worst = results.some((r) => r.outcome === "error")
      ? 8
      : results.some((r) => r.outcome === "fail")
        ? 7
        : 0;
    expect(checked.code).toBe(worst);
  });

  test("a stub is never judged", async () => {
    const stubs = sets("human_required");
    expect(stubs.length).toBeGreaterThan(0);
    for (const more of [[], ["--unverified"]]) {
      const checked = await run("check", ...stubs, ...more, "--json");
      expect(checked.code).toBe(8);
      const { results } = checkDocumentSchema.parse(JSON.parse(checked.out));
      for (const entry of results) expect(entry).toMatchObject({ outcome: "error", result: null });
    }
  });

  test("a second batch has nothing to do, and says so in the events too", async () => {
    const again = await run("batch", items, "--json", "--events", "again.jsonl");
    expect(again.code).toBe(batch.code);
    batchDocumentSchema.parse(JSON.parse(again.out));
    const types = events("again.jsonl").map((event) => event.type);
    expect(types).toContain("item_skipped");
    expect(types).not.toContain("item_started");
    expect(types.at(-1)).toBe("run_finished");
  });

  test("schema NAME prints a schema for each of them", async () => {
    for (const name of ["validate", "check", "generate", "resume", "batch", "config", "events", "manifest"]) {
      const printed = await atomsmith(["schema", name], { cwd });
      expect(JSON.parse(printed.out)).toMatchObject({ $schema: expect.stringContaining("json-schema.org") });
    }
  });
});
