// A claim whose connection breaks while the database works on it leaves no job claimed by nobody.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { newSubmissionId, Queue, submitJobs } from "../../src/queue/index.ts";
import { submissionSchema } from "../../src/queue/types.ts";
import { TestPostgres } from "../support/postgres.ts";
import { LineProxy } from "../support/proxy.ts";

let postgres: TestPostgres;
let proxy: LineProxy;
let queue: Queue;

beforeAll(async () => {
  postgres = await TestPostgres.start();
  proxy = await LineProxy.start(postgres.port);
  queue = await Queue.open(proxy.url(postgres.url()), {
    application: "test",
    connections: 2,
    maxAttempts: 2,
    warn: () => undefined,
  });
}, 30_000);
afterAll(async () => {
  await queue?.close();
  proxy?.stop();
  await postgres?.stop();
});

test("the line breaks within a claim: the job stays free, and a later claim is its first attempt", async () => {
  const submission = submissionSchema.parse({
    format: 1,
    kind: "item",
    project: "p",
    host: "h",
    program: "",
    config: {},
    root: null,
    own_files: [],
    seed: 0,
    command_flags: [],
    store: "postgres",
    options: {},
  });
  await submitJobs(queue, newSubmissionId(), submission, [
    { subject: "CLK-1", inputs: "", payload: "{}", files: [], turns: [], checkpoint: undefined },
  ]);
  await postgres.query(`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_sleep(1); RETURN NEW; END $$`);
  await postgres.query(
    "CREATE TRIGGER slow BEFORE UPDATE ON atomsmith_queue.job_common FOR EACH ROW EXECUTE FUNCTION slow()",
  );
  const claiming = queue.claim("item", 1, [], "w");
  await until("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
  proxy.set("reset");
  proxy.set("open");
  let claimed = await claiming;
  // Before the heartbeat of a claimed job would lapse.
  for (const began = performance.now(); claimed.length === 0 && performance.now() - began < 8_000; )
    claimed = await queue.claim("item", 1, [], "w");
  expect(claimed).toMatchObject([{ subject: "CLK-1", attempt: 0 }]);
}, 60_000);

async function until(query: string): Promise<void> {
  const limit = performance.now() + 20_000;
  while ((await postgres.query(query)).length === 0) {
    if (performance.now() > limit) throw new Error(`no row within 20 s: ${query}`);
    await Bun.sleep(20);
  }
}
