// Shared by the tests of the design loop: commands on a project, and a scripted model behind real HTTP.
import { join } from "node:path";
import type { TurnDocument } from "../../../src/loops/design/schemas.ts";
import { type CliOptions, cliJson } from "../../support/cli.ts";
import { type ModelServer, type ScriptedReply, startModelServer } from "../../support/model-server.ts";

export const FIXTURES = join(import.meta.dir, "../../../fixtures");
export const PIPELINE = join(FIXTURES, "design/pipeline.yaml");
export const KEY = "sk-design-0123456789abcdef";

/** A reply of the model: the keys of a directive, or the whole text. */
export type Reply = string | Record<string, unknown>;

export interface Bench {
  dir: string;
  server: ModelServer;
  /** Runs `design` with these arguments and parses its document. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of many kinds
  run(...args: string[]): Promise<{ code: number; document: any; stderr: string }>;
  /** Runs one turn that is answered by these replies. */
  say(message: string, ...replies: Reply[]): Promise<{ code: number; turn: TurnDocument }>;
  /** The text of all messages of the last request. */
  told(request?: number): string;
  stop(): Promise<void>;
}

export function design(dir: string, options: CliOptions & { flags?: string[] } = {}): Bench {
  const replies: Reply[] = [];
  const server = startModelServer((): ScriptedReply => {
    const next = replies.shift();
    if (next === undefined) return { http: { status: 500, body: "no reply is scripted" } };
    if (typeof next === "string") return { content: next };
    if ("http" in next) return next as ScriptedReply;
    return { content: JSON.stringify({ assistant_message: "As you say.", ...next }) };
  });
  const env = { PATH: process.env["PATH"], KEY, ATOMSMITH_PERSON: "Alice", ...options.env };
  const model = [
    "-c",
    "llm.design.model=scripted",
    "-c",
    `llm.design.base_url=${server.url}`,
    "-c",
    "llm.design.api_key_env=KEY",
    "-c",
    "llm.design.max_retries=0",
  ];
  const run: Bench["run"] = (...args) =>
    cliJson(["design", ...args, "--project-dir", dir, ...(options.flags ?? []), ...model], {
      ...options,
      env,
    });
  return {
    dir,
    server,
    run,
    say: async (message, ...script) => {
      replies.splice(0, replies.length, ...script);
      const { code, document } = await run("--message", message);
      return { code, turn: document };
    },
    told: (request = server.requests.length - 1) =>
      server.requests[request]?.body.messages.map(({ content }) => content ?? "").join("\n") ?? "",
    stop: () => server.stop(),
  };
}

export function patchFile(...operations: object[]): CliOptions {
  return { stdin: JSON.stringify(operations) };
}

/** Operations that add items of the fixtures to a project. */
export function itemsOf(...ids: string[]): object[] {
  return [
    { op: "replace", path: "/search_root", value: join(FIXTURES, "project") },
    ...ids.map((id) => ({
      op: "add",
      path: `/items/${id}`,
      value: { page: join(FIXTURES, `items/${id}_ItemSpec.md`), enabled: true },
    })),
  ];
}
