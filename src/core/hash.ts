// Content hashes: SHA-256 in lower-case hex, everywhere.

/** An incremental SHA-256. Bun's own: loading node:crypto would take longer than a short command runs. */
export function newHash(): Bun.CryptoHasher {
  return new Bun.CryptoHasher("sha256");
}

/** SHA-256 of bytes or of the UTF-8 of a text, 64 hex digits. */
export function sha256(data: string | Uint8Array): string {
  return newHash().update(data).digest("hex");
}

/** SHA-256 of a JSON value with sorted keys, so that equal values have equal hashes. */
export function hashJson(value: unknown): string {
  return sha256(JSON.stringify(sortKeys(value)));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, v]) => v !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([k, v]) => [k, sortKeys(v)]));
}
