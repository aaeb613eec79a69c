/** First argument of the process that runs one statement on a SQLite file. */
export const SQLITE_FLAG = "--atomsmith-sqlite";
