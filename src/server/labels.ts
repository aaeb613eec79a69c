// Label sessions of browsers: the same sessions as in a terminal, kept for a while. Two people on one page have two
// sessions; the second one to save gets an error, since the page has changed.

import { AtomsmithError } from "../core/errors.ts";
import { randomHex } from "../core/random.ts";
import { exampleOfMarking, type Marking } from "../label/marking.ts";
import {
  exampleBlock,
  hasCheck,
  type LabelPage,
  type NewBlock,
  openPage,
  writeBlocks,
} from "../label/page.ts";
import type { LabelSession, Preview } from "../label/session.ts";
import { openLabelSession } from "../loops/item/label-session.ts";
import { fencedBlock } from "../spec/index.ts";
import { refusal } from "./http/problem.ts";
import type { ServeOptions } from "./types.ts";

/** Maximum number of sessions, each with its logs in memory; milliseconds until an unused one is dropped. */
const LIMITS = { sessions: 8, idleMs: 30 * 60_000, shown: 500 };

interface Held {
  id: string;
  item: string;
  session: LabelSession;
  used: number;
}

export class Labels {
  private readonly options: ServeOptions;
  private readonly held = new Map<string, Held>();

  constructor(options: ServeOptions) {
    this.options = options;
  }

  async open(item: string, pagePath: string) {
    this.dropIdle();
    if (this.held.size >= LIMITS.sessions) {
      throw new AtomsmithError("limit", `${LIMITS.sessions} label sessions are open; close one or wait`);
    }
    const held: Held = {
      id: randomHex(8),
      item,
      session: await this.session(openPage(pagePath)),
      used: Date.now(),
    };
    this.held.set(held.id, held);
    return this.document(held);
  }

  close(id: string): void {
    this.held.delete(id);
  }

  state(id: string) {
    return this.document(this.sessionOrThrow(id));
  }

  files(id: string): Promise<{ paths: string[]; more: boolean }> {
    return this.sessionOrThrow(id).session.files();
  }

  async addLog(id: string, file: string) {
    const held = this.sessionOrThrow(id);
    if (!(await held.session.addLog(file))) {
      throw refusal(404, "the log is not a text file below the search root");
    }
    return this.document(held);
  }

  lines(id: string, file: string, from: number, count: number) {
    const log = this.sessionOrThrow(id).session.logs.find(({ path }) => path === file);
    if (log === undefined) throw refusal(404, "the log is not part of the session");
    return {
      file,
      start_line: from,
      lines: log.lines.slice(from - 1, from - 1 + count),
      total_lines: log.lines.length,
    };
  }

  /** Adds the marked example; several lines are one example.
   * @param first 1-based */
  add(id: string, mark: { file: string; first: number; last: number; record: Marking["record"] }) {
    const held = this.sessionOrThrow(id);
    const log = held.session.logs.find(({ path }) => path === mark.file);
    const lines = (log?.lines ?? []).slice(mark.first - 1, mark.last);
    if (log === undefined || lines.length !== mark.last - mark.first + 1) {
      throw refusal(400, "the log does not have these lines");
    }
    held.session.add(exampleOfMarking({ lines, record: mark.record }));
    return this.document(held);
  }

  /** Chooses one of the readings that a question offers. */
  choose(id: string, reading: number) {
    const held = this.sessionOrThrow(id);
    const preview = held.session.preview();
    const example = preview.kind === "question" ? preview.readings[reading] : undefined;
    if (example === undefined) throw refusal(409, "no such reading");
    held.session.add(example);
    return this.document(held);
  }

  undo(id: string) {
    const held = this.sessionOrThrow(id);
    held.session.undo();
    return this.document(held);
  }

  /** Writes the blocks into the page, and continues with the updated page. */
  async save(id: string, withCheck: boolean) {
    const held = this.sessionOrThrow(id);
    const blocks = blocksOf(held.session, withCheck);
    if (blocks.length === 0) throw refusal(409, "nothing to write: mark a line first");
    const lines = await writeBlocks(held.session.page, blocks);
    held.session = await this.session(openPage(held.session.page.path));
    return { ...this.document(held), written: lines };
  }

  private session(page: LabelPage): Promise<LabelSession> {
    const { config, ownFiles, signal } = this.options;
    return openLabelSession(page, { config, ownFiles, signal });
  }

  private sessionOrThrow(id: string): Held {
    this.dropIdle();
    const held = this.held.get(id);
    if (held === undefined)
      throw refusal(404, "the label session has ended", "open the page again; nothing was written");
    held.used = Date.now();
    return held;
  }

  private dropIdle(): void {
    for (const [id, { used }] of this.held) if (Date.now() - used > LIMITS.idleMs) this.held.delete(id);
  }

  private document({ id, item, session }: Held) {
    const { logs, own, examples, suggestedNames } = session;
    return {
      id,
      item,
      page: session.page.path,
      logs: logs.map(({ path, lines }) => ({ path, lines: lines.length, named: session.isNamed(path) })),
      kinds: session
        .kinds()
        .slice(0, LIMITS.shown)
        .map(({ line, file, at, count }) => ({
          text: line.slice(0, 2000),
          file: logs[file]?.path ?? "",
          line: at + 1,
          count,
        })),
      names: suggestedNames,
      examples: examples.length,
      own: own.map((example) => textOf(exampleBlock(example))),
      has_check: hasCheck(session.page),
      proposed_check: hasCheck(session.page) ? null : session.proposedCheck(),
      preview: previewOf(session.preview()),
    };
  }
}

function blocksOf(session: LabelSession, withCheck: boolean): NewBlock[] {
  const check = withCheck && !hasCheck(session.page) ? session.proposedCheck() : null;
  return [
    ...session.own.map(exampleBlock),
    ...(check === null ? [] : [{ section: "2", kind: "check", content: check } as const]),
  ];
}

function textOf({ kind, content }: NewBlock): string {
  return fencedBlock(kind, content);
}

function previewOf(preview: Preview) {
  switch (preview.kind) {
    case "records":
      return {
        kind: preview.kind,
        total: preview.records.length,
        records: preview.records.slice(0, LIMITS.shown),
        others_total: preview.others.length,
        others: preview.others.slice(0, LIMITS.shown),
      };
    case "question":
      return {
        kind: preview.kind,
        at: preview.at,
        readings: preview.readings.map((reading) => textOf(exampleBlock(reading))),
      };
    case "contradiction":
      return { kind: preview.kind, message: preview.message };
    default:
      return { kind: preview.kind };
  }
}
