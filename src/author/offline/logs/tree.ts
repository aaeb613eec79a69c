// Records of JSON and XML documents: the paths of the parts, relative to the node that is the record.
import { addDiff, type Diff } from "../examples/diffs.ts";
import { type Instance, isSameName, VALUE } from "../examples/instances.ts";
import type { Rule } from "../examples/rule.ts";
import type { Leaf } from "../examples/template.ts";
import { textDiffs } from "../examples/text-diffs.ts";
import {
  type FoundNode,
  part_of,
  read_json,
  read_xml,
  type TreeNode,
  type TreePath,
  type TreeReader,
} from "../runtime/index.ts";
import type { LogText, Place } from "./places.ts";
import type { Candidate } from "./scan.ts";

/** The paths of the records and parts in documents, and what the examples have in common. */
export interface Tree {
  reader: TreeReader;
  leaves: ReadonlyMap<string, Leaf>;
  /** Members of the record that are not parts and have the same text in all examples. */
  constants: ReadonlyMap<string, string>;
}

/** A log that consists of JSON values or is an XML document. */
export interface LogDocument {
  tree: "json" | "xml";
  roots: TreeNode[];
}

/** Parses a log as a document; undefined if it is not one. */
export function parseDocument({ lines }: LogText): LogDocument | undefined {
  const first = lines.find((line) => line.trim() !== "")?.trim() ?? "";
  if (/^<[?!\w]/.test(first)) return { tree: "xml", roots: read_xml(lines.join("\n")) };
  const opening = lines.filter((line) => /^[[{]/.test(line)).length;
  if (!/^[[{]/.test(first) && opening * 2 < lines.length) return undefined;
  const roots = read_json(lines.join("\n"));
  return roots.length > 0 && roots.some(({ items }) => items.length > 0)
    ? { tree: "json", roots }
    : undefined;
}

/** The possible paths of one example. */
interface Reading {
  tree: "json" | "xml";
  /** Path of the record. */
  path: string[];
  parts: Map<string, TreePath[]>;
  /** Parts on the anchor line; null is the record itself. */
  line: (TreePath | null)[];
  members: Map<string, string>;
}

/** The tree of a rule; undefined if its examples are not in documents, or have no paths in common. */
export function inferTree(
  rule: Rule,
  places: ReadonlyMap<Instance, readonly Place[]>,
  documents: readonly (LogDocument | undefined)[],
): Tree | undefined {
  const readings: Reading[] = [];
  for (const instance of rule.instances) {
    const place = places.get(instance)?.[0];
    const document = place === undefined ? undefined : documents[place.file];
    if (place === undefined || document === undefined) return undefined;
    const reading = readInstance(instance, place, document);
    if (reading === undefined) return undefined;
    readings.push(reading);
  }
  const [first, ...others] = readings;
  if (first === undefined || others.some(({ path }) => path.join("\0") !== first.path.join("\0")))
    return undefined;
  const parts: Record<string, TreePath> = {};
  for (const [name, paths] of first.parts) {
    const common = paths.filter((path) =>
      others.every((other) => other.parts.get(name)?.some((otherPath) => isEqualPath(path, otherPath))),
    );
    const chosen = common.find(({ path }) => isSameName(path.at(-1) ?? "", name)) ?? common[0];
    if (chosen === undefined) return undefined;
    parts[name] = chosen;
  }
  const line = first.line.find((path) =>
    others.every((other) => other.line.some((otherPath) => isEqualLine(path, otherPath))),
  );
  if (line === undefined) return undefined;
  const used = new Set(
    Object.values(parts)
      .filter(({ up }) => up === 0)
      .map(({ path }) => path.join("/")),
  );
  const constants = new Map(
    [...first.members].filter(
      ([key, text]) => !used.has(key) && others.every(({ members }) => members.get(key) === text),
    ),
  );
  const samples = (name: string): string[] => [
    ...new Set(rule.instances.map((instance) => textOf(instance, name))),
  ];
  const leaves = new Map(
    [...first.parts.keys()].map((name): [string, Leaf] => [name, { names: [name], samples: samples(name) }]),
  );
  return { reader: { tree: first.tree, path: first.path, parts, optional: [], line }, leaves, constants };
}

/** Merges the trees of two rules whose examples have different parts; undefined if the paths differ. */
export function mergeTrees(a: Tree, b: Tree): Tree | undefined {
  const [left, right] = [a.reader, b.reader];
  if (left.tree !== right.tree || left.path.join("\0") !== right.path.join("\0")) return undefined;
  if (!isEqualLine(left.line, right.line)) return undefined;
  const shared = Object.entries(left.parts).filter(([name]) => right.parts[name] !== undefined);
  if (shared.some(([name, path]) => !isEqualPath(path, right.parts[name] ?? path))) return undefined;
  const parts = { ...left.parts, ...right.parts };
  const lacking = Object.keys(parts).filter(
    (name) => left.parts[name] === undefined || right.parts[name] === undefined,
  );
  const leaves = new Map([...a.leaves, ...b.leaves]);
  for (const [name] of shared) {
    const samples = [...(a.leaves.get(name)?.samples ?? []), ...(b.leaves.get(name)?.samples ?? [])];
    leaves.set(name, { names: [name], samples: [...new Set(samples)] });
  }
  const constants = new Map([...a.constants].filter(([key, text]) => b.constants.get(key) === text));
  const optional = [...new Set([...left.optional, ...right.optional, ...lacking])];
  return { reader: { ...left, parts, optional }, leaves, constants };
}

function textOf(instance: Instance, name: string): string {
  for (const [line, placement] of instance.placed) {
    const span = placement.get(name);
    if (span !== undefined) return (instance.lines[line] ?? "").slice(span.start, span.end);
  }
  return "";
}

function readInstance(instance: Instance, place: Place, document: LogDocument): Reading | undefined {
  const start = place.line - instance.anchor;
  const end = start + instance.lines.length;
  const leaves = [...walk(document.roots)].filter(({ node }) => {
    const line = node.text_line ?? node.line;
    return node.text !== null && line >= start && line < end;
  });
  const values = leaves.filter(({ node }) => node.text?.trim() === textOf(instance, VALUE));
  const names = [...new Set([...instance.placed.values()].flatMap((placement) => [...placement.keys()]))];
  for (const value of values) {
    const record = recordOf(value, leaves, names, instance);
    const parts = new Map<string, TreePath[]>();
    for (const name of names) {
      const text = textOf(instance, name);
      const matching = name === VALUE ? [value] : leaves.filter(({ node }) => node.text?.trim() === text);
      const paths = matching.flatMap((leaf) => pathFrom(record, leaf) ?? []);
      if (paths.length > 0) parts.set(name, paths);
    }
    if (parts.size < names.length) continue;
    const line: (TreePath | null)[] = [...parts.values()].flatMap((paths) =>
      paths.filter((path) => {
        const node = part_of(record, path);
        return node !== null && (node.text_line ?? node.line) === place.line;
      }),
    );
    if (record.node.line === place.line) line.push(null);
    if (line.length > 0)
      return { tree: document.tree, path: pathOf(record), parts, line, members: membersOf(record.node) };
  }
  return undefined;
}

/** The record of a value: its parent, or a higher ancestor that contains more fields, below the next list. */
function recordOf(
  value: FoundNode,
  leaves: readonly FoundNode[],
  names: readonly string[],
  instance: Instance,
): FoundNode {
  const texts = new Set(names.filter((name) => name !== VALUE).map((name) => textOf(instance, name)));
  const fields = leaves.filter(({ node }) => texts.has(node.text?.trim() ?? ""));
  let record = value.above ?? value;
  for (let ancestor = value.above; ancestor !== null; ancestor = ancestor.above) {
    if (fields.some((leaf) => isBelow(leaf, ancestor) && !isBelow(leaf, record))) record = ancestor;
    const { above, node } = ancestor;
    const isListItem =
      node.name === "*" || (above?.node.items.filter(({ name }) => name === node.name).length ?? 0) > 1;
    if (above === null || isListItem) break;
  }
  return record;
}

function isBelow(leaf: FoundNode, ancestor: FoundNode): boolean {
  for (let found: FoundNode | null = leaf; found !== null; found = found.above)
    if (found.node === ancestor.node) return true;
  return false;
}

/** The path from a record to a leaf; undefined if it leads through a list. */
function pathFrom(record: FoundNode, leaf: FoundNode): TreePath[] | undefined {
  let up = 0;
  for (let top: FoundNode | null = record; top !== null; top = top.above, up += 1) {
    const path: string[] = [];
    for (let found: FoundNode | null = leaf; found !== null; found = found.above) {
      const { node, above } = found;
      if (node === top.node) return [{ up, path }];
      if (node.name === "*" || above?.node.items.find(({ name }) => name === node.name) !== node) break;
      path.unshift(node.name);
    }
  }
  return undefined;
}

function* walk(nodes: readonly TreeNode[], above: FoundNode | null = null): Generator<FoundNode> {
  for (const node of nodes) {
    const found = { node, above };
    yield found;
    yield* walk(node.items, found);
  }
}

function pathOf(leaf: FoundNode): string[] {
  const path: string[] = [];
  for (let found: FoundNode | null = leaf; found !== null; found = found.above) path.unshift(found.node.name);
  return path;
}

/** Short texts of the members of a record, by their path joined with `/`. */
function membersOf(record: TreeNode, prefix = "", depth = 0): Map<string, string> {
  const members = new Map<string, string>();
  for (const item of record.items) {
    const path = prefix + item.name;
    if (item.name === "*") continue;
    if (item.text !== null && item.text.trim().length <= 40) members.set(path, item.text.trim());
    else if (depth < 1)
      for (const [key, text] of membersOf(item, `${path}/`, depth + 1)) members.set(key, text);
  }
  return members;
}

function isEqualPath(a: TreePath, b: TreePath): boolean {
  return a.up === b.up && a.path.join("\0") === b.path.join("\0");
}

function isEqualLine(a: TreePath | null, b: TreePath | null): boolean {
  return a === null || b === null ? a === b : isEqualPath(a, b);
}

/** All nodes at the path of the records, with their differences from the examples. */
export function scanTrees(tree: Tree, documents: readonly (LogDocument | undefined)[]): Candidate[] {
  const { reader } = tree;
  const path = reader.path.join("\0");
  return documents.flatMap((document, file) => {
    if (document?.tree !== reader.tree) return [];
    return [...walk(document.roots)].flatMap((found): Candidate[] => {
      const isAtPath = found.node.name === reader.path.at(-1) && pathOf(found).join("\0") === path;
      const read = isAtPath ? readNode(tree, found) : undefined;
      if (read?.texts.has(VALUE) !== true) return [];
      const node = reader.line === null ? found.node : part_of(found, reader.line);
      const line = node?.text_line ?? node?.line ?? found.node.line;
      return [{ file, line, cost: read.diffs.length / 2, ...read, placed: new Map() }];
    });
  });
}

function readNode(tree: Tree, found: FoundNode): { texts: Map<string, string>; diffs: Diff[] } {
  const { reader, leaves, constants } = tree;
  const diffs: Diff[] = [];
  const texts = new Map<string, string>();
  for (const [name, path] of Object.entries(reader.parts)) {
    const text = part_of(found, path)?.text?.trim();
    const leaf = leaves.get(name);
    if (text === undefined || leaf === undefined) {
      if (!reader.optional.includes(name)) addDiff(diffs, { kind: "absent", subject: name });
      continue;
    }
    texts.set(name, text);
    for (const [kind] of textDiffs(leaf, text, true)) addDiff(diffs, { kind, subject: name });
  }
  const members = membersOf(found.node);
  for (const [key, text] of constants) {
    if (members.has(key) && members.get(key) !== text) addDiff(diffs, { kind: "member", subject: key });
  }
  return { texts, diffs };
}
