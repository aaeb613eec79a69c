// Converts values of Neo4j to plain JSON: safe integers to numbers, nodes and relationships with their properties.
import type { neo4j as Neo4j } from "./libraries.ts";

export type Driver = typeof Neo4j;

/** Deeper values are replaced by a mark. */
const MAX_DEPTH = 32;

/** One record as a line of JSON. */
export function recordLine(
  neo4j: Driver,
  record: { keys: readonly PropertyKey[]; get(key: string): unknown },
): string {
  const names = record.keys.map(String);
  const fields = names.map(
    (name) => `${JSON.stringify(name)}:${JSON.stringify(plain(neo4j, record.get(name), 0))}`,
  );
  return `{${fields.join(",")}}`;
}

/** A value of the driver as plain data. */
export function plain(neo4j: Driver, value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) return "[nested deeper]";
  const inner = (member: unknown): unknown => plain(neo4j, member, depth + 1);
  if (value === null || value === undefined) return null;
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value !== "object") return value;
  if (neo4j.isInt(value)) return neo4j.integer.inSafeRange(value) ? value.toNumber() : value.toString();
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) return `${value.byteLength} bytes`;
  if (Array.isArray(value)) return value.map(inner);
  if (neo4j.isNode(value)) {
    return { id: value.elementId, labels: value.labels, properties: inner(value.properties) };
  }
  if (neo4j.isRelationship(value)) {
    const { elementId, startNodeElementId, endNodeElementId, type } = value;
    return {
      id: elementId,
      type,
      from: startNodeElementId,
      to: endNodeElementId,
      properties: inner(value.properties),
    };
  }
  if (neo4j.isPath(value)) {
    return value.segments.map(({ start, relationship, end }) => [start, relationship, end].map(inner));
  }
  // Times, durations and points have a text form; maps are plain objects.
  if (Object.getPrototypeOf(value) !== Object.prototype) return String(value);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inner(member)]));
}
