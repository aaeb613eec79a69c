// The tour of the README, followed letter by letter in an empty folder by the built executable; what it prints is what
// docs/tour.md shows. To renew the recording: UPDATE_DOCS=1 bun test test/e2e/tour.test.ts
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executable } from "../support/executable.ts";

const project = join(import.meta.dir, "../..");
const recording = join(project, "docs/tour.md");
const root = realpathSync(mkdtempSync(join(tmpdir(), "atomsmith-tour-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The lines of the blocks ```sh tour, each with the exit code that its comment names. */
function commandsOf(readme: string): { line: string; exit: number }[] {
  const blocks = [...readme.matchAll(/^```sh tour\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? "");
  return blocks
    .flatMap((block) => block.split("\n"))
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => ({
      line: line.replace(/\s{2,}#.*$/, ""),
      exit: Number(/#\s*exit (\d+)/.exec(line)?.[1] ?? 0),
    }));
}

/** Times, dates and names of this machine are not part of what is compared. */
function settled(text: string): string {
  return text
    .replaceAll(`${root}/`, "")
    .replace(/\d+\.\d s/g, "0.5 s")
    .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, "2026-01-22T09:30:00.000Z");
}

test("every command of the tour works as printed, and prints what docs/tour.md shows", () => {
  const bin = join(root, "bin");
  const commands = commandsOf(readFileSync(join(project, "README.md"), "utf8"));
  expect(commands.length).toBeGreaterThan(5);
  rmSync(bin, { recursive: true, force: true });
  Bun.spawnSync(["mkdir", "-p", bin]);
  symlinkSync(executable(), join(bin, "atomsmith"));
  let cwd = root;
  const shown: string[] = [];
  for (const { line, exit } of commands) {
    shown.push(`$ ${line}`);
    const [, folder] = /^cd (\S+)$/.exec(line) ?? [];
    if (folder !== undefined) {
      cwd = join(cwd, folder);
      continue;
    }
    const began = performance.now();
    const ran = Bun.spawnSync(["sh", "-c", line], {
      cwd,
      env: { PATH: `${bin}:/usr/bin:/bin`, LOGNAME: "maria", HOME: root },
      timeout: 60_000,
    });
    const text = ran.stdout.toString();
    expect([line, ran.exitCode, ran.exitCode === exit ? "" : ran.stderr.toString()]).toEqual([
      line,
      exit,
      "",
    ]);
    // A waiver from a failing check to a passing one takes one command and less than ten seconds.
    if (line.includes(" waive ")) {
      expect(text).toContain("FAIL -> PASS");
      expect(performance.now() - began).toBeLessThan(10_000);
    }
    shown.push(settled(text));
  }
  const block = `\`\`\`text\n${shown.join("\n").trimEnd()}\n\`\`\`\n`;
  const page = readFileSync(recording, "utf8");
  const from = page.indexOf("```text\n");
  const to = page.indexOf("\n```\n", from) + "\n```\n".length;
  if (process.env["UPDATE_DOCS"]) writeFileSync(recording, page.slice(0, from) + block + page.slice(to));
  else expect(page.slice(from, to)).toBe(block);
}, 120_000);
