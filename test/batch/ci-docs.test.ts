// The snippets for build servers name only commands and flags that exist, and their YAML parses.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { type Command, GLOBAL_ARGS } from "../../src/cli/command.ts";
import { COMMANDS } from "../../src/cli/registry.ts";

const text = readFileSync(join(import.meta.dir, "../../docs/ci.md"), "utf8");

test("every command and flag in docs/ci.md exists", async () => {
  const joined = text.replace(/\\\n\s*/g, " ").replace(/\n\s+(?=--)/g, " ");
  const lines = [...joined.matchAll(/(?:\.\/|\s)atomsmith (batch|check|doctor)([^\n'`]*)/g)];
  expect(lines.length).toBeGreaterThanOrEqual(7);
  for (const [, name, rest = ""] of lines) {
    const entry = COMMANDS.find((command) => command.name === name);
    const command = (await entry?.load()) as Command;
    const known = new Set([...Object.keys(command.args), ...Object.keys(GLOBAL_ARGS)]);
    for (const [, flag = ""] of rest.matchAll(/\s--([a-z-]+)/g))
      expect([name, flag, known.has(flag)]).toEqual([name, flag, true]);
  }
});

test("the YAML in docs/ci.md parses", () => {
  const blocks = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) => match[1] ?? "");
  expect(blocks.length).toBe(2);
  for (const block of blocks) expect(typeof parse(block)).toBe("object");
});
