// `doctor`: checks everything a run needs on this machine and says how to fix what is missing.
import type { LoadedConfig } from "../../config/load.ts";
import { AtomsmithError, EXIT, type ExitCode } from "../../core/errors.ts";
import { VERSION } from "../../core/version.ts";
import { defineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { checkFolders } from "../doctor/folders.ts";
import { callProviders, checkProviders } from "../doctor/providers.ts";
import { checkSandbox } from "../doctor/sandbox.ts";
import type { Check } from "../doctor/types.ts";
import type { Style } from "../style.ts";

/** With several findings, the first of these that occurs is the exit code. */
const EXIT_ORDER: readonly ExitCode[] = [
  EXIT.sandbox,
  EXIT.bug,
  EXIT.infrastructure,
  EXIT.budget,
  EXIT.usage,
];

export const doctorCommand = defineCommand({
  name: "doctor",
  summary: "check sandbox, folders, configuration and keys of this machine",
  details:
    "Runs one atom in the sandbox and one that tries to escape from it, writes and removes a probe file in the " +
    "output and cache folders, and reads the configuration. With --provider, it also makes one small call to " +
    "each configured model, which costs a few tokens. Keys are never shown.",
  config: false,
  args: { provider: { type: "boolean", description: "make one small call to each configured model" } },
  examples: [
    { command: "atomsmith doctor", does: "before the first run" },
    { command: "atomsmith doctor --provider", does: "test keys and model names" },
  ],
  exits: {
    0: "ready (there may be warnings)",
    2: "the configuration, a key or the search root is missing or invalid",
    4: "a folder is not writable, or a provider did not answer",
    6: "the sandbox is not available",
  },
  run: async ({ provider }, context) => {
    const checks: Check[] = [programCheck()];
    const loaded = await readConfig(context, checks);
    const { defaultConfig } = await import("../../config/defaults.ts");
    const config = loaded?.config ?? defaultConfig();
    checks.push(...(await checkSandbox(config.sandbox, context.emit)));
    if (loaded) {
      checks.push(...checkFolders(loaded.config.paths));
      checks.push(...checkProviders(loaded, context.env));
      const ready = !checks.some((check) => check.name.startsWith("llm.") && check.status === "error");
      if (provider && ready) {
        checks.push(...(await callProviders(loaded, context.env, context.emit, context.signal)));
      }
    }
    const code = EXIT_ORDER.find((exit) => checks.some((check) => check.exit === exit)) ?? EXIT.ok;
    const document = { ready: code === EXIT.ok, checks: checks.map(({ exit: _exit, ...rest }) => rest) };
    context.output.result(document, (style) => render(checks, code, style));
    return code;
  },
});

function programCheck(): Check {
  const message = `atomsmith ${VERSION} on ${process.platform}-${process.arch}`;
  return { name: "program", status: "ok", message };
}

async function readConfig(context: CommandContext, checks: Check[]): Promise<LoadedConfig | undefined> {
  try {
    const loaded = await context.loadConfig();
    const message = loaded.file ?? "no atomsmith.yaml in this folder; using defaults, environment and -c";
    const hint = loaded.file === null ? { hint: "create one with: atomsmith init" } : {};
    checks.push({ name: "configuration", status: "ok", message, ...hint });
    return loaded;
  } catch (error) {
    if (!(error instanceof AtomsmithError) || error.kind !== "config") throw error;
    checks.push({ name: "configuration", status: "error", message: error.message, exit: EXIT.usage });
    return undefined;
  }
}

function render(checks: readonly Check[], code: ExitCode, style: Style): string {
  const marks = { ok: style.green("ok     "), warning: style.yellow("warning"), error: style.red("error  ") };
  const shown = joinRoles(checks);
  const width = Math.max(...shown.map((check) => check.name.length));
  const lines = shown.flatMap((check) => {
    const message = check.message.split("\n").join(`\n${" ".repeat(width + 11)}`);
    const line = `${marks[check.status]}  ${check.name.padEnd(width)}  ${message}`;
    return check.hint === undefined ? [line] : [line, `${" ".repeat(width + 11)}${style.dim(check.hint)}`];
  });
  const end =
    code === EXIT.ok ? style.green("This machine is ready.") : style.red("This machine is not ready.");
  return [...lines, "", end].join("\n");
}

/** Joins roles with the same finding into one line. */
function joinRoles(checks: readonly Check[]): Check[] {
  const joined: Check[] = [];
  for (const check of checks) {
    const before = joined.at(-1);
    const role = check.name.startsWith("llm.") ? check.name.slice("llm.".length) : undefined;
    const isSameFinding = before?.status === check.status && before.message === check.message;
    if (role !== undefined && before?.name.startsWith("llm.") && isSameFinding) {
      joined[joined.length - 1] = { ...before, name: `${before.name}, ${role}` };
    } else joined.push(check);
  }
  return joined;
}
