// Commands printed by the program run in a shell as they are, from the user's working directory: with the search
// root, the configuration and the -c values of the run, quoted.
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runSettings } from "../support/executable.ts";
import { folders } from "../support/folder.ts";
import { PROGRAM } from "../support/program.ts";

const folder = folders("atomsmith-printed-");

/** A project with blanks and quotes in its paths, and a shell in which `atomsmith` is the program. */
function makeProject() {
  const root = folder({});
  const bin = join(root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "atomsmith"), `#!/bin/sh\nexec '${PROGRAM.join("' '")}' "$@"\n`, {
    mode: 0o755,
  });
  const sh = (line: string, input = "") => {
    const env = { ...runSettings(), HOME: root, PATH: `${bin}:${process.env["PATH"]}`, EDITOR: "true" };
    const done = spawnSync("sh", ["-c", line], { cwd: root, env, encoding: "utf8", input });
    return { code: done.status, out: done.stdout, err: done.stderr };
  };
  expect(sh("atomsmith init --example p").code).toBe(0);
  renameSync(join(root, "p/logs"), join(root, "the 'nightly' logs"));
  renameSync(join(root, "p/atomsmith.yaml"), join(root, "my config.yaml"));
  const yaml = readFileSync(join(root, "my config.yaml"), "utf8");
  writeFileSync(join(root, "my config.yaml"), yaml.replace(/^ *(search_root|item_specs_dir):.*$/gm, ""));
  const page = join(root, "p/item_specs/ERR-2_ItemSpec.md");
  return { root, sh, page };
}

const FLAGS = `--config 'my config.yaml' --search-root "the 'nightly' logs" -c 'paths.variables={NOTE: a b}'`;
const command = (text: string, pattern: RegExp): string => {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`no command in: ${text}`);
  return found;
};

test("the next steps printed by generate, status and a dry run can be run", () => {
  const { sh } = makeProject();
  const made = sh(`atomsmith generate p/item_specs/COV-1_ItemSpec.md ${FLAGS}`);
  expect(made.code).toBe(0);
  const next = command(made.out, /next: {2}(atomsmith check .*)$/m);
  expect(next).toContain("-c 'paths.variables={NOTE: a b}'");
  expect(sh(next)).toMatchObject({ code: 0, err: "" });

  const status = sh(`atomsmith status ${FLAGS.replace(/--search-root "[^"]*"/, "")}`);
  expect(sh(command(status.out, /(atomsmith check .*)$/m)).code).toBe(0);

  const dry = sh(`atomsmith batch p/item_specs --only COV-1 --force --dry-run ${FLAGS}`);
  const accept = command(dry.out, /again: (atomsmith .*)$/m);
  expect(sh(accept.replace("ITEM", "COV-1")).code).toBe(0);
  const list = sh(`atomsmith batch p/item_specs --only COV-1 --dry-run ${FLAGS}`);
  expect(list.out).toContain("nothing to do");
}, 60_000);

test("the next steps in the report of an item that needs review, of label and of --new-attempt can be run", () => {
  const { root, sh, page } = makeProject();
  writeFileSync(page, readFileSync(page, "utf8").replace(/```example[\s\S]*?```\n/g, ""));
  const asked = sh(`atomsmith generate 'p/item_specs/ERR-2_ItemSpec.md' ${FLAGS}`);
  expect(asked.code).toBe(3);
  const report = readFileSync(join(root, "output/ERR-2/human_intervention_report.md"), "utf8");
  // The terminal shows the same commands.
  const example = command(report, /^ *(atomsmith resume ERR-2 --example.*)$/m);
  expect(asked.out).toContain(`show a worked example: ${example}`);
  // Without an answer on standard input nothing runs.
  expect(sh(example)).toMatchObject({ code: 2 });
  const lines = readFileSync(join(root, "the 'nightly' logs/build.log"), "utf8").split("\n");
  const answered = sh(example, `${lines[2]}\n---\nnone\n`);
  expect([0, 3]).toContain(answered.code as number);
  expect(sh(command(report, /^ *(\$\{EDITOR:-vi\} .*)$/m)).code).toBe(0);
  const generate = command(report, /^ *(atomsmith generate .*)$/m);
  expect(sh(generate).code).toBe(3);

  const attempt = sh(command(report, /^ *(atomsmith resume ERR-2 --new-attempt.*)$/m));
  expect(attempt.code).toBe(0);
  const accept = command(attempt.out, /(atomsmith resume ERR-2 --accept-edits.*)$/m);
  expect(accept).toContain(`--config 'my config.yaml'`);
  expect(sh(accept).code).toBe(3); // the gates refuse an Atom A with nothing in it

  const label = command(report, /^ *(atomsmith label .*)$/m);
  const labelled = sh(`${label} --file build.log --line 3 --value 'port scan_en is not connected'`);
  expect(labelled).toMatchObject({ code: 0 });
  const next = command(labelled.out, /next: (atomsmith generate .*)$/m);
  expect(next).toContain(String.raw`--search-root 'the '\''nightly'\'' logs'`);
  expect([0, 3]).toContain(sh(next).code as number);
}, 60_000);
