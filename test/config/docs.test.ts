// docs/configuration.md lists every key of the schema. To update the table after a change of the schema:
// UPDATE_DOCS=1 bun test test/config/docs.test.ts
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { configJsonSchema, expectation, type KeyNode, leafKeys, lookup } from "../../src/config/keys.ts";
import { ROLE_NAMES } from "../../src/config/role-names.ts";

const path = join(import.meta.dir, "../../docs/configuration.md");
const BEGIN = "<!-- keys: begin -->\n";
const END = "<!-- keys: end -->";

/** The table of all keys; the roles share their rows. */
function table(): string {
  const repeated = ROLE_NAMES.slice(1);
  const rows = ["| key | default | what | allowed |", "|---|---|---|---|"];
  for (const key of leafKeys(configJsonSchema())) {
    if (repeated.some((role) => key.startsWith(`llm.${role}.`))) continue;
    const found = lookup(key.replace(/\.\*$/, "").split("."));
    if (!found.ok) throw new Error(key);
    rows.push(
      `| \`${key.replace("llm.agent_a.", "llm.ROLE.")}\` | ${defaultText(found.node)} | ${found.node.description ?? ""} | ${expectation(found.node)} |`,
    );
  }
  return `${rows.join("\n")}\n`;
}

function defaultText(node: KeyNode): string {
  const value = node.default;
  const empty = value === undefined || JSON.stringify(value) === "{}";
  return empty ? "" : `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}

test("docs/configuration.md lists every key of the schema", () => {
  const text = readFileSync(path, "utf8");
  const from = text.indexOf(BEGIN) + BEGIN.length;
  const to = text.indexOf(END);
  expect(from).toBeGreaterThan(BEGIN.length);
  if (process.env["UPDATE_DOCS"]) writeFileSync(path, text.slice(0, from) + table() + text.slice(to));
  else expect(text.slice(from, to)).toBe(table());
});

test("every key has a description", () => {
  for (const key of leafKeys()) {
    const found = lookup(key.replace(/\.\*$/, "").split("."));
    expect(found.ok && found.node.description, key).toBeTruthy();
  }
});
