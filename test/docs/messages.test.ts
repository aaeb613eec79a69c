// The table of docs/messages.md: its last column shows what the program prints. The commands of a new user run in one
// place; a message that no command here can provoke is listed with its test.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli } from "../support/cli.ts";

const PROJECT = join(import.meta.dir, "../..");
const root = mkdtempSync(join(tmpdir(), "atomsmith-messages-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Rows that need a signal, a second process, a network or an earlier day, and where they are tested. */
const ELSEWHERE: Record<string, string> = {
  "`check`, a waiver that ended": "test/loops/item/waive.test.ts",
  "`check --baseline`": "test/report/headline.test.ts",
  "`batch`, an item held elsewhere": "test/loops/item/refused.test.ts",
  "`batch`, Ctrl-C": "test/e2e/signals.test.ts",
  "`generate`, Ctrl-C": "test/e2e/signals.test.ts",
  "no connection": "test/llm/failures.test.ts",
  "report, code spans": "test/report/intervention.test.ts",
  "`check`, long texts": "test/report/headline.test.ts",
};

interface Row {
  where: string;
  now: string;
}

/** The rows of the table; `|` inside a code span does not end a cell. */
function rowsOf(page: string): Row[] {
  const rows = page.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| where"));
  return rows.map((line) => {
    const cells = line.slice(2, -2).split(" | ");
    return { where: cells[0] ?? "", now: cells[2] ?? "" };
  });
}

/** The texts of a cell: its code spans, split at ellipses. */
function textsOf(cell: string): string[] {
  const spans = [...cell.matchAll(/`` (.+?) ``|`([^`]+)`/g)].map((match) => match[1] ?? match[2] ?? "");
  return spans.flatMap((span) => span.split("…")).map((text) => text.replace(/\s*\($/, "").trim());
}

let printed = "";
async function run(line: string, cwd = root): Promise<void> {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? "");
  const { stdout, stderr } = await cli(words, { cwd, env: {} });
  printed += `${stdout}\n${stderr}\n`;
}

beforeAll(async () => {
  cpSync(join(PROJECT, "fixtures"), join(root, "fixtures"), { recursive: true });
  const empty = mkdtempSync(join(root, "empty-"));
  const flags = "--search-root fixtures/project";
  await run(`batch fixtures/items ${flags} --provider offline`);
  await run("init --example try");
  const example = join(root, "try");
  await run("batch", example);
  await run("batch COV1", example);
  await run("status COV1", example);
  await run(`generate fixtures/items/DRC-04_ItemSpec.md ${flags} --provider offline`);
  await run(`generate fixtures/items/PWR-11_ItemSpec.md ${flags} --provider offline`);
  await run(`check ${flags}`);
  await run(`waive SYN-06 '*dbg*' --reason 'no such port' ${flags}`);
  await run(`waive SYN-06 '*none*' --reason 'a typing error' ${flags}`);
  await run(`check SYN-06 ${flags}`);
  rmSync(join(root, "fixtures/project/sta"), { recursive: true, force: true });
  await run(`check STA-03 ${flags}`);
  await run("check", empty);
  await run("batch", empty);
  await run("spec lint fixtures/items/PWR-11_ItemSpec.md");
  await run("doctor --provider", example);
  await run(`batch fixtures/items ${flags} -c llm.agent_a.base_url=http://localhost:1`);
  await run(`batch fixtures/items ${flags} -c llm.agent_a.model=some`);
  const page = join(example, "item_specs/ERR-2_ItemSpec.md");
  writeFileSync(page, readFileSync(page, "utf8").replace(/```example[\s\S]*?```\n/g, ""));
  await run("batch --provider offline -c execution.max_iterations=1", example);
  await run("check", example);
}, 120_000);

const rows = rowsOf(readFileSync(join(PROJECT, "docs/messages.md"), "utf8"));

test("the table lists the messages", () => {
  expect(rows.length).toBeGreaterThan(20);
  for (const where of Object.keys(ELSEWHERE)) expect(rows.map((row) => row.where)).toContain(where);
});

test.each(rows.filter(({ where }) => !(where in ELSEWHERE)))("$where", ({ now }) => {
  const texts = textsOf(now);
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter((text) => !printed.includes(text))).toEqual([]);
});
