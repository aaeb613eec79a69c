// Rules for secrets that are told by the name of their setting or by where they stand.

export interface Rule {
  /** Stands in the text in the place of the secret. */
  name: string;
  pattern: RegExp;
  /** Applies only to a text that names a setting (`namesSetting`). */
  named?: true;
}

// Names of settings that hold secrets, as the end of an identifier: MYSQL_PASSWORD, client_secret, "api-key".
const NAME =
  "(?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|(?:access|auth|refresh)[_-]?token)";
// Text may stand inside JSON, once or twice: a quote then has backslashes before it, and a line end is written \n.
const QUOTE = String.raw`\\{0,4}["']`;
// A value takes no regex or quoting signs, so that code such as /password=(\S+)/ stays what it is.
const PLAIN = String.raw`[^\s"'\x60,;()[\]\\|*+?^${"$"}{}<>]`;

// What no provider's rule knows: keys of model servers other than the well-known ones, and values of named settings.
export const SETTINGS: readonly Rule[] = [
  {
    name: "private key",
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  },
  { name: "api key", pattern: /\bsk-(?:[a-z]+-)*[A-Za-z0-9_-]{16,}/g },
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

/** Whether the text has the name of a setting that may hold a secret. */
export const namesSetting = (text: string): boolean => ANY_NAME.test(text);
