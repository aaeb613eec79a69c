// The database libraries, bundled separately (src/core/embedded-script.ts).
export { Pool } from "pg";
export { PgBoss } from "pg-boss";
