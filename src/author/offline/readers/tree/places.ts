// Where texts stand in a structured document: nodes with the same names above them are one place. A name that is data
// itself (the keys of a mapping from names to objects) counts as any name.
import { type Syntax, scan } from "../../program/tree/index.ts";
import type { TreeNode } from "../../program/tree/nodes.ts";

export interface Place {
  /** Names from the outermost; `*` is any name. Roots have none. */
  path: string[];
  nodes: TreeNode[];
  parent: Place | undefined;
  take: "text" | "name";
}

/** More nodes than this are not looked at. */
const MOST_NODES = 150_000;
/** Places that a document with data as names could have in thousands. */
const MOST_PLACES = 3000;

/** All places that have texts, those of names that are data included. */
export function placesOf(syntax: Syntax, lines: readonly string[]): Place[] {
  const nodes = scan(syntax, lines).slice(0, MOST_NODES);
  const children = childrenOf(nodes);
  const roots = nodes.filter((node) => node.parent === undefined);
  const top: Place = { path: [], nodes: roots, parent: undefined, take: "text" };
  const places = new Map<string, Place>([["", top]]);
  const open = [top];
  for (let place = open.shift(); place !== undefined && places.size < MOST_PLACES; place = open.shift()) {
    const anyName = syntax !== "xml" && namesAreData(place.nodes, children);
    const byName = new Map<string, TreeNode[]>();
    for (const node of place.nodes.flatMap((one) => children.get(one) ?? [])) {
      const name = anyName ? "*" : node.name;
      const known = byName.get(name);
      if (known === undefined) byName.set(name, [node]);
      else known.push(node);
    }
    for (const [name, own] of byName) {
      const next = placeOf(place, name, places);
      const seen = new Set(next.nodes);
      const fresh = own.filter((node) => !seen.has(node));
      for (const node of fresh) next.nodes.push(node);
      if (fresh.length > 0 && !open.includes(next)) open.push(next);
    }
  }
  const texts = [...places.values()].filter((place) => place.nodes.some((node) => node.text !== ""));
  const names = [...places.values()]
    .filter((place) => place.path.at(-1) === "*")
    .map((place) => ({ ...place, take: "name" as const }));
  return [...texts, ...names];
}

function childrenOf(nodes: readonly TreeNode[]): Map<TreeNode, TreeNode[]> {
  const children = new Map<TreeNode, TreeNode[]>();
  for (const node of nodes) {
    if (node.parent === undefined) continue;
    const known = children.get(node.parent);
    if (known === undefined) children.set(node.parent, [node]);
    else known.push(node);
  }
  return children;
}

/** The place of a name below a place. Elements nested in elements of their name are one place, however deep. */
function placeOf(place: Place, name: string, places: Map<string, Place>): Place {
  const direct = place.path.at(-1) === name;
  const often = place.path.filter((one) => one === name).length > 1;
  const nested = name !== "[]" && name !== "*" && (direct || often);
  const outer = nested ? outerOf(place, name) : undefined;
  if (outer !== undefined) return outer;
  const path = [...place.path, name];
  const key = path.join("\u0000");
  const next = places.get(key) ?? { path, nodes: [], parent: place, take: "text" };
  places.set(key, next);
  return next;
}

function outerOf(place: Place, name: string): Place | undefined {
  for (let at: Place | undefined = place; at !== undefined; at = at.parent)
    if (at.path.at(-1) === name && at.take === "text") return at;
  return undefined;
}

/** Are the names below these nodes data? Then they are many, differ, and what stands below them is alike. */
function namesAreData(nodes: readonly TreeNode[], children: ReadonlyMap<TreeNode, TreeNode[]>): boolean {
  const names = new Map<string, number>();
  const inner = new Map<string, number>();
  let count = 0;
  for (const node of nodes) {
    for (const child of children.get(node) ?? []) {
      if (child.name === "[]" || /^[@$]/.test(child.name)) return false;
      if (children.get(child)?.some((one) => !/^\$|^\[\]$/.test(one.name)) !== true) return false;
      count += 1;
      names.set(child.name, (names.get(child.name) ?? 0) + 1);
      for (const one of new Set(children.get(child)?.map((below) => below.name)))
        inner.set(one, (inner.get(one) ?? 0) + 1);
    }
  }
  if (count < 3 || names.size < 3) return false;
  // Keys that every object has are a schema, not data.
  if (
    nodes.length > 2 &&
    names.size < nodes.length &&
    [...names.values()].some((one) => one > nodes.length * 0.8)
  )
    return false;
  const common = [...inner.values()].filter((one) => one >= count * 0.6).length;
  const usual = [...inner.values()].reduce((sum, one) => sum + one, 0) / count;
  return common >= 1 && common >= usual * 0.4 && names.size >= count * 0.3;
}

/** Levels up from one place and names down to another; undefined where a name on the way down is any name. */
export function stepsBetween(from: Place, to: Place): { up: number; down: string[] } | undefined {
  let shared = 0;
  while (shared < from.path.length && shared < to.path.length && from.path[shared] === to.path[shared])
    shared += 1;
  const down = to.path.slice(shared);
  return down.includes("*") ? undefined : { up: from.path.length - shared, down };
}

/** The text of a node at a place. */
export function textAt(place: Place, node: TreeNode): string {
  return place.take === "name" ? node.name : node.text;
}
