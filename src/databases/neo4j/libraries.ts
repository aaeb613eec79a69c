// The driver of Neo4j, bundled apart (src/core/embedded-script.ts).
export { default as neo4j } from "neo4j-driver-lite";
