// What the factory itself costs on a repository of many files: preflight of a run, and each attempt without the time of
// the model and of the commands.
// Usage: npm run bench -- factory [FILES] [ATTEMPTS]
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli } from "../support/cli.ts";
import { startModelServer } from "../support/model-server.ts";

const FILES = Number(process.argv[2] ?? 10_000);
const ATTEMPTS = Number(process.argv[3] ?? 6);
const sha = (text: string) => createHash("sha256").update(text).digest("hex");

interface Line {
  type: string;
  at: string;
}

const dir = mkdtempSync(join(tmpdir(), "atomsmith-bench-factory-"));
try {
  const repo = join(dir, "repo");
  for (let n = 0; n < FILES; n += 1) {
    const folder = join(repo, `d${Math.floor(n / 100)}`);
    if (n % 100 === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `f${n}.txt`), `${n}\n`.repeat(200));
  }
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
      cwd: repo,
      stdio: "ignore",
    });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "first");
  const before = readFileSync(join(repo, "d0/f0.txt"), "utf8");
  const model = startModelServer((_, number) => {
    const writes = [
      { path: "d0/f0.txt", base_sha256: sha(before), content: number === ATTEMPTS ? "good\n" : "bad\n" },
    ];
    return { content: JSON.stringify({ summary: "x", writes }) };
  });
  writeFileSync(
    join(dir, "wo.json"),
    JSON.stringify({
      ...{ id: "WO-1", title: "t", intent: "i", allowed_files: ["d0/f0.txt"], forbidden: [] },
      ...{ acceptance_commands: ["grep -q good d0/f0.txt"], context_files: ["d0/f0.txt"] },
    }),
  );
  const argv = [
    "factory",
    "run",
    "--repo",
    repo,
    "--work-order",
    "wo.json",
    "--out",
    "out",
    "--llm-model",
    "m",
  ];
  const rest = ["--verify", "true", "--max-attempts", String(ATTEMPTS), "--events", "e.jsonl", "-q"];
  const began = performance.now();
  const done = await cli([...argv, ...rest, "-c", `llm.factory.base_url=${model.url}`], {
    cwd: dir,
    env: { PATH: process.env["PATH"], OPENAI_API_KEY: "sk-bench-0123456789" },
  });
  const wall = performance.now() - began;
  await model.stop();
  if (done.code !== 0) throw new Error(done.stderr);
  const lines = readFileSync(join(dir, "e.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  const attempts: number[] = [];
  let [outside, start, waiting] = [0, 0, 0];
  for (const { type, at } of lines) {
    const now = Date.parse(at);
    if (type === "attempt_started") [start, outside] = [now, 0];
    if (type === "model_call_started" || type === "command_started") waiting = now;
    if (type === "model_call_finished" || type === "command_finished") outside += now - waiting;
    if (type === "rolled_back" || type === "order_finished") attempts.push(now - start - outside);
  }
  const sorted = attempts.toSorted((a, b) => a - b);
  const first = lines.find(({ type }) => type === "run_started");
  const order = lines.find(({ type }) => type === "order_started");
  process.stdout.write(
    `${FILES} files, ${ATTEMPTS} attempts: preflight ${Date.parse(order?.at ?? "") - Date.parse(first?.at ?? "")} ms, ` +
      `an attempt without model and commands: median ${sorted[Math.floor(sorted.length / 2)]} ms, longest ${sorted.at(-1)} ms; ` +
      `all of it ${Math.round(wall)} ms\n`,
  );
} finally {
  rmSync(dir, { recursive: true, force: true });
}
