// The commented atomsmith.yaml that `init` writes, generated from the schema so that it lists every key.
import { stringify } from "yaml";
import { configJsonSchema, expectation, type KeyNode } from "./keys.ts";

const INTRO = `# Configuration of atomsmith: every key with its default. To change a value, remove the "#" in front of it.
# Precedence: defaults < this file < environment ATOMSMITH_... < -c key.path=value < flags.
# Relative paths are relative to the working directory. Times are in seconds.
# Do not put API keys or passwords here: api_key_env names the environment variable with a key.
# To show the effective values and their origins: atomsmith config show --origin
`;

const SECTIONS: Readonly<Record<string, string>> = {
  paths: "Folders and files",
  llm: "Models and authors",
  cache: "Checkpoints",
  execution: "Execution",
  logging: "Logging",
  tool_constraints: "Limits of the author's file tools",
  sandbox: "Sandbox",
  check: "Limits of a check",
  loops: "Settings of the other loops",
};
const WIDTH = 100;

/** A configuration file with all defaults. */
export function configTemplate(): string {
  const parts = [INTRO];
  for (const [name, node] of Object.entries(configJsonSchema().properties ?? {})) {
    const title = SECTIONS[name] ?? name;
    parts.push(`# === ${title} ===\n${name}:\n${section(node, "  ", name !== "paths").join("\n")}\n`);
  }
  return parts.join("\n");
}

/** Lines of the keys below `node`. A mapping with the same keys as an earlier one refers to it. */
function section(node: KeyNode, indent: string, commented: boolean): string[] {
  const lines: string[] = [];
  const seen = new Map<string, string>();
  const mark = commented ? "# " : "";
  for (const [key, child] of Object.entries(node.properties ?? {})) {
    if (child.properties) {
      const shape = JSON.stringify(child.properties);
      const earlier = seen.get(shape);
      seen.set(shape, earlier ?? key);
      lines.push(
        `${indent}${key}:${earlier === undefined ? "" : ` # same keys as ${earlier}, independent values`}`,
      );
      if (earlier === undefined) lines.push(...section(child, `${indent}  `, true));
      continue;
    }
    const off = child.default === undefined || isEmptyMap(child.default);
    const value = off ? "" : ` ${stringify(child.default).trim()}`;
    lines.push(...comment(child, indent), `${indent}${off ? "# " : mark}${key}:${value}`);
  }
  return lines;
}

function isEmptyMap(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function comment(node: KeyNode, indent: string): string[] {
  const kind = node.type === "string" && !node.enum && node.format !== "uri" ? "" : expectation(node);
  const text = [node.description, kind].filter((part) => part !== undefined && part !== "").join("; ");
  return text === "" ? [] : [`${indent}# ${text.slice(0, WIDTH * 2)}`];
}
