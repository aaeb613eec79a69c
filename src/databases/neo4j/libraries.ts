// The driver of Neo4j, bundled separately (src/core/embedded-script.ts).
export { default as neo4j } from "neo4j-driver-lite";
