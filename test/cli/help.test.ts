// Help of every command: complete, at most 100 columns wide, with examples that the program accepts.
import { describe, expect, test } from "bun:test";
import { bind, scan } from "../../src/cli/args.ts";
import { type Command, type CommandEntry, type CommandGroup, GLOBAL_ARGS } from "../../src/cli/command.ts";
import { EXIT_TEXTS } from "../../src/cli/help.ts";
import { COMMANDS } from "../../src/cli/registry.ts";
import { displayWidth } from "../../src/cli/style.ts";
import { cli } from "../support/cli.ts";

interface Loaded {
  path: string;
  entry: CommandEntry;
  node: Command | CommandGroup;
}

async function loadAll(entries: readonly CommandEntry[], prefix = ""): Promise<Loaded[]> {
  const all: Loaded[] = [];
  for (const entry of entries) {
    const node = await entry.load();
    const path = `${prefix}${entry.name}`;
    all.push({ path, entry, node });
    if (node.kind === "group") all.push(...(await loadAll(node.commands, `${path} `)));
  }
  return all;
}
const all = await loadAll(COMMANDS);
const runnable = all.flatMap(({ path, node }) => (node.kind === "command" ? [{ path, command: node }] : []));

/** Splits a line as a shell would, as far as the examples need it. */
function words(line: string): string[] {
  const simple = line.replace(/(<\(|\)$)/g, "").split(/ (?:\||&&|>|2>|<) /)[0] ?? "";
  const found = simple.match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
  return found.map((word) => word.replace(/^(['"])(.*)\1$/, "$2"));
}

test("the main help fits 100 columns and lists every command with its summary", async () => {
  const { stdout } = await cli(["--help"]);
  for (const { entry, node, path } of all) {
    expect(node.summary, path).toBe(entry.summary);
    expect(node.name, path).toBe(entry.name);
    if (!path.includes(" ")) expect(stdout).toContain(`${entry.name} `);
  }
  for (const line of stdout.split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(100);
});

// The renderer, pinned on commands that hardly change. After an intended change: bun test -u test/cli/help.test.ts
test.each(["", "config", "config show", "cache clean", "init", "doctor", "completion", "graph", "schema"])(
  "the help of %j matches its snapshot",
  async (path) => {
    expect(
      (await cli([...path.split(" ").filter((word) => word !== ""), "--help"])).stdout,
    ).toMatchSnapshot();
  },
);

describe.each(all.map(({ path }) => path))("%s", (path) => {
  test("its help fits 100 columns", async () => {
    const run = await cli([...path.split(" "), "--help"]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    for (const line of run.stdout.split("\n")) expect(displayWidth(line), line).toBeLessThanOrEqual(100);
  });
});

const NAMES_AN_AGENT = new Set(["agent run", "agent submit", "agent poll", "agent tools"]);

describe.each(runnable.map(({ path, command }) => [path, command] as const))("%s", (path, command) => {
  test("it has examples, which the program accepts", () => {
    expect(command.examples.length).toBeGreaterThan(0);
    for (const { command: line } of command.examples) {
      const argv = words(line.slice(line.indexOf("atomsmith")));
      const own = path.split(" ");
      const index = argv.indexOf(own[0] ?? "");
      expect(argv.slice(index, index + own.length), line).toEqual(own);
      const options = { stopAtWord: false, where: path };
      const rest = scan(argv.slice(index + own.length), { ...command.args, ...GLOBAL_ARGS }, options);
      bind(command.args, rest, path);
    }
  });

  test("it explains only existing exit codes and shadows no global flag", () => {
    for (const code of Object.keys(command.exits)) expect(EXIT_TEXTS).toHaveProperty(code);
    // `--config` of a command that works with an agent names the agent's configuration, by design (docs/agent.md).
    const own = NAMES_AN_AGENT.has(path) ? ["config"] : [];
    const shadowed = Object.keys(command.args).filter((name) => name in GLOBAL_ARGS);
    expect(shadowed).toEqual(own);
  });
});
