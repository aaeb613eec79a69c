// The commented atomsmith.yaml that `init` writes, generated from the schema so that it lists every key.
import { stringify } from "yaml";
import { configJsonSchema, expectation, type KeyNode } from "./keys.ts";

const INTRO = `# Configuration of atomsmith. Every key with its default; take the "#" away in front of what you change.
# Precedence: defaults < this file < environment ATOMSMITH_... < -c key.path=value < flags.
# Relative paths are relative to the folder the program is started in. Times are seconds.
# Keys and passwords do not belong here: api_key_env names the environment variable that holds a key.
# The values in force, and where each came from: atomsmith config show --origin
`;

const SECTIONS: Readonly<Record<string, string>> = {
  paths: "Folders and files",
  llm: "Who writes the atoms",
  cache: "Checkpoints",
  execution: "How items are run",
  logging: "What is logged",
  tool_constraints: "What the author may read of the logs",
  sandbox: "How atoms are contained",
  check: "Limits of a check",
  loops: "Settings of single loops",
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

/** Lines of the keys below `node`. A mapping with the same keys as an earlier one only refers to it. */
function section(node: KeyNode, indent: string, commented: boolean): string[] {
  const lines: string[] = [];
  const seen = new Map<string, string>();
  const mark = commented ? "# " : "";
  for (const [key, child] of Object.entries(node.properties ?? {})) {
    if (child.properties) {
      const shape = JSON.stringify(child.properties);
      const same = seen.get(shape);
      seen.set(shape, same ?? key);
      lines.push(
        `${indent}${key}:${same === undefined ? "" : ` # values of its own; the same keys as ${same}`}`,
      );
      if (same === undefined) lines.push(...section(child, `${indent}  `, true));
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
