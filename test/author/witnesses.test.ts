// Witnesses: in replies of an author, in configs, and those that the offline author finds.
import { describe, expect, test } from "bun:test";
import { findWitness } from "../../src/author/offline/logs/witness.ts";
import { findWitnesses } from "../../src/author/reply.ts";
import { withoutProgramKeys, withWitnesses } from "../../src/author/witnesses.ts";
import { type Bench, benchPerTest, GOOD_A, PARSING } from "../support/author.ts";
import { readThenSubmit, scriptedAuthor } from "../support/scripted-author.ts";

const startBench = benchPerTest();
let bench: Bench;

describe("a reply", () => {
  const agentA = async (submission: Record<string, unknown>, witnesses: string[] = []) => {
    const steps = readThenSubmit(["*.log"], { code: GOOD_A, input_files: ["sta.log"], ...submission });
    bench = startBench(scriptedAuthor({ agent_a: [...steps, ...steps.slice(-1)] }));
    const end = await bench.author.agentA({ ...PARSING, witnesses }, bench.context);
    return { end, calls: bench.server.requests.length };
  };
  test("witnesses are accepted", async () => {
    const { end, calls } = await agentA({ witnesses: ["regex:^done$"] });
    expect(end).toMatchObject({ kind: "draft", witnesses: { patterns: ["regex:^done$"], reason: "" } });
    expect(calls).toBe(3);
  });
  test("a reason for having no witness is accepted", async () => {
    const { end, calls } = await agentA({ witnesses: [], no_witness_reason: "a bare table" });
    expect(end).toMatchObject({ witnesses: { patterns: [], reason: "a bare table" } });
    expect(calls).toBe(3);
  });
  test("a reply with neither is returned once, then accepted", async () => {
    const { end, calls } = await agentA({ witnesses: [] });
    expect(end).toMatchObject({ kind: "draft", atom_a: GOOD_A });
    expect(end).not.toHaveProperty("witnesses");
    expect(calls).toBe(4);
    expect(JSON.stringify(bench.server.requests.at(-1)?.body.messages)).toContain("You named no witness");
  });
  test("a reply with neither is accepted when the page states witnesses", async () => {
    expect((await agentA({ witnesses: [] }, ["done"])).calls).toBe(3);
  });
  test("witnesses are read from text, in a block beside the code or as members of its JSON", () => {
    expect(findWitnesses("```js\nx\n```\n```witness\nregex:^done$\nbye\n```")).toEqual({
      patterns: ["regex:^done$", "bye"],
      reason: "",
    });
    const json = JSON.stringify({ code: "x", witnesses: [" a ", 5], no_witness_reason: " why " });
    expect(findWitnesses(json)).toEqual({ patterns: ["a"], reason: "why" });
    expect(findWitnesses("nothing")).toEqual({ patterns: [], reason: "" });
  });
});

describe("in a config", () => {
  const CONFIG = "# kept\ndescription: d\nwaivers: {value: N/A}   # kept too\n";
  test("existing text is kept when witnesses are set, also twice", () => {
    const once = withWitnesses(CONFIG, { patterns: ["a: b", "regex:^x$"], reason: "" });
    expect(once).toBe(`${CONFIG}witnesses:\n  - "a: b"\n  - regex:^x$\n`);
    const none = withWitnesses(once, { patterns: [], reason: "a: bare\ntable" });
    expect(none.startsWith(CONFIG)).toBe(true);
    expect(Bun.YAML.parse(none)).toMatchObject({ witnesses: [], no_witness_reason: "a: bare\ntable" });
    expect(withWitnesses(none, { patterns: ["z"], reason: "" })).toBe(`${CONFIG}witnesses:\n  - z\n`);
    expect(withoutProgramKeys(`input_files: [a]\n${none}`)).toBe(CONFIG);
  });
  test("a JSON config is changed as JSON, and a config that is not a map is kept", () => {
    expect(Bun.YAML.parse(withWitnesses('{"description": "d"}', { patterns: ["z"], reason: "" }))).toEqual({
      description: "d",
      witnesses: ["z"],
    });
    expect(withWitnesses("- a", { patterns: ["z"], reason: "" })).toBe("- a");
    expect(withWitnesses("", { patterns: ["z"], reason: "" })).toBe("");
  });
});

describe("the offline author", () => {
  const log = (text: string, records: number[] = []) => ({
    path: "a.log",
    lines: text.split("\n"),
    records: new Set(records),
  });
  const body = (n = 20) => Array.from({ length: n }, (_, i) => `row ${i}: net n_${i} is fine`).join("\n");
  const cases: [what: string, ends: string[], pattern: string | undefined][] = [
    ["a plain line", ["Session ended normally"], "Session ended normally"],
    ["a short line is anchored", ["done"], "regex:^done$"],
    [
      "numbers and durations",
      ["finished in 3.20s, 14 nets"],
      "regex:^finished in [+-]?[0-9.,]+s, [0-9]+ nets$",
    ],
    [
      "a date with words, in any language",
      ["Ende: Di Januar 27 20:21:20 2026"],
      "regex:^Ende: \\S+(?: +\\S+){4}$",
    ],
    ["an ISO date", ["2026-01-28T01:10:44Z exit"], "regex:^[0-9:.,/TZ+-]+ exit$"],
    ["a path", ["Log written to /tmp/x/run_3.log"], "regex:^Log written to \\S+$"],
    [
      "words that differ between logs",
      ["Run of alpha ended", "Run of beta ended"],
      "regex:^Run of \\S+ ended$",
    ],
    ["signs of expressions", ["[INFO] (a+b)|c? 5"], "regex:^\\[INFO\\] \\(a\\+b\\)\\|c\\? [0-9]+$"],
    ["no words", ["=========="], undefined],
    ["logs with other ends", ["Session ended", "aborted by user"], undefined],
    ["a line that stands elsewhere, too", ["row 7: net n_7 is fine"], undefined],
  ];
  for (const [what, ends, pattern] of cases) {
    test(what, () => {
      const found = findWitness(ends.map((end) => log(`${body()}\n${end}\n`)));
      expect(found.patterns).toEqual(pattern === undefined ? [] : [pattern]);
      expect(found.reason === "").toBe(pattern !== undefined);
    });
  }
  test("records and the lines before them are not witnesses", () => {
    expect(findWitness([log(`${body()}\nTotal errors`, [20])]).patterns).toEqual([]);
    expect(findWitness([log(`${body()}\nAll is well\nbad thing`, [21])]).patterns).toEqual([]);
  });
  test("the last message of a repeated kind is not a witness", () => {
    const lines = ["alpha", "beta", "gamma", "delta"].map((name) => `(daemon) OUT: licence of ${name}`);
    expect(
      findWitness([log(`${body()}\n${lines.join("\n")}\n${body(40)}\n(daemon) OUT: licence of zeta`)]),
    ).toMatchObject({
      patterns: [],
    });
  });
});
