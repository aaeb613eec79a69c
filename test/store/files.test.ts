import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppendLog, readLines, TurnFile, writeFileAtomic, writeFilesAtomic } from "../../src/store/index.ts";
import { removeScratch, STORE_INDEX, scratch, startBun } from "./helpers.ts";

afterAll(removeScratch);

test("a file is written completely and leaves no temporary file", async () => {
  const dir = scratch();
  const path = join(dir, "deep", "a.json");
  await writeFileAtomic(path, "one");
  await writeFileAtomic(path, "two");
  expect(readFileSync(path, "utf8")).toBe("two");
  expect(readdirSync(join(dir, "deep"))).toEqual(["a.json"]);
});

test("when one of several files has no room none is changed", async () => {
  const dir = scratch();
  writeFileSync(join(dir, "a"), "old a");
  writeFileSync(join(dir, "b"), "old b");
  // A real limit of the system on a real process: files of more than 20 blocks cannot be written.
  const child = startBun(
    `
    import { writeFilesAtomic } from ${JSON.stringify(STORE_INDEX)};
    const files = [{ path: ${JSON.stringify(join(dir, "a"))}, data: "new a" },
                   { path: ${JSON.stringify(join(dir, "b"))}, data: "x".repeat(500_000) }];
    try { await writeFilesAtomic(files); console.log("written"); }
    catch (error) { console.log(JSON.stringify(error) + " exit " + error.exitCode); }
  `,
    (command) => `ulimit -f 20; exec ${command}`,
  );
  const stdout = await new Response(child.stdout).text();
  await child.exited;
  expect(stdout).toContain('"kind":"store"');
  expect(stdout).toContain("exit 4");
  expect(stdout).toContain("nothing stored before was changed");
  expect(readFileSync(join(dir, "a"), "utf8")).toBe("old a");
  expect(readFileSync(join(dir, "b"), "utf8")).toBe("old b");
  expect(readdirSync(dir).sort()).toEqual(["a", "b"]);
});

test("a folder that cannot be created is a store error with the path", async () => {
  const dir = scratch();
  writeFileSync(join(dir, "file"), "");
  await expect(writeFilesAtomic([{ path: join(dir, "file", "x"), data: "" }])).rejects.toMatchObject({
    kind: "store",
    details: { where: join(dir, "file", "x") },
  });
});

test("a torn last line is removed by the next append, a damaged line in the middle is reported", async () => {
  const path = join(scratch(), "log.jsonl");
  writeFileSync(path, '{"n":1}\nnot json\n{"n":2}\n{"n":3, "te');
  const before = await readLines(path);
  expect(before.values).toEqual([{ n: 1 }, { n: 2 }]);
  expect(before.damaged).toEqual([2]);
  expect(before.torn).toBe(true);
  const log = new AppendLog(path);
  log.append({ n: 4 }, true);
  log.close();
  const after = await readLines(path);
  expect(after.values).toEqual([{ n: 1 }, { n: 2 }, { n: 4 }]);
  expect(after.torn).toBe(false);
});

test("a torn line longer than one block is removed too", async () => {
  const path = join(scratch(), "log.jsonl");
  writeFileSync(path, `{"n":1}\n{"text":"${"x".repeat(200_000)}`);
  const log = new AppendLog(path);
  log.append({ n: 2 });
  log.close();
  expect((await readLines(path)).values).toEqual([{ n: 1 }, { n: 2 }]);
});

test("a stored reply is found by another process, and a failed append leaves no partial line", async () => {
  const path = join(scratch(), "agent_turns.jsonl");
  const turns = await TurnFile.open(path);
  await turns.append({ key: "agent_a-1-0-abc", reply: { content: "hello" } });
  turns.close();
  const child = startBun(
    `
    import { TurnFile } from ${JSON.stringify(STORE_INDEX)};
    const turns = await TurnFile.open(${JSON.stringify(path)});
    console.log(JSON.stringify(turns.all()));
    try { await turns.append({ key: "big", reply: "x".repeat(500_000) }); console.log("stored"); }
    catch (error) { console.log(error.kind); }
    console.log(turns.all().length === 1);
  `,
    (command) => `ulimit -f 20; exec ${command}`,
  );
  const stdout = (await new Response(child.stdout).text()).trim().split("\n");
  await child.exited;
  expect(stdout).toEqual(['[{"key":"agent_a-1-0-abc","reply":{"content":"hello"}}]', "store", "true"]);
  expect((await readLines(path)).torn).toBe(false);
  expect((await readLines(path)).values).toHaveLength(1);
});

test("replies set aside stay readable under another name", async () => {
  const dir = scratch();
  mkdirSync(dir, { recursive: true });
  const turns = await TurnFile.open(join(dir, "agent_turns.jsonl"));
  await turns.append({ key: "k" });
  await turns.setAside();
  expect(turns.all()).toEqual([]);
  expect(existsSync(join(dir, "agent_turns.jsonl"))).toBe(false);
  expect(readFileSync(join(dir, "agent_turns.previous.jsonl"), "utf8")).toBe('{"key":"k"}\n');
  await turns.append({ key: "k2" });
  turns.close();
  expect((await TurnFile.open(join(dir, "agent_turns.jsonl"))).all()).toEqual([{ key: "k2" }]);
});

test("a closed log throws instead of reopening its file, which another process may own", async () => {
  const path = join(scratch(), "log.jsonl");
  const log = new AppendLog(path);
  log.append({ n: 1 });
  log.close();
  expect(() => log.append({ n: 2 })).toThrow("is closed");
  await expect(log.appendFlushed({ n: 2 })).rejects.toMatchObject({ kind: "store" });
  await expect(log.flush()).rejects.toMatchObject({ kind: "store" });
  expect(readFileSync(path, "utf8")).toBe('{"n":1}\n');
  const never = new AppendLog(join(scratch(), "never.jsonl"));
  never.close();
  expect(() => never.append({ n: 1 })).toThrow("is closed");
  expect(existsSync(never.path)).toBe(false);
});
