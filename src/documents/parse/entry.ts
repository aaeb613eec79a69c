// The parser process: started with DOCUMENT_FLAG and the path of a document, the program prints its text as JSON and ends.
// The libraries are an embedded script of the executable, or those of the checkout.
import { join } from "node:path";
import { loadScript } from "../../core/embedded-script.ts";
import { PARSE_ROOM_BYTES } from "../limits.ts";
import { DOCUMENT_FLAG } from "./flag.ts";

/** Runs the parser process. */
export async function parserProcess(path: string): Promise<void> {
  const { limitAddressSpace } = await import("../../../sandbox/parent/process-info.ts");
  limitAddressSpace(process.pid, PARSE_ROOM_BYTES);
  const source = join(import.meta.dirname, ["main", "ts"].join("."));
  const { main } = await loadScript<{ main(path: string): Promise<void> }>("documents", source);
  await main(path);
}

if (import.meta.main && process.argv[2] === DOCUMENT_FLAG) await parserProcess(process.argv[3] ?? "");
