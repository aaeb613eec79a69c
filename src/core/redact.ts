// Masks secrets in text that leaves the process or is written down. Known values (the keys this run uses) are
// always masked; shapes of common keys and passwords when `llm.redact` is on.

/** Masks; the same text in gives the same text out, so that a resumed or replayed run sees what the first saw. */
export type Redact = (text: string) => string;

interface Shape {
  name: string;
  pattern: RegExp;
  /** Needs one of the names of settings: looked at only where one stands. */
  named?: true;
}

// Names of settings that hold secrets, as the end of an identifier: MYSQL_PASSWORD, client_secret, "api-key".
const NAME =
  "(?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|(?:access|auth|refresh)[_-]?token)";
// Text may stand inside JSON, once or twice: a quote then has backslashes before it, and a line end is written \n.
const QUOTE = String.raw`\\{0,4}["']`;
// A value takes no regex or quoting signs, so that code such as /password=(\S+)/ stays what it is.
const PLAIN = String.raw`[^\s"'\x60,;()[\]\\|*+?^${"$"}{}<>]`;

// Shapes that hardly occur by chance.
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
    name: "credentials",
    named: true,
    pattern:
      /(?<=authorization\\{0,4}["']?\s?[:=]\s?\\{0,4}["']?(?:basic|token|apikey) )[A-Za-z0-9._~+/-]{6,}=*/gi,
  },
  // password = value, MYSQL_PASSWORD=value
  {
    name: "password",
    named: true,
    pattern: new RegExp(`(?<=${NAME}\\s?=\\s?(?:${QUOTE})?)(?!\\.)${PLAIN}(?:${PLAIN}|\\+){3,}`, "gi"),
  },
  // password: "value", "password": "value", password='value'
  {
    name: "password",
    named: true,
    pattern: new RegExp(
      `(?<=${NAME}(?:${QUOTE})?\\s{0,4}(?:=|:=|:|=>)\\s{0,4}${QUOTE})${PLAIN}[^\\s"'\x60\\\\]*(?=${QUOTE})`,
      "gi",
    ),
  },
  // password: value, to the end of the line. In code a comma or a brace follows.
  {
    name: "password",
    named: true,
    pattern: new RegExp(
      `(?<=${NAME}(?:${QUOTE})?[ \\t]?:[ \\t]{1,4})${PLAIN}{3,}(?=[ \\t]{0,16}(?:$|[\\r\\n]|\\\\{1,4}[rnt]|${QUOTE}))`,
      "gim",
    ),
  },
  // --password value, "--db-password","value"
  {
    name: "password",
    named: true,
    pattern: new RegExp(
      `(?<=--(?:[a-z0-9]{1,32}[-_]){0,4}(?:${NAME}|token)(?:[ \\t]{1,4}|=|${QUOTE},[ \\t]{0,4})(?:${QUOTE})?)(?!-)${PLAIN}[^\\s"'\x60\\\\,;)\\]}]*`,
      "gi",
    ),
  },
];

const ANY_NAME = new RegExp(`${NAME}|authorization|--[a-z0-9_-]{0,99}token`, "i");

const REMEMBERED_TEXTS = 64;
const REMEMBERED_CHARS = { least: 1024, most: 64 * 1024 };

/** Builds the masking function. `known` are exact secret values; values under 6 characters are left out, they
 * would mask ordinary words. */
export function createRedactor(options: { shapes: boolean; known: readonly string[] }): Redact {
  const known = options.known.filter((secret) => secret.length >= 6).sort((a, b) => b.length - a.length);
  const mask = (text: string): string => {
    let out = text;
    for (const secret of known) out = out.replaceAll(secret, "[MASKED:known secret]");
    if (!options.shapes) return out;
    const hasName = ANY_NAME.test(out);
    for (const { name, pattern, named } of SHAPES) {
      if (named !== true || hasName) out = out.replace(pattern, `[MASKED:${name}]`);
    }
    return out;
  };
  // Instructions and tool results pass by several times: the last long texts are remembered.
  const memory = new Map<string, string>();
  return (text) => {
    if (text.length < REMEMBERED_CHARS.least || text.length > REMEMBERED_CHARS.most) return mask(text);
    const seen = memory.get(text);
    if (seen !== undefined) return seen;
    const masked = mask(text);
    const [oldest] = memory.keys();
    if (memory.size >= REMEMBERED_TEXTS && oldest !== undefined) memory.delete(oldest);
    memory.set(text, masked);
    return masked;
  };
}

/** The same JSON value with every text in it masked; keys stay. What holds nothing to mask is returned as it is,
 * without a copy. */
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
