import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { leafKeys } from "../../src/config/keys.ts";
import { loadConfig } from "../../src/config/load.ts";
import { configTemplate } from "../../src/config/template.ts";
import { openItemStore } from "../../src/loops/item/item-store.ts";
import { cli, cliJson } from "../support/cli.ts";
import { folders } from "../support/folder.ts";
import { PROGRAM } from "../support/program.ts";

const folder = folders("commands");
const retention = { maxCheckpointsPerHour: 10, keepHours: 24 };

describe("init", () => {
  test("a file with every key commented out is written, with the folders", async () => {
    const cwd = folder();
    const run = await cliJson(["init", "new"], { cwd });
    expect(run.code).toBe(0);
    const dir = join(cwd, "new");
    expect(readdirSync(dir).sort()).toEqual(["atomsmith.yaml", "cache", "item_specs", "output"]);
    const text = readFileSync(join(dir, "atomsmith.yaml"), "utf8");
    for (const key of leafKeys()) expect(text).toContain(`${key.replace(/\.\*$/, "").split(".").at(-1)}:`);
    expect((await loadConfig({ cwd: dir, env: {} })).config).toEqual(
      (await loadConfig({ cwd: dir, env: {}, file: "/dev/null" })).config,
    );
  });

  test("every commented value is valid when its comment mark is removed", async () => {
    const open = configTemplate().replace(/^( +)# ([a-z_]+:(?: \S.*)?)$/gm, "$1$2");
    const cwd = folder({ "atomsmith.yaml": open });
    expect((await loadConfig({ cwd, env: {} })).config).toEqual(
      (await loadConfig({ cwd, env: {}, file: "/dev/null" })).config,
    );
  });

  test("an existing file is not replaced without --force", async () => {
    const cwd = folder({ "atomsmith.yaml": "llm: {draft: offline}\n" });
    const refused = await cli(["init"], { cwd });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("already exists");
    expect(readFileSync(join(cwd, "atomsmith.yaml"), "utf8")).toBe("llm: {draft: offline}\n");
    expect((await cli(["init", "--force"], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, "atomsmith.yaml"), "utf8")).toContain("search_root");
  });
});

describe("cache", () => {
  async function storeItem(cwd: string, id: string) {
    const store = await openItemStore(join(cwd, "cache"), id, retention);
    await store.saveCheckpoint("agent_a", { some: "state" });
    return store;
  }

  test("ls lists items, stages and sizes; clean keeps resumable items; --all removes them", async () => {
    const cwd = folder();
    await (await storeItem(cwd, "A-1")).close();
    await (await storeItem(cwd, "B-2")).close();
    const listed = await cliJson(["cache", "ls"], { cwd });
    expect(listed.document).toMatchObject({
      items: [
        { item_id: "A-1", stage: "agent_a", checkpoints: 1 },
        { item_id: "B-2", stage: "agent_a", checkpoints: 1 },
      ],
    });
    expect((await cli(["cache", "clean"], { cwd })).code).toBe(0);
    expect(existsSync(join(cwd, "cache/item/A-1/checkpoint_latest.json"))).toBe(true);
    const removed = await cliJson(["cache", "clean", "--all", "A-1"], { cwd });
    expect(removed.document).toMatchObject({ items: [{ item_id: "A-1", bytes: expect.any(Number) }] });
    expect(existsSync(join(cwd, "cache/item/A-1"))).toBe(false);
    expect(existsSync(join(cwd, "cache/item/B-2"))).toBe(true);
  });

  test("a locked item is not removed, an unknown item is an error", async () => {
    const cwd = folder();
    const store = await storeItem(cwd, "A-1");
    const run = await cliJson(["cache", "clean", "--all"], { cwd });
    expect(run.code).toBe(0);
    expect(run.document).toMatchObject({ bytes: 0, items: [{ skipped: expect.stringContaining("A-1") }] });
    expect(existsSync(join(cwd, "cache/item/A-1/checkpoint_latest.json"))).toBe(true);
    await store.close();
    expect((await cli(["cache", "clean", "NO-1"], { cwd })).code).toBe(2);
  });
});

describe("graph", () => {
  test.each([
    ["item", ["agent_a", "agent_b", "validate", "reflect_a", "human_required"]],
    ["factory", ["check", "propose", "apply", "verify", "roll_back"]],
    ["agent", ["execute"]],
    ["design", ["answer", "context", "answer_again", "offer", "fail"]],
  ])("%s: every stage is listed, and only existing stages follow", async (loop, some) => {
    const { document } = await cliJson(["graph", loop]);
    const { stages, start } = document as { start: string; stages: { name: string; next: string[] }[] };
    const names = stages.map((stage) => stage.name);
    expect(names).toContain(start);
    expect(names).toEqual(expect.arrayContaining(some));
    for (const { next } of stages) for (const name of next) expect(names).toContain(name);
    const text = (await cli(["graph", loop])).stdout;
    for (const { name, next } of stages)
      expect(text).toMatch(new RegExp(`^${name} +(-> ${next.join(", ")}|end)$`, "m"));
    const mermaid = (await cli(["graph", loop, "--mermaid"])).stdout;
    expect(mermaid).toStartWith("flowchart TD\n");
    for (const { name, next } of stages)
      for (const to of next) expect(mermaid).toContain(`${name} --> ${to}`);
  });

  test("the item loop is the default", async () => {
    expect((await cli(["graph"])).stdout).toBe((await cli(["graph", "item"])).stdout);
  });

  test("design is printed as text", async () => {
    expect((await cli(["graph", "design"])).stdout).toMatchSnapshot();
  });
});

describe("completion", () => {
  /** Completions of a real bash for a line. */
  async function complete(line: string, cwd = folder()): Promise<string[]> {
    const script = (await cli(["completion", "bash"])).stdout;
    const words = line.split(" ");
    const quoted = words.map((word) => `'${word}'`).join(" ");
    const ask = `${script}\nCOMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _atomsmith; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const done = spawnSync("bash", ["--norc", "-c", ask], { cwd, encoding: "utf8" });
    expect(done.stderr).toBe("");
    return done.stdout.split("\n").filter((word) => word !== "");
  }

  test("bash completes commands, subcommands, flags, choices and files", async () => {
    expect(await complete("atomsmith com")).toEqual(["completion"]);
    expect((await complete("atomsmith config ")).sort()).toEqual(["schema", "show"]);
    expect(await complete("atomsmith --json config show --or")).toEqual(["--origin"]);
    expect(await complete("atomsmith -c config schema man")).toEqual(["manifest"]);
    expect(await complete("atomsmith config show --provider of")).toEqual(["offline"]);
    const cwd = folder({ "my.yaml": "", "dir/x": "" });
    expect(await complete("atomsmith --config my", cwd)).toEqual(["my.yaml"]);
    expect(await complete("atomsmith config show --out ", cwd)).toEqual(["dir"]);
  });

  test("bash completes stages, configuration keys, and item IDs with files", async () => {
    const stages = await complete("atomsmith resume X-1 --from ag");
    expect(stages).toEqual(["agent_a", "agent_b"]);
    expect(await complete("atomsmith -c execution.conc")).toEqual(["execution.concurrency="]);
    expect(await complete("atomsmith check -c llm.pri")).toEqual(["llm.prices."]);
    const cwd = folder({
      "item_specs/COV-1_ItemSpec.md": "# ItemSpec: COV-1",
      "output/ERR-2/config.yaml": "",
      "COV.txt": "",
    });
    // The script runs the program named on the line.
    const program = join(cwd, "atomsmith");
    writeFileSync(program, `#!/bin/sh\nexec '${PROGRAM.join("' '")}' "$@"\n`, { mode: 0o755 });
    for (const command of ["generate", "batch", "resume", "show", "status", "check", "validate", "waive"]) {
      expect(await complete(`${program} ${command} ERR`, cwd)).toEqual(["ERR-2"]);
    }
    expect((await complete(`${program} label COV`, cwd)).sort()).toEqual(["COV-1", "COV.txt"]);
    writeFileSync(join(cwd, "atomsmith.yaml"), "paths: [broken");
    expect(await complete(`${program} check COV`, cwd)).toEqual(["COV.txt"]);
  }, 30_000);

  /** Completions of a real fish. */
  async function completeInFish(line: string, cwd: string): Promise<string[]> {
    const script = join(cwd, "atomsmith.fish");
    writeFileSync(script, (await cli(["completion", "fish"])).stdout);
    const done = spawnSync("fish", ["--no-config", "-c", `source '${script}'; complete -C '${line}'`], {
      cwd,
      encoding: "utf8",
      env: {
        ...process.env,
        HOME: cwd,
        XDG_CONFIG_HOME: cwd,
        XDG_DATA_HOME: cwd,
        PATH: `${cwd}:${process.env["PATH"]}`,
      },
    });
    expect(done.stderr).toBe("");
    return done.stdout.split("\n").flatMap((row) => row.split("\t")[0] || []);
  }

  test.skipIf(Bun.which("fish") === null)(
    "fish completes commands, subcommands, flags, choices, files and items",
    async () => {
      const cwd = folder({ "my.yaml": "", "output/ERR-2/config.yaml": "" });
      writeFileSync(join(cwd, "atomsmith"), `#!/bin/sh\nexec '${PROGRAM.join("' '")}' "$@"\n`, {
        mode: 0o755,
      });
      expect(await completeInFish("atomsmith com", cwd)).toEqual(["completion"]);
      expect((await completeInFish("atomsmith --json config ", cwd)).sort()).toEqual(["schema", "show"]);
      expect(await completeInFish("atomsmith config show --or", cwd)).toEqual(["--origin"]);
      expect(await completeInFish("atomsmith config show --provider of", cwd)).toEqual(["offline"]);
      expect(await completeInFish("atomsmith -c execution.conc", cwd)).toEqual(["execution.concurrency="]);
      expect(await completeInFish("atomsmith --config my", cwd)).toEqual(["my.yaml"]);
      expect(await completeInFish("atomsmith schema mani", cwd)).toEqual(["manifest"]);
      // Names that occur in several groups: flags of `show` are not those of `factory show`.
      expect(await completeInFish("atomsmith show --fu", cwd)).toEqual(["--full"]);
      expect(await completeInFish("atomsmith factory show --fu", cwd)).toEqual([]);
      expect(await completeInFish("atomsmith check ERR", cwd)).toEqual(["ERR-2"]);
    },
    60_000,
  );

  /** Arguments of the script to zsh's completion system, which itself needs a terminal. */
  async function completeInZsh(words: string[], cwd: string): Promise<string[]> {
    const script = join(cwd, "_atomsmith");
    writeFileSync(script, (await cli(["completion", "zsh"])).stdout);
    const harness = `compdef() { : }
compadd() { while [ "$1" != -- ]; do shift; done; shift; print -l -- "$@" }
_files() { print files }
source '${script}'; words=("$@"); CURRENT=$#words; _atomsmith`;
    const done = spawnSync("zsh", ["-f", "-c", harness, "zsh", ...words], { cwd, encoding: "utf8" });
    expect(done.stderr).toBe("");
    return done.stdout.split("\n").filter((word) => word !== "");
  }

  test.skipIf(Bun.which("zsh") === null)(
    "zsh completes commands, subcommands, flags, choices and files",
    async () => {
      const cwd = folder();
      expect(await completeInZsh(["atomsmith", ""], cwd)).toContain("completion");
      expect((await completeInZsh(["atomsmith", "--json", "config", ""], cwd)).sort()).toEqual([
        "schema",
        "show",
      ]);
      expect(await completeInZsh(["atomsmith", "config", "show", "--"], cwd)).toContain("--origin");
      expect(await completeInZsh(["atomsmith", "config", "show", "--provider", ""], cwd)).toContain(
        "offline",
      );
      expect(await completeInZsh(["atomsmith", "-c", ""], cwd)).toContain("execution.concurrency=");
      expect(await completeInZsh(["atomsmith", "--config", ""], cwd)).toEqual(["files"]);
      expect(await completeInZsh(["atomsmith", "factory", "show", "-"], cwd)).not.toContain("--full");
    },
  );

  test("the scripts of the other shells contain every command and flag", async () => {
    for (const shell of ["zsh", "fish"]) {
      const script = (await cli(["completion", shell])).stdout;
      const words = ["config", "completion", "origin", "search-root", "reflect_a", "execution.concurrency="];
      for (const word of [...words, "completion items"]) expect(script).toContain(word);
    }
  });
});
