// A program of its own for test/e2e: runs the real progress display over a given stream of events, on whatever
// stderr it is started with. Reads lines of JSON on stdin: an event body (with the subject it is of), or {"say": text}, or {"end": true}.
import { processIo } from "../../src/cli/io.ts";
import { Output } from "../../src/cli/output.ts";
import { attachProgress } from "../../src/cli/progress/attach.ts";
import { EventBus } from "../../src/core/event-bus.ts";
import type { EventBody } from "../../src/core/events.ts";
import type { AnyEventBody } from "../../src/loops/events.ts";
import { createItemEmit } from "../../src/loops/item/events.ts";

/** An event, with its item if it has one, or an instruction for the display. */
export type ProgressStep = (AnyEventBody & { subject?: string }) | { say: string } | { end: true };

const io = processIo((code) => process.exit(code));
const output = new Output(io, {
  json: false,
  quiet: false,
  noColor: false,
  eventsOnStdout: false,
  secrets: [],
});
const bus = new EventBus("demo");
const end = attachProgress(bus, output, io);
const decoder = new TextDecoder();
let rest = "";
for await (const bytes of Bun.stdin.stream()) {
  rest += decoder.decode(bytes, { stream: true });
  const lines = rest.split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    const step = JSON.parse(line) as ProgressStep;
    if ("say" in step) output.note(step.say);
    else if ("end" in step) {
      output.result({}, () => "RESULT");
      output.writeResult(0);
    } else {
      const { subject, ...body } = step;
      const emit = subject === undefined ? bus.emit : createItemEmit(bus, subject);
      emit(body as EventBody);
    }
  }
}
end();
await io.flush();
process.exit(0);
