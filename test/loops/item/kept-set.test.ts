// An accepted set stays until a new one is accepted; results that were not accepted are stored beside it.
import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ATOM_FILES } from "../../../src/contract/atoms.ts";
import { verifyAtomSet } from "../../../src/runtime/atom-set.ts";
import type { Script } from "../../support/model-server.ts";
import { removeRunningProjects, startProject } from "./project.ts";
import { AT_ONCE, GOOD_A, GOOD_B, GOOD_C, GOOD_CONFIG, pageOf, scriptedModel, WRONG_A } from "./scripted.ts";

afterAll(removeRunningProjects);

const EDIT = "Waive whatever the weekly meeting agreed.";
const EDITED = pageOf("CLK-1").replace("No waivers.", EDIT);

/** A model that writes good atoms until the page is edited, then calls `ask_person`. */
function asksAboutTheEdit(): Script {
  const model = scriptedModel(AT_ONCE);
  return (request, number) => {
    const edited = request.messages.some((message) => message.content?.includes(EDIT) === true);
    if (!edited) return model(request, number);
    return {
      tool_calls: [
        { name: "ask_person", arguments: { reasons: ["No list."], questions: ["Which ones were agreed?"] } },
      ],
    };
  };
}

/** A project whose item was accepted. */
async function acceptedProject() {
  const project = startProject(asksAboutTheEdit());
  const files = () =>
    Object.fromEntries(
      Object.values(ATOM_FILES).map((name) => [name, readFileSync(join(project.set, name), "utf8")]),
    );
  const status = async () => (await project.run("status", "CLK-1")).document;
  expect((await project.run("batch", "specs")).code).toBe(0);
  return { ...project, files, status, before: files() };
}

test("an edited page that needs review keeps the accepted set, which is outdated until the page fits again", async () => {
  const project = await acceptedProject();
  expect((await project.run("check")).document.results[0].outcome).toBe("pass");
  writeFileSync(project.spec, EDITED);
  const batch = await project.run("batch", "specs");
  expect([batch.code, batch.document.items[0].status]).toEqual([3, "human_required"]);
  expect(project.files()).toEqual(project.before);
  const pending = join(project.set, "pending");
  expect(batch.document.items[0].report).toBe(join(pending, "human_intervention_report.md"));
  expect(readFileSync(batch.document.items[0].report, "utf8")).toContain("Which ones were agreed?");
  expect(existsSync(join(project.set, "human_intervention_report.md"))).toBe(false);
  expect(await project.status()).toMatchObject({ state: "outdated", pending });

  const check = await project.run("check");
  expect(check.code).toBe(8);
  expect(check.document.results[0]).toMatchObject({ outcome: "error", result: null });
  expect(check.document.results[0].diagnostics[0]).toMatchObject({ code: "outdated", severity: "error" });
  const all = join(project.root, "reports");
  const reports = ["--html", `${all}.html`, "--junit", `${all}.xml`, "--sarif", `${all}.sarif`];
  const forced = await project.run("check", "--outdated", ...reports, "--report-dir", all);
  expect([forced.code, forced.document.results[0].outcome, forced.document.results[0].outdated]).toEqual([
    0,
    "pass",
    true,
  ]);
  const written = readdirSync(all, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of [`${all}.html`, `${all}.xml`, `${all}.sarif`, ...written]) {
    expect([file, /outdated/i.test(readFileSync(file, "utf8"))]).toEqual([file, true]);
  }
  const text = await project.print("check", "--outdated");
  expect(text.stdout).toContain("OUTDATED, ");

  // The item waits for review and sends no more requests; a missing page loses nothing.
  const asked = project.requests.length;
  const again = await project.run("batch", "specs");
  expect([again.code, again.document.items[0].up_to_date, project.requests.length]).toEqual([3, true, asked]);
  const moved = `${project.spec}.away`;
  writeFileSync(moved, readFileSync(project.spec));
  await Bun.file(project.spec).delete();
  expect((await project.run("check")).code).toBe(8);

  writeFileSync(project.spec, pageOf("CLK-1"));
  expect((await project.run("batch", "specs")).document.items[0]).toMatchObject({
    up_to_date: true,
    status: "accepted",
  });
  expect((await project.run("check")).code).toBe(0);
  expect((await project.status()).state).toBe("accepted");
}, 60_000);

test("rejected edits are stored in pending/; edits that pass replace the set", async () => {
  const project = await acceptedProject();
  const attempt = join(project.set, "attempt");
  mkdirSync(attempt);
  const write = (dir: string, a: string): void => {
    const files = {
      "atom_a.js": a,
      "atom_b.js": GOOD_B,
      "atom_c.js": GOOD_C,
      "config.yaml": GOOD_CONFIG,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  };
  write(attempt, `${WRONG_A}// mine\n`);
  const refused = await project.run("resume", "CLK-1", "--accept-edits");
  expect([refused.code, refused.document.status]).toEqual([3, "human_required"]);
  expect(project.files()).toEqual(project.before);
  expect((await project.run("check")).code).toBe(0);
  const pending = join(project.set, "pending");
  expect(await project.status()).toMatchObject({ state: "accepted", pending });
  expect(readFileSync(join(pending, "attempt", "atom_a.js"), "utf8")).toContain("// mine");
  expect(readFileSync(refused.document.report, "utf8")).toContain("pending/attempt/atom_a.js");

  write(join(pending, "attempt"), `${GOOD_A}// mine\n`);
  const passed = await project.run("resume", "CLK-1", "--accept-edits");
  expect([passed.code, passed.document.status]).toEqual([0, "accepted"]);
  expect((await verifyAtomSet(project.set)).sources.atom_a).toContain("// mine");
  expect(existsSync(pending)).toBe(false);
  expect(await project.status()).toMatchObject({ state: "accepted", pending: null });
}, 60_000);
