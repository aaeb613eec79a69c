// Measures the offline author end to end: worked examples are put into the pages of cases from their ground truth,
// then `generate` and `check` of this program run on each. `npm run bench -- author [CASES_DIR...]`; without an
// argument the evaluation cases beside the project. A case is ID/ID_ItemSpec.md, ID/logs, ID/expected.json; the script
// that puts the examples in stands beside the cases (with_examples.py).
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const MAIN = resolve(import.meta.dir, "../../src/main.ts");
/** How pages are made: examples with records and examples that say none. */
const SETTINGS = [
  { name: "three examples, one none", args: ["--count", "3", "--negatives", "1", "--check"] },
  { name: "one example", args: ["--count", "1", "--check"] },
];
/** F1 on (file, line, value) from which a result counts as right. */
const RIGHT = 0.95;

interface Item {
  value: string;
  source_file: string;
  line_number: number | null;
  parsed_fields: Record<string, unknown>;
}

interface Expected {
  items: {
    source_file: string;
    line_number: number;
    value: string;
    value_accept?: string[];
    line_accept?: number[];
    fields?: Record<string, unknown>;
  }[];
  ignore_lines?: [string, number][];
  verdict?: { result?: string };
}

interface Row {
  id: string;
  status: string;
  ms: number;
  f1: number;
  fields: number;
  verdict: string;
  note: string;
}

async function run(args: string[]): Promise<{ json: Record<string, unknown>; ms: number }> {
  const began = performance.now();
  const child = Bun.spawn([process.execPath, MAIN, ...args, "--json"], { stdout: "pipe", stderr: "ignore" });
  const text = await new Response(child.stdout).text();
  await child.exited;
  const ms = performance.now() - began;
  try {
    return { json: JSON.parse(text) as Record<string, unknown>, ms };
  } catch {
    return { json: { error: text.slice(0, 200) }, ms };
  }
}

/** F1 on (file, line, value) and the share of right fields on the matched records. */
function score(expected: Expected, items: readonly Item[], root: string): { f1: number; fields: number } {
  const ignored = new Set((expected.ignore_lines ?? []).map(([file, line]) => `${file}:${line}`));
  const place = (item: Item): string => `logs/${item.source_file.slice(root.length + 1)}`;
  const actual = items.filter((item) => !ignored.has(`${place(item)}:${item.line_number}`));
  const used = new Set<Item>();
  let [right, total] = [0, 0];
  for (const want of expected.items) {
    const lines = [want.line_number, ...(want.line_accept ?? [])];
    const values = [want.value, ...(want.value_accept ?? [])].map((text) => String(text).trim());
    const item = actual.find(
      (one) =>
        !used.has(one) &&
        place(one) === want.source_file &&
        lines.includes(one.line_number ?? -1) &&
        values.includes(one.value.trim()),
    );
    if (item === undefined) continue;
    used.add(item);
    for (const [name, text] of Object.entries(want.fields ?? {})) {
      if (text === null) continue;
      total += 1;
      if (String(item.parsed_fields[name] ?? "").trim() === String(text).trim()) right += 1;
    }
  }
  const size = expected.items.length + actual.length;
  return { f1: size === 0 ? 1 : (2 * used.size) / size, fields: total === 0 ? 1 : right / total };
}

async function measure(dir: string, id: string, work: string): Promise<Row> {
  const page = readdirSync(join(dir, id)).find((name) => name.endsWith("_ItemSpec.md")) ?? "";
  const logs = join(dir, id, "logs");
  const out = join(work, "out");
  const flags = ["--search-root", logs];
  const cache = join(work, "cache");
  const made = await run([
    "generate",
    join(dir, id, page),
    ...flags,
    "--out",
    out,
    "--cache",
    cache,
    "--provider",
    "offline",
  ]);
  const status = String(made.json["status"] ?? "no result");
  const row: Row = { id, status, ms: made.ms, f1: 0, fields: 0, verdict: "", note: "" };
  if (status !== "accepted") {
    const report = join(out, id, "human_intervention_report.json");
    const told = existsSync(report)
      ? (JSON.parse(readFileSync(report, "utf8")) as { reasons?: string[] })
      : {};
    return {
      ...row,
      note: told.reasons?.join(" ").slice(0, 150) ?? JSON.stringify(made.json["error"] ?? "").slice(0, 150),
    };
  }
  const checked = await run(["check", join(out, id), ...flags, "--items"]);
  const results = checked.json["results"];
  const first = (Array.isArray(results) ? results[0] : undefined) as
    | { outcome: string; parsed_items?: Item[]; result?: { status: string } | null }
    | undefined;
  const expected = JSON.parse(readFileSync(join(dir, id, "expected.json"), "utf8")) as Expected;
  const verdict = first?.result?.status ?? first?.outcome ?? "";
  const wanted = expected.verdict?.result;
  return {
    ...row,
    ...score(expected, first?.parsed_items ?? [], logs),
    verdict: wanted === undefined || wanted === verdict ? verdict : `${verdict} NOT ${wanted}`,
  };
}

async function bench(cases: string, script: string): Promise<void> {
  for (const { name, args } of SETTINGS) {
    const work = mkdtempSync(join(tmpdir(), "atomsmith-bench-"));
    const pages = join(work, "pages");
    const prepared = Bun.spawn(["python3", script, "--cases", cases, "--out", pages, ...args], {
      stdout: "ignore",
    });
    if ((await prepared.exited) !== 0) throw new Error(`${script} failed`);
    const rows: Row[] = [];
    for (const id of readdirSync(pages).sort()) rows.push(await measure(pages, id, work));
    console.log(`\n${cases}: ${name}`);
    for (const row of rows) {
      const result = `F1 ${row.f1.toFixed(3)}  fields ${row.fields.toFixed(2)}  ${row.verdict}`;
      const seconds = `${(row.ms / 1000).toFixed(2)} s`;
      console.log(
        `${row.id.padEnd(14)}  ${row.status.padEnd(15)}  ${seconds}  ${row.status === "accepted" ? result : row.note}`,
      );
    }
    const accepted = rows.filter((row) => row.status === "accepted");
    const right = accepted.filter((row) => row.f1 >= RIGHT);
    const exact = right.filter((row) => row.f1 === 1 && row.fields === 1);
    const seconds = rows.map((row) => row.ms / 1000).sort((a, b) => a - b);
    console.log(
      `accepted ${accepted.length} of ${rows.length}; right (F1 >= ${RIGHT}) ${right.length}, exact with all fields ${exact.length}; ` +
        `median ${seconds[Math.floor(seconds.length / 2)]?.toFixed(2)} s, longest ${seconds.at(-1)?.toFixed(2)} s`,
    );
    rmSync(work, { recursive: true, force: true });
  }
}

const beside = ["../../../shared/evaluation", "../../../../shared/evaluation"]
  .map((path) => resolve(import.meta.dir, path))
  .find((path) => existsSync(path));
const given = process.argv.slice(2).map((path) => resolve(path));
const dirs = given.length > 0 ? given : beside === undefined ? [] : [join(beside, "cases")];
if (dirs.length === 0) console.log("No cases: name a folder of cases.");
for (const dir of dirs) {
  const script = [dirname(dir), beside ?? ""]
    .map((folder) => join(folder, "with_examples.py"))
    .find((path) => existsSync(path));
  if (script === undefined) console.log(`No with_examples.py beside ${dir}.`);
  else await bench(dir, script);
}
