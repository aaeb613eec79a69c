// A model server for tests: real HTTP on loopback, speaking chat completions in the dialects of several servers. A
// script decides each answer and its failures (slow, stalled, truncated, repeating, wrong, rate-limited). All
// requests are recorded, so that a test can inspect what left the process.
import { DIALECTS, type Dialect, type DialectName } from "./model-dialects.ts";

export interface WireCall {
  name: string;
  /** An object is sent as JSON; a string is sent as it is, even if it is not valid JSON. */
  arguments: unknown;
  id?: string;
}

/** One scripted answer. */
export interface ScriptedReply {
  content?: string;
  tool_calls?: WireCall[];
  refusal?: string;
  finish_reason?: string;
  usage?: { prompt_tokens: number; completion_tokens: number; cached_tokens?: number };
  /** An answer that is not a completion. */
  http?: { status: number; body?: string | ReadableStream<Uint8Array>; headers?: Record<string, string> };
  /** Milliseconds before the first byte. */
  delayMs?: number;
  /** Characters per chunk of a stream. */
  chunkChars?: number;
  /** The stream sends nothing after this many chunks and stays open. */
  stallAfter?: number;
  /** The connection ends after this many chunks, without a finish reason. */
  endAfter?: number;
  /** The socket breaks (no clean end) after this many chunks. */
  cutAfter?: number;
  /** The socket breaks when this promise is settled, so that earlier chunks have arrived. */
  cutWhen?: Promise<unknown>;
  /** Sends each chunk of text this many times. */
  repeat?: number;
  /** Milliseconds of silence after the first chunk, which contains no text. */
  thinkMs?: number;
  /** Number of comment lines, one every 20 ms, after the first text. */
  keepAlives?: number;
}

export interface WireMessageIn {
  role: string;
  content: string | null;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

/** A request as it arrived. */
export interface WireRequestIn {
  model: string;
  messages: WireMessageIn[];
  tools?: { function: { name: string; description: string; parameters: unknown } }[];
  stream?: boolean;
  stream_options?: unknown;
  temperature?: number;
  max_tokens?: number;
  max_completion_tokens?: number;
  reasoning_effort?: string;
  parallel_tool_calls?: boolean;
}

export interface Arrival {
  path: string;
  headers: Record<string, string>;
  body: WireRequestIn;
}

export type Script = (request: WireRequestIn, number: number) => ScriptedReply | Promise<ScriptedReply>;

export interface ModelServer {
  /** For `base_url`. */
  url: string;
  /** Requests that reached the script, in order. */
  requests: Arrival[];
  /** Requests the dialect refused. */
  refused: Arrival[];
  /** Client ports of the requests: one per connection. */
  ports: Set<number>;
  /** Largest number of requests answered at the same time. */
  peak(): number;
  stop(): Promise<void>;
}

/** Starts a server on a free port of loopback. */
export function startModelServer(script: Script, dialectName: DialectName = "openai"): ModelServer {
  const dialect: Dialect = DIALECTS[dialectName];
  const requests: Arrival[] = [];
  const refused: Arrival[] = [];
  const ports = new Set<number>();
  let running = 0;
  let peak = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    error: () => new Response("", { status: 500 }),
    fetch: async (request, self) => {
      ports.add(self.requestIP(request)?.port ?? 0);
      const url = new URL(request.url);
      const body = (await request.json()) as WireRequestIn;
      const arrival: Arrival = {
        path: url.pathname + url.search,
        headers: Object.fromEntries(request.headers.entries()),
        body,
      };
      const refusal = dialect.refuse(arrival);
      if (refusal) {
        refused.push(arrival);
        return Response.json(refusal.body, { status: refusal.status });
      }
      requests.push(arrival);
      running += 1;
      peak = Math.max(peak, running);
      try {
        const reply = await script(body, requests.length);
        if (reply.delayMs) await Bun.sleep(reply.delayMs);
        return respond(reply, body, dialect);
      } finally {
        running -= 1;
      }
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}${dialect.basePath}`,
    requests,
    refused,
    ports,
    peak: () => peak,
    stop: async () => {
      await server.stop(true);
    },
  };
}

function respond(reply: ScriptedReply, body: WireRequestIn, dialect: Dialect): Response {
  if (reply.http) {
    return new Response(reply.http.body ?? "", {
      status: reply.http.status,
      headers: { "content-type": "application/json", ...reply.http.headers },
    });
  }
  if (!body.stream || dialect.ignoresStream) return Response.json(dialect.document(reply, body));
  const chunks = dialect.chunks(reply, body).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
  return new Response(stream(chunks, reply), { headers: { "content-type": "text/event-stream" } });
}

/** The chunks of the role and of two pieces of text. */
const KEEP_ALIVES_AFTER = 3;

function stream(chunks: string[], reply: ScriptedReply): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let sent = 0;
  let keepAlives = reply.keepAlives ?? 0;
  return new ReadableStream({
    async pull(controller) {
      if (keepAlives > 0 && sent >= KEEP_ALIVES_AFTER) {
        keepAlives -= 1;
        await Bun.sleep(20);
        controller.enqueue(encoder.encode(": still working\n\n"));
        return;
      }
      if (sent === 1 && reply.thinkMs !== undefined) await Bun.sleep(reply.thinkMs);
      if (sent === reply.stallAfter) {
        await new Promise(() => undefined);
        return;
      }
      if (sent === reply.cutAfter) {
        await reply.cutWhen;
        controller.error(new Error("scripted cut"));
        return;
      }
      const chunk = chunks[sent];
      if (chunk === undefined || sent === reply.endAfter) {
        if (chunk === undefined) controller.enqueue(encoder.encode("data: [DONE]\n\n"));
        controller.close();
        return;
      }
      sent += 1;
      controller.enqueue(encoder.encode(chunk.repeat(reply.repeat ?? 1)));
    },
  });
}
