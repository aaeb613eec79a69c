// The configuration file as a layer: YAML with the line of every value. Invalid files, unknown keys and wrong types are
// reported with their line; nothing is guessed.
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from "yaml";
import { AtomsmithError } from "../core/errors.ts";
import { childOf, configJsonSchema, expectation, type KeyNode } from "./keys.ts";
import type { LayerReading, Origin } from "./origin.ts";
import { unknownKeyMessage } from "./unknown-key.ts";

const MAX_BYTES = 1024 * 1024;

/** Reads a configuration file; throws `config` when it cannot be read or is not YAML.
 * @param path absolute path
 * @param shown name of the file in messages */
export function readFileLayer(path: string, shown: string): LayerReading {
  const text = readText(path, shown);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, prettyErrors: false });
  const reading: LayerReading = { assignments: [], problems: [] };
  const originAt = (offset: number): Origin => ({
    layer: "file",
    file: shown,
    line: lines.linePos(offset).line,
  });
  for (const error of document.errors) {
    reading.problems.push({ origin: originAt(error.pos[0]), message: `not valid YAML: ${error.message}` });
  }
  if (reading.problems.length > 0) return reading;
  const walker = new Walker(
    reading,
    originAt,
    (node) => (isAlias(node) ? node.resolve(document) : node),
    (node) => node.toJS(document),
  );
  const root = walker.resolve(document.contents);
  if (root === undefined || root === null || (isScalar(root) && root.value === null)) return reading;
  if (!isMap(root)) {
    reading.problems.push({
      origin: originAt(root.range?.[0] ?? 0),
      message: "the file must be a mapping of keys",
    });
    return reading;
  }
  try {
    walker.map(root, [], configJsonSchema());
  } catch (error) {
    // The YAML library limits aliases, so that a small file cannot expand to a huge value.
    if (!(error instanceof ReferenceError)) throw error;
    reading.problems.push({ origin: originAt(0), message: `not usable YAML: ${error.message}` });
  }
  return reading;
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === "<<";
}

class Walker {
  private readonly reading: LayerReading;
  private readonly plain: (node: Node) => unknown;
  private readonly originAt: (offset: number) => Origin;
  readonly resolve: (node: unknown) => Node | null | undefined;

  constructor(
    reading: LayerReading,
    originAt: (offset: number) => Origin,
    resolve: (node: Node) => Node | undefined,
    plain: (node: Node) => unknown,
  ) {
    this.reading = reading;
    this.plain = plain;
    this.originAt = originAt;
    this.resolve = (node) => (node === null || node === undefined ? undefined : resolve(node as Node));
  }

  map(map: YAMLMap, path: readonly string[], schema: KeyNode): void {
    // `<<: *roles` first: keys of the mapping itself take precedence.
    for (const pair of map.items) if (isMergeKey(pair.key)) this.merge(pair.value, path, schema);
    for (const pair of map.items) {
      if (isMergeKey(pair.key)) continue;
      const keyNode = pair.key as Node | null;
      const origin = this.originAt(keyNode?.range?.[0] ?? 0);
      const key = isScalar(keyNode) ? String(keyNode.value) : undefined;
      if (key === undefined) {
        this.reading.problems.push({ origin, message: "a key must be a plain word" });
        continue;
      }
      const keyPath = [...path, key];
      const child = childOf(schema, key);
      if (!child) {
        const siblings = Object.keys(schema.properties ?? {});
        this.reading.problems.push({ origin, message: unknownKeyMessage(keyPath, path.length, siblings) });
        continue;
      }
      this.value(this.resolve(pair.value), keyPath, child, origin);
    }
  }

  private merge(value: unknown, path: readonly string[], schema: KeyNode): void {
    const node = this.resolve(value);
    const sources = isSeq(node) ? node.items.map((item) => this.resolve(item)) : [node];
    // The first of several sources takes precedence.
    for (const source of sources.reverse()) {
      if (isMap(source)) this.map(source, path, schema);
      else this.problem(node, "<< must name a mapping, or a list of mappings");
    }
  }

  private problem(node: Node | null | undefined, message: string): void {
    this.reading.problems.push({ origin: this.originAt(node?.range?.[0] ?? 0), message });
  }

  private value(node: Node | null | undefined, path: string[], schema: KeyNode, origin: Origin): void {
    // A key without a value changes nothing.
    if (node === null || node === undefined || (isScalar(node) && node.value === null)) return;
    if (isMap(node) && schema.type === "object") {
      this.map(node, path, schema);
    } else if (schema.type === "object") {
      this.reading.problems.push({ origin, message: `${path.join(".")} must be ${expectation(schema)}` });
    } else {
      this.reading.assignments.push({ path, value: this.plain(node), origin });
    }
  }
}

function readText(path: string, shown: string): string {
  let bytes: Uint8Array;
  try {
    if (statSync(path).isDirectory()) throw configError(shown, "is a directory, not a file");
    bytes = readAtMost(path, MAX_BYTES + 1);
  } catch (error) {
    if (error instanceof AtomsmithError) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    const reason = code === "ENOENT" ? "does not exist" : `cannot be read (${code ?? "unknown reason"})`;
    throw configError(shown, reason);
  }
  if (bytes.byteLength > MAX_BYTES) throw configError(shown, `is larger than ${MAX_BYTES} bytes`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw configError(shown, "is not UTF-8 text");
  }
}

/** Reads at most `limit` bytes: the file may be a pipe or a device of unknown size. */
function readAtMost(path: string, limit: number): Uint8Array {
  const fd = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(limit);
    let size = 0;
    for (let n = -1; n !== 0 && size < limit; size += n) n = readSync(fd, buffer, size, limit - size, null);
    return buffer.subarray(0, size);
  } finally {
    closeSync(fd);
  }
}

function configError(shown: string, reason: string): AtomsmithError {
  return new AtomsmithError("config", `the configuration file ${shown} ${reason}`, {
    where: shown,
    hint: "create one with `atomsmith init`; it explains every key",
  });
}
