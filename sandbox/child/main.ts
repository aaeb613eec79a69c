// The program of a sandbox child. Reads requests from its standard input, runs each in an isolate and answers on
// standard output. Its only state is compiled atoms, so it may be killed at any moment. Runs in the embedded Node as
// one bundled file and uses nothing but its two pipes.
import { readSync, writeSync } from "node:fs";
import { encodeFrame, type Greeting, PROTOCOL, type RunRequest } from "../protocol.ts";
import { loadIsolatedVm } from "./addon.ts";
import { RequestReader } from "./requests.ts";
import { Runner } from "./runner.ts";

function writeAll(bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.byteLength) {
    try {
      written += writeSync(1, bytes, written);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
  }
}

function send(header: object, body: Uint8Array[] = []): void {
  for (const chunk of encodeFrame(header, body)) writeAll(chunk);
}

/** Reads bytes of the parent into `target`; returns their number, 0 at the end of the stream. */
function readInto(target: Uint8Array): number {
  for (;;) {
    try {
      return readSync(0, target, 0, target.byteLength, null);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
    }
  }
}

async function main(): Promise<void> {
  const ivm = loadIsolatedVm(process.argv[2] ?? "");
  const greeting: Greeting = {
    type: "hello",
    protocol: PROTOCOL,
    node: process.version,
    v8: process.versions.v8,
    isolatedVm: ivm !== undefined,
  };
  send(greeting);
  const runner = new Runner(ivm, send);
  const requests = new RequestReader(readInto);
  for (;;) {
    const frame = requests.next();
    if (frame === undefined) return;
    // The parent is trusted; its frames need no checking here.
    const request = frame.header as RunRequest;
    // Memory of ended sessions is freed before the next request allocates.
    runner.drop(request.drop);
    if (runner.clearDisposedFlag()) await nextTurn();
    runner.run(request, frame.body);
    if (runner.clearDisposedFlag()) await nextTurn();
  }
}

/** Lets the event loop run once: only then is the memory of disposed isolates freed. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    // In the jail, process.stderr of Node does not work.
    writeSync(2, `sandbox child: ${error instanceof Error ? (error.stack ?? "") : String(error)}\n`);
    process.exit(70);
  },
);
