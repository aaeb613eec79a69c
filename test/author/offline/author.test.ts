// The author as the pipeline calls it: deterministic, under the tools' quotas, honest on bad input, using hints.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOfflineAuthor } from "../../../src/author/offline/index.ts";
import { CASES, contextOn, sliceOf } from "./support.ts";

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "offline-author-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function folder(name: string, files: Record<string, string | Uint8Array>): string {
  const dir = join(root, name);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(dir, path, ".."), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  return dir;
}

const PAGE = {
  item_id: "T",
  section_1:
    "Jobs that were refused.\n\n- `JOB 17 refused by queue q1`\n- **value**: the job number.\n- **Fields**: `queue`.",
  section_4_1: "`jobs.log`",
  examples: [],
  witnesses: [],
};

describe("agentA", () => {
  test("writes the same code twice", async () => {
    const make = async () =>
      createOfflineAuthor().agentA(sliceOf("SSHD-01"), contextOn(join(CASES, "SSHD-01", "logs")));
    const [first, second] = [await make(), await make()];
    expect(first.kind).toBe("draft");
    expect(second).toEqual(first);
  });

  test("names the globs that found files", async () => {
    const draft = await createOfflineAuthor().agentA(
      sliceOf("WRITR-18"),
      contextOn(join(CASES, "WRITR-18", "logs")),
    );
    expect(draft).toMatchObject({ kind: "draft", input_files: ["**/*.v", "**/*.v.gz"] });
  });

  test("a file that is not there is a question", async () => {
    const dir = folder("missing", { "other.txt": "x\n" });
    const result = await createOfflineAuthor().agentA(PAGE, contextOn(dir));
    expect(result.kind).toBe("gave_up");
    if (result.kind !== "gave_up") return;
    expect(result.reasons.join(" ")).toContain("jobs.log");
    expect(result.questions.length).toBeGreaterThan(0);
  });

  test("an answer that names the file is used", async () => {
    const dir = folder("hinted", { "queue/refusals.out": "JOB 4 refused by queue fast\nJOB 9 done\n" });
    const page = { ...PAGE, section_4_1: "Somewhere in the queue's folder." };
    const result = await createOfflineAuthor().agentA(
      page,
      contextOn(dir, ["the file is `queue/refusals.out`"]),
    );
    expect(result).toMatchObject({ kind: "draft", input_files: ["queue/refusals.out"] });
  });

  test("an answer that shows a line is used", async () => {
    const dir = folder("line", {
      "jobs.log": "start\nREFUSED job=4 queue=fast\nREFUSED job=5 queue=slow\nend\n",
    });
    const vague = {
      ...PAGE,
      section_1: "Jobs that were refused.\n\n- **value**: the job.\n- **Fields**: `queue`.",
    };
    const hint = "a record is `REFUSED job=1 queue=q1`";
    const result = await createOfflineAuthor().agentA(vague, contextOn(dir, [hint]));
    expect(result.kind).toBe("draft");
  });

  test("a page without any hint is given up with a question", async () => {
    const dir = folder("vague", { "notes.txt": "we agreed on something\nmostly\n" });
    const page = { ...PAGE, section_1: "Find out whether all is well.", section_4_1: "The notes." };
    const result = await createOfflineAuthor().agentA(page, contextOn(dir));
    expect(result.kind).toBe("gave_up");
    if (result.kind === "gave_up") expect(result.questions.join(" ")).toContain("value");
  });

  test("binary files give nothing", async () => {
    const bytes = Uint8Array.from({ length: 20000 }, (_, index) => (index * 7919) % 256);
    const result = await createOfflineAuthor().agentA(
      PAGE,
      contextOn(folder("binary", { "jobs.log": bytes })),
    );
    expect(result.kind).toBe("gave_up");
  });

  test("one line of many megabytes and a log of many lines stay within the quota", async () => {
    const long = "x ".repeat(2_000_000);
    const many = Array.from({ length: 200_000 }, (_, index) => `tick ${index}`);
    many[150_000] = "JOB 77 refused by queue slow";
    const dir = folder("big", { "a/jobs.log": `${long}\n`, "b/jobs.log": `${many.join("\n")}\n` });
    const context = contextOn(dir);
    const result = await createOfflineAuthor().agentA(PAGE, context);
    expect(context.tools.bytesLeft()).toBeGreaterThanOrEqual(0);
    expect(result.kind).toBe("draft");
  });

  const PROSE = {
    item_id: "T",
    section_1:
      "The scheduler logs when a queue refuses a job: the line has the words JOB and REFUSED, the number of the job, and the name of the queue at its end. The value is the job number; the field is queue.",
    section_4_1: "`jobs.log`",
    examples: [],
    witnesses: [],
  };

  for (const [kind, page] of Object.entries({ example: PAGE, prose: PROSE })) {
    test(`a log of 2 GB without a record is a question (${kind})`, async () => {
      const dir = folder(`sparse-${kind}`, { "jobs.log": "start\n" });
      truncateSync(join(dir, "jobs.log"), 2 ** 31);
      const context = contextOn(dir);
      const result = await createOfflineAuthor().agentA(page, context);
      expect(result.kind).toBe("gave_up");
      expect(context.tools.bytesLeft()).toBeGreaterThanOrEqual(0);
      if (result.kind === "gave_up") expect(result.questions.length).toBeGreaterThan(0);
    });

    test(`hundreds of files, none of them the log: a question (${kind})`, async () => {
      const files = Object.fromEntries(
        Array.from({ length: 600 }, (_, index) => [`d${index % 30}/f${index}.txt`, "tick\n"]),
      );
      const context = contextOn(folder(`many-${kind}`, files));
      const named = await createOfflineAuthor().agentA(page, context);
      expect(named).toMatchObject({ kind: "gave_up", reasons: ["No file matches jobs.log."] });
      const unnamed = await createOfflineAuthor().agentA(
        { ...page, section_4_1: "Somewhere below the root." },
        contextOn(join(root, `many-${kind}`)),
      );
      expect(unnamed.kind).toBe("gave_up");
    });

    test(`only decoys: a question (${kind})`, async () => {
      const dir = folder(`decoys-${kind}`, {
        "old/jobs.log.old": "JOB 4 refused by queue fast\nJOB 5 REFUSED slow\n",
        "jobs.log": "start\nqueue fast has 3 waiting\nend\n",
      });
      const page_ = { ...page, section_4_1: "`jobs.log`; the `.old` copies are not read." };
      const result = await createOfflineAuthor().agentA(page_, contextOn(dir));
      expect(result.kind).toBe("gave_up");
    });
  }

  test("a repair offers the next candidate or gives up, never the same code again", async () => {
    const author = createOfflineAuthor();
    const context = contextOn(join(CASES, "SSHD-01", "logs"));
    const first = await author.agentA(sliceOf("SSHD-01"), context);
    if (first.kind !== "draft") throw new Error("no draft");
    const sources = { atom_a: first.atom_a, atom_b: "", atom_c: "", config: "" };
    const again = await author.reflectA(
      sliceOf("SSHD-01"),
      { sources, errors: [], gates: {} as never, parts: ["atom_a"], history: [], log_summary: "" },
      contextOn(join(CASES, "SSHD-01", "logs")),
    );
    if (again.kind === "draft") expect(again.atom_a).not.toBe(first.atom_a);
    else expect(again.candidates.length).toBeGreaterThanOrEqual(0);
  });
});

describe("input files", () => {
  test("where the page names no file, those that gave records are named", async () => {
    const dir = folder("unnamed", {
      "a/run.out": "JOB 1 refused by queue fast\nend\n",
      "b/other.txt": "nothing\n",
    });
    const page = { ...PAGE, section_4_1: "Somewhere below the root." };
    const result = await createOfflineAuthor().agentA(page, contextOn(dir));
    expect(result).toMatchObject({ kind: "draft", input_files: ["**/run.out"] });
  });
});
