// Checks the direction of imports: a folder imports only from levels below its own, and neither folders nor files form
// a cycle. Imports of types and imports at run time count too. The levels are listed here and in the table of
// CONTRIBUTING.md; this program fails when the two differ.
//   node .ci/layers.mjs
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** From top to bottom. Folders of one level do not import each other, and neither do loops. */
export const LEVELS = [
  ["src/main.ts"],
  ["src/cli"],
  ["src/server", "src/worker"],
  ["src/batch"],
  ["src/loops/*"],
  ["src/run", "src/label"],
  ["src/author"],
  ["src/gates"],
  ["src/runtime", "src/report"],
  ["src/tools", "src/conversation", "src/spec", "src/documents", "src/web", "src/databases", "src/queue"],
  ["src/logio", "src/files", "src/llm", "sandbox"],
  ["src/store"],
  ["src/config"],
  ["src/contract"],
  ["src/engine"],
  ["src/core"],
  ["prompts", "configs"],
];

/** The findings, one line each: file, line, what to do. Paths have forward slashes. */
export function wrongImports(files) {
  const found = [];
  const levels = new Map(LEVELS.flatMap((names, level) => names.map((name) => [name, level])));
  const unknown = new Set();
  const folderEdges = new Map();
  const fileEdges = new Map();
  for (const { path, text } of files) {
    const from = unitOf(path);
    const level = levels.get(nameOf(from));
    if (level === undefined) unknown.add(from);
    for (const { line, target } of imports(path, text)) {
      const to = unitOf(target);
      addFolderEdge(folderEdges, path, line, target);
      addEdge(fileEdges, path, target, `${path}:${line}`);
      if (to === from || level === undefined || target === "package.json") continue;
      const below = levels.get(nameOf(to));
      if (below === undefined) unknown.add(to);
      else if (below <= level) {
        const why = below === level ? "is on the same level" : "is above";
        found.push(
          `${path}:${line}: ${to} ${why}. Move what is needed of ${target} to a level below ${from}.`,
        );
      }
    }
  }
  for (const unit of unknown)
    found.push(`${unit}: no level. Add it to LEVELS and to the table of CONTRIBUTING.md.`);
  const cycles = [
    ...findCycles(fileEdges, "Move what both need to a file of its own."),
    ...findCycles(folderEdges, "Move what both need to a folder below."),
  ];
  return [...found, ...cycles];
}

/** The part of the program that a file belongs to. */
function unitOf(path) {
  const parts = path.split("/");
  if (parts[0] !== "src") return parts[0];
  return parts.slice(0, parts[1] === "loops" ? 3 : 2).join("/");
}

/** A loop imports no other loop, so all loops are on one level. */
function nameOf(unit) {
  return unit.startsWith("src/loops/") ? "src/loops/*" : unit;
}

/** Relative imports and exports of a file. The formatter ensures that each starts a line or is a call. */
function* imports(path, text) {
  const pattern =
    /^(?:import|export)\b[^;"'`]*?\bfrom\s+"(\.[^"]+)"|^import\s+"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"/gm;
  for (const match of text.matchAll(pattern)) {
    const target = posix.normalize(posix.join(posix.dirname(path), match[1] ?? match[2] ?? match[3]));
    yield { line: text.slice(0, match.index).split("\n").length, target };
  }
}

/** Records an import between folders; imports between a folder and its subfolders are not counted. */
function addFolderEdge(edges, path, line, target) {
  const [from, to] = [posix.dirname(path), posix.dirname(target)];
  if (`${from}/`.startsWith(`${to}/`) || `${to}/`.startsWith(`${from}/`)) return;
  addEdge(edges, from, to, `${path}:${line}`);
}

/** The first import between two nodes is the location that a finding names. */
function addEdge(edges, from, to, location) {
  const own = edges.get(from) ?? new Map();
  if (!own.has(to)) own.set(to, location);
  edges.set(from, own);
}

function findCycles(edges, advice) {
  const found = [];
  const done = new Set();
  const visit = (node, chain) => {
    const at = chain.indexOf(node);
    if (at >= 0) {
      const cycle = [...chain.slice(at), node];
      const locations = cycle.slice(1).map((to, i) => edges.get(cycle[i]).get(to));
      found.push(`${locations.join(", ")}: ${cycle.join(" -> ")} is a cycle. ${advice}`);
    }
    if (at >= 0 || done.has(node)) return;
    for (const to of edges.get(node)?.keys() ?? []) visit(to, [...chain, node]);
    done.add(node);
  };
  for (const node of edges.keys()) visit(node, []);
  return found;
}

/** The rows of the table in CONTRIBUTING.md that differ from LEVELS. */
export function wrongTable(markdown) {
  const rows = [...markdown.matchAll(/^\| (\d+) \| `([^`]+?)\/?` \|/gm)].map((row) => `${row[1]} ${row[2]}`);
  const levels = LEVELS.flatMap((names, level) => names.map((name) => `${level + 1} ${name}`));
  if (rows.join() === levels.join()) return [];
  const [missing, extra] = [levels.filter((x) => !rows.includes(x)), rows.filter((x) => !levels.includes(x))];
  return [
    `CONTRIBUTING.md: the table differs from LEVELS: missing [${missing}], extra [${extra}], or the order.`,
  ];
}

function sources(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|mjs)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(dirname(fileURLToPath(import.meta.url)), "..");
  const files = ["src", "sandbox"].flatMap((folder) => sources(root, folder));
  const gone = LEVELS.flat().filter((name) => !existsSync(join(root, name.replace("/*", ""))));
  const found = [
    ...wrongImports(files),
    ...gone.map((name) => `${name}: does not exist. Remove it from LEVELS and from CONTRIBUTING.md.`),
    ...wrongTable(readFileSync(join(root, "CONTRIBUTING.md"), "utf8")),
  ];
  for (const line of found) process.stdout.write(`${line}\n`);
  process.stdout.write(`${files.length} files, ${found.length} findings\n`);
  process.exit(found.length === 0 ? 0 : 1);
}
