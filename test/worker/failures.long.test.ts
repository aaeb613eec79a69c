// What can happen to a fleet, one thing at a time and with real parts: the line to the database is cut, its disk is full,
// the clocks of the machines differ, an item kills its workers. Kills, stops and restarts at random moments: chaos.long.test.ts.
import { afterAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { Database } from "../../src/store/postgres/database.ts";
import { MIGRATIONS, migrate } from "../../src/store/postgres/migrations.ts";
import type { Ended } from "../support/fleet.ts";
import { TestPostgres } from "../support/postgres.ts";
import { type Line, LineProxy } from "../support/proxy.ts";
import { SmallDisk } from "../support/small-disk.ts";
import { batchArgs } from "./chaos.ts";
import { endScenes, Scene, until } from "./scene.ts";

/** Longer than the ten seconds of silence after which a worker loses its jobs. */
const PAST_LEASE_MS = 14_000;
const AT_ONCE = 2;
const FOUR = { ids: ["CLK-1", "CLK-2", "CLK-3", "CLK-4"], replyMs: 200 };
const HOURS_3 = "10800000";
const TEST_MS = 300_000;

afterAll(endScenes);

/** A worker behind a proxy has jobs under way when its line changes; then another worker comes. */
async function cut(scene: Scene, line: Line, ms: number): Promise<Ended> {
  const { fleet } = scene;
  const proxy = await LineProxy.start(fleet.postgres.port);
  try {
    fleet.worker(scene.flags(AT_ONCE), { url: proxy.url(fleet.url) });
    const batch = scene.batch();
    await scene.asked(3);
    proxy.set(line);
    fleet.worker(scene.flags(AT_ONCE));
    await Bun.sleep(ms);
    proxy.set("open");
    return await batch;
  } finally {
    proxy.stop();
  }
}

const SHORT: [Line, number, what: string][] = [
  ["silent", 4_000, "the line of a worker is dead for less than its lease"],
  ["reset", 4_000, "the line of a worker breaks for less than its lease"],
  ["forgotten", 0, "a firewall forgets the connections of a worker"],
];
for (const [line, ms, what] of SHORT) {
  test(
    `${what}: it keeps its jobs, and no reply is asked for again`,
    () =>
      Scene.play(FOUR, async (scene) => {
        const ended = await cut(scene, line, ms);
        expect(await scene.laterAttempts()).toEqual([]);
        await scene.expectEqual(ended, 0);
      }),
    TEST_MS,
  );
}

for (const line of ["silent", "reset"] as const) {
  test(
    `the line of a worker is ${line} for longer than its lease: others take over, and what it brings later counts for nothing`,
    () =>
      Scene.play(FOUR, async (scene) => {
        const ended = await cut(scene, line, PAST_LEASE_MS);
        expect(await scene.laterAttempts()).not.toEqual([]);
        // The calls under way on the worker that was cut off, and none besides.
        await scene.expectEqual(ended, AT_ONCE);
      }),
    TEST_MS,
  );
}

/** Two workers have jobs under way when the database can write nothing more, for longer than their lease. */
async function full(scene: Scene, fill: () => Promise<void>, free: () => Promise<void>): Promise<Ended> {
  for (let i = 0; i < 2; i++) scene.fleet.worker(scene.flags(AT_ONCE));
  const batch = scene.batch();
  await scene.asked(5);
  await fill();
  await Bun.sleep(PAST_LEASE_MS);
  const { requests } = scene;
  // Not a reply was asked for that could not be stored: those under way have come long ago.
  await Bun.sleep(1_000);
  expect(scene.requests).toBe(requests);
  await free();
  return batch;
}

test(
  "the server can write no file any more and ends, and is started again with room: all goes on",
  () =>
    Scene.play(FOUR, async (scene) => {
      const { postgres } = scene.fleet;
      const ended = await full(
        scene,
        async () => {
          // Not a byte: with room for a few, the server may recover and go on for minutes.
          await postgres.limitFiles(0);
          await postgres.ended();
        },
        () => postgres.run(),
      );
      await scene.expectEqual(ended, 2 * AT_ONCE);
    }),
  TEST_MS,
);

// A machine that lets no user mount a file system has the test above alone.
const disk = await SmallDisk.open(24, TestPostgres.user);
afterAll(() => disk?.close());
if (disk !== undefined) {
  test(
    "the disk of the tables is full for longer than the lease: writes wait, and all goes on when there is room",
    () => {
      const folder = disk.folder("tables");
      const before = async (postgres: TestPostgres): Promise<void> => {
        await postgres.query(`CREATE TABLESPACE small LOCATION '${folder}'`);
        await postgres.query("ALTER ROLE tester SET default_tablespace = small");
      };
      return Scene.play({ ...FOUR, before }, async (scene) => {
        const { postgres } = scene.fleet;
        const ended = await full(
          scene,
          async () => {
            disk.fill();
            const write = postgres.query("CREATE TABLE more AS SELECT generate_series(1, 100000)");
            expect(await write.catch((error) => error.code)).toBe("53100");
          },
          async () => disk.free(),
        );
        await scene.expectEqual(ended, 2 * AT_ONCE);
      });
    },
    TEST_MS,
  );
}

test(
  "clocks that are hours apart, and one that jumps, change nothing",
  () =>
    Scene.play(FOUR, async (scene) => {
      const clocks = [HOURS_3, `-${HOURS_3}`, "jumping"];
      const [first] = clocks.map((clock) => scene.fleet.worker(scene.flags(1), { clock }));
      const batch = scene.batch();
      await scene.asked(6);
      expect(await scene.laterAttempts()).toEqual([]);
      await first?.kill();
      const ended = await batch;
      expect((await scene.laterAttempts()).length).toBeLessThanOrEqual(1);
      await scene.expectEqual(ended, 1);
    }),
  TEST_MS,
);

test(
  "what a slow clock made after a fast one is brought home when nobody waited for it",
  () =>
    Scene.play({ ids: ["CLK-1"], replyMs: 0 }, async (scene) => {
      const { fleet, project } = scene;
      const fast = fleet.worker(scene.flags(1), { clock: HOURS_3 });
      expect((await scene.batch()).code).toBe(0);
      await fast.kill();
      const page = readFileSync(project.spec, "utf8");
      writeFileSync(project.spec, page.replace("name of the clock.", "clock's name."));
      const submitter = fleet.spawn([...batchArgs(project, "fleet"), "--queue", fleet.url]);
      const inState = (state: string) =>
        fleet.postgres.query("SELECT 1 FROM atomsmith.job WHERE state = $1", [state]);
      await until(async () => (await inState("open")).length === 1);
      submitter.kill("SIGINT");
      await submitter.exited;
      fleet.worker(scene.flags(1), { clock: `-${HOURS_3}` });
      await until(async () => (await inState("done")).length === 2);
      const before = scene.requests;
      const ended = await scene.batch();
      expect([ended.code, JSON.parse(ended.stdout).totals.up_to_date]).toEqual([0, 1]);
      expect(scene.requests).toBe(before);
    }),
  TEST_MS,
);

test(
  "a newer program changes all tables while a fleet is working: it goes on, and older workers can still start",
  () =>
    Scene.play(FOUR, async (scene) => {
      const { fleet } = scene;
      fleet.worker(scene.flags(1));
      const batch = scene.batch();
      await scene.asked(5);
      const db = await Database.open(fleet.postgres.url(), { connections: 1, application: "newer" });
      const tables = await db.query<{ name: string }>(
        "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'atomsmith' AND table_name <> 'migration'",
      );
      expect(tables.length).toBeGreaterThan(10);
      const alter = tables.map(
        ({ name }) => `ALTER TABLE atomsmith.${name} ADD COLUMN newer text NOT NULL DEFAULT 'x';`,
      );
      const index = "CREATE INDEX newer ON atomsmith.job (newer);";
      await migrate(db, [...MIGRATIONS, { sql: `${alter.join("\n")}\n${index}` }]);
      await db.close();
      fleet.worker(scene.flags(1));
      const ended = await batch;
      expect(await scene.laterAttempts()).toEqual([]);
      await scene.expectEqual(ended, 0);
    }),
  TEST_MS,
);

test(
  "an item that kills every worker is dead after its attempts, with a reason; the others end as on one machine",
  () => {
    let kill = async (): Promise<void> => undefined;
    return Scene.play(
      {
        ids: ["CLK-1", "CLK-POISON", "CLK-2"],
        replyMs: 0,
        extra: "queue: {max_attempts: 2}\n",
        onRequest: async (text) => {
          if (text.includes("CLK-POISON")) await kill();
        },
      },
      async (scene) => {
        const worker = scene.fleet.worker(scene.flags(1));
        kill = () => worker.kill();
        const again = setInterval(() => worker.restart(), 500);
        const ended = await scene.batch();
        clearInterval(again);
        const items = JSON.parse(ended.stdout).items as { item_id: string; status: string }[];
        expect(items.map(({ item_id, status }) => `${item_id} ${status}`)).toEqual([
          "CLK-1 accepted",
          "CLK-2 accepted",
          "CLK-POISON error",
        ]);
        const listed = await scene.fleet.run(["queue", "ls", "--state", "dead", "--json"]);
        expect(JSON.parse(listed.stdout).jobs).toMatchObject([
          { subject: "CLK-POISON", attempts: 2, reason: expect.stringContaining("heartbeat") },
        ]);
      },
    );
  },
  TEST_MS,
);
