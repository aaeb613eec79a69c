// `bun test/hostile/drill/write-table.ts`: runs the drill at every level on this machine and puts the table into
// docs/measurements/drill.md, between the two marks.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DrillResult, LEVELS, runDrill } from "./drill.ts";

const path = join(import.meta.dirname, "../../../docs/measurements/drill.md");
const START = "<!-- drill table: start -->";
const END = "<!-- drill table: end -->";

const results: DrillResult[] = [];
for (const level of LEVELS) results.push(await runDrill(level.without));
const [full = {}] = results;
const rows = Object.keys(full).map((attempt) => {
  const cells = results.map((result) => (result[attempt]?.startsWith("denied") ? "denied" : "**possible**"));
  return `| ${attempt} | ${cells.join(" | ")} |`;
});
const table = [
  `| attempt | ${LEVELS.map((level) => level.name).join(" | ")} |`,
  `|---|${LEVELS.map(() => "---|").join("")}`,
  ...rows,
].join("\n");
const docs = readFileSync(path, "utf8");
const before = docs.slice(0, docs.indexOf(START) + START.length);
writeFileSync(path, `${before}\n${table}\n${docs.slice(docs.indexOf(END))}`);
