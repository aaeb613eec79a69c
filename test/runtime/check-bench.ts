// One search root with its output folder and a sandbox, and checks of atom sets in it.
import { afterAll, beforeAll } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSandbox } from "../../sandbox/index.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import type { AtomSources } from "../../src/contract/atoms.ts";
import { PathGuard } from "../../src/files/guard.ts";
import { variablesOf } from "../../src/files/variables.ts";
import { type CheckOptions, checkAtomSet, LogPool } from "../../src/runtime/index.ts";
import { sources, writeSet } from "./sets.ts";

/** The text of a config; by default every record is required to exist and nothing is waived. */
export function configYaml(
  inputs: string[],
  requirements = "{value: N/A}",
  waivers = "{value: N/A}",
): string {
  return `description: d\ninput_files: ${JSON.stringify(inputs)}\nrequirements: ${requirements}\nwaivers: ${waivers}\n`;
}

/** Codes of the diagnostics of a result. */
export function codesOf(checked: { result: { diagnostics: { code: string }[] } }): string[] {
  return checked.result.diagnostics.map(({ code }) => code);
}

/** Folders and services for the checks of one test file, removed after its tests. */
export function checkBench() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "atomsmith-check-")));
  const root = join(base, "root");
  const out = join(base, "output");
  mkdirSync(root);
  const guard = new PathGuard(root);
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createSandbox({ require: "process", children: 2, limits: { timeoutMs: 5000 } }, () => {});
  });
  afterAll(async () => {
    await sandbox.close();
    rmSync(base, { recursive: true, force: true });
  });

  function options(changes: Partial<CheckOptions> = {}): CheckOptions {
    return {
      variables: variablesOf(root, {}),
      overrides: [],
      unverified: false,
      outdated: false,
      limits: { timeoutMs: 5000 },
      maxRecords: 1000,
      requireWitness: false,
      parallel: 2,
      ...changes,
    };
  }

  function services(maxTextBytes = 64 * 2 ** 20) {
    const pool = new LogPool({ maxTextBytes });
    const signal = new AbortController().signal;
    return { sandbox, pool, guard, emit: () => {}, emitOf: () => () => {}, signal };
  }

  let count = 0;
  /** Writes a set under the next free identifier and returns its folder. */
  function addSet(yaml: string, atoms: Partial<AtomSources> = {}): Promise<string> {
    count += 1;
    return writeSet(out, `I-${count}`, sources(yaml, atoms));
  }

  /** Writes a set and checks it. */
  async function check(yaml: string, changes: Partial<CheckOptions> = {}, atoms: Partial<AtomSources> = {}) {
    return checkAtomSet(await addSet(yaml, atoms), options(changes), services());
  }
  return { base, root, out, options, services, addSet, check };
}
