// The libraries of the database, bundled apart (src/core/embedded-script.ts).
export { Pool } from "pg";
export { PgBoss } from "pg-boss";
