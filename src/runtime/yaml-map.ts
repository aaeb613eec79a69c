// A lazy view of a YAML text for L0: maps and lists with line numbers, aliases resolved one node at a time (so that a YAML
// bomb is never expanded), and scalars with their original text.
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
} from "yaml";
import type { ConfigProblem } from "../contract/config.ts";

/** Maximum size of a config, UTF-16 units; enough for ten thousand waivers. */
export const MAX_CONFIG_CHARS = 1024 * 1024;
/** Maximum entries of one list of a config. */
export const MAX_CONFIG_ENTRIES = 100_000;

/** A scalar: `text` as written ("1.10" stays "1.10"), `value` as parsed by YAML. */
export interface ScalarView {
  kind: "scalar";
  value: string | number | boolean | bigint | null;
  text: string;
  quoted: boolean;
  line: number;
}
export interface ListView {
  kind: "list";
  entries: NodeView[];
  line: number;
}
export interface MapView {
  kind: "map";
  entries: { key: string; value: NodeView; line: number }[];
  line: number;
}
/** A node, expanded one level at a time on demand. */
export interface NodeView {
  line: number;
  view(): ScalarView | ListView | MapView;
}

export type YamlReading = { ok: true; root: NodeView } | { ok: false; problems: ConfigProblem[] };

/** Parses one YAML document. Syntax errors, several documents, custom tags and duplicate keys are problems
 * with line numbers; nothing is thrown. */
export function readYaml(text: string): YamlReading {
  if (text.length > MAX_CONFIG_CHARS) {
    return fail(
      `the config has ${text.length} characters; at most ${MAX_CONFIG_CHARS} are read. Is it a config?`,
    );
  }
  const counter = new LineCounter();
  let document: Document.Parsed;
  try {
    // The callers check for duplicate keys: the library's check is quadratic.
    document = parseDocument(text, {
      lineCounter: counter,
      uniqueKeys: false,
      prettyErrors: false,
      stringKeys: false,
    });
  } catch (error) {
    return fail(`the YAML cannot be parsed: ${error instanceof Error ? error.message : String(error)}`);
  }
  const issues = [...document.errors, ...document.warnings];
  if (issues.length > 0) {
    return {
      ok: false,
      problems: issues.slice(0, 20).map((issue) => ({
        path: "",
        message: `YAML: ${issue.message.split("\n")[0]}`,
        line: counter.linePos(issue.pos[0]).line,
      })),
    };
  }
  const lineOf = (node: Node | null | undefined, fallback: number): number =>
    node?.range ? counter.linePos(node.range[0]).line : fallback;
  const wrap = (node: Node | null | undefined, fallback: number): NodeView => {
    const line = lineOf(node, fallback);
    return { line, view: () => viewOf(document, node, line, wrap) };
  };
  return { ok: true, root: wrap(document.contents as Node | null, 1) };
}

function viewOf(
  document: Document.Parsed,
  raw: Node | null | undefined,
  line: number,
  wrap: (node: Node | null | undefined, fallback: number) => NodeView,
): ScalarView | ListView | MapView {
  const node = isAlias(raw) ? resolve(document, raw) : raw;
  if (isSeq(node)) {
    return { kind: "list", line, entries: node.items.map((entry) => wrap(entry as Node | null, line)) };
  }
  if (isMap(node)) {
    const entries = node.items.map((pair) => {
      const key = wrap(pair.key as Node | null, line);
      const keyView = isScalar(pair.key) ? key.view() : undefined;
      return {
        key: keyView?.kind === "scalar" ? keyView.text : "(a key that is not plain text)",
        value: wrap(pair.value as Node | null, key.line),
        line: key.line,
      };
    });
    return { kind: "map", entries, line };
  }
  if (isScalar(node)) {
    const value = node.value as ScalarView["value"];
    const quoted = node.type !== "PLAIN" && node.type !== undefined;
    const source = node.source;
    const text = typeof value === "string" ? value : (source ?? (value === null ? "" : String(value)));
    return { kind: "scalar", value, text, quoted, line };
  }
  return { kind: "scalar", value: null, text: "", quoted: false, line };
}

/** Resolves an alias; a circular or undefined one is null. */
function resolve(document: Document.Parsed, alias: Alias): Node | undefined {
  let node: Node | undefined = alias;
  for (let hops = 0; isAlias(node) && hops < 8; hops += 1) node = node.resolve(document) ?? undefined;
  return isAlias(node) ? undefined : node;
}

function fail(message: string): YamlReading {
  return { ok: false, problems: [{ path: "", message, line: 1 }] };
}
