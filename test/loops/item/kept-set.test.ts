// An accepted set stays until a new one is accepted; what is new and not accepted stands beside it.
import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { verifyAtomSet } from "../../../src/runtime/atom-set.ts";
import { cli, cliJson } from "../../support/cli.ts";
import { type ModelServer, type Script, startModelServer } from "../../support/model-server.ts";
import {
  AT_ONCE,
  ENV,
  GOOD_A,
  GOOD_B,
  GOOD_C,
  GOOD_CONFIG,
  makeProject,
  pageOf,
  removeProjects,
  scriptedModel,
  WRONG_A,
} from "./scripted.ts";

const servers: ModelServer[] = [];
afterAll(async () => {
  for (const server of servers) await server.stop();
  removeProjects();
});

const EDIT = "Waive whatever the weekly meeting agreed.";
const EDITED = pageOf("CLK-1").replace("No waivers.", EDIT);

/** Writes good atoms until the page was edited; then it asks a person. */
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

async function accepted() {
  const server = startModelServer(asksAboutTheEdit());
  servers.push(server);
  const project = makeProject(server.url);
  const set = join(project.root, "output", "CLK-1");
  const at = { cwd: project.root, env: ENV };
  const flags = ["--config", project.config, "--search-root", project.logs];
  const run = async (...args: string[]) => {
    const { code, document } = await cliJson([...args, ...flags], at);
    // biome-ignore lint/suspicious/noExplicitAny: documents of several commands
    return { code, document: document as any };
  };
  const files = () =>
    Object.fromEntries(
      ["atom_a.js", "atom_b.js", "atom_c.js", "config.yaml"].map((name) => [
        name,
        readFileSync(join(set, name), "utf8"),
      ]),
    );
  const status = async () =>
    (await cliJson(["status", "CLK-1", "--config", project.config], at)).document as {
      state: string;
      pending: string | null;
    };
  expect((await run("batch", "specs")).code).toBe(0);
  return { ...project, set, at, flags, run, files, status, before: files(), server };
}

test("an edited page that ends with a question keeps the accepted set, which is outdated until it fits again", async () => {
  const at = await accepted();
  expect((await at.run("check")).document.results[0].outcome).toBe("pass");
  writeFileSync(at.spec, EDITED);
  const batch = await at.run("batch", "specs");
  expect([batch.code, batch.document.items[0].status]).toEqual([3, "human_required"]);
  expect(at.files()).toEqual(at.before);
  const pending = join(at.set, "pending");
  expect(batch.document.items[0].report).toBe(join(pending, "human_intervention_report.md"));
  expect(readFileSync(batch.document.items[0].report, "utf8")).toContain("Which ones were agreed?");
  expect(existsSync(join(at.set, "human_intervention_report.md"))).toBe(false);
  expect(await at.status()).toMatchObject({ state: "outdated", pending });

  const check = await at.run("check");
  expect(check.code).toBe(8);
  expect(check.document.results[0]).toMatchObject({ outcome: "error", result: null });
  expect(check.document.results[0].diagnostics[0]).toMatchObject({ code: "outdated", severity: "error" });
  const all = join(at.root, "reports");
  const reports = ["--html", `${all}.html`, "--junit", `${all}.xml`, "--sarif", `${all}.sarif`];
  const forced = await at.run("check", "--outdated", ...reports, "--report-dir", all);
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
  const text = await cli(["check", "--outdated", ...at.flags], at.at);
  expect(text.stdout).toContain("OUTDATED, ");

  // It waits for a person and is not asked again; nothing is lost where the page is not at hand.
  const asked = at.server.requests.length;
  const again = await at.run("batch", "specs");
  expect([again.code, again.document.items[0].up_to_date, at.server.requests.length]).toEqual([
    3,
    true,
    asked,
  ]);
  const moved = `${at.spec}.away`;
  writeFileSync(moved, readFileSync(at.spec));
  await Bun.file(at.spec).delete();
  expect((await at.run("check")).code).toBe(8);

  writeFileSync(at.spec, pageOf("CLK-1"));
  expect((await at.run("batch", "specs")).document.items[0]).toMatchObject({
    up_to_date: true,
    status: "accepted",
  });
  expect((await at.run("check")).code).toBe(0);
  expect((await at.status()).state).toBe("accepted");
}, 60_000);

test("edits that are refused stand in pending/; once they pass they replace the set", async () => {
  const at = await accepted();
  const attempt = join(at.set, "attempt");
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
  const refused = await at.run("resume", "CLK-1", "--accept-edits");
  expect([refused.code, refused.document.status]).toEqual([3, "human_required"]);
  expect(at.files()).toEqual(at.before);
  expect((await at.run("check")).code).toBe(0);
  const pending = join(at.set, "pending");
  expect(await at.status()).toMatchObject({ state: "accepted", pending });
  expect(readFileSync(join(pending, "attempt", "atom_a.js"), "utf8")).toContain("// mine");
  expect(readFileSync(refused.document.report, "utf8")).toContain("pending/attempt/atom_a.js");

  write(join(pending, "attempt"), `${GOOD_A}// mine\n`);
  const passed = await at.run("resume", "CLK-1", "--accept-edits");
  expect([passed.code, passed.document.status]).toEqual([0, "accepted"]);
  expect((await verifyAtomSet(at.set)).sources.atom_a).toContain("// mine");
  expect(existsSync(pending)).toBe(false);
  expect(await at.status()).toMatchObject({ state: "accepted", pending: null });
}, 60_000);
