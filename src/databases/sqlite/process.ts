// The process that runs one statement: SQLite cannot be interrupted from outside, so the limits of time and memory are those
// of a process. Reads an order from standard input and prints a report.
import { constants, Database, type Statement } from "bun:sqlite";
import { readFileSync, statSync, writeSync } from "node:fs";
import { AnswerLines, asQuery, bareStatement } from "../answer.ts";
import { SQLITE_FLAG } from "./flag.ts";
import { orderSchema, type SqliteOrder, type SqliteReport } from "./order.ts";

const BUSY_MS = 5_000;

type Rows = Statement<unknown, []>;

/** The reason why a statement was not run. */
class RejectedStatement extends Error {}

/** Runs the statement of the order and prints the report. */
export function sqliteProcess(): void {
  const report = Buffer.from(
    JSON.stringify(runOrder(orderSchema.parse(JSON.parse(readFileSync(0, "utf8"))))),
  );
  for (let at = 0; at < report.length; ) at += writeSync(1, report, at);
}

function runOrder(order: SqliteOrder): SqliteReport {
  try {
    const db = openDatabase(order);
    try {
      return order.write ? runWriting(db, order) : readRows(prepareQuery(db, order), order);
    } finally {
      db.close();
    }
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

function openDatabase({ path, write }: SqliteOrder): Database {
  try {
    return checked(new Database(path, write ? { readwrite: true, create: false } : { readonly: true }));
  } catch (error) {
    const isQuiet = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;
    if (write || !isQuiet || (error as { code?: string }).code !== "SQLITE_CANTOPEN") throw error;
    // A database with a write-ahead log needs files next to it, which this process may not create. It is not in use, so it
    // can be opened as immutable.
    const url = `file:${encodeURI(path).replaceAll("?", "%3F").replaceAll("#", "%23")}?immutable=1`;
    return checked(new Database(url, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI));
  }
}

function checked(db: Database): Database {
  db.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
  db.query("SELECT count(*) FROM sqlite_schema").get();
  return db;
}

/** Prepares the statement as a subquery, which excludes statements that change data, attach databases or write files. */
function prepareQuery(db: Database, { statement, maxRows }: SqliteOrder): Rows {
  return prepareSingle(db, `SELECT * FROM ${asQuery(statement)} LIMIT ${maxRows + 1}`);
}

/** Runs a query or any other statement in a transaction, in which no other file can be written. */
function runWriting(db: Database, order: SqliteOrder): SqliteReport {
  db.run("BEGIN IMMEDIATE");
  const before = totalChanges(db);
  const prepared = prepareQueryIfPossible(db, order) ?? prepareSingle(db, bareStatement(order.statement));
  const report = readRows(prepared, order);
  const count = totalChanges(db) - before;
  db.run("COMMIT");
  return "lines" in report ? { ...report, changed: count } : report;
}

function prepareQueryIfPossible(db: Database, order: SqliteOrder): Rows | undefined {
  try {
    return prepareQuery(db, order);
  } catch (error) {
    if (error instanceof RejectedStatement) throw error;
    return undefined;
  }
}

/** Prepares one statement; the library would ignore further ones. */
function prepareSingle(db: Database, sql: string): Rows {
  const prepared = db.prepare<unknown, []>(sql);
  if (prepared.paramsCount > 0)
    throw new RejectedStatement("parameters are not supported; write the values into the statement");
  if (prepared.toString().trim() !== sql.trim()) throw new RejectedStatement("expected a single statement");
  return prepared.safeIntegers(true);
}

function readRows(prepared: Rows, limits: SqliteOrder): SqliteReport {
  const names = prepared.columnNames;
  const answer = new AnswerLines(limits);
  for (const row of prepared.values() as unknown[][]) {
    if (!answer.add(lineOf(names, row))) break;
  }
  return { lines: answer.lines, more: answer.more, changed: null };
}

function totalChanges(db: Database): number {
  return db.query<{ n: number }, []>("SELECT total_changes() AS n").get()?.n ?? 0;
}

/** One row as JSON text. Not an object, since two columns may have the same name. */
function lineOf(names: readonly string[], row: readonly unknown[]): string {
  return `{${names.map((name, at) => `${JSON.stringify(name)}:${valueText(row[at])}`).join(",")}}`;
}

function valueText(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (value instanceof Uint8Array) {
    const head = Buffer.from(value.subarray(0, 32)).toString("hex");
    return JSON.stringify(`x'${head}${value.length > 32 ? "…" : ""}' (${value.length} bytes)`);
  }
  if (typeof value === "number" && !Number.isFinite(value)) return JSON.stringify(String(value));
  return JSON.stringify(value ?? null);
}

if (import.meta.main && process.argv[2] === SQLITE_FLAG) sqliteProcess();
