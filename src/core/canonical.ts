// Canonical JSON: equal values, equal bytes. Keys sorted by their UTF-8 bytes, separators `,` and `:`, non-ASCII
// unescaped. For hashes that other programs can compute too.
import { sha256 } from "./hash.ts";

export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const members = keys.map(
    (key) => `${JSON.stringify(key)}:${canonicalJson(value[key as keyof typeof value])}`,
  );
  return `{${members.join(",")}}`;
}

/** SHA-256 of the canonical JSON, 64 hex digits. */
export function canonicalHash(value: unknown): string {
  return sha256(canonicalJson(value));
}
