// Entry point of the program and the only code that ends the process. Nothing may be imported before the jail
// launcher, which must start with minimal memory, and `--version` must be fast.

// When started as the launcher of a sandbox child, the process becomes that child here and does not return.
import "../sandbox/jail/entry.ts";

import { SQLITE_FLAG } from "./databases/sqlite/flag.ts";
import { DOCUMENT_FLAG } from "./documents/parse/flag.ts";

const first = process.argv[2];

if (first === "--version" && process.argv.length === 3) {
  const { VERSION } = await import("./core/version.ts");
  const { writeSync } = await import("node:fs");
  try {
    writeSync(1, `atomsmith ${VERSION}\n`);
  } catch (error) {
    // A closed pipe is not an error; a full disk is.
    process.exitCode = (error as NodeJS.ErrnoException).code === "EPIPE" ? 0 : 4;
  }
} else if (first === DOCUMENT_FLAG) {
  const { parserProcess } = await import("./documents/parse/entry.ts");
  await parserProcess(process.argv[3] ?? "");
} else if (first === SQLITE_FLAG) {
  const { sqliteProcess } = await import("./databases/sqlite/process.ts");
  sqliteProcess();
} else {
  const { processIo } = await import("./cli/io.ts");
  const { runCli } = await import("./cli/run.ts");
  const io = processIo((code) => process.exit(code));
  const code = await runCli(process.argv.slice(2), io);
  await io.flush();
  process.exit(io.ended ?? code);
}
