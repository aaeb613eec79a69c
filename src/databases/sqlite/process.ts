// The process that runs one statement: SQLite cannot be interrupted from outside, so time and memory are those of a
// process. Reads an order from standard input, prints a report.
import { constants, Database, type Statement } from "bun:sqlite";
import { readFileSync, statSync, writeSync } from "node:fs";
import { AnswerLines, asQuery, bareStatement } from "../answer.ts";
import { SQLITE_FLAG } from "./flag.ts";
import { orderSchema, type SqliteOrder, type SqliteReport } from "./order.ts";

const BUSY_MS = 5_000;

type Rows = Statement<unknown, []>;

/** A statement that is not run, with the reason. */
class NotRun extends Error {}

/** Prints what the statement of the order comes to. */
export function sqliteProcess(): void {
  const report = Buffer.from(
    JSON.stringify(reported(orderSchema.parse(JSON.parse(readFileSync(0, "utf8"))))),
  );
  for (let at = 0; at < report.length; ) at += writeSync(1, report, at);
}

function reported(order: SqliteOrder): SqliteReport {
  try {
    const db = opened(order);
    try {
      return order.write ? changed(db, order) : read(query(db, order), order);
    } finally {
      db.close();
    }
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

function opened({ path, write }: SqliteOrder): Database {
  try {
    return usable(new Database(path, write ? { readwrite: true, create: false } : { readonly: true }));
  } catch (error) {
    const isQuiet = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;
    if (write || !isQuiet || (error as { code?: string }).code !== "SQLITE_CANTOPEN") throw error;
    // A database with a write-ahead log wants to write beside its file, which this process may not do; it is not in use.
    const url = `file:${encodeURI(path).replaceAll("?", "%3F").replaceAll("#", "%23")}?immutable=1`;
    return usable(new Database(url, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI));
  }
}

function usable(db: Database): Database {
  db.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
  db.query("SELECT count(*) FROM sqlite_schema").get();
  return db;
}

/** Only a query can stand inside of another one: no statement that changes, attaches or writes a file. */
function query(db: Database, { statement, maxRows }: SqliteOrder): Rows {
  return single(db, `SELECT * FROM ${asQuery(statement)} LIMIT ${maxRows + 1}`);
}

/** A query, or any other statement in a transaction; in one no other file can be written. */
function changed(db: Database, order: SqliteOrder): SqliteReport {
  db.run("BEGIN IMMEDIATE");
  const before = totalChanges(db);
  const report = read(queryIfAny(db, order) ?? single(db, bareStatement(order.statement)), order);
  const count = totalChanges(db) - before;
  db.run("COMMIT");
  return "lines" in report ? { ...report, changed: count } : report;
}

function queryIfAny(db: Database, order: SqliteOrder): Rows | undefined {
  try {
    return query(db, order);
  } catch (error) {
    if (error instanceof NotRun) throw error;
    return undefined;
  }
}

/** Prepares one statement; the library would pass over any that follow. */
function single(db: Database, sql: string): Rows {
  const prepared = db.prepare<unknown, []>(sql);
  if (prepared.paramsCount > 0)
    throw new NotRun("a statement has no parameters here: write the values into it");
  if (prepared.toString().trim() !== sql.trim()) throw new NotRun("one statement at a time");
  return prepared.safeIntegers(true);
}

function read(prepared: Rows, limits: SqliteOrder): SqliteReport {
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

/** By hand: two columns may have one name. */
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
