// `show`: a real conversation, stored by the real store, read back as text and as JSON.
import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { turnLogOver } from "../../src/llm/index.ts";
import { openItemStore, saveErrorLog } from "../../src/loops/item/item-store.ts";
import { authorBench, type Bench, GOOD_A, PARSING, STA_LOG } from "../support/author.ts";
import { cli, cliJson } from "../support/cli.ts";
import { folders } from "../support/folder.ts";
import { readThenSubmit, scriptedAuthor } from "../support/scripted-author.ts";

const folder = folders("show");
let bench: Bench | undefined;
afterEach(async () => {
  await bench?.stop();
  bench = undefined;
});

async function storeConversation(log = STA_LOG): Promise<string> {
  const cwd = folder();
  const store = await openItemStore(join(cwd, "cache"), "STA-99", {
    maxCheckpointsPerHour: 10,
    keepHours: 24,
  });
  const script = scriptedAuthor({
    agent_a: readThenSubmit(["*.log"], {
      code: GOOD_A,
      input_files: ["sta.log"],
      log_summary: "one path per line",
    }),
  });
  bench = authorBench(
    script,
    { "sta.log": log },
    {
      turns: turnLogOver(store.turns),
      config: { llm: { prices: { "test-model": { input: 1000, output: 1000 } } } },
    },
  );
  await bench.author.agentA(PARSING, bench.context);
  await store.saveCheckpoint("agent_a", { some: "state" });
  await saveErrorLog(store, 1, {
    errors: [
      { gate: "gate4_evidence", atom: "atom_a", code: "not_grounded", message: "line 2 says something else" },
    ],
  });
  await store.close();
  return cwd;
}

test("prompts, calls, answers, sources, gates and cost are printed in order", async () => {
  const { code, stdout } = await cli(["show", "STA-99", "--full"], { cwd: await storeConversation() });
  expect(code).toBe(0);
  const order = [
    "== agent_a, iteration 1 ==",
    "instructions:",
    "MARK-SECTION-1",
    "-> list_available_files",
    'patterns: ["*.log"]',
    "answer:",
    "-> read_file_header",
    "Endpoint: u9/d",
    "-> submit_extract_context",
    "function extract_context(text, source_file) {",
    "gates, iteration 1: 1 error",
    "line 2 says something else",
    "== cost ==",
    "3 calls",
    "$0.3600",
  ];
  let from = 0;
  for (const part of order) {
    const index = stdout.indexOf(part, from);
    expect([part, index >= 0]).toEqual([part, true]);
    from = index;
  }
});

test("long messages are cut with a note, except with --full", async () => {
  const { stdout } = await cli(["show", "STA-99"], { cwd: await storeConversation() });
  expect(stdout).toMatch(/\[cut, \d+ bytes in all\]/);
});

test("terminal control characters are made visible", async () => {
  const cwd = await storeConversation(`${STA_LOG}\u001b]0;owned\u0007\u001b[2J\n`);
  const { stdout } = await cli(["show", "STA-99", "--full"], { cwd });
  expect(stdout).toContain("owned");
  expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u009b]/);
});

test("JSON output has the turns as stored, and their totals", async () => {
  const { document } = await cliJson(["show", "STA-99"], { cwd: await storeConversation() });
  expect(document).toMatchObject({ item_id: "STA-99", usage: { total: { calls: 3 } } });
  expect((document as { turns: unknown[] }).turns).toHaveLength(3);
});

test("an item without stored data is an error", async () => {
  const { code, stderr } = await cli(["show", "NOPE"], { cwd: await storeConversation() });
  expect(code).toBe(2);
  expect(stderr).toContain("no stored data of NOPE");
  expect(stderr).toContain("STA-99");
});
