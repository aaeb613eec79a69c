// Judges items of a checklist with the overrides of the spec, on the logs or on the stored extraction of an earlier
// check of the same logs. Extractions are stored under the hash of everything they depend on.
import { readFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { ItemEmit } from "../../../contract/item-events.ts";
import { canonicalHash } from "../../../core/canonical.ts";
import { EventBus } from "../../../core/event-bus.ts";
import { PathGuard } from "../../../files/guard.ts";
import { variablesOf } from "../../../files/variables.ts";
import {
  type CheckedSet,
  type CheckServices,
  checkAtomSet,
  type Extraction,
  LogPool,
} from "../../../runtime/index.ts";
import type { ConfigOverride } from "../../../runtime/override.ts";
import { SessionCache } from "../../../runtime/session-cache.ts";
import { writeFileAtomic } from "../../../store/index.ts";
import { OWN_FOLDER } from "../folder.ts";
import type { Checklist } from "./services.ts";
import type { ChecklistSpec } from "./spec.ts";

/** Concurrent items per isolate: while one waits for its atoms, another reads logs. */
const ITEMS_PER_CHILD = 2;

export interface JudgeRequest {
  item: string;
  /** Folder of the atom set. */
  dir: string;
  overrides: ConfigOverride[];
  /** Hash under which the extraction is stored. */
  extraction: string;
}

export type Judged = { checked: CheckedSet; reread: boolean } | { missing: true };

/** Judges a batch of items; opened once per batch. */
export class Judge {
  private readonly checklist: Checklist;
  private readonly services: CheckServices;
  private readonly sessions: SessionCache;
  private readonly variables: ReadonlyMap<string, string>;

  private constructor(
    checklist: Checklist,
    services: CheckServices,
    sessions: SessionCache,
    variables: ReadonlyMap<string, string>,
  ) {
    this.checklist = checklist;
    this.services = services;
    this.sessions = sessions;
    this.variables = variables;
  }

  static async open(
    checklist: Checklist,
    spec: ChecklistSpec,
    signal: AbortSignal,
    emitOf?: (id: string) => ItemEmit,
  ): Promise<Judge> {
    const { config, bus } = checklist.services;
    const sandbox = await checklist.services.sandbox();
    const guard = new PathGuard(checklist.searchRoot(spec));
    const sessions = new SessionCache(sandbox);
    const quiet = new EventBus("preview").emit;
    const services: CheckServices = {
      sandbox,
      sessions,
      pool: new LogPool({ maxTextBytes: config.check.max_text_mb * 2 ** 20, signal }),
      guard,
      emit: emitOf === undefined ? quiet : bus.emit,
      emitOf: emitOf ?? (() => quiet as ItemEmit),
      signal,
    };
    return new Judge(checklist, services, sessions, variablesOf(guard.root, checklist.variables(spec)));
  }

  /** Judges each item, in the order of the requests. @param onlyStored use stored extractions only; without one, the
   * result is `missing` */
  async judgeAll(
    requests: readonly JudgeRequest[],
    onlyStored: boolean,
    onDone?: () => void,
  ): Promise<Judged[]> {
    const results = new Array<Judged>(requests.length);
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let index = next++; index < requests.length; index = next++) {
        this.services.signal.throwIfAborted();
        results[index] = await this.judgeOne(requests[index] as JudgeRequest, onlyStored);
        onDone?.();
      }
    };
    const workers = Math.min(this.checklist.services.children * ITEMS_PER_CHILD, requests.length);
    await Promise.all(Array.from({ length: workers }, worker));
    return results;
  }

  close(): Promise<void> {
    return this.sessions.close();
  }

  private async judgeOne(
    { dir, overrides, extraction: hash }: JudgeRequest,
    onlyStored: boolean,
  ): Promise<Judged> {
    const { dir: project, services } = this.checklist;
    const stored = readExtraction(project, hash);
    if (stored === undefined && onlyStored) return { missing: true };
    const { sandbox, check } = services.config;
    const checked = await checkAtomSet(
      dir,
      {
        variables: this.variables,
        overrides,
        unverified: false,
        outdated: false,
        limits: { timeoutMs: sandbox.timeout * 1000, memoryMb: sandbox.memory_mb },
        maxRecords: check.max_records,
        requireWitness: check.require_witness,
        parallel: services.children + 1,
        ...(stored === undefined ? {} : { extraction: stored }),
      },
      this.services,
    );
    if (stored === undefined && checked.extraction !== null)
      await storeExtraction(project, hash, checked.extraction);
    return { checked, reread: stored === undefined };
  }
}

/** Hash of everything that an extraction depends on. @param logs hash of the listing of the logs, by content */
export function extractionHash(set: string | null, logs: string, root: string): string {
  return canonicalHash({ set, logs, root });
}

function extractionsDir(project: string): string {
  return join(project, OWN_FOLDER, "extractions");
}

function readExtraction(project: string, hash: string): Extraction | undefined {
  try {
    return JSON.parse(
      gunzipSync(readFileSync(join(extractionsDir(project), `${hash}.json.gz`))).toString("utf8"),
    );
  } catch {
    return undefined; // missing or truncated: read the logs again
  }
}

async function storeExtraction(project: string, hash: string, extraction: Extraction): Promise<void> {
  const bytes = gzipSync(JSON.stringify(extraction), { level: 1 });
  await writeFileAtomic(join(extractionsDir(project), `${hash}.json.gz`), bytes, { flush: false });
}

/** Removes extractions that the last check does not reference: they can be recomputed from the logs. */
export async function dropExtractions(project: string, keep: ReadonlySet<string>): Promise<void> {
  const dir = extractionsDir(project);
  const names = await readdir(dir).catch(() => [] as string[]);
  for (const name of names) {
    if (!keep.has(name.replace(".json.gz", ""))) await rm(join(dir, name), { force: true });
  }
}
