// The live view in a real terminal (tmux): what stands on the screen while items run, and after.
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "../support/executable.ts";
import { folders } from "../support/folder.ts";
import type { ProgressStep } from "../support/progress-demo.ts";

// Whole processes on a machine that may be busy.
setDefaultTimeout(60_000);

const folder = folders("terminal");
const socket = `atomsmith-${process.pid}`;
const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

function tmux(...args: string[]): string {
  return spawnSync("tmux", ["-L", socket, ...args], { encoding: "utf8" }).stdout;
}
afterAll(() => {
  if (hasTmux) tmux("kill-server");
});

/** Waits until the screen satisfies `wanted`; returns it. Fails with the last screen. */
async function screen(wanted: (text: string) => boolean): Promise<string> {
  let text = "";
  for (let i = 0; i < 200; i++) {
    text = tmux("capture-pane", "-p");
    if (wanted(text)) return text.trimEnd();
    await Bun.sleep(50);
  }
  throw new Error(`the screen never came; last:\n${text}`);
}

describe.skipIf(!hasTmux)("live view (needs tmux)", () => {
  test("items with stage and detail, messages above, gone at the end", async () => {
    const cwd = folder();
    const feed = join(cwd, "feed");
    writeFileSync(feed, "");
    const demo = join(PROJECT, "test/support/progress-demo.ts");
    const command = `tail -n +1 -f ${feed} | ${process.execPath} ${demo}; echo BACK; sleep 60`;
    tmux("-f", "/dev/null", "new-session", "-d", "-x", "72", "-y", "12", command);
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
    expect(tmux("display-message", "-p", "#{cursor_flag}").trim()).toBe("1");
  });
});
