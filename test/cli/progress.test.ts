import { describe, expect, test } from "bun:test";
import { heartbeatLine, startHeartbeat } from "../../src/cli/progress/heartbeat.ts";
import { fit, LiveView, viewLines } from "../../src/cli/progress/live.ts";
import { duration, ProgressState } from "../../src/cli/progress/state.ts";
import { createStyle, displayWidth } from "../../src/cli/style.ts";
import type { AnyEvent, AnyEventBody } from "../../src/loops/events.ts";

type Step = AnyEventBody & { subject?: string };

const T0 = Date.parse("2026-01-01T00:00:00Z");
const plain = createStyle(false);

/** The state after events at the given seconds. */
function stateAfter(...events: [number, Step][]): ProgressState {
  const state = new ProgressState(T0);
  for (const [second, body] of events) {
    const time = new Date(T0 + second * 1000).toISOString();
    state.add({ seq: 1, run: "r", at: time, loop: "item", subject: null, ...body } as AnyEvent);
  }
  return state;
}

const total = (n: number): [number, Step] => [0, { type: "progress", what: "items", done: 0, total: n }];
const start = (second: number, item: string): [number, Step] => [
  second,
  { type: "item_started", subject: item, reason: "new" },
];
const finish = (second: number, item: string, status: "accepted" | "error"): [number, Step] => [
  second,
  { type: "item_finished", subject: item, status, duration_ms: 1 },
];
const call = (second: number, item: string, cost: number | null): [number, Step] => [
  second,
  {
    type: "model_call_finished",
    subject: item,
    role: "agent_a",
    model: "m",
    input_tokens: 10,
    cached_tokens: 0,
    output_tokens: 5,
    cost_usd: cost,
    replayed: false,
    finish_reason: "stop",
    duration_ms: 1,
  },
];

describe("totals of events", () => {
  test("items are counted by state, with calls, cost and estimated time left", () => {
    const state = stateAfter(
      total(5),
      start(0, "A"),
      start(0, "B"),
      [0, { type: "item_skipped", subject: "C", reason: "unchanged" }],
      call(5, "A", 0.25),
      finish(10, "A", "accepted"),
    );
    // One of the four items to run took 10 seconds: three are left.
    expect(heartbeatLine(state, T0 + 10_000)).toBe(
      "2 of 5 done, about 30 s left: 1 running, 1 accepted, 1 unchanged, 1 model call, $0.25, 10 s so far",
    );
  });

  test("the heartbeat is silent until an item is known, and ends", async () => {
    const state = stateAfter();
    const lines: string[] = [];
    let beat: () => void = () => {};
    const first = new Promise<void>((resolve) => {
      beat = resolve;
    });
    const stop = startHeartbeat(
      state,
      (line) => {
        lines.push(line);
        stop();
        beat();
      },
      1,
    );
    await Bun.sleep(10);
    expect(lines).toEqual([]);
    state.add({
      seq: 1,
      run: "r",
      at: new Date(T0).toISOString(),
      type: "item_started",
      loop: "item",
      subject: "A",
      reason: "",
    });
    await first;
    await Bun.sleep(10);
    expect(lines.length).toBe(1);
    expect(lines[0]).toStartWith("0 done: 1 running, ");
  });

  test("one call without a price makes the cost unknown", () => {
    const state = stateAfter(start(0, "A"), call(1, "A", 0.25), call(2, "A", null));
    expect(heartbeatLine(state, T0)).toContain("2 model calls, cost unknown");
  });

  test("durations are formatted", () => {
    expect([0, 59_400, 60_000, 3_599_000, 3_600_000, 7_260_000].map(duration)).toEqual([
      "0 s",
      "59 s",
      "1 min 00 s",
      "59 min 59 s",
      "1 h 00 min",
      "2 h 01 min",
    ]);
  });
});

describe("the live view", () => {
  test("it fits the terminal in both directions and states what is left out", () => {
    const many = Array.from({ length: 30 }, (_, i) => start(i, `ITEM-${i}`));
    const state = stateAfter(total(30), ...many, [
      40,
      { type: "stage_started", subject: "ITEM-0", stage: "agent_a", iteration: 2 },
    ]);
    const lines = viewLines(state, T0 + 60_000, 50, 9, plain);
    expect(lines.length).toBe(8);
    expect(lines[2]).toContain("ITEM-0  agent_a (attempt 2)  1 min 00 s");
    expect(lines.at(-1)).toBe("  and 25 more");
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(50);
  });

  test("a line is cut by visible width, closes its colours and contains no control characters", () => {
    const style = createStyle(true);
    expect(fit(`${style.red("abcdef")}gh`, 4)).toBe("\x1b[31mabcd\x1b[39m");
    expect(fit("日本語", 5)).toBe("日本");
    expect(fit("a\x1b]0;title\x07b\r\nc", 20)).toBe("a ]0;title b  c");
  });

  test("it is removed before a message and restores the cursor once", () => {
    let written = "";
    const sink = {
      write: (text: string) => {
        written += text;
      },
      isTTY: true,
      columns: 40,
      rows: 20,
      problem: undefined,
      flush: async () => {},
    };
    const view = new LiveView(stateAfter(start(0, "A")), sink, plain);
    view.draw(T0);
    view.interrupt(() => sink.write("MESSAGE\n"));
    view.draw(T0);
    view.stop();
    view.stop();
    view.draw(T0);
    const moves = written.split("MESSAGE");
    expect(moves[0]).toEndWith("\x1b[3A\r\x1b[0J");
    expect(written.endsWith("\x1b[3A\r\x1b[0J\x1b[?25h")).toBe(true);
    expect(written.split("\x1b[?25h").length).toBe(2);
  });
});

test("text of a model is shown on one line while it arrives, without control characters", () => {
  const state = new ProgressState(0);
  const event = {
    seq: 1,
    at: new Date(0).toISOString(),
    run: "r",
    loop: "item",
    subject: "A",
    role: "agent_a",
  };
  for (const text of ["I look at\nthe ", "log \u001b[2Jnow"])
    state.add({ ...event, type: "model_delta", text });
  expect(state.items.get("A")?.detail).toBe("writes: …I look at the log [2Jnow");
  state.add({ ...event, type: "model_delta", text: "x".repeat(500) });
  expect(state.items.get("A")?.detail.length).toBeLessThan(100);
});

test("a work order is shown with its stage, its attempt and the running command", () => {
  const order = (type: string, more: object): Step => ({ type, subject: "WO-01", ...more }) as Step;
  const state = stateAfter(
    [0, order("order_started", { run_id: "r", title: "Greet", continued: false })],
    [1, order("stage_started", { stage: "verify", iteration: 2 })],
    [2, order("command_started", { attempt: 2, command: "npm test" })],
  );
  const lines = viewLines(state, T0 + 5_000, 100, 20, plain).join("\n");
  expect(lines).toContain("WO-01  verify (attempt 2)");
  expect(lines).toContain("runs npm test");
  state.add({
    seq: 9,
    run: "r",
    at: new Date(T0).toISOString(),
    loop: "factory",
    ...order("order_finished", { status: "fail", message: "", run_id: "r", duration_ms: 1 }),
  } as AnyEvent);
  expect(state.count("fail")).toBe(1);
});
