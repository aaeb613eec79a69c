// `serve`: serves the page and the HTTP interface until a signal stops it.
import { AtomsmithError, EXIT } from "../../core/errors.ts";
import { readBytes } from "../../logio/index.ts";
import { COMMON_ARGS, defineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { programOf, SCHEMAS } from "../serve-options.ts";

const { seed: _, ...FOLDERS } = COMMON_ARGS;
const DEFAULTS = { host: "127.0.0.1", port: 8765, jobs: 2 };
/** Shortest allowed token, so that it cannot be guessed. */
const TOKEN_LENGTH = 16;

export const serveCommand = defineCommand({
  name: "serve",
  summary: "serve a web page and an HTTP interface",
  details:
    "Shows the items, checks and jobs of the configured folders, and starts commands as jobs: each job is a " +
    "command of this program. By default only this machine can connect; any other --host requires a token, in " +
    "--token-file or the environment variable ATOMSMITH_TOKEN. On the first signal, streams end and running jobs " +
    "save their state, so that they can be resumed. The interface is described at /openapi.json; MCP is at /mcp.",
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
      description: "port to listen on; 0 chooses a free one",
      defaultHint: String(DEFAULTS.port),
    },
    "token-file": {
      type: "string",
      valueHint: "FILE",
      description: "file with the token that requests must send",
    },
    "allow-host": {
      type: "string",
      valueHint: "NAME",
      multiple: true,
      description: "additional host name of the server, e.g. behind a proxy; may be repeated",
    },
    jobs: {
      type: "string",
      valueHint: "N",
      number: { integer: true, min: 1, max: 64 },
      description: "jobs that run at the same time",
      defaultHint: String(DEFAULTS.jobs),
    },
    ...FOLDERS,
  },
  examples: [
    { command: "atomsmith serve --search-root runs/latest", does: "serve http://127.0.0.1:8765/" },
    { command: "atomsmith serve --host 0.0.0.0 --token-file token.txt", does: "serve a team" },
  ],
  exits: {
    2: "wrong usage, a missing token, or an address in use",
    130: "stopped by a signal",
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
    context.output.note(`listening on ${server.url}`);
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    context.output.note("stopping; running jobs save their state");
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
    `the token must have at least ${TOKEN_LENGTH} printable characters and no spaces`,
    {
      where: file ?? "ATOMSMITH_TOKEN",
      hint: "create one with: openssl rand -hex 24",
    },
  );
}

function readToken(path: string): string {
  const read = readBytes(path, 4096);
  if (read.ok) return new TextDecoder().decode(read.bytes);
  throw new AtomsmithError("usage", `cannot read the token file: ${read.diagnostic.message}`, {
    where: path,
  });
}
