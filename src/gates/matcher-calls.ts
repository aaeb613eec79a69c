// Calls Atom B and validates its answers: exact keys, correct types, a known kind.
import type { AtomSession, SandboxFailure } from "../../sandbox/types.ts";
import { ATOM_FUNCTIONS, MATCH_KINDS, type MatchResult } from "../contract/atoms.ts";
import type { FindingCode } from "../contract/finding-codes.ts";
import { AtomsmithError } from "../core/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.ts";
import { kindOf } from "./records.ts";
import { show } from "./show.ts";

/** Arguments of one call. Missing ones are not passed, so that the defaults are tested. */
export interface MatchArgs {
  text: string;
  pattern: string;
  fields?: JsonObject | null;
  defaultMatch?: string;
  regexMode?: string;
}

export type MatchAnswer =
  | { ok: true; result: MatchResult }
  | { ok: false; code: FindingCode; message: string; line?: number; fatal: boolean };

const CALL_TIMEOUT_MS = 4_000;

export function argList(args: MatchArgs): JsonValue[] {
  const list: JsonValue[] = [args.text, args.pattern];
  if (args.fields === undefined) return list;
  list.push(args.fields);
  if (args.defaultMatch === undefined) return list;
  list.push(args.defaultMatch);
  if (args.regexMode !== undefined) list.push(args.regexMode);
  return list;
}

/** The answers of Atom B, in the order of the calls. After a `fatal` answer, the caller must not call it again. */
export async function askMatcher(session: AtomSession, calls: readonly MatchArgs[]): Promise<MatchAnswer[]> {
  const outcomes = await session.callMany(ATOM_FUNCTIONS.atom_b, calls.map(argList), {
    limits: { timeoutMs: CALL_TIMEOUT_MS, maxResultBytes: 1024 * 1024 },
  });
  return calls.map((_, i) => {
    const outcome = outcomes[i];
    if (!outcome) return { ok: false, code: "no_answer", message: "gave no answer", fatal: true };
    return outcome.ok ? readAnswer(outcome.value) : failedAnswer(outcome.error);
  });
}

function failedAnswer(failure: SandboxFailure): MatchAnswer {
  if (failure.kind === "unavailable" || failure.kind === "protocol") {
    throw new AtomsmithError("sandbox", `The sandbox failed while Atom B ran: ${failure.message}`);
  }
  const fatal = failure.kind === "timeout" || failure.kind === "memory" || failure.kind === "crashed";
  const name = failure.name ? `${failure.name}: ` : "";
  return {
    ok: false,
    code: failure.kind,
    message: failure.kind === "timeout" ? "did not end in time" : `failed with ${name}${failure.message}`,
    fatal,
    ...(failure.line ? { line: failure.line } : {}),
  };
}

function readAnswer(value: JsonValue): MatchAnswer {
  const wrong = (code: FindingCode, message: string): MatchAnswer => ({
    ok: false,
    code,
    message,
    fatal: false,
  });
  if (!isJsonObject(value))
    return wrong("result_shape", `returned ${kindOf(value)}, not {is_match, reason, kind}`);
  const keys = Object.keys(value).sort().join(", ");
  if (keys !== "is_match, kind, reason") {
    return wrong("result_keys", `returned the keys {${keys}}, not exactly {is_match, reason, kind}`);
  }
  const { is_match, reason, kind } = value;
  if (typeof is_match !== "boolean")
    return wrong("result_type", `returned is_match ${show(is_match)}, not true or false`);
  if (typeof reason !== "string")
    return wrong("result_type", `returned a reason that is ${kindOf(reason)}, not a string`);
  const known = MATCH_KINDS.find((k) => k === kind);
  if (!known)
    return wrong("result_kind", `returned the kind ${show(kind)}, not one of ${MATCH_KINDS.join(", ")}`);
  return { ok: true, result: { is_match, reason, kind: known } };
}

/** How an answer differs from the expected one; undefined if it does not. */
export function difference(answer: MatchAnswer, expected: MatchResult): string | undefined {
  if (!answer.ok) return answer.message;
  const { is_match, kind, reason } = answer.result;
  const invalid = expected.reason.startsWith("Invalid Regex:");
  if (is_match !== expected.is_match || kind !== expected.kind) {
    return `gave is_match ${is_match}, kind "${kind}"; expected is_match ${expected.is_match}, kind "${expected.kind}"`;
  }
  if (invalid && !reason.startsWith("Invalid Regex:")) {
    return `gave the reason ${show(reason)}; for a regex that does not compile it must start with "Invalid Regex:"`;
  }
  if (!invalid && reason.startsWith("Invalid Regex:")) {
    return `gave the reason ${show(reason)} for a regex that compiles`;
  }
  return undefined;
}

/** A call as JavaScript, for messages. */
export function showMatchCall(args: MatchArgs): string {
  return `${ATOM_FUNCTIONS.atom_b}(${argList(args)
    .map((arg) => show(arg, 90))
    .join(", ")})`;
}
