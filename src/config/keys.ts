// Type, bounds, choices and siblings of a key, read from the JSON Schema, so that messages, parsing of texts and
// suggestions always agree with what is accepted.
import { keySchema } from "./key-schema.ts" with { type: "macro" };

/** The part of a JSON Schema node used here. */
export interface KeyNode {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  description?: string;
  default?: unknown;
  properties?: Record<string, KeyNode>;
  additionalProperties?: KeyNode | boolean;
  items?: KeyNode;
}

const SCHEMA: string = keySchema();
let root: KeyNode | undefined;

/** JSON Schema of the configuration file; keys with defaults are optional. */
export function configJsonSchema(): KeyNode {
  root ??= JSON.parse(SCHEMA) as KeyNode;
  return root;
}

export type Lookup = { ok: true; node: KeyNode } | { ok: false; at: number; siblings: string[] };

/** Finds the schema node of a path; on failure, the position of the unknown key and the known keys there. */
export function lookup(path: readonly string[]): Lookup {
  let node = configJsonSchema();
  for (const [i, key] of path.entries()) {
    const child = childOf(node, key);
    if (!child) return { ok: false, at: i, siblings: Object.keys(node.properties ?? {}) };
    node = child;
  }
  return { ok: true, node };
}

/** The node below `node` under `key`, in a fixed object or a free map. */
export function childOf(node: KeyNode, key: string): KeyNode | undefined {
  const fixed = node.properties;
  if (fixed) return Object.hasOwn(fixed, key) ? fixed[key] : undefined;
  return typeof node.additionalProperties === "object" ? node.additionalProperties : undefined;
}

/** Splits `llm.prices.gpt-4.1.input` according to the schema, since keys of free maps may contain dots. */
export function splitKey(dotted: string): string[] {
  const parts = dotted.split(".");
  const path: string[] = [];
  let node: KeyNode | undefined = configJsonSchema();
  while (parts.length > 0) {
    const free: KeyNode | boolean | undefined = node?.properties ? undefined : node?.additionalProperties;
    let key: string;
    if (typeof free === "object") {
      // Everything except the property below it belongs to the key of the free map.
      const below = free.properties && parts.length > 1 ? 1 : 0;
      key = parts.splice(0, parts.length - below).join(".");
    } else key = parts.shift() ?? "";
    path.push(key);
    node = node && childOf(node, key);
  }
  return path;
}

/** Dotted names of all keys that hold a value; free maps end in `.*`. */
export function leafKeys(node: KeyNode = configJsonSchema(), prefix = ""): string[] {
  if (!node.properties) {
    return [typeof node.additionalProperties === "object" ? `${prefix}.*` : prefix];
  }
  return Object.entries(node.properties).flatMap(([key, child]) =>
    leafKeys(child, prefix === "" ? key : `${prefix}.${key}`),
  );
}

/** Describes the valid values: `a whole number from 1 to 20`, `one of offline, openai`. */
export function expectation(node: KeyNode): string {
  if (node.enum) return `one of ${node.enum.join(", ")}`;
  if (node.const !== undefined) return String(node.const);
  switch (node.type) {
    case "integer":
      return `a whole number${bounds(node)}`;
    case "number":
      return `a number${bounds(node)}`;
    case "boolean":
      return "true or false";
    case "array":
      return `a list${node.items?.type === "string" ? " of texts" : ""}`;
    case "object":
      return node.properties
        ? `a mapping with the keys ${Object.keys(node.properties).join(", ")}`
        : "a mapping";
    default:
      if (node.format === "uri") return "a URL like https://host/v1";
      return node.minLength ? "a non-empty text" : "a text";
  }
}

/** Describes the bounds of a number; zod's own bounds of safe integers are omitted. */
function bounds(node: KeyNode): string {
  const low = node.minimum !== undefined && node.minimum > Number.MIN_SAFE_INTEGER ? node.minimum : undefined;
  const high =
    node.maximum !== undefined && node.maximum < Number.MAX_SAFE_INTEGER ? node.maximum : undefined;
  if (node.exclusiveMinimum !== undefined) return ` above ${node.exclusiveMinimum}`;
  if (low !== undefined && high !== undefined) return ` from ${low} to ${high}`;
  if (low !== undefined) return ` of at least ${low}`;
  return high === undefined ? "" : ` of at most ${high}`;
}
