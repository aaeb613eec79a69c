// The recorded sample, from an empty folder, by the one command of the README with the built executable.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AGENT_LINES } from "../loops/agent/sample/record.ts";
import { atomsmith, emptyEnv, executable } from "../support/executable.ts";
import { folders } from "../support/folder.ts";

const folder = folders("e2e-creator");
const REPLAY = join(import.meta.dir, "../../fixtures/creator/replay.sh");

test("from a checklist to proved checks by one command", async () => {
  const cwd = folder();
  const child = Bun.spawn(["sh", REPLAY], {
    cwd,
    env: { ...emptyEnv(cwd), PATH: process.env["PATH"], ATOMSMITH: executable() },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const code = await child.exited;
  expect({ code, err: code === 7 ? "" : err }).toEqual({ code: 7, err: "" });
  expect(out).toContain("15 passed, 4 failed, 0 could not be judged, 19 items");
  expect(out).toContain("19 items: 19 accepted (nothing to do, all up to date)");
  const pages = readdirSync(join(cwd, "item_specs"));
  expect(pages.filter((name) => name.endsWith("_ItemSpec.md"))).toHaveLength(19);
  expect(pages.filter((name) => name.endsWith(".proof.json"))).toHaveLength(19);
  expect(existsSync(join(cwd, "check.html"))).toBe(true);
  const report = readFileSync(join(cwd, "workspace/job_prove-S19/output/report.md"), "utf8");
  expect(report).toContain("- S3 CK-03: reject");
  expect(readFileSync(join(cwd, "workspace/job_sample/output/report.md"), "utf8")).toContain(
    "CK-20: no page",
  );
  const returned = readFileSync(join(cwd, "item_specs/CK-03_ItemSpec.md"), "utf8");
  expect(returned).not.toContain("nwell.4");
}, 180_000);

const FIXTURES = join(import.meta.dir, "../../fixtures");
const MODEL = [
  ...["--cassettes", join(FIXTURES, "creator/cassettes"), "-c", "llm.agent.provider=replay", "--quiet"],
  ...["agent_a", "agent_b", "reflect"].flatMap((role) => ["-c", `llm.${role}.provider=offline`]),
];

/** Works on the jobs of an agent until none is left. @param kills how often the worker is killed before */
async function worked(cwd: string, agent: string, kills: number): Promise<void> {
  for (let left = kills; ; left -= 1) {
    const child = Bun.spawn([executable(), "agent", "poll", "--config", agent, "--once", ...MODEL], {
      cwd,
      env: emptyEnv(cwd),
      stdout: "ignore",
      stderr: "pipe",
    });
    const said = new Response(child.stderr).text();
    if (left > 0) {
      await Promise.race([child.exited, Bun.sleep(1_500 + Math.random() * 2_500)]);
      child.kill("SIGKILL");
    }
    const code = await child.exited;
    if (child.signalCode === "SIGKILL") continue;
    expect({ code, said: code === 0 ? "" : await said }).toEqual({ code: 0, said: "" });
    if (left <= 0) return;
  }
}

test("both agents are killed again and again, and hand over everything once", async () => {
  const cwd = folder();
  const [first = []] = AGENT_LINES;
  const submit = ["agent", "submit", ...first.slice(2)];
  expect((await atomsmith(submit, { cwd })).code).toBe(0);
  for (const [agent, kills] of [
    ["creator", 3],
    ["validator", 5],
    ["creator", 1],
    ["validator", 1],
  ] as const)
    await worked(cwd, agent, kills);
  const pages = readdirSync(join(cwd, "item_specs"));
  expect(pages.filter((name) => name.endsWith("_ItemSpec.md"))).toHaveLength(19);
  const report = readFileSync(join(cwd, "workspace/job_prove-S19/output/report.md"), "utf8");
  const decided = report
    .trim()
    .split("\n")
    .map((line) => line.split(" ")[1]);
  expect(decided).toEqual(Array.from({ length: 19 }, (_, n) => `S${n + 1}`));
  const checked = await atomsmith(["check", "output", "--search-root", join(FIXTURES, "project")], { cwd });
  expect(checked.out).toContain("15 passed, 4 failed, 0 could not be judged, 19 items");
}, 300_000);

test("the command runs the lines that were recorded", () => {
  const text = readFileSync(REPLAY, "utf8").replace(/\\\n\s*/g, "");
  const lines = text.split("\n").filter((line) => line.startsWith("agent "));
  const words = lines.map((line) => [...line.replace(/ #.*/, "").matchAll(/"([^"]*)"|(\S+)/g)]);
  const flags = (line: readonly string[]): string[] => line.filter((word) => !word.includes("/")).sort();
  const written = words.map((line) => flags(line.map(([, quoted, bare]) => quoted ?? bare ?? "")));
  const recorded = AGENT_LINES.map(flags);
  expect(written.map((line) => line.filter((word) => !word.startsWith("$")))).toEqual(recorded);
});
