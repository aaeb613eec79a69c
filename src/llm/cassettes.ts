// Record and replay: one readable JSONL file per subject of a loop. A line holds the difference of a request from an
// earlier one, and the reply. Replay looks replies up by the normalized request; an unknown request is an error that
// shows where it differs.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { AtomsmithError } from "../core/errors.ts";
import type { Emit } from "../core/events.ts";
import { truncate } from "../core/limits.ts";
import type { Redact } from "../core/redact/index.ts";
import { VERSION } from "../core/version.ts";
import { AppendLog } from "../store/append-log.ts";
import type { Ledger } from "./budget.ts";
import {
  localizeReply,
  type Normalize,
  type NormalRequest,
  normalizeReply,
  normalRequest,
} from "./normal-request.ts";
import { replayedCall } from "./replayed.ts";
import { messageSchema, replySchema } from "./turns.ts";
import type { ChatContext, ChatMessage, ChatModel, ChatReply, ChatRequest } from "./types.ts";

const headerSchema = z.object({
  cassette: z.literal(1),
  /** The subject, of any loop. */
  item_id: z.string(),
  program_version: z.string(),
});

const entrySchema = z.object({
  key: z.string(),
  role: z.string(),
  tools: z.array(z.string()),
  /** The earlier entry (from 0) with which this request shares its first messages, and their number. */
  after: z.object({ entry: z.number().int(), messages: z.number().int() }).nullable(),
  messages: z.array(messageSchema),
  reply: replySchema,
});

interface Recorded {
  key: string;
  role: string;
  /** All messages of the request, normalized. */
  messages: ChatMessage[];
  reply: ChatReply;
}

/** The recorded calls of one subject. */
export class Cassette {
  readonly path: string;
  private readonly entries: Recorded[];
  private readonly log: AppendLog;
  private readonly subject: string;
  private started: boolean;

  private constructor(path: string, subject: string, entries: Recorded[], started: boolean) {
    this.path = path;
    this.subject = subject;
    this.entries = entries;
    this.started = started;
    this.log = new AppendLog(path);
  }

  /** Reads the cassette of a subject; a missing file is an empty cassette. Throws `config` for an invalid file. */
  static async open(dir: string, subject: string): Promise<Cassette> {
    const path = join(dir, `${subject}.jsonl`);
    if (!existsSync(path)) return new Cassette(path, subject, [], false);
    const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line.trim() !== "");
    const entries: Recorded[] = [];
    lines.forEach((line, index) => {
      const value = parseLine(line, path, index + 1);
      const read = index === 0 ? headerSchema.safeParse(value) : entrySchema.safeParse(value);
      if (!read.success)
        throw invalidLine(path, index + 1, read.error.issues[0]?.message ?? "unknown format");
      if (index > 0) entries.push(expand(entrySchema.parse(value), entries));
    });
    return new Cassette(path, subject, entries, lines.length > 0);
  }

  /** The reply recorded last for this key. */
  find(key: string): ChatReply | undefined {
    return this.entries.findLast((entry) => entry.key === key)?.reply;
  }

  /** Appends a call, unless it is recorded with the same reply already. */
  append(request: ChatRequest, key: string, messages: ChatMessage[], reply: ChatReply): void {
    if (this.find(key) && JSON.stringify(this.find(key)) === JSON.stringify(reply)) return;
    if (!this.started) {
      this.log.append({ cassette: 1, item_id: this.subject, program_version: VERSION });
      this.started = true;
    }
    let after: { entry: number; messages: number } | null = null;
    this.entries.forEach((entry, index) => {
      const shared = commonPrefix(entry.messages, messages);
      if (shared > (after?.messages ?? 0)) after = { entry: index, messages: shared };
    });
    const known = (after as { messages: number } | null)?.messages ?? 0;
    this.log.append(
      {
        key,
        role: request.role,
        tools: request.tools.map((tool) => tool.name),
        after,
        messages: messages.slice(known),
        reply,
      },
      true,
    );
    this.entries.push({ key, role: request.role, messages, reply });
  }

  close(): void {
    this.log.close();
  }

  /** Describes where a request differs from the recorded call with the longest common beginning. */
  difference(role: string, messages: ChatMessage[]): string {
    const sameRole = this.entries.filter((entry) => entry.role === role);
    if (sameRole.length === 0) return `no recorded calls of ${role}`;
    let best = sameRole[0] as Recorded;
    for (const entry of sameRole) {
      const shared = commonPrefix(entry.messages, messages);
      const length = Math.abs(entry.messages.length - messages.length);
      const bestShared = commonPrefix(best.messages, messages);
      const bestLength = Math.abs(best.messages.length - messages.length);
      if (shared > bestShared || (shared === bestShared && length < bestLength)) best = entry;
    }
    const at = commonPrefix(best.messages, messages);
    const [recorded, current] = [best.messages[at], messages[at]];
    if (!current) return `the request ends after ${at} messages, the recorded one is longer`;
    if (!recorded) return `after the ${at} recorded messages the request has another ${current.role} message`;
    if (recorded.role !== current.role)
      return `message ${at + 1} is from ${current.role}, recorded was ${recorded.role}`;
    return `message ${at + 1} (${current.role}) differs:\n${textDifference(messageText(recorded), messageText(current))}`;
  }
}

interface CassetteModelOptions {
  cassette: Promise<Cassette>;
  /** Applied to replies, which are recorded as the model wrote them except for paths of this machine. */
  normalize: Normalize;
  /** Applied to requests for their keys. */
  unify: Normalize;
  redact: Redact;
}

/** Records every reply of another model. */
export class RecordingModel implements ChatModel {
  readonly name: string;
  private readonly inner: ChatModel;
  private readonly o: CassetteModelOptions;

  constructor(inner: ChatModel, options: CassetteModelOptions) {
    this.inner = inner;
    this.name = inner.name;
    this.o = options;
  }

  async complete(request: ChatRequest, context: ChatContext): Promise<ChatReply> {
    const cassette = await this.o.cassette;
    const reply = await this.inner.complete(request, context);
    const clean = withoutSecrets(request, this.o);
    cassette.append(request, clean.key, clean.messages, normalizeReply(reply, this.o.normalize));
    return reply;
  }
}

export interface ReplayOptions extends CassetteModelOptions {
  ledger: Ledger;
  emit: Emit;
  searchRoot: string | undefined;
}

/** Answers from a cassette without any request. */
export class ReplayModel implements ChatModel {
  readonly name = "replay";
  private readonly o: ReplayOptions;

  constructor(options: ReplayOptions) {
    this.o = options;
  }

  async complete(request: ChatRequest, context: ChatContext): Promise<ChatReply> {
    context.signal.throwIfAborted();
    const cassette = await this.o.cassette;
    const { key, messages } = withoutSecrets(request, this.o);
    const recorded = cassette.find(key);
    if (!recorded) {
      throw new AtomsmithError(
        "provider",
        `${cassette.path} has no reply to this ${request.role} request: ${cassette.difference(request.role, messages)}`,
        {
          where: cassette.path,
          retryable: false,
          hint: "The page, the logs, the prompts or the program have changed; record again with --record DIR.",
        },
      );
    }
    const reply = localizeReply(recorded, this.o.searchRoot);
    context.onDelta?.(reply.content);
    this.o.ledger.add(request.role, reply);
    this.o.emit(replayedCall(request.role, reply));
    return reply;
  }
}

function withoutSecrets(request: ChatRequest, o: CassetteModelOptions): NormalRequest {
  return normalRequest(request, (text) => o.redact(o.unify(text)));
}

function expand(entry: z.infer<typeof entrySchema>, before: Recorded[]): Recorded {
  const known = entry.after === null ? [] : (before[entry.after.entry]?.messages ?? []);
  const messages = [...known.slice(0, entry.after?.messages ?? 0), ...entry.messages];
  return { key: entry.key, role: entry.role, messages, reply: entry.reply };
}

function commonPrefix(a: readonly ChatMessage[], b: readonly ChatMessage[]): number {
  let n = 0;
  while (n < a.length && n < b.length && JSON.stringify(a[n]) === JSON.stringify(b[n])) n += 1;
  return n;
}

function messageText(message: ChatMessage): string {
  const calls = "tool_calls" in message ? (message.tool_calls ?? []) : [];
  return [message.content, ...calls.map((call) => `${call.name}(${call.arguments})`)].join("\n");
}

/** The first lines in which two texts differ, `-` recorded, `+` current. */
function textDifference(recorded: string, current: string): string {
  const [a, b] = [recorded.split("\n"), current.split("\n")];
  let first = 0;
  while (first < a.length && first < b.length && a[first] === b[first]) first += 1;
  let last = 0;
  while (last < a.length - first && last < b.length - first && a.at(-1 - last) === b.at(-1 - last)) last += 1;
  const show = (lines: string[], sign: string): string[] =>
    lines
      .slice(first, lines.length - last)
      .slice(0, 5)
      .map((line) => `  ${sign} ${truncate(line, 200).text}`);
  return [`  line ${first + 1}:`, ...show(a, "-"), ...show(b, "+")].join("\n");
}

function parseLine(line: string, path: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw invalidLine(path, number, "not JSON");
  }
}

function invalidLine(path: string, line: number, what: string): AtomsmithError {
  return new AtomsmithError("config", `${path}:${line} is not a valid line of a cassette: ${what}`, {
    where: `${path}:${line}`,
    hint: "Remove the file and record it again with --record DIR.",
  });
}
