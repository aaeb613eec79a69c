// Differences of a new set from the accepted one, as a batch reports them before and after acceptance.
import { afterAll, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { batchDocumentSchema } from "../../src/contract/documents.ts";
import { removeRunningProjects, startProject } from "../loops/item/project.ts";
import {
  AT_ONCE,
  GOOD_A,
  GOOD_B,
  GOOD_C,
  GOOD_CONFIG,
  LOG,
  pageOf,
  scriptedModel,
} from "../loops/item/scripted.ts";
import type { Script } from "../support/model-server.ts";

afterAll(removeRunningProjects);

const EDIT = "The unit is ns or ps.";
/** Reads two units and keeps the unit as a field. */
const OTHER_A = GOOD_A.replace(" ns$", " ([np]s)$").replace(
  "parsed_fields: { period: match[2] }",
  "parsed_fields: { period: match[2], unit: match[3] }",
);
const OTHER_CONFIG = GOOD_CONFIG.replace('["core", "bus"]', '["core", "aux"]').replace(
  "waivers:\n  value: N/A\n  waive_items: []\n  waive_reasons: []",
  'waivers:\n  value: 1\n  waive_items: ["aux"]\n  waive_reasons: ["not bonded, ticket 4711"]',
);

/** A model that writes the first atoms until the page is edited, then others. */
function model(): Script {
  const first = scriptedModel(AT_ONCE);
  const second = scriptedModel({ a: [OTHER_A, OTHER_A], b: [GOOD_B, GOOD_B] });
  return (request, number) => {
    const edited = request.messages.some((message) => message.content?.includes("Type 3") === true);
    const logic = request.tools?.some((tool) => tool.function.name === "submit_logic") === true;
    const units = request.messages.some((message) => message.content?.includes(EDIT) === true);
    if (logic && edited) {
      const handed = { atom_b: GOOD_B, atom_c: GOOD_C, config: OTHER_CONFIG };
      return { tool_calls: [{ name: "submit_logic", arguments: handed }] };
    }
    return units ? second(request, number) : first(request, number);
  };
}

function startBatchProject(ids: readonly string[]) {
  const project = startProject(model(), { ids });
  return {
    ...project,
    edit: (id: string) =>
      writeFileSync(
        join(project.specs, `${id}_ItemSpec.md`),
        pageOf(id)
          .replace("Read the clock report.", `Read the clock report. ${EDIT}`)
          .replace("Type 2, two patterns on the value", "Type 3, two patterns on the value")
          .replace("2. `bus`", "2. `aux`")
          .replace("No waivers.", "Waive `aux`: not bonded, ticket 4711."),
      ),
    batch: async (...args: string[]) => {
      const { code, document } = await project.run("batch", "specs", ...args);
      expect(batchDocumentSchema.safeParse(document).error).toBeUndefined();
      return { code, document };
    },
    text: async (...args: string[]) => (await project.print("batch", "specs", ...args)).stdout,
  };
}

/** Every file below a folder with its content. */
function contentOf(dir: string): Record<string, string> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, readFileSync(path, "utf8")];
    }),
  );
}

test("--dry-run shows the changes and keeps the output; the next batch accepts them without requests", async () => {
  const project = startBatchProject(["A-1", "A-2"]);
  expect((await project.batch()).document.items[0].changes).toMatchObject({ kind: "new", before: null });
  project.edit("A-1");
  const before = contentOf(project.output);

  const { code, document } = await project.batch("--dry-run");
  expect([code, document.dry_run]).toEqual([0, true]);
  expect(contentOf(project.output)).toEqual(before);
  const [planned, untouched] = document.items;
  expect([planned.would_run, untouched.would_run, untouched.changes]).toEqual([true, false, undefined]);
  expect(planned.changes).toMatchObject({
    kind: "changed",
    before: { outcome: "pass", records: 2, problem: null },
    after: { outcome: "fail", records: 2, problem: null },
    requirements: {
      total: 2,
      first: [
        { key: "requirements.pattern_items", before: "bus", after: null },
        { key: "requirements.pattern_items", before: null, after: "aux" },
      ],
    },
    waivers: {
      total: 1,
      first: [{ pattern: "aux", before: null, after: { reason: "not bonded, ticket 4711", until: null } }],
    },
    files: ["atom_a.js", "config.yaml"],
  });
  expect(planned.changes.records.changed).toMatchObject({
    total: 2,
    first: [
      {
        file: "clocks.rpt",
        line_number: 3,
        before: { value: "core", fields: {} },
        after: { value: "core", fields: { unit: "ns" } },
      },
      { line_number: 5 },
    ],
  });

  const asked = project.requests.length;
  const accepted = await project.batch();
  expect(project.requests.length).toBe(asked);
  expect(accepted.document.dry_run).toBeUndefined();
  expect(accepted.document.items[0].changes).toEqual(planned.changes);
  expect(readFileSync(join(project.output, "A-1", "config.yaml"), "utf8")).toContain("ticket 4711");
}, 60_000);

test("added and removed records are shown with their location, in text and HTML", async () => {
  const project = startBatchProject(["A-1"]);
  writeFileSync(
    join(project.logs, "clocks.rpt"),
    LOG.replace("end of", "CLOCK aux period 900.00 ps\nend of"),
  );
  const first = readFileSync(project.spec, "utf8");
  project.edit("A-1");
  expect((await project.batch()).code).toBe(0);
  writeFileSync(project.spec, first);
  const html = join(project.root, "plan.html");
  const text = await project.text("--dry-run", "--html", html);
  expect(text).toContain("A-1   would be accepted");
  expect(text).toContain("A-1  FAIL -> PASS, 3 -> 2 records\n");
  expect(text).toContain("  - record  clocks.rpt:6  “aux”\n");
  expect(text).toContain('  ~ record  clocks.rpt:3  “core”  unit: "ns" -> none\n');
  expect(text).toContain("  - requirements.pattern_items  “aux”\n");
  expect(text).toContain("  - waiver  “aux”  not bonded, ticket 4711\n");
  expect(text).toContain("1 item: 1 would be accepted");
  const accept = /again: atomsmith (batch specs .*)$/m.exec(text)?.[1];
  expect(accept).toContain(`--search-root ${project.logs}`);
  const page = readFileSync(html, "utf8");
  expect(page).toContain("Dry run: no set was accepted");
  expect(page).toContain("FAIL -&gt; PASS, 3 -&gt; 2 records");
  expect(page).toContain("clocks.rpt:6");
}, 60_000);

test("an unchanged set takes one line; logs changed since a dry run are gated before acceptance", async () => {
  const project = startBatchProject(["A-1"]);
  await project.batch();
  writeFileSync(join(project.specs, "A-1_ItemSpec.md"), pageOf("A-1").replace("the name", "the whole name"));
  const same = await project.batch("--dry-run");
  expect(same.document.items[0].changes).toMatchObject({ kind: "same", files: [] });
  expect(await project.text("--dry-run")).toContain("A-1  no changes (PASS, 2 records)\n");

  const gone = LOG.replaceAll("CLOCK", "clock");
  writeFileSync(join(project.logs, "clocks.rpt"), gone);
  const asked = project.requests.length;
  const { code, document } = await project.batch("-c", "execution.max_iterations=1");
  expect([code, document.items[0].status]).toEqual([3, "human_required"]);
  expect(document.items[0].gates.gate4_evidence).toBe(false);
  expect(project.requests.length).toBe(asked);
  expect(existsSync(join(project.output, "A-1", "pending"))).toBe(true);
}, 60_000);

test("a set that cannot run is reported as an error, and the new set is accepted", async () => {
  const project = startBatchProject(["A-1"]);
  await project.batch();
  const file = join(project.output, "A-1", "atom_a.js");
  writeFileSync(file, readFileSync(file, "utf8").replace("const items = [];", 'throw new Error("broken");'));
  const { code, document } = await project.batch();
  expect(code).toBe(0);
  const { changes } = document.items[0];
  expect(changes).toMatchObject({
    kind: "changed",
    records: null,
    before: { outcome: "error", records: null },
  });
  expect(changes.before.problem).toContain("broken");
  expect(changes.files).toEqual(["atom_a.js"]);
  expect(readFileSync(file, "utf8")).not.toContain("broken");
}, 60_000);

test("a dry run of an item that would need review keeps the output unchanged", async () => {
  const project = startProject(() => ({
    tool_calls: [{ name: "ask_person", arguments: { reasons: ["No list."], questions: ["Which ones?"] } }],
  }));
  const run = await project.print("batch", "specs", "--dry-run");
  expect(run.code).toBe(3);
  expect(run.stdout).toContain("would need review");
  expect(run.stdout).toContain("No list.");
  expect(existsSync(project.set)).toBe(false);
  // The next batch writes the results of the dry run.
  const asked = project.requests.length;
  expect((await project.print("batch", "specs")).code).toBe(3);
  expect(project.requests.length).toBe(asked);
  const report = join(project.set, "human_intervention_report.md");
  expect(readFileSync(report, "utf8")).toContain("Which ones?");
}, 60_000);
