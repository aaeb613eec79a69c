// Masks secrets in text that leaves the process or is stored. Known values (the keys this run uses) are always masked;
// patterns of common keys and passwords when `llm.redact` is on.

/** Masks a text. Deterministic, so that a resumed or replayed run sees the same text as the first. */
export type Redact = (text: string) => string;

interface Shape {
  name: string;
  pattern: RegExp;
}

// Patterns that rarely match by chance. The assignment patterns exclude values with regex or quote characters, so that
// code such as /password=(\S+)/ is not changed.
const SHAPES: Shape[] = [
  {
    name: "private key",
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  },
  { name: "api key", pattern: /\bsk-(?:[a-z]+-)*[A-Za-z0-9_-]{16,}/g },
  { name: "github token", pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})/g },
  { name: "gitlab token", pattern: /\bglpat-[A-Za-z0-9_-]{20,}/g },
  { name: "aws key", pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  { name: "slack token", pattern: /\bxox[abposr]-[A-Za-z0-9-]{10,}/g },
  { name: "google key", pattern: /\bAIza[A-Za-z0-9_-]{35}/g },
  { name: "jwt", pattern: /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g },
  { name: "bearer token", pattern: /(?<=\b[Bb]earer )[A-Za-z0-9._~+/-]{20,}=*/g },
  {
    name: "password",
    pattern: /(?<=[a-z][a-z0-9+.-]*:\/\/[^\s:/@'"]{1,64}:)[^\s:/@'"()[\]\\|*+^${}]{3,}(?=@)/g,
  },
  {
    name: "password",
    pattern:
      /(?<=\b(?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?token|auth[_-]?token)\s?=\s?["']?)[^\s"'`,;()[\]\\|*+?^${}<>]{6,}/gi,
  },
];

const CACHED_TEXTS = 64;
const CACHED_CHARS = { min: 1024, max: 64 * 1024 };

/** Creates the masking function. `known` are exact secret values; values under 6 characters are ignored, since they
 * would mask ordinary words. */
export function createRedactor(options: { shapes: boolean; known: readonly string[] }): Redact {
  const known = options.known.filter((secret) => secret.length >= 6).sort((a, b) => b.length - a.length);
  const mask = (text: string): string => {
    let out = text;
    for (const secret of known) out = out.replaceAll(secret, "[MASKED:known secret]");
    if (!options.shapes) return out;
    for (const { name, pattern } of SHAPES) out = out.replace(pattern, `[MASKED:${name}]`);
    return out;
  };
  // Instructions and tool results are masked repeatedly: cache the most recent long texts.
  const cache = new Map<string, string>();
  return (text) => {
    if (text.length < CACHED_CHARS.min || text.length > CACHED_CHARS.max) return mask(text);
    const seen = cache.get(text);
    if (seen !== undefined) return seen;
    const masked = mask(text);
    const [oldest] = cache.keys();
    if (cache.size >= CACHED_TEXTS && oldest !== undefined) cache.delete(oldest);
    cache.set(text, masked);
    return masked;
  };
}

/** Masks every string in a JSON value; keys stay. A value with nothing to mask is returned without a copy. */
export function redactDeep<T>(value: T, redact: Redact): T {
  if (typeof value === "string") return redact(value) as T;
  if (typeof value !== "object" || value === null) return value;
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const before = (value as Record<string, unknown>)[key];
    const after = redactDeep(before, redact);
    if (after === before) continue;
    copy ??= (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
    copy[key] = after;
  }
  return (copy ?? value) as T;
}
