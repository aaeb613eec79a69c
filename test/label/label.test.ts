// `atomsmith label` by flags and by keys, over real pages and logs.
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Key, SignalName } from "../../src/cli/io.ts";
import { labelDocumentSchema } from "../../src/contract/documents.ts";
import { examplesOf, openPage } from "../../src/label/page.ts";
import { cli, cliJson } from "../support/cli.ts";
import { folders } from "../support/folder.ts";

const folder = folders("label");
const PAGE = `# ItemSpec: LAB-01

## 1. Parsing Logic
Paths with their slack. Fields: \`slack\`, \`state\`.

## 2. Check Logic
\`u1/q\` and \`u2/q\`.

## 3. Waiver Logic
N/A.

## 4. Implementation Guide
### 4.1 Data Source & Extraction
\`sta.log\`

### 4.2 Special Scenarios

### 4.3 Test Data Generation
None.
`;
const LOG = `Report of 2026-01-02
path u1/q slack=-0.12, VIOLATED
path u2/q slack=0.30, MET
path u3/q slack=0.40, MET
group u4/q slack=0.40, MET
done
`;

function project(): { cwd: string; page: string; args: string[] } {
  const cwd = folder({ "LAB-01_ItemSpec.md": PAGE, "logs/sta.log": LOG, "logs/other.txt": "one\n" });
  const page = join(cwd, "LAB-01_ItemSpec.md");
  return { cwd, page, args: ["label", "LAB-01_ItemSpec.md", "--search-root", "logs"] };
}

const FIRST = [
  "--file",
  "sta.log",
  "--line",
  "2",
  "--value",
  "u1/q",
  "--field",
  "slack=-0.12",
  "--field",
  "state=VIOLATED",
];

describe("by flags", () => {
  test("one example and the check are written, and their results are printed", async () => {
    const { cwd, page, args } = project();
    const { code, document } = await cliJson([...args, ...FIRST, "--check"], { cwd });
    expect(code).toBe(0);
    expect(document).toMatchObject({
      page,
      written: true,
      blocks: [
        { kind: "example", section: "1", line: 6 },
        { kind: "check", section: "2", line: 17 },
      ],
    });
    const [example] = examplesOf(openPage(page));
    expect(example?.text).toBe("path u1/q slack=-0.12, VIOLATED");
    expect([...(example?.records[0]?.fields.keys() ?? [])]).toEqual(["slack", "state"]);
    expect(readFileSync(page, "utf8")).toContain("pattern_items:\n    - u1/q\n    - u2/q\n");
  });

  test("--none writes an example without record and previews all records of the log", async () => {
    const { cwd, args } = project();
    await cli([...args, ...FIRST], { cwd });
    const { document } = await cliJson([...args, "--file", "logs/sta.log", "--line", "5", "--none"], { cwd });
    expect(document).toMatchObject({ preview: { kind: "records", records: 3 } });
  });

  test("an example of the same line replaces the first one", async () => {
    const { cwd, page, args } = project();
    await cli([...args, ...FIRST], { cwd });
    await cli([...args, "--file", "logs/sta.log", "--line", "5", "--none"], { cwd });
    const again = [...args, "--file", "logs/sta.log", "--line", "2", "--value", "u1/q"];
    const { code, document } = await cliJson(again, { cwd });
    expect({ code, document }).toMatchObject({ code: 0, document: { blocks: [{ line: 6 }] } });
    const examples = examplesOf(openPage(page));
    expect(examples.map(({ records }) => records.map(({ fields }) => fields.size))).toEqual([[0], []]);
  });

  test("--check alone writes the check, unless there is one", async () => {
    const { cwd, args } = project();
    const first = await cliJson([...args, "--check"], { cwd });
    expect(first.document).toMatchObject({ written: true, blocks: [{ kind: "check", section: "2" }] });
    expect(labelDocumentSchema.safeParse(first.document).error).toBeUndefined();
    expect((await cliJson([...args, "--check"], { cwd })).document).toMatchObject({ blocks: [] });
  });

  test("--print writes nothing", async () => {
    const { cwd, page, args } = project();
    const run = await cli([...args, ...FIRST, "--print"], { cwd });
    expect(run.stdout).toBe(
      "```example\npath u1/q slack=-0.12, VIOLATED\n---\nvalue: u1/q\nslack: -0.12\nstate: VIOLATED\n```\n",
    );
    expect(readFileSync(page, "utf8")).toBe(PAGE);
  });

  test("in a block of several lines the line of the value is written only where it is ambiguous", async () => {
    const { cwd, args } = project();
    const lines = ["--file", "sta.log", "--line", "2-3", "--print"];
    const one = await cli([...args, ...lines, "--value", "u2/q"], { cwd });
    expect(one.stdout).not.toContain("line:");
    const both = await cli([...args, ...lines, "--value", "path"], { cwd });
    expect(both.stdout).toContain("value: path\nline: 1\n");
  });

  test.each([
    [["--file", "sta.log"], "--file and --line must be given together"],
    [["--file", "sta.log", "--line", "2"], "give either --value (and --field) or --none"],
    [
      ["--file", "sta.log", "--line", "2", "--none", "--value", "x"],
      "give either --value (and --field) or --none",
    ],
    [["--file", "sta.log", "--line", "7", "--none"], "--line 7: out of range, the log has lines 1 to 6"],
    [["--file", "sta.log", "--line", "3-2", "--none"], "--line 3-2: out of range, the log has lines 1 to 6"],
    [["--file", "sta.log", "--line", "2", "--value", "u9"], 'value: "u9" does not occur in the line.'],
    [
      ["--file", "sta.log", "--line", "2", "--value", "u1/q", "--field", "x"],
      "--field x: expected NAME=TEXT",
    ],
    [
      ["--file", "sta.log", "--line", "2", "--value", "u1/q", "--field", "a:b=u1"],
      "This marking cannot be written as an example block.",
    ],
    [
      ["--file", "../LAB-01_ItemSpec.md", "--line", "2", "--none"],
      "cannot read the log as text below the search root",
    ],
    [["--file", "gone.log", "--line", "2", "--none"], "cannot read the log as text below the search root"],
    [[], "label without --file and --line requires a terminal"],
  ])("%j is a usage error and writes nothing", async (flags, message) => {
    const { cwd, page, args } = project();
    const run = await cli([...args, ...flags], { cwd });
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain(message);
    expect(readFileSync(page, "utf8")).toBe(PAGE);
  });
});

/** `"text"` is typed; a name in angle brackets is that key, `<S-right>` with Shift. */
function parseKeys(script: string): Key[] {
  return [...script.matchAll(/<(S-)?(\w+)>|[\s\S]/g)].map(([typed, shift, name]) => ({
    name: name ?? typed,
    text: name === undefined ? typed : "",
    ctrl: false,
    shift: shift !== undefined,
  }));
}

/** Marks the first path with its two fields, starting at the list of lines. */
const MARK =
  "/VIOLATED<return><return><right>v<return><right>f<tab><return><return><right>f<tab><return><return>";

/** The titles of the screens, without control sequences. */
function titles(stderr: string): string[] {
  const all = stderr
    .split("\x1b[1;1H")
    .slice(1)
    .map((screen) => screen.split("\x1b[2;1H")[0]?.replace(/\x1b\[[?\d]*[a-zA-Z]/g, "") ?? "");
  return all.filter((title, index) => title !== all[index - 1]);
}

describe("at a terminal", () => {
  const typeKeys = (script: string, more: { page?: string } = {}) => {
    const { cwd, page, args } = project();
    if (more.page !== undefined) writeFileSync(page, more.page);
    return { page, run: cli(args, { cwd, tty: true, columns: 100, keys: parseKeys(script) }) };
  };

  test("a line is chosen, value and fields are marked, two lines are decided, and the page is written", async () => {
    const { page, run } = typeKeys(`${MARK}<return>12ww`);
    const { code, stdout, stderr } = await run;
    expect(code).toBe(0);
    expect(titles(stderr).filter((title) => /is|sta|records/.test(title))).toEqual([
      "LAB-01: which line is a record?",
      "sta.log:2  mark the value and the fields",
      "value: edit the text if it is incomplete",
      "sta.log:2  mark the value and the fields",
      "slack: edit the text if it is incomplete",
      "sta.log:2  mark the value and the fields",
      "state: edit the text if it is incomplete",
      "sta.log:2  mark the value and the fields",
      "sta.log:3  which reading is right?",
      "sta.log:5  which reading is right?",
      "3 records in 1 file: are they right?",
      "the page has no check block; add this one?",
    ]);
    expect(stdout).toContain(
      "With 3 examples: 3 records in the logs.\nnext: atomsmith generate LAB-01_ItemSpec.md",
    );
    const counted = examplesOf(openPage(page)).map(({ text, records }) => [
      text.split(" ")[1],
      records.length,
    ]);
    expect(counted).toEqual([
      ["u1/q", 1],
      ["u2/q", 1],
      ["u4/q", 0],
    ]);
    expect(readFileSync(page, "utf8")).toContain("```check\nrequirements:");
  });

  test("a record marked again replaces the first one until it is undone", async () => {
    // The first record of the list is the first path: its mark is removed and then set again.
    const wrong = `${MARK}<return>12<return>${"<left>".repeat(9)}${"<right>".repeat(3)}d<return>`;
    const fields = (page: string) =>
      examplesOf(openPage(page)).map(({ records }) => [...(records[0]?.fields.keys() ?? [])].join(" "));
    const changed = typeKeys(`${wrong}<escape>qwe`);
    expect((await changed.run).code).toBe(0);
    expect(fields(changed.page)).toEqual(["slack state", "", "slack"]);
    const kept = typeKeys(`${wrong}uwe`);
    expect((await kept.run).code).toBe(0);
    expect(fields(kept.page)).toEqual(["slack state", "slack state", ""]);
  });

  test("leaving asks about unsaved changes and keeps the page", async () => {
    const { page, run } = typeKeys(`${MARK}<return><escape>qq`);
    const { code, stdout, stderr } = await run;
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(titles(stderr)).toContain("1 unsaved example");
    expect(readFileSync(page, "utf8")).toBe(PAGE);
    expect(stderr.endsWith("\x1b[?7h\x1b[?25h\x1b[?1049l")).toBe(true);
  });

  test("a file is chosen first when the page names no log", async () => {
    const { page, run } = typeKeys("/other<return><return><return>n<escape>qwe", {
      page: PAGE.replace("`sta.log`", ""),
    });
    const { code, stderr } = await run;
    expect(code).toBe(0);
    expect(titles(stderr)).toContain("which log is LAB-01 about?");
    expect(examplesOf(openPage(page))).toEqual([{ text: "one", records: [] }]);
  });

  test("an interruption prints what was marked", async () => {
    const { cwd, page, args } = project();
    let send: (signal: SignalName) => void = () => {};
    const run = cli(args, {
      cwd,
      tty: true,
      keys: parseKeys(`${MARK}<return>`),
      onReady: (given) => {
        send = given;
      },
    });
    await Bun.sleep(400);
    send("SIGINT");
    const { code, stderr } = await run;
    expect(code).toBe(130);
    expect(stderr).toContain("```example\npath u1/q slack=-0.12, VIOLATED\n---\nvalue: u1/q\nslack: -0.12");
    expect(readFileSync(page, "utf8")).toBe(PAGE);
  });
});
