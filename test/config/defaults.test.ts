// The defaults known without loading the schema equal those of the schema.
import { expect, test } from "bun:test";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultConfig, PLAIN_PATHS } from "../../src/config/defaults.ts";
import { configJsonSchema } from "../../src/config/keys.ts";
import { loadConfig } from "../../src/config/load.ts";
import { configSchema } from "../../src/config/schema.ts";

test("the defaults equal those of the schema for an empty file, in the same order", () => {
  expect(JSON.stringify(defaultConfig())).toBe(JSON.stringify(configSchema.parse({})));
  expect(defaultConfig()).toEqual(configSchema.parse({}));
  const spoilt = defaultConfig();
  spoilt.paths.variables["X"] = "y";
  expect(defaultConfig().paths.variables).toEqual({});
});

test("the unchecked paths have no rule except not to be empty", () => {
  const paths = configJsonSchema().properties?.["paths"]?.properties ?? {};
  for (const name of PLAIN_PATHS) {
    const { description: _description, default: _default, ...rules } = paths[name] ?? {};
    expect(rules).toEqual({ type: "string", minLength: 1 });
  }
});

test("loading with and without the schema gives the same", async () => {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "atomsmith-defaults-")));
  const flags = PLAIN_PATHS.map((name) => ({ key: `paths.${name}`, value: `x/${name}`, flag: `--${name}` }));
  const empty = join(cwd, "empty.yaml");
  writeFileSync(empty, "");
  for (const more of [{}, { flags }, { flags: [...flags].reverse() }]) {
    const quick = await loadConfig({ cwd, env: { PATH: "/bin", ATOMSMITH_X: "" }, ...more });
    const checked = await loadConfig({ cwd, env: {}, file: empty, ...more });
    expect(quick.config).toEqual(checked.config);
    expect([...quick.origins].sort()).toEqual([...checked.origins].sort());
    expect(quick.file).toBeNull();
  }
  rmSync(cwd, { recursive: true });
});

test.each([
  [{ flags: [{ key: "paths.search_root", value: "", flag: "--search-root" }] }, "paths.search_root must be"],
  [{ flags: [{ key: "paths.search_root", value: 3, flag: "--search-root" }] }, "paths.search_root must be"],
  [{ flags: [{ key: "llm.max_cost_usd", value: -1, flag: "--max-cost" }] }, "--max-cost: llm.max_cost_usd"],
  [{ flags: [{ key: "paths.nowhere", value: "x", flag: "--nowhere" }] }, "paths"],
  [{ settings: ["paths.cache_dir="] }, "paths.cache_dir must be"],
  [{ env: { ATOMSMITH_SANDBOX__TIMEOUT: "0" } }, "ATOMSMITH_SANDBOX__TIMEOUT: sandbox.timeout must be"],
])("invalid values are still detected: %j", async (sources, message) => {
  await expect(loadConfig({ cwd: tmpdir(), env: {}, ...sources })).rejects.toThrow(message);
});
