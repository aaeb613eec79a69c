import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { stringify } from "yaml";
import type { ConfigSources } from "../../src/config/layers.ts";
import { type LoadedConfig, loadConfig } from "../../src/config/load.ts";
import { originText } from "../../src/config/origin.ts";
import { AtomsmithError } from "../../src/core/errors.ts";
import { SEED_CONFIG } from "./seed-config.ts";

const root = mkdtempSync(join(tmpdir(), "atomsmith-config-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;

function folder(files: Record<string, string> = {}): string {
  folders += 1;
  const dir = join(root, String(folders));
  mkdirSync(dir);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  return dir;
}

function load(yaml: string | undefined, more: Partial<ConfigSources> = {}): Promise<LoadedConfig> {
  const cwd = folder(yaml === undefined ? {} : { "atomsmith.yaml": yaml });
  return loadConfig({ cwd, env: {}, ...more });
}

async function problem(yaml: string | undefined, more: Partial<ConfigSources> = {}): Promise<string> {
  try {
    await load(yaml, more);
  } catch (error) {
    if (!(error instanceof AtomsmithError)) throw error;
    expect(error.kind).toBe("config");
    expect(error.exitCode).toBe(2);
    return error.message;
  }
  return "no problem";
}

describe("layers", () => {
  const yaml = "execution:\n  max_iterations: 4\n  concurrency: 5\n  candidates: 2\n  timeout_total: 60\n";

  test("defaults < file < environment < -c < flags, each with its origin", async () => {
    const { config, origins } = await load(yaml, {
      env: {
        ATOMSMITH_EXECUTION__CONCURRENCY: "6",
        ATOMSMITH_EXECUTION__CANDIDATES: "3",
        ATOMSMITH_EXECUTION__TIMEOUT_TOTAL: "70",
      },
      settings: ["execution.candidates=4", "execution.timeout_total=80", "execution.candidates=5"],
      flags: [{ key: "execution.timeout_total", value: 90, flag: "--x" }],
    });
    expect(config.execution).toMatchObject({
      timeout_per_stage: 300,
      max_iterations: 4,
      concurrency: 6,
      candidates: 5,
      timeout_total: 90,
    });
    const text = (key: string) => {
      const origin = origins.get(key);
      return origin && originText(origin);
    };
    expect(text("execution.timeout_per_stage")).toBeUndefined();
    expect(text("execution.max_iterations")).toBe("atomsmith.yaml:2");
    expect(text("execution.concurrency")).toBe("ATOMSMITH_EXECUTION__CONCURRENCY");
    expect(text("execution.candidates")).toBe("-c execution.candidates");
    expect(text("execution.timeout_total")).toBe("--x");
  });

  test("the seed's agent_config.yaml loads unchanged", async () => {
    const { config } = await load(SEED_CONFIG);
    expect(config.paths.search_root).toBe("/project/design");
    expect(config.llm.agent_a).toEqual({
      provider: "openai",
      model: "gpt-4-turbo",
      temperature: 0.2,
      max_tokens: 4096,
    });
    expect(config.llm.reflect.max_tokens).toBe(2048);
    expect(config.cache.max_checkpoints_per_hour).toBe(10);
    expect(config.execution.enable_streaming).toBe(true);
    expect(config.logging.log_file).toEndWith("/logs/agent.log");
    expect(config.tool_constraints.max_total_read_bytes).toBe(102400);
  });

  test("relative paths of every layer are resolved from the working directory", async () => {
    const cwd = folder({ "other.yaml": "paths: {cache_dir: c, output_dir: /abs/o}\n" });
    mkdirSync(join(cwd, "sub"));
    writeFileSync(join(cwd, "sub", "deep.yaml"), "paths: {search_root: logs}\n");
    const one = (await loadConfig({ cwd, env: { ATOMSMITH_PATHS__SEARCH_ROOT: "s" }, file: "other.yaml" }))
      .config.paths;
    expect(one).toMatchObject({
      search_root: join(cwd, "s"),
      cache_dir: join(cwd, "c"),
      output_dir: "/abs/o",
    });
    expect((await loadConfig({ cwd, env: {}, file: "sub/deep.yaml" })).config.paths.search_root).toBe(
      join(cwd, "logs"),
    );
  });

  test.each(["", "# nothing\n", "---\n", "paths:\nllm:\n  agent_a:\n", "execution:\n  max_iterations: ~\n"])(
    "a file without values changes nothing: %j",
    async (text) => {
      const { config } = await load(text);
      expect(config.execution.max_iterations).toBe(3);
    },
  );

  test("neither .env nor bunfig.toml is read", async () => {
    const cwd = folder({
      ".env": "ATOMSMITH_EXECUTION__MAX_ITERATIONS=9\n",
      "bunfig.toml": 'preload = ["./evil.ts"]\n',
    });
    expect((await loadConfig({ cwd, env: {} })).config.execution.max_iterations).toBe(3);
  });

  test("with merge keys the mapping itself wins, then the first source", async () => {
    const yaml = [
      "llm:",
      "  agent_a: &a {model: m, timeout: 5}",
      "  agent_b: {timeout: 7, <<: *a}",
      "  reflect:",
      "    <<: [{model: first}, *a]",
    ].join("\n");
    const { config } = await load(yaml);
    expect(config.llm.agent_b).toEqual({ model: "m", timeout: 7 });
    expect(config.llm.reflect).toEqual({ model: "first", timeout: 5 });
    expect(await problem("llm:\n  agent_b: {<<: x}\n")).toContain("atomsmith.yaml:2: << must name a mapping");
  });

  test("the origin of a value from an alias is the line of the anchored value", async () => {
    const { config, origins } = await load("llm:\n  agent_a: &a\n    model: m\n  agent_b: *a\n");
    expect(config.llm.agent_b.model).toBe("m");
    expect(origins.get("llm.agent_b.model")).toMatchObject({ line: 3 });
  });
});

describe("texts are converted to the type of the schema", () => {
  test("numbers, booleans, lists and free maps", async () => {
    const { config } = await load(undefined, {
      env: {
        ATOMSMITH_LLM__AGENT_A__MODEL: "4",
        ATOMSMITH_PATHS__VARIABLES__LOG_Root: "/l",
        ATOMSMITH_LLM__REDACT: "no",
      },
      settings: [
        "llm.agent_b.temperature=.5",
        "llm.agent_b.quirks=[a, b]",
        "llm.prices.gpt-4.1.input=2",
        "llm.prices.gpt-4.1.output=8",
        "paths.variables.A=x=y",
        "llm.reflect={model: q, max_retries: 1}",
        "llm.*.timeout=12",
      ],
    });
    expect(config.llm.agent_a).toEqual({ model: "4", timeout: 12 });
    expect(config.llm.agent_b).toEqual({ temperature: 0.5, quirks: ["a", "b"], timeout: 12 });
    expect(config.llm.reflect).toEqual({ model: "q", max_retries: 1, timeout: 12 });
    expect(config.llm.prices).toEqual({ "gpt-4.1": { input: 2, output: 8 } });
    expect(config.llm.redact).toBe(false);
    expect(config.paths.variables).toEqual({ A: "x=y", LOG_Root: "/l" });
  });

  test("variables with one underscore are ignored unless they resemble a key", async () => {
    expect(
      (await load(undefined, { env: { ATOMSMITH_BIN: "x", ATOMSMITH_RUNTIME: "y" } })).config.llm.draft,
    ).toBe("none");
    expect(await problem(undefined, { env: { ATOMSMITH_PATHS_SEARCH_ROOT: "x" } })).toBe(
      "configuration: ATOMSMITH_PATHS_SEARCH_ROOT: unknown variable; did you mean ATOMSMITH_PATHS__SEARCH_ROOT?",
    );
  });
});

test("any file, variable or setting loads or is a config error with its location", async () => {
  const keys = [
    "llm",
    "paths",
    "execution",
    "agent_a",
    "prices",
    "variables",
    "quirks",
    "max_iterations",
    "x",
    "<<",
    "__proto__",
  ];
  const leaf = fc.oneof(fc.string({ maxLength: 8 }), fc.double(), fc.boolean(), fc.constant(null));
  const tree = fc.letrec((tie) => ({
    node: fc.oneof(
      leaf,
      fc.array(leaf, { maxLength: 2 }),
      fc.dictionary(fc.constantFrom(...keys), tie("node"), { maxKeys: 3 }),
    ),
  })).node;
  const file = fc.oneof(
    tree.map((value) => stringify(value)),
    fc.string({ maxLength: 40 }),
  );
  const setting = fc.tuple(
    fc.array(fc.constantFrom(...keys, "*", ""), { maxLength: 4 }),
    fc.string({ maxLength: 8 }),
  );
  await fc.assert(
    fc.asyncProperty(file, setting, setting, async (yaml, [path, value], [envPath, envValue]) => {
      const cwd = folder({ "atomsmith.yaml": yaml });
      const env = { [`ATOMSMITH_${envPath.join("__").toUpperCase()}`]: envValue };
      try {
        await loadConfig({ cwd, env, settings: [`${path.join(".")}=${value}`] });
      } catch (error) {
        if (!(error instanceof AtomsmithError)) throw error;
        expect(error.kind).toBe("config");
        expect(error.message).toMatch(/atomsmith\.yaml|ATOMSMITH_|-c /);
      }
      expect(Object.prototype).not.toHaveProperty("x");
    }),
    { numRuns: 300 },
  );
});

describe("errors have their location", () => {
  test.each([
    [
      "execution:\n  max_iterations: three\n",
      'atomsmith.yaml:2: execution.max_iterations must be a whole number from 1 to 20, not "three"',
    ],
    [
      "execution:\n  max_iterations: 0\n",
      "atomsmith.yaml:2: execution.max_iterations must be a whole number from 1 to 20, not 0",
    ],
    [
      "llm:\n  agent_a:\n    provider: opnai\n",
      'atomsmith.yaml:3: llm.agent_a.provider must be one of offline, openai, azure, anthropic, replay, not "opnai"',
    ],
    [
      "llm:\n  agent_a:\n    modle: x\n",
      "atomsmith.yaml:3: unknown key llm.agent_a.modle; did you mean llm.agent_a.model?",
    ],
    [
      "\nmax_iterations: 3\n",
      "atomsmith.yaml:2: unknown key max_iterations; did you mean execution.max_iterations?",
    ],
    [
      "paths: logs\n",
      "atomsmith.yaml:1: paths must be a mapping with the keys search_root, item_specs_dir, cache_dir, output_dir, variables",
    ],
    [
      "execution:\n  enable_streaming: maybe\n",
      'atomsmith.yaml:2: execution.enable_streaming must be true or false, not "maybe"',
    ],
    [
      "llm:\n  agent_a:\n    quirks: [1]\n",
      "atomsmith.yaml:3: llm.agent_a.quirks must be a list of texts, not [1]",
    ],
    [
      "llm:\n  agent_a: {base_url: host}\n",
      'atomsmith.yaml:2: llm.agent_a.base_url must be a URL like https://host/v1, not "host"',
    ],
    [
      "llm:\n  prices:\n    m: {input: 1}\n",
      "atomsmith.yaml:3: llm.prices.m.output is missing: must be a number of at least 0",
    ],
    ["- a\n", "atomsmith.yaml:1: the file must be a mapping of keys"],
    ["paths:\n  cache_dir: [\n", "atomsmith.yaml:3: not valid YAML"],
    ["paths:\n  cache_dir: a\n  cache_dir: b\n", "atomsmith.yaml:3: not valid YAML: Map keys must be unique"],
    [
      "paths:\n  search_root: {a: 1}\n",
      'atomsmith.yaml:2: paths.search_root must be a non-empty text, not {"a":1}',
    ],
    ["__proto__:\n  polluted: 1\n", "atomsmith.yaml:1: unknown key __proto__"],
  ])("%j", async (yaml, expected) => {
    expect(await problem(yaml)).toStartWith(`configuration: ${expected}`);
  });

  test("a small file cannot expand to a huge value", async () => {
    const levels = Array.from(
      { length: 9 },
      (_, i) => `    v${i + 1}: &v${i + 1} [${Array(9).fill(`*v${i}`).join(", ")}]`,
    );
    const yaml = ["paths:", "  variables:", "    v0: &v0 [x]", ...levels].join("\n");
    expect(await problem(yaml)).toContain("Excessive alias count");
    expect(await problem("paths: &p\n  variables: {a: *p}\n")).toContain(
      "paths.variables.a must be a text, not a circular value",
    );
  });

  test("all errors are reported together", async () => {
    const message = await problem("cache: {keep_hours: 0}\nfoo: 1\n", {
      settings: ["execution.candidates=x"],
    });
    expect(message).toStartWith("configuration: 3 problems:");
    expect(message).toContain("atomsmith.yaml:1: cache.keep_hours");
    expect(message).toContain("atomsmith.yaml:2: unknown key foo");
    expect(message).toContain(
      "-c execution.candidates: execution.candidates must be a whole number from 1 to 8",
    );
  });

  test("a named file must be readable text", async () => {
    const cwd = folder({ "latin.yaml": "" });
    writeFileSync(join(cwd, "latin.yaml"), new Uint8Array([0x61, 0x3a, 0x20, 0xe9, 0x0a]));
    const run = (file: string) => loadConfig({ cwd, env: {}, file });
    await expect(run("no.yaml")).rejects.toThrow("the configuration file no.yaml does not exist");
    await expect(run(".")).rejects.toThrow("is a directory, not a file");
    await expect(run("latin.yaml")).rejects.toThrow("is not UTF-8 text");
    await expect(run("/dev/zero")).rejects.toThrow("is larger than");
  });

  test.each([
    ["llm:\n  agent_a:\n    api_key: sk-secret-1\n", "set api_key_env to the name of the variable"],
    ["llm:\n  agent_a:\n    api_key_env: sk-secret-1\n", "never the key itself"],
    ["llm:\n  agent_a:\n    base_url: https://u:sk-secret-1@h/v1\n", "must not contain a user or password"],
    ["llm:\n  agent_a:\n    base_url: ftp://u:sk-secret-1@h/v1\n", "must be a URL"],
  ])("a pasted secret is refused and not repeated: %j", async (yaml, expected) => {
    const message = await problem(yaml);
    expect(message).toContain(expected);
    expect(message).not.toContain("secret-1");
  });
});
