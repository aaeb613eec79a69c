// The main job with the built executable, as a new user runs it: batch over the fixtures, check over what was
// accepted, compared with the golden results that were made from the logs by other means.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { CheckResult, ResultItem } from "../../src/contract/results.ts";

const root = join(import.meta.dir, "../..");
const executable = process.env["ATOMSMITH_BIN"] ?? join(root, "dist/atomsmith");
const project = join(root, "fixtures/project");

interface Golden {
  item_id: string;
  type?: number;
  outcome: "pass" | "fail" | "error";
  status?: string;
  found?: [string, number, string][];
  missing?: string[];
  extra?: [string, number, string][];
  waived?: string[];
  waived_global?: boolean;
}

const golden = readdirSync(join(root, "fixtures/golden")).map(
  (name) => JSON.parse(readFileSync(join(root, "fixtures/golden", name), "utf8")) as Golden,
);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "atomsmith-e2e-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const child = Bun.spawn([executable, ...args], {
    cwd: folder,
    env: { HOME: folder, PATH: "/nonexistent" },
    stdout: "pipe",
    stderr: "pipe",
    stdin: "ignore",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, out, err };
}

const triple = (item: ResultItem): [string, number | null, string | undefined] => [
  relative(project, item.source_file),
  item.line_number,
  item.value,
];

describe("batch, then check, over the fixtures", () => {
  test("batch accepts what can be proved and asks a person about the rest", async () => {
    const done = await run("batch", join(root, "fixtures/items"), "--search-root", project, "--json");
    expect(done.err).not.toContain("internal");
    const document = JSON.parse(done.out) as { items: { item_id: string; status: string }[] };
    const statuses = Object.fromEntries(document.items.map((item) => [item.item_id, item.status]));
    expect(statuses).toEqual(Object.fromEntries(golden.map((g) => [g.item_id, g.status ?? "accepted"])));
    expect(done.code).toBe(3);
  }, 120_000);

  test("check gives the golden results", async () => {
    const done = await run("check", "output", "--search-root", project, "--json");
    const { results } = JSON.parse(done.out) as { results: CheckResult[] };
    expect(results.map((r) => r.item_id).sort()).toEqual(golden.map((g) => g.item_id).sort());
    for (const want of golden) {
      const got = results.find((r) => r.item_id === want.item_id);
      expect({ item: want.item_id, outcome: got?.outcome }).toEqual({
        item: want.item_id,
        outcome: want.outcome,
      });
      if (want.outcome === "error") continue;
      expect(got?.type).toBe(want.type as never);
      const result = got?.result;
      if (!result) throw new Error(`${want.item_id} has no result`);
      expect(result.found_items.map(triple)).toEqual(want.found ?? []);
      expect(result.missing_items.map((i) => i.expected as string)).toEqual(want.missing ?? []);
      expect((result.extra_items ?? []).map(triple)).toEqual(want.extra ?? []);
      if (want.waived) {
        expect(
          (result.waived ?? []).map((w) => ("value" in w && w.value) || ("expected" in w && w.expected)),
        ).toEqual(want.waived);
      }
      if (want.waived_global) {
        expect(result.found_items.every((i) => i.severity === "INFO" && i.tag === "[WAIVED_AS_INFO]")).toBe(
          true,
        );
      }
    }
    // A set that waits for a person cannot be judged, and that outweighs the failed checks.
    expect(done.code).toBe(8);
  }, 120_000);

  test("a second batch finds nothing to do", async () => {
    const before = readFileSync(join(folder, "output/BLD-09/manifest.json"), "utf8");
    const done = await run(
      "batch",
      join(root, "fixtures/items"),
      "--search-root",
      project,
      "--events",
      "events.jsonl",
    );
    expect(done.code).toBe(3);
    const events = readFileSync(join(folder, "events.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string });
    expect(events.filter((e) => e.type === "stage_started")).toEqual([]);
    expect(readFileSync(join(folder, "output/BLD-09/manifest.json"), "utf8")).toBe(before);
  }, 60_000);
});
