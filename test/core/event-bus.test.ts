// The envelope of events: one numbering for all emitters, and the loop and subject of each event.
import { expect, test } from "bun:test";
import { EventBus } from "../../src/core/event-bus.ts";
import type { Emit, Event } from "../../src/core/events.ts";
import { type AnyEvent, eventSchema } from "../../src/loops/events.ts";
import { createItemEmit } from "../../src/loops/item/events.ts";

function collectingBus(): { bus: EventBus; events: Event[] } {
  const bus = new EventBus("r1");
  const events: Event[] = [];
  bus.subscribe((event) => events.push(event));
  return { bus, events };
}

/** A layer below the loops, which uses the common events only. */
function emitFromLowerLayer(emit: Emit): void {
  emit({ type: "log", level: "info", message: "m" });
}

test("an event of the run has neither loop nor subject", () => {
  const { bus, events } = collectingBus();
  emitFromLowerLayer(bus.emit);
  expect(events).toEqual([
    {
      seq: 1,
      at: expect.any(String),
      run: "r1",
      type: "log",
      loop: null,
      subject: null,
      level: "info",
      message: "m",
    },
  ] as never);
});

test("a scope marks the events of lower layers, and all scopes share one numbering", () => {
  const { bus, events } = collectingBus();
  emitFromLowerLayer(bus.scope({ loop: "factory", subject: "WO-1" }));
  emitFromLowerLayer(createItemEmit(bus, "STA-1"));
  createItemEmit(bus, "STA-2")({ type: "item_started", reason: "new" });
  bus.emit({ type: "progress", what: "items", done: 0, total: 2 });
  expect(events.map(({ seq, loop, subject }) => [seq, loop, subject])).toEqual([
    [1, "factory", "WO-1"],
    [2, "item", "STA-1"],
    [3, "item", "STA-2"],
    [4, null, null],
  ]);
  expect(events.map((event) => (event as { item?: string }).item)).toEqual([
    undefined,
    "STA-1",
    "STA-2",
    undefined,
  ]);
});

test("a body cannot change the scope or number of its event", () => {
  const { bus, events } = collectingBus();
  const body = { type: "log", level: "info", message: "m" } as const;
  createItemEmit(
    bus,
    "A",
  )({ ...body, ...({ seq: 99, run: "x", loop: "factory", subject: "B", item: "B" } as object) });
  expect(events[0]).toMatchObject({ seq: 1, run: "r1", loop: "item", subject: "A", item: "A" });
});

test("events of a loop reach the listener typed, and the schema of all events parses every line", () => {
  const bus = new EventBus("r1");
  const received: AnyEvent[] = [];
  const stop = bus.subscribe<AnyEvent>((event) => received.push(event));
  const emit = bus.scope<{ type: "step_done"; files: number }>({ loop: "factory", subject: "WO-1" });
  createItemEmit(bus, "A")({ type: "gate_finished", gate: "g", passed: true, errors: 0, duration_ms: 1 });
  emitFromLowerLayer(emit);
  for (const event of received)
    expect(eventSchema.parse(JSON.parse(JSON.stringify(event)))).toEqual(event as never);
  emit({ type: "step_done", files: 2 });
  expect(eventSchema.safeParse(received[2]).success).toBe(false);
  stop();
  emitFromLowerLayer(emit);
  expect(received).toHaveLength(3);
});
