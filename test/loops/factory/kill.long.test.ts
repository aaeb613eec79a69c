// kill -9 and SIGINT of the real program at every node and at random moments: the repository is unchanged or contains
// the accepted change, the same command continues, and no request is repeated.
import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RUN_ALL_FILE } from "../../../src/loops/factory/run-all.ts";
import { startModelServer } from "../../support/model-server.ts";
import { PROGRAM } from "../../support/program.ts";
import { randomNumbers, repeats, SEED } from "../../support/random-moments.ts";
import {
  EMPTY_SHA,
  env,
  flags,
  git,
  order,
  reply,
  stateOf,
  type Workspace,
  workspaces,
  writeOrder,
} from "./support.ts";

const makeWorkspace = workspaces("kill");
const KILLS = repeats(8);
/** Time limit of a test that starts the program several times on a busy machine. */
const SLOW = 60_000;

/** Replies chosen by the files that the request names, so that order and repetition of requests do not matter. */
const model = startModelServer((request) => {
  const text = request.messages.at(-1)?.content ?? "";
  const name = /^- (\S+\.txt)/m.exec(text)?.[1] ?? "";
  const failed = text.includes("Stage: ");
  const base = /^base_sha256: (\w+)/m.exec(text)?.[1] ?? EMPTY_SHA;
  return reply(
    { path: name, base_sha256: base, content: failed ? `changed ${name}\n` : "wrong\n" },
    { path: `new/${name}`, base_sha256: EMPTY_SHA, content: "new\n" },
  );
});
afterAll(() => model.stop());

function orderFor(number: number) {
  const name = `f${number}.txt`;
  return order({
    id: `WO-${number}`,
    title: `Change ${name}`,
    allowed_files: [name, `new/${name}`],
    context_files: [name],
    acceptance_commands: [`grep -q changed ${name}`],
  });
}

const FILES = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`f${n}.txt`, `${n}\n`]));
const VERIFY = ["--verify", "sh -c 'echo drift > drift.txt; echo more >> f1.txt.ignored; sleep 0.05'"];

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the program until it ends, or until `stop` returns true for an event line. */
async function program(
  argv: string[],
  cwd: string,
  stop?: (line: string) => NodeJS.Signals | null,
): Promise<Ended> {
  const events = join(cwd, "events.jsonl");
  writeFileSync(events, "");
  const child = Bun.spawn([...PROGRAM, ...argv, ...(stop ? ["--events", "-"] : [])], {
    cwd,
    env: env(),
    stdout: "pipe",
    stderr: "pipe",
  });
  const stderr = new Response(child.stderr).text();
  let stdout = "";
  for await (const chunk of child.stdout.pipeThrough(
    new TextDecoderStream() as never,
  ) as ReadableStream<string>) {
    stdout += chunk;
    if (!stop) continue;
    for (const line of chunk.split("\n")) {
      const signal = stop(line);
      if (signal) child.kill(signal);
    }
  }
  await child.exited;
  return { code: child.signalCode === null ? child.exitCode : null, stdout, stderr: await stderr };
}

function runArgv(workspace: Workspace, number: number, extra: string[] = []): string[] {
  const file = writeOrder(workspace, orderFor(number));
  return ["factory", "run", ...flags(workspace, model.url), "--work-order", file, ...VERIFY, ...extra];
}

const STAGES = ["check", "propose", "apply", "verify", "judge", "roll_back", "accept"];

test.each(STAGES)(
  "a run killed in %s continues without repeated requests",
  async (stage) => {
    const workspace = makeWorkspace({ ...FILES, ".gitignore": "*.ignored\n" });
    const before = stateOf(workspace.repo);
    const paid = model.requests.length;
    const stopAt = (line: string) =>
      line.includes(`"stage_started"`) && line.includes(`"stage":"${stage}"`) ? "SIGKILL" : null;
    const killed = await program(runArgv(workspace, 1), workspace.dir, stopAt);
    expect(killed.code).toBeNull();
    const done = await program(runArgv(workspace, 1), workspace.dir);
    expect({ code: done.code, stderr: done.stderr }).toMatchObject({ code: 0 });
    expect(readFileSync(join(workspace.repo, "f1.txt"), "utf8")).toBe("changed f1.txt\n");
    expect(model.requests.length - paid).toBeLessThanOrEqual(stage === "propose" ? 3 : 2);
    expect(existsSync(join(workspace.repo, ".git/atomsmith-factory"))).toBe(false);
    const after = stateOf(workspace.repo);
    expect(after["HEAD"]).toBe(before["HEAD"] as string);
    expect(after["f2.txt"]).toBe(before["f2.txt"] as string);
  },
  SLOW,
);

test(
  "SIGINT during a command rolls back and exits with 130",
  async () => {
    const workspace = makeWorkspace(FILES);
    const before = stateOf(workspace.repo);
    const argv = runArgv(workspace, 2, ["--verify", "sleep 60"]);
    const ended = await program(argv, workspace.dir, (line) =>
      line.includes('"command":"sleep 60"') ? "SIGINT" : null,
    );
    expect(ended.code).toBe(130);
    expect(stateOf(workspace.repo)).toEqual(before);
    expect(existsSync(join(workspace.out))).toBe(true);
    const paid = model.requests.length;
    const again = await program(runArgv(workspace, 2, ["--verify", "sleep 60"]), workspace.dir, (line) =>
      line.includes('"command":"sleep 60"') ? "SIGTERM" : null,
    );
    expect(again.code).toBe(130);
    expect(model.requests.length).toBe(paid);
    expect(stateOf(workspace.repo)).toEqual(before);
  },
  SLOW,
);

test(
  "changes of the user after a kill are saved before the rollback, and a moved HEAD is not touched",
  async () => {
    const workspace = makeWorkspace(FILES);
    const before = stateOf(workspace.repo);
    const verify = (line: string) => (line.includes('"command_started"') ? ("SIGKILL" as const) : null);
    await program(runArgv(workspace, 3), workspace.dir, verify);
    writeFileSync(join(workspace.repo, "f2.txt"), "a person's\n");
    writeFileSync(join(workspace.repo, "mine.txt"), "mine\n");
    writeFileSync(join(workspace.repo, ".git/index"), "damaged by the killed command\n");
    const rescued = await program(runArgv(workspace, 3), workspace.dir, (line) =>
      line.includes('"propose"') ? "SIGKILL" : null,
    );
    expect(rescued.stderr).toContain("rescued");
    const [id = ""] = readdirSync(workspace.out);
    expect(readFileSync(join(workspace.out, id, "rescued/f2.txt"), "utf8")).toBe("a person's\n");
    expect(readFileSync(join(workspace.out, id, "rescued/mine.txt"), "utf8")).toBe("mine\n");
    expect(existsSync(join(workspace.out, id, "rescued/f3.txt"))).toBe(false);
    const rest = stateOf(workspace.repo);
    expect({ ...rest, left: "" }).toEqual({ ...before, left: "" });
    await program(runArgv(workspace, 3), workspace.dir, verify);
    git(workspace.repo, "commit", "-qam", "a person's commit");
    const refused = await program(runArgv(workspace, 3), workspace.dir);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("nothing was rolled back");
  },
  SLOW,
);

test(
  "a second simultaneous run is refused and names the process of the first",
  async () => {
    const workspace = makeWorkspace(FILES);
    let second: Promise<Ended> | undefined;
    const first = await program(runArgv(workspace, 4, ["--verify", "sleep 2"]), workspace.dir, (line) => {
      if (line.includes('"command":"sleep 2"') && !second)
        second = program(runArgv(workspace, 5), workspace.dir);
      return null;
    });
    expect(first.code).toBe(0);
    const refused = await second;
    expect(refused?.code).toBe(2);
    expect(refused?.stderr).toMatch(/process \d+/);
  },
  SLOW,
);

function runAllArgv(workspace: Workspace): string[] {
  [1, 2, 3, 4, 5].forEach((n) => {
    writeOrder(workspace, orderFor(n), `orders/WO-${n}.json`);
  });
  return [
    ...["factory", "run-all", ...flags(workspace, model.url), "--work-orders", join(workspace.dir, "orders")],
    ...["--commit", "factory/all", ...VERIFY],
  ];
}

function resultOf(workspace: Workspace): unknown {
  const { refs, ...state } = stateOf(workspace.repo);
  return {
    ...state,
    log: git(workspace.repo, "log", "--format=%s %T", "factory/all"),
    branches: refs?.match(/refs\S+/g),
  };
}

test(
  `${KILLS} random kills during run-all of five orders leave the same repository as an undisturbed run`,
  async () => {
    const calm = makeWorkspace({ ...FILES, ".gitignore": "*.ignored\n" });
    mkdirSync(join(calm.dir, "orders"));
    const undisturbed = await program(runAllArgv(calm), calm.dir);
    expect(undisturbed.code).toBe(0);
    const expected = resultOf(calm);
    const next = randomNumbers("factory kills");
    let kills = 0;
    while (kills < KILLS) {
      const workspace = makeWorkspace({ ...FILES, ".gitignore": "*.ignored\n" });
      mkdirSync(join(workspace.dir, "orders"));
      const argv = runAllArgv(workspace);
      const paid = model.requests.length;
      for (;;) {
        const child = Bun.spawn([...PROGRAM, ...argv], {
          cwd: workspace.dir,
          env: env(),
          stdout: "ignore",
          stderr: "pipe",
        });
        const timer =
          kills < KILLS ? setTimeout(() => child.kill("SIGKILL"), 150 + next() * 2_500) : undefined;
        await child.exited;
        clearTimeout(timer);
        if (child.signalCode !== null) {
          kills += 1;
          continue;
        }
        const stderr = await new Response(child.stderr).text();
        expect({ code: child.exitCode, said: stderr, seed: SEED, kills }).toMatchObject({ code: 0 });
        break;
      }
      expect(resultOf(workspace)).toEqual(expected);
      const { orders } = JSON.parse(readFileSync(join(workspace.out, RUN_ALL_FILE), "utf8"));
      expect(orders.map(({ verdict }: { verdict: string }) => verdict)).toEqual(Array(5).fill("PASS"));
      // A reply in progress when the process died was not stored: it may be requested again, once per kill.
      expect(model.requests.length - paid).toBeLessThanOrEqual(10 + kills);
    }
  },
  60_000 + KILLS * 10_000,
);
