// The live view in a real pseudo-terminal: what stands on the screen while items run, and after.
import { expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Terminal } from "@xterm/headless";
import { PROJECT } from "../support/executable.ts";
import { folders } from "../support/folder.ts";
import type { ProgressStep } from "../support/progress-demo.ts";

// Whole processes on a machine that may be busy.
setDefaultTimeout(60_000);
const folder = folders("terminal");

/** Runs a shell command in a pseudo-terminal whose screen a terminal emulator keeps. */
function inTerminal(command: string, cols: number, rows: number) {
  const emulator = new Terminal({ cols, rows, allowProposedApi: true });
  let cursor = true;
  const child = Bun.spawn(["sh", "-c", command], {
    terminal: {
      cols,
      rows,
      data: (_terminal, data) => {
        for (const [, flag] of new TextDecoder("latin1").decode(data).matchAll(/\x1b\[\?25([hl])/g))
          cursor = flag === "h";
        emulator.write(data);
      },
    },
  });
  const read = (): string => {
    const { active } = emulator.buffer;
    const lines = Array.from({ length: rows }, (_, i) => active.getLine(active.baseY + i));
    return lines
      .map((line) => line?.translateToString(true) ?? "")
      .join("\n")
      .trimEnd();
  };
  return {
    child,
    cursorShown: () => cursor,
    /** Waits until the screen satisfies `wanted`; returns it. Fails with the last screen. */
    async screen(wanted: (text: string) => boolean): Promise<string> {
      for (let i = 0; i < 400; i++) {
        if (wanted(read())) return read();
        await Bun.sleep(50);
      }
      throw new Error(`the screen never came; last:\n${read()}`);
    },
  };
}

test("live view: items with stage and detail, messages above, gone at the end", async () => {
  const feed = join(folder(), "feed");
  writeFileSync(feed, "");
  const demo = join(PROJECT, "test/support/progress-demo.ts");
  const terminal = inTerminal(`tail -n +1 -f ${feed} | ${process.execPath} ${demo}; sleep 60`, 72, 12);
  const { screen } = terminal;
  const send = (...steps: ProgressStep[]) =>
    appendFileSync(feed, steps.map((step) => `${JSON.stringify(step)}\n`).join(""));

  send(
    { type: "progress", what: "items", done: 0, total: 3 },
    { type: "item_started", subject: "NET-01", reason: "new" },
    { type: "item_started", subject: "SPF-02", reason: "new" },
    { type: "stage_started", subject: "NET-01", stage: "agent_a", iteration: 2 },
    {
      type: "tool_called",
      subject: "NET-01",
      tool: "search_in_file",
      summary: `search \x1b[2J ${"x".repeat(200)}`,
      ok: true,
      bytes: 1,
      bytes_left: 1,
    },
  );
  const running = (await screen((text) => text.includes("agent_a (attempt 2)"))).split("\n");
  expect(running[0]).toContain("0 of 3 done");
  expect(running[1]).toMatch(/^2 running, \d+ s so far$/);
  expect(running[2]).toMatch(/^ {2}NET-01 {2}agent_a \(attempt 2\) +\d+ s {2}search {2}\[2J x+$/);
  expect(running[3]).toMatch(/^ {2}SPF-02 {2}starting/);
  expect(running.length).toBe(4);

  send(
    { say: "a message" },
    { type: "item_finished", subject: "SPF-02", status: "accepted", duration_ms: 2000 },
  );
  const later = (await screen((text) => text.includes("1 of 3 done"))).split("\n");
  expect(later[0]).toBe("a message");
  expect(later[1]).toBe("accepted        SPF-02 (2 s)");
  expect(later[2]).toContain("1 of 3 done");
  expect(later.filter((line) => line.includes("NET-01")).length).toBe(1);

  send({ end: true });
  const after = (await screen((text) => text.includes("RESULT"))).split("\n");
  expect(after).toEqual(["a message", "accepted        SPF-02 (2 s)", "RESULT"]);
  expect(terminal.cursorShown()).toBe(true);
  terminal.child.terminal?.close();
});
