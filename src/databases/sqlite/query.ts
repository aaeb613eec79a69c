// Runs one statement on a SQLite file in a separate process: in the jail if the machine supports it, without network, and
// able to read only that file.
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { type CommandResult, runCommand } from "../../../sandbox/command.ts";
import { ownProcess } from "../../../sandbox/own-process.ts";
import { AtomsmithError } from "../../core/errors.ts";
import type { DataAnswer } from "../answer.ts";
import type { SqliteConnection } from "../connection.ts";
import { SQLITE_FLAG } from "./flag.ts";
import { reportSchema, type SqliteOrder } from "./order.ts";

const MEMORY_MB = 512;
/** Bytes of the report in addition to its lines. */
const ENVELOPE_BYTES = 1024 * 1024;

/** The columns of all tables and views. */
export const SQLITE_SCHEMA = `SELECT m.name AS "table", m.type AS kind, p.name AS "column", p.type, p."notnull" AS not_null, p.pk AS key
FROM sqlite_schema m JOIN pragma_table_xinfo(m.name) p
WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, p.cid`;

/** Runs one statement. Throws kind `usage` for a rejected statement, kind `config` for a missing file, and kind
 * `interrupted`. */
export async function querySqlite(
  connection: SqliteConnection,
  statement: string,
  signal: AbortSignal,
): Promise<DataAnswer> {
  const path = databaseFile(connection);
  const { write, max_rows: maxRows, max_bytes: maxBytes, timeout_seconds } = connection;
  const order: SqliteOrder = { path, statement, write, maxRows, maxBytes };
  const base = realpathSync(mkdtempSync(join(tmpdir(), "atomsmith-sqlite-")));
  try {
    const stdout = join(base, "answer.json");
    const { argv, readable } = ownProcess({
      flag: SQLITE_FLAG,
      source: join(import.meta.dirname, "process.ts"),
    });
    const companions = ["-wal", "-shm", "-journal"].map((suffix) => path + suffix);
    const outputBytes = 6 * maxBytes + ENVELOPE_BYTES;
    const { exit } = await runCommand({
      argv,
      cwd: base,
      readable: [
        ...readable,
        base,
        path,
        ...companions.filter((file) => statSync(file, { throwIfNoEntry: false })),
      ],
      // A transaction creates files next to the database.
      writable: write ? [dirname(path)] : [],
      privateTmp: true,
      network: false,
      limits: {
        timeMs: timeout_seconds * 1000,
        memoryMb: MEMORY_MB,
        outputBytes,
        stopBytes: outputBytes,
        processes: 4,
      },
      stdin: JSON.stringify(order),
      stdout,
      stderr: join(base, "errors.txt"),
      jail: "preferred",
      signal,
    });
    return answerOf(exit, stdout, path);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function databaseFile({ path }: SqliteConnection): string {
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return realpathSync(path);
  throw new AtomsmithError("config", `the database ${path} does not exist or is not a file`, { where: path });
}

function answerOf(exit: CommandResult["exit"], stdout: string, path: string): DataAnswer {
  if ("reason" in exit && exit.reason === "cancelled")
    throw new AtomsmithError("interrupted", "a statement was interrupted");
  const name = basename(path);
  if ("reason" in exit) throw refusal(`the statement on ${name} was stopped: ${exit.message}`);
  const read = reportSchema.safeParse(jsonOr(stdout));
  if (!read.success) throw refusal(`the statement on ${name} used too much memory, or the file is damaged`);
  if ("refused" in read.data) throw refusal(`SQLite rejected the statement: ${read.data.refused}`);
  return read.data;
}

function refusal(message: string): AtomsmithError {
  return new AtomsmithError("usage", message);
}

function jsonOr(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
