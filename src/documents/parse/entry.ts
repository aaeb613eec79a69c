// The role of the parser process: started with DOCUMENT_FLAG and the path of a document, the program prints its text
// as JSON and ends. The libraries come from the executable as one compressed script, or from the checkout.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PARSE_ROOM_BYTES } from "../limits.ts";
import { DOCUMENT_FLAG } from "./flag.ts";

/** Registered by the build; undefined in a checkout. */
export function embeddedParser(): string | undefined {
  return (globalThis as { [key: symbol]: unknown })[Symbol.for("atomsmith.documents")] as string | undefined;
}

/** Runs the role. */
export async function parserProcess(path: string): Promise<void> {
  const { limitAddressSpace } = await import("../../../sandbox/parent/process-info.ts");
  limitAddressSpace(process.pid, PARSE_ROOM_BYTES);
  const embedded = embeddedParser();
  if (embedded === undefined) {
    // Computed, so that the bundler leaves the libraries out of the executable's own code.
    const source = join(import.meta.dirname, ["main", "ts"].join("."));
    const { main } = (await import(source)) as { main(path: string): Promise<void> };
    return main(path);
  }
  const code = new TextDecoder().decode(Bun.zstdDecompressSync(readFileSync(embedded)));
  const module = { exports: {} as { main(path: string): Promise<void> } };
  // The script is part of the executable, like the code that runs it here.
  new Function("module", "exports", "require", code)(module, module.exports, require);
  await module.exports.main(path);
}

if (import.meta.main && process.argv[2] === DOCUMENT_FLAG) await parserProcess(process.argv[3] ?? "");
