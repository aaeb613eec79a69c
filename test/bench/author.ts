// Measures the offline author end to end: `generate` and `check` of this program, run from source on every case
// folder. `bun test/bench/author.ts [CASES_DIR...]`; without an argument the evaluation cases beside the project
// (../shared/evaluation/cases), where they are, and the cases of test/author/offline/cases.
// A case is ID/ID_ItemSpec.md, ID/logs and ID/expected.json.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const MAIN = resolve(import.meta.dir, "../../src/main.ts");

interface Item {
  value: string;
  source_file: string;
  line_number: number | null;
  parsed_fields: Record<string, unknown>;
}

interface Row {
  id: string;
  status: string;
  ms: number;
  f1: number;
  fields: string;
  outcome: string;
  note: string;
}

async function run(args: string[]): Promise<{ code: number; json: Record<string, unknown>; ms: number }> {
  const began = performance.now();
  const child = Bun.spawn([process.execPath, MAIN, ...args, "--json"], { stdout: "pipe", stderr: "ignore" });
  const text = await new Response(child.stdout).text();
  const code = await child.exited;
  const ms = performance.now() - began;
  try {
    return { code, json: JSON.parse(text) as Record<string, unknown>, ms };
  } catch {
    return { code, json: { error: text.slice(0, 200) }, ms };
  }
}

interface Expected {
  items: {
    source_file?: string;
    file?: string;
    line_number?: number;
    line?: number;
    value: string;
    value_accept?: string[];
    line_accept?: number[];
    fields: Record<string, string>;
  }[];
  ignore_lines?: [string, number][];
  verdict?: { result?: string };
}

/** F1 on (file, line, value) and the share of right fields on the matched records. */
function score(expected: Expected, items: readonly Item[]): { f1: number; fields: string } {
  const ignored = (item: Item): boolean =>
    (expected.ignore_lines ?? []).some(
      ([file, line]) => item.line_number === line && item.source_file.endsWith(file.replace(/^logs\//, "")),
    );
  const actual = items.filter((item) => !ignored(item));
  const used = new Set<Item>();
  let hits = 0;
  let right = 0;
  let total = 0;
  for (const want of expected.items) {
    const file = (want.source_file ?? want.file ?? "").replace(/^logs\//, "");
    const lines = want.line_accept ?? [want.line_number ?? want.line ?? 0];
    const values = [want.value, ...(want.value_accept ?? [])];
    const item = actual.find(
      (one) =>
        !used.has(one) &&
        one.source_file.endsWith(file) &&
        lines.includes(one.line_number ?? -1) &&
        values.includes(one.value.trim()),
    );
    if (item === undefined) continue;
    used.add(item);
    hits += 1;
    for (const [name, text] of Object.entries(want.fields)) {
      total += 1;
      if (plain(String(item.parsed_fields[name] ?? "")) === plain(text)) right += 1;
    }
  }
  const size = expected.items.length + actual.length;
  return { f1: size === 0 ? 1 : (2 * hits) / size, fields: `${right}/${total}` };
}

function plain(text: string): string {
  return text.trim().replace(/%$/, "");
}

async function measure(dir: string, id: string, work: string, actualDir: string): Promise<Row> {
  const spec = join(dir, id, `${id}_ItemSpec.md`);
  const logs = join(dir, id, "logs");
  const out = join(work, "out");
  const made = await run([
    "generate",
    spec,
    "--search-root",
    logs,
    "--out",
    out,
    "--cache",
    join(work, "cache"),
  ]);
  const status = String(made.json["status"] ?? "no result");
  const row: Row = { id, status, ms: made.ms, f1: 0, fields: "", outcome: "", note: "" };
  if (status !== "accepted") {
    const errors = made.json["errors"];
    row.note = JSON.stringify(Array.isArray(errors) ? errors[0] : made.json["error"]).slice(0, 140);
    return row;
  }
  const checked = await run(["check", join(out, id), "--search-root", logs, "--items"]);
  const results = checked.json["results"];
  const first = (Array.isArray(results) ? results[0] : undefined) as
    | { outcome: string; parsed_items?: Item[]; result?: { status: string } | null }
    | undefined;
  const items = first?.parsed_items ?? [];
  const expectedFile = join(dir, id, "expected.json");
  const expected = JSON.parse(readFileSync(expectedFile, "utf8")) as Expected;
  const { f1, fields } = score(expected, items);
  const verdict = first?.result?.status ?? first?.outcome ?? "";
  const right = expected.verdict?.result;
  writeFileSync(
    join(actualDir, `${id}.json`),
    JSON.stringify({ items, verdict: { result: verdict }, config: configOf(join(out, id)) }),
  );
  return {
    ...row,
    f1,
    fields,
    outcome: `${verdict}${right === undefined ? "" : right === verdict ? " ok" : ` NOT ${right}`}`,
  };
}

function configOf(set: string): unknown {
  return Bun.YAML.parse(readFileSync(join(set, "config.yaml"), "utf8"));
}

async function bench(dir: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "atomsmith-bench-"));
  const actual = join(work, "actual");
  mkdirSync(actual);
  const rows: Row[] = [];
  const ids = readdirSync(dir).filter((id) => existsSync(join(dir, id, "expected.json")));
  for (const id of ids.sort()) rows.push(await measure(dir, id, work, actual));
  console.log(`\n${dir}`);
  for (const row of rows) {
    console.log(
      [
        row.id.padEnd(14),
        row.status.padEnd(15),
        `${(row.ms / 1000).toFixed(2)} s`,
        row.status === "accepted"
          ? `F1 ${row.f1.toFixed(3)}  fields ${row.fields}  ${row.outcome}`
          : row.note,
      ].join("  "),
    );
  }
  const accepted = rows.filter((row) => row.status === "accepted");
  const right = accepted.filter((row) => row.f1 >= 0.95);
  console.log(
    `accepted ${accepted.length} of ${rows.length}; right (F1 >= 0.95) ${right.length} of those accepted; median ${median(rows.map((row) => row.ms / 1000)).toFixed(2)} s`,
  );
  const scorer = join(dirname(dir), "score.py");
  if (existsSync(scorer)) {
    const python = Bun.which("python3");
    if (python === null) console.log("python3 is not there: the cases' own scorer was not run");
    else
      console.log(
        await new Response(Bun.spawn([python, scorer, "--cases", dir, "--actual", actual]).stdout).text(),
      );
  }
  rmSync(work, { recursive: true, force: true });
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const own = resolve(import.meta.dir, "../author/offline/cases");
const beside = ["../../../shared/evaluation/cases", "../../../../shared/evaluation/cases"].map((path) =>
  resolve(import.meta.dir, path),
);
const given = process.argv.slice(2).map((path) => resolve(path));
const dirs = given.length > 0 ? given : [...beside.filter((path) => existsSync(path)).slice(0, 1), own];
for (const dir of dirs) await bench(dir);
