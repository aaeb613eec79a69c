// Slots for model calls of a fleet, over a real PostgreSQL.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { FleetLimits, Queue } from "../../src/queue/index.ts";
import { TestPostgres } from "../support/postgres.ts";

const SUBMISSION = "5b0c6b53-7a3f-4f0e-9d2e-0a50b1f6f5a1";
let postgres: TestPostgres;
let queue: Queue;

beforeAll(async () => {
  postgres = await TestPostgres.start();
  queue = await Queue.open(postgres.url(), {
    application: "test",
    connections: 2,
    maxAttempts: 2,
    warn: () => undefined,
  });
  await postgres.query(
    "INSERT INTO atomsmith.submission (id, kind, project, host, document) VALUES ($1, 'item', 'p', 'h', '{}')",
    [SUBMISSION],
  );
}, 30_000);
afterAll(async () => {
  await queue?.close();
  await postgres?.stop();
});

test("a rolled back and repeated transaction enters a new endpoint again", async () => {
  // The first attempt fails after inserting the endpoint; a sequence is not rolled back.
  await postgres.query(`CREATE SEQUENCE atomsmith.tries;
    CREATE FUNCTION atomsmith.fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('atomsmith.tries') = 1 THEN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END IF;
      RETURN NEW; END $$;
    CREATE TRIGGER fail_once BEFORE INSERT ON atomsmith.call FOR EACH ROW EXECUTE FUNCTION atomsmith.fail_once()`);
  const limits = new FleetLimits({
    queue,
    submission: SUBMISSION,
    worker: "w1",
    hold: async () => undefined,
  });
  const { leave } = await limits.enter({
    subject: "A-1",
    endpoint: "http://model/",
    maxCalls: 1,
    reserve: { tokens: 10, costUsd: 0 },
    signal: new AbortController().signal,
  });
  const calls = await postgres.query("SELECT url FROM atomsmith.call");
  expect(calls).toEqual([{ url: "http://model/" }]);
  await leave({ tokens: 7, costUsd: 0 }, undefined);
  const [spent] = await postgres.query<{ tokens: string }>("SELECT tokens FROM atomsmith.submission");
  expect(spent?.tokens).toBe("7");
});
