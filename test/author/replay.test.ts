// Record and replay of a whole item: the same result without a server, in another place, with other byte counts; and
// a miss that shows the difference.
import { afterEach, describe, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AtomsmithError } from "../../src/core/errors.ts";
import { localizeReply, normalizer } from "../../src/llm/normal-request.ts";
import { authorBench, type Bench, GOOD_A, PARSING, STA_LOG } from "../support/author.ts";
import { TEST_KEY } from "../support/llm.ts";
import { readThenSubmit, scriptedAuthor } from "../support/scripted-author.ts";

const open: Bench[] = [];
const dirs: string[] = [];
afterEach(async () => {
  for (const bench of open.splice(0)) await bench.stop();
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

const GOOD = scriptedAuthor({
  agent_a: readThenSubmit(["*.log"], { code: GOOD_A, input_files: ["sta.log"], log_summary: "seen" }),
});
const NOBODY = scriptedAuthor({});

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "atomsmith-cassettes-"));
  dirs.push(dir);
  return dir;
}

async function record(log = STA_LOG): Promise<{ dir: string; path: string; draft: unknown; bench: Bench }> {
  const dir = folder();
  const bench = authorBench(GOOD, { "sta.log": log }, { config: { llm: { record: dir } } });
  open.push(bench);
  const draft = await bench.author.agentA(PARSING, bench.context);
  return { dir, path: join(dir, "STA-99.jsonl"), draft, bench };
}

function replayBench(dir: string, log = STA_LOG): Bench {
  const bench = authorBench(
    NOBODY,
    { "sta.log": log },
    { config: { llm: { cassettes: dir } }, role: { provider: "replay" } },
  );
  open.push(bench);
  return bench;
}

test("a recorded run is repeated without a server, under another search root", async () => {
  const { dir, draft, bench: first } = await record();
  const second = replayBench(dir);
  expect(second.root).not.toBe(first.root);
  const again = await second.author.agentA(PARSING, second.context);
  const local = JSON.parse(JSON.stringify(draft).replaceAll(first.root, second.root)) as unknown;
  expect(again).toEqual(local as typeof again);
  expect(second.server.requests).toHaveLength(0);
  expect(second.author.usage()).toEqual(first.author.usage());
  expect(
    second.events.filter((event) => event.type === "model_call_finished" && event.replayed),
  ).toHaveLength(3);
});

test("a cassette has one header, one line per call with new messages only, and no paths of the machine", async () => {
  const { path, bench } = await record();
  const lines = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatchObject({ cassette: 1, item_id: "STA-99" });
  expect(lines.slice(1).map((line) => (line["messages"] as unknown[]).length)).toEqual([2, 2, 2]);
  expect(readFileSync(path, "utf8")).not.toContain(bench.root);
});

test("paths and byte counts are replaced in a recorded request and restored in a replayed reply", () => {
  const normalize = normalizer("/home/me/logs/");
  expect(normalize('{"path":"/home/me/logs/a.log","bytes_left":123}')).toBe(
    '{"path":"<search_root>/a.log","bytes_left":"N"}',
  );
  expect(
    normalize("<<<DATA 0123456789ab x\n0123456789ab DATA>>>\n99 of 100 bytes of reading are left."),
  ).toBe("<<<DATA # x\n# DATA>>>\nN of 100 bytes of reading are left.");
  const reply = {
    content: "see <search_root>/a.log",
    tool_calls: [{ id: "1", name: "t", arguments: '{"file":"<search_root>/a.log"}' }],
    finish_reason: "stop" as const,
    usage: { input_tokens: 0, cached_tokens: 0, output_tokens: 0 },
    cost_usd: null,
    model: "m",
  };
  const local = localizeReply(reply, "/other");
  expect(local.content).toBe("see /other/a.log");
  expect(local.tool_calls[0]?.arguments).toBe('{"file":"/other/a.log"}');
});

test("a cassette contains no API key and no secret of a log", async () => {
  const { path } = await record(`${STA_LOG}token AKIAIOSFODNN7EXAMPLE\nkey ${TEST_KEY}\n`);
  const text = readFileSync(path, "utf8");
  expect(text).not.toContain("AKIAIOSFODNN7EXAMPLE");
  expect(text).not.toContain(TEST_KEY);
  expect(text).toContain("[MASKED:");
});

test("recording the same run again adds nothing", async () => {
  const { dir, path } = await record();
  const before = readFileSync(path, "utf8");
  const bench = authorBench(GOOD, { "sta.log": STA_LOG }, { config: { llm: { record: dir } } });
  open.push(bench);
  await bench.author.agentA(PARSING, bench.context);
  expect(readFileSync(path, "utf8")).toBe(before);
});

describe("a miss", () => {
  async function miss(bench: Bench, slice = PARSING): Promise<AtomsmithError> {
    try {
      await bench.author.agentA(slice, bench.context);
    } catch (error) {
      if (error instanceof AtomsmithError) return error;
      throw error;
    }
    throw new Error("no miss");
  }

  test("the first differing line of the page is shown", async () => {
    const { dir } = await record();
    const error = await miss(replayBench(dir), { ...PARSING, section_4_1: "The file other.log." });
    expect(error.kind).toBe("provider");
    expect(error.message).toContain("message 2 (user) differs");
    expect(error.message).toContain("- The file sta.log. MARK-SECTION-4-1");
    expect(error.message).toContain("+ The file other.log.");
    expect(error.details.hint).toContain("--record");
  });

  test("a changed log is shown", async () => {
    const { dir } = await record();
    const error = await miss(replayBench(dir, STA_LOG.replace("-0.012", "-0.999")));
    expect(error.message).toContain("(tool) differs");
    expect(error.message).toContain("-0.999");
  });

  test("an item without recorded calls is reported", async () => {
    const error = await miss(replayBench(folder()));
    expect(error.message).toContain("no recorded calls of agent_a");
  });

  test("the line of a damaged cassette is reported", async () => {
    const { dir, path } = await record();
    const broken = folder();
    cpSync(dir, broken, { recursive: true });
    writeFileSync(join(broken, "STA-99.jsonl"), `${readFileSync(path, "utf8")}{"key": 1}\n`);
    const error = await miss(replayBench(broken));
    expect(error.kind).toBe("config");
    expect(error.message).toContain("STA-99.jsonl:5");
  });
});
