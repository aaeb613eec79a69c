// `serve`: the page and the HTTP interface, until a signal ends it.

import { AtomsmithError, EXIT } from "../../core/errors.ts";
import { readBytes } from "../../logio/index.ts";
import { COMMON_ARGS, defineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { programOf, SCHEMAS } from "../serve-options.ts";

const { seed: _, ...FOLDERS } = COMMON_ARGS;
const DEFAULTS = { host: "127.0.0.1", port: 8765, jobs: 2 };
/** A token that can be guessed protects nothing. */
const TOKEN_LENGTH = 16;

export const serveCommand = defineCommand({
  name: "serve",
  summary: "one page and an HTTP interface for everything",
  details:
    "Shows items, checks and jobs of the configured folders, and runs what the command line runs: each job is a " +
    "command of this program. Without --host only this machine can reach it; any other address needs a token, in " +
    "--token-file or the environment variable ATOMSMITH_TOKEN. The first signal stops it: streams end, running jobs " +
    "save what they have and can be resumed. The interface is described at /openapi.json; MCP is at /mcp.",
  args: {
    host: {
      type: "string",
      valueHint: "ADDRESS",
      description: "address to listen on",
      defaultHint: DEFAULTS.host,
    },
    port: {
      type: "string",
      valueHint: "N",
      number: { integer: true, min: 0, max: 65_535 },
      description: "port to listen on; 0 takes a free one",
      defaultHint: String(DEFAULTS.port),
    },
    "token-file": {
      type: "string",
      valueHint: "FILE",
      description: "file with the token that requests need",
    },
    "allow-host": {
      type: "string",
      valueHint: "NAME",
      multiple: true,
      description: "further name under which the server is asked for, e.g. behind a proxy; may be repeated",
    },
    jobs: {
      type: "string",
      valueHint: "N",
      number: { integer: true, min: 1, max: 64 },
      description: "jobs under way at once",
      defaultHint: String(DEFAULTS.jobs),
    },
    ...FOLDERS,
  },
  examples: [
    { command: "atomsmith serve --search-root runs/latest", does: "the page at http://127.0.0.1:8765/" },
    { command: "atomsmith serve --host 0.0.0.0 --token-file token.txt", does: "for a team" },
  ],
  exits: {
    2: "wrong usage, no token for an open address, or the address is taken",
    130: "ended by a signal",
  },
  run: async (args, context) => {
    const { startServer } = await import("../../server/index.ts");
    const { config, env, cwd, ownFiles, signal } = context;
    const { program, flags } = programOf(context, args);
    const server = await startServer({
      host: args.host ?? DEFAULTS.host,
      port: args.port ?? DEFAULTS.port,
      allowedHosts: args["allow-host"],
      token: tokenOf(args["token-file"], context),
      config,
      env,
      cwd,
      program,
      programFlags: flags,
      ownFiles,
      schemas: SCHEMAS,
      concurrency: args.jobs ?? DEFAULTS.jobs,
      signal,
      warn: (message) => context.output.warn(message),
    });
    context.onCleanup(() => server.close());
    context.output.note(`atomsmith is at ${server.url}`);
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    context.output.note("stopping: running jobs save what they have");
    return EXIT.interrupted;
  },
});

function tokenOf(file: string | undefined, context: CommandContext): string | undefined {
  const given = file === undefined ? context.env["ATOMSMITH_TOKEN"] : readToken(context.resolve(file));
  const token = given?.trim();
  if (token === undefined || (token === "" && file === undefined)) return undefined;
  if (token.length >= TOKEN_LENGTH && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new AtomsmithError(
    "usage",
    `a token has at least ${TOKEN_LENGTH} printable characters and no blanks`,
    {
      where: file ?? "ATOMSMITH_TOKEN",
      hint: "make one with: openssl rand -hex 24",
    },
  );
}

function readToken(path: string): string {
  const read = readBytes(path, 4096);
  if (read.ok) return new TextDecoder().decode(read.bytes);
  throw new AtomsmithError("usage", `the token file cannot be read: ${read.diagnostic.message}`, {
    where: path,
  });
}
