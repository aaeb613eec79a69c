// A small batch by a fleet to which something happens, compared with the same batch on one machine.
import { expect } from "bun:test";
import { join } from "node:path";
import {
  AT_ONCE,
  atomsmith,
  ENV,
  makeProject,
  type Project,
  removeProjects,
  scriptedModel,
} from "../loops/item/scripted.ts";
import { type Ended, Fleet } from "../support/fleet.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import type { TestPostgres } from "../support/postgres.ts";
import { batchArgs, contentOf } from "./chaos.ts";

export interface SceneOptions {
  ids: readonly string[];
  /** Milliseconds that the model takes for a reply. */
  replyMs: number;
  /** Lines of the configuration. */
  extra?: string;
  /** What is done to the database before the tables are made. */
  before?: (postgres: TestPostgres) => Promise<void>;
  /** Told of each request, before it is answered. */
  onRequest?: (text: string) => Promise<void>;
}

/** What one machine leaves of a batch: the same for every scene with these items. */
interface Single {
  requests: number;
  content: string;
}
const singles = new Map<string, Promise<Single>>();

/** One for all scenes, since its address is part of what a set says about its making. */
let model: ModelServer | undefined;
let current: SceneOptions = { ids: [], replyMs: 0 };

function theModel(): ModelServer {
  const plain = scriptedModel(AT_ONCE);
  model ??= startModelServer(async (request, number) => {
    await current.onRequest?.(JSON.stringify(request.messages));
    return { ...(await plain(request, number)), delayMs: current.replyMs };
  });
  return model;
}

/** Call in `afterAll`. */
export async function endScenes(): Promise<void> {
  await model?.stop();
  model = undefined;
  removeProjects();
}

export class Scene {
  readonly project: Project;
  readonly fleet: Fleet;
  private readonly ids: readonly string[];
  private readonly before = theModel().requests.length;

  private constructor(fleet: Fleet, project: Project, ids: readonly string[]) {
    this.fleet = fleet;
    this.project = project;
    this.ids = ids;
  }

  /** Plays a scene; one at a time. */
  static async play(options: SceneOptions, play: (scene: Scene) => Promise<void>): Promise<void> {
    current = options;
    const project = makeProject(theModel().url, options.ids, options.extra);
    const fleet = await Fleet.start({ cwd: project.root, env: ENV });
    try {
      await options.before?.(fleet.postgres);
      // Makes the tables.
      expect((await fleet.run(["queue", "ls"])).code).toBe(0);
      await play(new Scene(fleet, project, options.ids));
    } finally {
      await fleet.stop();
    }
  }

  /** Requests that the model got in this scene. */
  get requests(): number {
    return theModel().requests.length - this.before;
  }

  /** Flags of a worker. */
  flags(concurrency: number): string[] {
    return ["--config", this.project.config, "--concurrency", String(concurrency)];
  }

  batch(): Promise<Ended> {
    return this.fleet.run(batchArgs(this.project, "fleet"));
  }

  /** Waits until the model has got this many requests of the fleet. */
  async asked(requests: number): Promise<void> {
    await until(
      async () => this.requests >= requests,
      () =>
        `${this.requests} of ${requests} requests; workers wrote: ${this.fleet.workers.map(({ errors }) => errors).join("")}`,
    );
  }

  /** Jobs that had a later attempt than their first, and why, by the queue's own count. */
  laterAttempts(): Promise<Record<string, unknown>[]> {
    return this.fleet.postgres.query(
      `SELECT job.subject, boss.retry_count - job.handed_back AS attempts, boss.output::text, job.reason
       FROM atomsmith_queue.job AS boss JOIN atomsmith.job USING (id) WHERE boss.retry_count > job.handed_back`,
    );
  }

  /** The run of the fleet ended well, its sets are those of one machine, and it asked at most `more` replies again. */
  async expectEqual(ended: Ended, more: number): Promise<void> {
    const { requests } = this;
    expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)]);
    expect(JSON.parse(ended.stdout).totals.accepted).toBe(this.ids.length);
    const key = this.ids.join(" ");
    const single = await (singles.get(key) ?? singles.set(key, alone(this.ids)).get(key));
    expect(setsOf(this.project, "fleet")).toBe(single?.content ?? "");
    expect(requests).toBeGreaterThanOrEqual(single?.requests ?? 0);
    expect(requests).toBeLessThanOrEqual((single?.requests ?? 0) + more);
  }
}

async function alone(ids: readonly string[]): Promise<Single> {
  current = { ids, replyMs: 0 };
  const before = theModel().requests.length;
  const project = makeProject(theModel().url, ids);
  const ended = await atomsmith(batchArgs(project, "alone"), project.root);
  expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)]);
  return { requests: theModel().requests.length - before, content: setsOf(project, "alone") };
}

/** All files of all sets, whatever the folder of the project and the port of the model. */
function setsOf(project: Project, name: string): string {
  const text = JSON.stringify(contentOf(join(project.root, name, "out")), null, 1);
  return text.replaceAll(join(project.root, name), "OUT").replaceAll(project.root, "ROOT");
}

/** Seconds; at a load of 25 on two cores a batch needs 17 for its first three requests. */
const UNTIL_S = 120;

/** Waits until something has come about; throws after two minutes, with the state that `seen` tells. */
export async function until(done: () => Promise<boolean>, seen: () => string = () => ""): Promise<void> {
  const limit = performance.now() + UNTIL_S * 1000;
  let thrown = "";
  while (performance.now() < limit) {
    try {
      if (await done()) return;
    } catch (error) {
      thrown = String(error);
    }
    await Bun.sleep(50);
  }
  throw new Error(`it did not come about within ${UNTIL_S} s: ${seen()} ${thrown}`);
}
