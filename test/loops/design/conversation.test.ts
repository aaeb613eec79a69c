// The recorded conversation, replayed from its cassette without a server. UPDATE_CASSETTE=1 records it again from the
// replies in conversation.ts over real HTTP.
import { expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { folders } from "../../support/folder.ts";
import { STEPS } from "./conversation.ts";
import { design, FIXTURES } from "./support.ts";

setDefaultTimeout(300_000);
const folder = folders("design-conversation");
const CASSETTES = join(FIXTURES, "design/cassettes");
const recording = process.env["UPDATE_CASSETTE"] === "1";

test("20 recorded turns replay from the cassette", async () => {
  const dir = folder();
  for (const id of ["DRC-04", "STA-03"])
    cpSync(join(FIXTURES, `items/${id}_ItemSpec.md`), join(dir, `pages/${id}_ItemSpec.md`));
  for (const logs of ["drc", "sta"])
    cpSync(join(FIXTURES, "project", logs), join(dir, "logs", logs), { recursive: true });
  if (recording) {
    rmSync(CASSETTES, { recursive: true, force: true });
    mkdirSync(CASSETTES, { recursive: true });
  }
  const bench = design(dir, {
    flags: recording ? ["--record", CASSETTES] : ["--provider", "replay", "--cassettes", CASSETTES],
  });
  expect((await bench.run("--create", "soc")).code).toBe(0);
  const proposals = new Map<string, { item: string; before: string | null; after: string | null }[]>();
  for (const [at, step] of STEPS.entries()) {
    const what = `step ${at}: ${"say" in step ? step.say : step.act.join(" ")}`;
    if ("act" in step) {
      const { code, document } = await bench.run(...step.act);
      expect(`${what}: ${code} ${code === step.code ? "" : JSON.stringify(document)}`).toBe(
        `${what}: ${step.code} `,
      );
      continue;
    }
    const { code, turn } = await bench.say(step.say, ...step.model);
    expect(`${what}: ${code} ${turn.error?.message ?? ""}`).toBe(`${what}: ${step.code} `);
    if (turn.proposal !== null) {
      proposals.set(
        turn.proposal.patch_id,
        turn.proposal.verdicts.map(({ item, before, after }) => ({ item, before, after })),
      );
    }
  }
  expect(recording || bench.server.requests.length === 0).toBe(true);
  await bench.stop();

  // Before each decision its effect was shown.
  expect(proposals.get("0002")).toEqual([{ item: "DRC-04", before: "fail", after: "fail" }]);
  expect(proposals.get("0003")).toEqual([{ item: "DRC-04", before: "fail", after: "pass" }]);
  expect(proposals.get("0004")).toEqual([{ item: "DRC-04", before: "fail", after: "pass" }]);
  expect(proposals.get("0006")).toEqual([{ item: "STA-03", before: "pass", after: "fail" }]);
  expect(proposals.get("0007")).toEqual([]);
  expect(proposals.get("0008")).toEqual([{ item: "DRC-04", before: "pass", after: "fail" }]);

  // The user's logs are beside the program's own files.
  const first = JSON.parse(readFileSync(join(dir, "runs/run_0001/run.json"), "utf8"));
  expect(first.stages[1].metrics.logs).toBe(2);
  const lines = readFileSync(join(dir, "logs/agent_turns.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const turns = lines.filter(({ message }) => message !== undefined);
  expect(turns.map(({ turn }) => turn)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  expect(turns.filter(({ packs }) => packs.length === 2).map(({ turn }) => turn)).toEqual([6, 13]);
  expect(turns.filter(({ replies }) => replies.length === 2).map(({ turn }) => turn)).toEqual([
    6, 13, 14, 15,
  ]);
  expect(lines.filter(({ decision }) => decision === "approve")).toHaveLength(10);
  const modes = new Set(turns.flatMap(({ packs }) => packs.map(({ mode }: { mode: string }) => mode)));
  expect([...modes].sort()).toEqual(["compact", "debug compact", "full"]);
  for (const { packs } of turns) {
    for (const { mode, chars } of packs) {
      expect(chars).toBeLessThanOrEqual(mode === "compact" ? 24_000 : mode === "full" ? 100_000 : 48_000);
    }
  }
});
