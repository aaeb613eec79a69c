// Searches a text for witnesses, line by line, so that a log in parts gives the same answer as the whole log. Expressions
// run in the sandbox, because they are untrusted. docs/contract.md, section 7.
import type { AtomSession, RawText, SandboxFailure } from "../../sandbox/types.ts";
import { requiredLiteral } from "../logio/index.ts";

/** Prefix of a witness that is a regular expression; any other witness is plain text. */
export const WITNESS_REGEX = "regex:";

const FUNCTION = "witness_lines";

/** The search as a program of the sandbox. It starts at the end, where witnesses usually are. */
export const WITNESS_PROGRAM = {
  name: "witness search",
  source: `function ${FUNCTION}(text, witness, most) {
  const source = witness.startsWith("${WITNESS_REGEX}") ? witness.slice(${WITNESS_REGEX.length}) : null;
  const pattern = source === null ? null : re.compile(source);
  const found = [];
  for (let end = text.length; end >= 0 && found.length < most; ) {
    const start = end === 0 ? 0 : text.lastIndexOf("\\n", end - 1) + 1;
    const line = text.slice(start, end);
    if (pattern === null ? line.includes(witness) : pattern.search(line) !== null) found.push(line);
    end = start - 1;
  }
  return found;
}
`,
} as const;

export type WitnessLines =
  | { ok: true; lines: string[] }
  /** `syntax`: the expression does not compile. */
  | { ok: false; kind: SandboxFailure["kind"] | "syntax"; message: string };

/** The last lines of a text in which a witness occurs, last line first. Does not throw for an invalid witness.
 * @param session of `WITNESS_PROGRAM`
 * @param most maximum number of lines */
export async function witnessLines(
  session: AtomSession,
  text: string | RawText,
  witness: string,
  most: number,
): Promise<WitnessLines> {
  if (!mayOccur(text, witness)) return { ok: true, lines: [] };
  const timeoutMs = BASE_TIMEOUT_MS + Math.floor(text.length / 2 ** 20) * 1_000;
  const outcome = await session.call(FUNCTION, [text, witness, most], { limits: { timeoutMs } });
  if (!outcome.ok) {
    const { kind, message } = outcome.error;
    return { ok: false, kind: kind === "threw" ? "syntax" : kind, message };
  }
  const lines = Array.isArray(outcome.value) ? outcome.value.map(String) : [];
  return { ok: true, lines };
}

const BASE_TIMEOUT_MS = 5_000;

/** False only if the witness certainly does not occur: most parts of a large log need not be sent to the sandbox. */
function mayOccur(text: string | RawText, witness: string): boolean {
  const literal = witness.startsWith(WITNESS_REGEX)
    ? requiredLiteral(witness.slice(WITNESS_REGEX.length))
    : witness;
  if (literal === undefined) return true;
  if (typeof text === "string") return text.includes(literal);
  const { bytes } = text;
  if (/[^\0-\xff]/.test(literal)) return false;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(literal, 0, "latin1");
}
