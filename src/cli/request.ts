// Parses a command line into a command and its flags, without running or printing anything. A parse error is stored
// in the request, so that --json and --events apply to it too.
import { AtomsmithError, toAtomsmithError } from "../core/errors.ts";
import { didYouMean } from "../core/suggest.ts";
import { bind, type RawValues, scan } from "./args.ts";
import { type Args, type Command, type CommandGroup, GLOBAL_ARGS } from "./command.ts";
import { COMMANDS } from "./registry.ts";

/** A parsed command line. `node` is undefined for the program itself. */
export interface CommandLine {
  path: string;
  node: Command | CommandGroup | undefined;
  globals: RawValues;
  values: RawValues;
  help: boolean;
  /** Set when the line is invalid; `globals` then contains those parsed before the error. */
  error: AtomsmithError | undefined;
}

/** Parses argv. Never throws; `error` holds a parse error. */
export async function readCommandLine(argv: readonly string[]): Promise<CommandLine> {
  const globals: RawValues = {};
  const request: CommandLine = {
    path: "atomsmith",
    node: undefined,
    globals,
    values: {},
    help: false,
    error: undefined,
  };
  try {
    const rest = await findCommand(argv, request);
    const node = request.node;
    const args: Args = node?.kind === "command" ? { ...GLOBAL_ARGS, ...node.args } : GLOBAL_ARGS;
    // An unknown command is reported above; the rest are flags and words of the command.
    const scanned = scan(rest, args, { stopAtWord: false, where: request.path, into: globals });
    request.help ||= globals["help"] === true;
    if (node?.kind === "command" && !request.help) {
      request.values = bind(node.args, scanned, request.path);
    }
  } catch (error) {
    request.error = toAtomsmithError(error);
    rememberOutputFlags(argv, globals);
  }
  return request;
}

/** Resolves the words of the line to a command; returns the remaining arguments. */
async function findCommand(argv: readonly string[], request: CommandLine): Promise<readonly string[]> {
  let rest = argv;
  let entries = COMMANDS;
  for (;;) {
    const head = scan(rest, GLOBAL_ARGS, {
      stopAtWord: true,
      where: request.path,
      into: request.globals,
    });
    rest = rest.slice(head.used);
    const word = rest[0];
    if (word === undefined || word === "--") return [];
    if (word === "help" && request.node === undefined) {
      request.help = true;
      rest = rest.slice(1);
      continue;
    }
    const entry = entries.find((e) => e.name === word);
    if (!entry) {
      const near = didYouMean(
        word,
        entries.map((e) => e.name),
      );
      throw new AtomsmithError("usage", `unknown command ${JSON.stringify(word)}${near}`, {
        hint: `see: ${request.path} --help`,
      });
    }
    const node = await entry.load();
    request.path = `${request.path} ${entry.name}`;
    request.node = node;
    rest = rest.slice(1);
    if (node.kind === "command") return rest;
    entries = node.commands;
    const known = entries.some(({ name }) => name === rest[0]);
    const asksForHelp = rest.includes("--help") || rest.includes("-h");
    if (node.fallback === undefined || rest.length === 0 || known || asksForHelp) continue;
    request.node = await node.fallback.load();
    return rest;
  }
}

/** Reads the output flags after a parse error: they determine how the error is printed. */
function rememberOutputFlags(argv: readonly string[], globals: RawValues): void {
  const end = argv.indexOf("--");
  const flags = end < 0 ? argv : argv.slice(0, end);
  for (const name of ["json", "quiet", "no-color"]) if (flags.includes(`--${name}`)) globals[name] = true;
  flags.forEach((flag, i) => {
    const next = flags[i + 1];
    if (flag.startsWith("--events=")) globals["events"] ??= flag.slice("--events=".length);
    else if (flag === "--events" && next !== undefined && (next === "-" || !next.startsWith("-"))) {
      globals["events"] ??= next;
    }
  });
}
