// Backup and restore as docs/worker.md says: the database of a fleet at work is backed up, lost, and restored; nothing that
// was paid for before the backup is asked for again, and the end is that of one machine.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import {
  ENV,
  makeProject,
  AT_ONCE as PLAN,
  type Project,
  removeProjects,
  scriptedModel,
} from "../loops/item/scripted.ts";
import { type Ended, Fleet } from "../support/fleet.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { Backup } from "../support/postgres-backup.ts";
import { batchArgs, contentOf } from "./chaos.ts";

const IDS = ["CLK-1", "CLK-2", "CLK-3", "CLK-4", "CLK-5", "CLK-6"];
const AT_ONCE = 2;
const REPLY_MS = 300;
const TEST_MS = 180_000;

let model: ModelServer;
beforeAll(() => {
  const script = scriptedModel(PLAN);
  model = startModelServer(async (request, number) => ({
    ...(await script(request, number)),
    delayMs: REPLY_MS,
  }));
});
afterAll(async () => {
  await model?.stop();
  removeProjects();
});

interface Scene {
  fleet: Fleet;
  project: Project;
  /** Requests of the fleet so far. */
  requests(): number;
  /** Replies in the database. */
  stored(): Promise<number>;
  worker(): void;
  asked(requests: number): Promise<void>;
}

/** Plays a scene with a fleet of its own, and compares its sets with those of one machine. */
async function play(scene: (scene: Scene) => Promise<{ ended: Ended; paid: number }>): Promise<void> {
  const project = makeProject(model.url, IDS);
  const fleet = await Fleet.start({ cwd: project.root, env: ENV });
  try {
    expect((await fleet.run(["queue", "ls"])).code).toBe(0);
    const before = model.requests.length;
    const requests = (): number => model.requests.length - before;
    const { ended, paid } = await scene({
      fleet,
      project,
      requests,
      stored: async () => {
        const [row] = await fleet.postgres.query<{ n: number }>(
          "SELECT count(*)::int AS n FROM atomsmith.turn",
        );
        return row?.n ?? 0;
      },
      worker: () => void fleet.worker(["--config", project.config, "--concurrency", String(AT_ONCE)]),
      asked: (wanted) => until(() => requests() >= wanted),
    });
    const made = requests();
    const alone = await fleet.runAlone(batchArgs(project, "alone"));
    expect([ended.code, alone.code, ended.stderr]).toEqual([0, 0, expect.any(String)]);
    expect(JSON.parse(ended.stdout).totals.accepted).toBe(IDS.length);
    expect(contentOf(join(project.root, "fleet/out"))).toEqual(contentOf(join(project.root, "alone/out")));
    // All that one machine asks, and again at most what the restored database did not know.
    const single = requests() - made;
    expect(made).toBeLessThanOrEqual(single + paid);
  } finally {
    await fleet.stop();
  }
}

async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  const limit = performance.now() + 60_000;
  while (!(await done())) {
    if (performance.now() > limit) throw new Error("it did not come about within 60 s");
    await Bun.sleep(50);
  }
}

test(
  "workers and command stopped, an older state restored, the same command again: the rest is done, nothing paid before it again",
  () =>
    play(async ({ fleet, project, requests, stored, worker, asked }) => {
      worker();
      worker();
      const command = fleet.spawn([...batchArgs(project, "fleet"), "--queue", fleet.url]);
      await asked(10);
      const backup = await Backup.take(fleet.postgres);
      // The fleet goes on, and what it pays for now will be lost.
      await asked(requests() + 4);
      for (const one of fleet.workers.splice(0)) await one.kill();
      command.kill("SIGKILL");
      await command.exited;
      const paid = requests();
      await backup.destroy();
      await backup.restore();
      const kept = await stored();
      expect(kept).toBeGreaterThanOrEqual(10 - 2 * AT_ONCE);
      expect(kept).toBeLessThan(paid);
      worker();
      return { ended: await fleet.run(batchArgs(project, "fleet")), paid: paid - kept };
    }),
  TEST_MS,
);

test(
  "a command that waits while the database is lost and restored goes on, and so does a new worker",
  () =>
    play(async ({ fleet, project, requests, stored, worker, asked }) => {
      worker();
      const command = fleet.run(batchArgs(project, "fleet"));
      await asked(6);
      const backup = await Backup.take(fleet.postgres);
      await asked(requests() + 2);
      for (const one of fleet.workers.splice(0)) await one.kill();
      const paid = requests();
      await backup.destroy();
      await backup.restore();
      const kept = await stored();
      worker();
      return { ended: await command, paid: paid - kept };
    }),
  TEST_MS,
);
