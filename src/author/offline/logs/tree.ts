// Records of JSON and XML: where the parts of the examples stand in the document, seen from the node that is the
// record.
import { addDiff, type Diff } from "../examples/diffs.ts";
import { type Instance, VALUE } from "../examples/instances.ts";
import { textDiffs } from "../examples/matcher.ts";
import type { Rule } from "../examples/rule.ts";
import type { Leaf } from "../examples/template.ts";
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

/** How records stand in documents, and what the examples have in common beside their parts. */
export interface Tree {
  reader: TreeReader;
  leaves: ReadonlyMap<string, Leaf>;
  /** Members of the record that no part is, with the text that all examples have there. */
  constants: ReadonlyMap<string, string>;
}

/** A log as a document, or undefined when it is none. */
export function documentOf({ lines }: LogText): { tree: "json" | "xml"; roots: TreeNode[] } | undefined {
  const first = lines.find((line) => line.trim() !== "")?.trim() ?? "";
  if (/^<[?!\w]/.test(first)) return { tree: "xml", roots: read_xml(lines.join("\n")) };
  const opening = lines.filter((line) => /^[[{]/.test(line)).length;
  if (!/^[[{]/.test(first) && opening * 2 < lines.length) return undefined;
  const roots = read_json(lines.join("\n"));
  return roots.length > 0 && roots.some(({ items }) => items.length > 0)
    ? { tree: "json", roots }
    : undefined;
}

/** Where the parts of one example stand: candidates for the record, each with its parts. */
interface Reading {
  tree: "json" | "xml";
  path: string[];
  parts: Map<string, TreePath[]>;
  line: (TreePath | null)[];
  members: Map<string, string>;
}

/** The tree of a rule, when every example stands in a document and all stand there alike. */
export function treeOf(
  rule: Rule,
  places: ReadonlyMap<Instance, readonly Place[]>,
  documents: readonly ReturnType<typeof documentOf>[],
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
  for (const [name, ways] of first.parts) {
    const common = ways.filter((way) =>
      others.every((one) => one.parts.get(name)?.some((other) => isSame(way, other))),
    );
    const way = common.find(({ path }) => isNamed(path.at(-1) ?? "", name)) ?? common[0];
    if (way === undefined) return undefined;
    parts[name] = way;
  }
  const line = first.line.find((way) =>
    others.every((one) => one.line.some((other) => isSameLine(way, other))),
  );
  if (line === undefined) return undefined;
  const used = new Set(
    Object.values(parts)
      .filter(({ up }) => up === 0)
      .map(({ path }) => path.join("/")),
  );
  const constants = new Map(
    [...first.members].filter(
      ([key, text]) => !used.has(key) && others.every((one) => one.members.get(key) === text),
    ),
  );
  const samples = (name: string): string[] => [...new Set(rule.instances.map((one) => textOf(one, name)))];
  const leaves = new Map(
    [...first.parts.keys()].map((name): [string, Leaf] => [name, { names: [name], samples: samples(name) }]),
  );
  return { reader: { tree: first.tree, path: first.path, parts, optional: [], line }, leaves, constants };
}

/** One tree for the nodes of two rules that differ in the parts they have; undefined for other trees. */
export function uniteTrees(a: Tree, b: Tree): Tree | undefined {
  const [left, right] = [a.reader, b.reader];
  if (left.tree !== right.tree || left.path.join("\0") !== right.path.join("\0")) return undefined;
  if (!isSameLine(left.line, right.line)) return undefined;
  const shared = Object.entries(left.parts).filter(([name]) => right.parts[name] !== undefined);
  if (shared.some(([name, way]) => !isSame(way, right.parts[name] ?? way))) return undefined;
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

function readInstance(
  instance: Instance,
  place: Place,
  document: { tree: "json" | "xml"; roots: TreeNode[] },
): Reading | undefined {
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
      const found = name === VALUE ? [value] : leaves.filter(({ node }) => node.text?.trim() === text);
      const ways = found.flatMap((leaf) => pathFrom(record, leaf) ?? []);
      if (ways.length > 0) parts.set(name, ways);
    }
    if (parts.size < names.length) continue;
    const line: (TreePath | null)[] = [...parts.values()].flatMap((ways) =>
      ways.filter((way) => {
        const node = part_of(record, way);
        return node !== null && (node.text_line ?? node.line) === place.line;
      }),
    );
    if (record.node.line === place.line) line.push(null);
    if (line.length > 0)
      return { tree: document.tree, path: pathOf(record), parts, line, members: membersOf(record.node) };
  }
  return undefined;
}

/** The highest node around a value in which no list leads to it, as far as parts stand in it. */
function recordOf(
  value: FoundNode,
  leaves: readonly FoundNode[],
  names: readonly string[],
  instance: Instance,
): FoundNode {
  const texts = new Set(names.filter((name) => name !== VALUE).map((name) => textOf(instance, name)));
  const wanted = leaves.filter(({ node }) => texts.has(node.text?.trim() ?? ""));
  let record = value.above ?? value;
  for (let at = value.above; at !== null; at = at.above) {
    if (wanted.some((leaf) => isBelow(leaf, at) && !isBelow(leaf, record))) record = at;
    const above = at.above;
    if (
      above === null ||
      at.node.name === "*" ||
      above.node.items.filter(({ name }) => name === at.node.name).length > 1
    )
      break;
  }
  return record;
}

function isBelow(leaf: FoundNode, node: FoundNode): boolean {
  for (let at: FoundNode | null = leaf; at !== null; at = at.above) if (at.node === node.node) return true;
  return false;
}

/** The way from a record to a leaf; undefined when it leads through a list. */
function pathFrom(record: FoundNode, leaf: FoundNode): TreePath[] | undefined {
  let up = 0;
  for (let top: FoundNode | null = record; top !== null; top = top.above, up += 1) {
    const path: string[] = [];
    for (let at: FoundNode | null = leaf; at !== null; at = at.above) {
      if (at.node === top.node) return [{ up, path }];
      if (at.node.name === "*" || at.above?.node.items.find(({ name }) => name === at.node.name) !== at.node)
        break;
      path.unshift(at.node.name);
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

function pathOf(found: FoundNode): string[] {
  const path: string[] = [];
  for (let at: FoundNode | null = found; at !== null; at = at.above) path.unshift(at.node.name);
  return path;
}

/** Short texts of the members of a record, by their path. */
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

const isSame = (a: TreePath, b: TreePath): boolean =>
  a.up === b.up && a.path.join("\0") === b.path.join("\0");
const isSameLine = (a: TreePath | null, b: TreePath | null): boolean =>
  a === null || b === null ? a === b : isSame(a, b);

function isNamed(key: string, part: string): boolean {
  const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
  return plain(key) === plain(part);
}

/** Every node like the records, with what distinguishes it from the examples. */
export function scanTrees(tree: Tree, documents: readonly ReturnType<typeof documentOf>[]): Candidate[] {
  const { reader } = tree;
  const path = reader.path.join("\0");
  return documents.flatMap((document, file) => {
    if (document?.tree !== reader.tree) return [];
    return [...walk(document.roots)].flatMap((found): Candidate[] => {
      const alike = found.node.name === reader.path.at(-1) && pathOf(found).join("\0") === path;
      const read = alike ? readNode(tree, found) : undefined;
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
  for (const [name, way] of Object.entries(reader.parts)) {
    const text = part_of(found, way)?.text?.trim();
    const leaf = leaves.get(name);
    if (text === undefined || leaf === undefined) {
      if (!reader.optional.includes(name)) addDiff(diffs, { kind: "absent", at: name });
      continue;
    }
    texts.set(name, text);
    for (const [kind] of textDiffs(leaf, text, true)) addDiff(diffs, { kind, at: name });
  }
  const members = membersOf(found.node);
  for (const [key, text] of constants) {
    if (members.has(key) && members.get(key) !== text) addDiff(diffs, { kind: "member", at: key });
  }
  return { texts, diffs };
}
