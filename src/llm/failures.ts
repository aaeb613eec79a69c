// Converts whatever a call can throw to the one error type: kind, whether to retry, how long to wait. Decided by status
// and class of the error, never by the words of its message.
import { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai";
import { AtomsmithError } from "../core/errors.ts";
import { truncate } from "../core/limits.ts";
import { NO_KEY, type RoleSettings } from "./providers.ts";

/** Longest retry-after time that is accepted, milliseconds. */
const MAX_RETRY_AFTER_MS = 10 * 60_000;

/** `code` or `type` values of a 429 response that waiting will not resolve. */
const QUOTA_CODES = new Set(["insufficient_quota", "billing_hard_limit_reached", "billing_not_active"]);

/** Turns an error of the client library or of the network into a `provider` or `rate_limit` error. */
export function toProviderError(error: unknown, settings: RoleSettings): AtomsmithError {
  if (error instanceof AtomsmithError) return error;
  const server = `${settings.provider} at ${settings.baseUrl}`;
  if (error instanceof APIConnectionTimeoutError) return timedOut(settings, settings.timeoutMs, "request");
  if (error instanceof APIConnectionError) {
    return new AtomsmithError("provider", `no connection to ${server}: ${rootCause(error)}`, {
      where: settings.baseUrl,
      retryable: true,
      hint: "Check base_url, the network and any proxy.",
      cause: error,
    });
  }
  if (error instanceof APIError) return fromStatus(error, settings, server);
  return new AtomsmithError("provider", `lost the connection to ${server}: ${rootCause(error)}`, {
    where: settings.baseUrl,
    retryable: true,
    cause: error,
  });
}

function fromStatus(error: APIError, settings: RoleSettings, server: string): AtomsmithError {
  const status = error.status;
  const serverMessage = truncate(error.message.replace(/\s+/g, " "), 300).text;
  const base = { where: settings.baseUrl, cause: error, ...(status === undefined ? {} : { status }) };
  if (status === 401 || status === 403) {
    return new AtomsmithError("provider", `${server} rejected the credentials (${serverMessage})`, {
      ...base,
      fatal: true,
      retryable: false,
      hint:
        settings.apiKey === NO_KEY
          ? `It requires a key: set ${settings.keyEnv}, or name another variable with llm.${settings.role}.api_key_env.`
          : `Check the key in ${settings.keyEnv} and its permissions.`,
    });
  }
  if (status === 404) {
    return new AtomsmithError("provider", `${server} has no model ${settings.model} (${serverMessage})`, {
      ...base,
      fatal: true,
      retryable: false,
      hint: `Check llm.${settings.role}.model and base_url.`,
    });
  }
  if (status === 429) {
    const exhausted = QUOTA_CODES.has(error.code ?? "") || QUOTA_CODES.has(error.type ?? "");
    const wait = retryAfterMs(error.headers);
    return new AtomsmithError("rate_limit", `${server} limits the rate (${serverMessage})`, {
      ...base,
      fatal: exhausted,
      retryable: !exhausted,
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
      hint: exhausted ? "The account has no credit left." : "Lower llm.max_concurrency or wait.",
    });
  }
  // 5xx responses, and error events inside a stream (no status), may be temporary; others are not.
  const retryable = status === undefined || status === 408 || status === 409 || status >= 500;
  const wait = retryAfterMs(error.headers);
  return new AtomsmithError("provider", `${server} answered with an error (${serverMessage})`, {
    ...base,
    retryable,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  });
}

/** The error of an exceeded time limit, with the setting to raise. */
export function timedOut(settings: RoleSettings, ms: number, what: "request" | "idle"): AtomsmithError {
  const seconds = Math.ceil(ms / 100) / 10;
  const message =
    what === "idle"
      ? `${settings.provider} sent nothing for ${seconds} s in the middle of a reply`
      : `${settings.provider} did not answer within ${seconds} s`;
  return new AtomsmithError("provider", message, {
    where: settings.baseUrl,
    retryable: true,
    hint: what === "idle" ? "Raise llm.idle_timeout." : `Raise llm.${settings.role}.timeout.`,
  });
}

/** The error of a 200 response without a completion. Retryable, since proxies send such responses while restarting. */
export function notACompletion(settings: RoleSettings, what: string): AtomsmithError {
  return new AtomsmithError("provider", `${settings.provider} answered with ${what}`, {
    where: settings.baseUrl,
    retryable: true,
    hint: "Check base_url: it must end where /chat/completions begins.",
  });
}

/** `retry-after-ms` (milliseconds), else `retry-after` (seconds or an HTTP date), within bounds. */
export function retryAfterMs(headers: Headers | undefined): number | undefined {
  const clamp = (ms: number): number => Math.min(Math.max(0, Math.round(ms)), MAX_RETRY_AFTER_MS);
  const exact = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (Number.isFinite(exact)) return clamp(exact);
  const value = headers?.get("retry-after");
  if (!value) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return clamp(seconds * 1000);
  const date = Date.parse(value);
  if (Number.isNaN(date)) return undefined;
  // By the server's own clock: that of this machine may be wrong.
  const now = Date.parse(headers?.get("date") ?? "");
  return clamp(date - (Number.isNaN(now) ? Date.now() : now));
}

/** Messages for error codes of the system and of the runtime's client. */
const CAUSES: Record<string, string> = {
  ECONNREFUSED: "connection refused",
  ConnectionRefused: "connection refused",
  ENOTFOUND: "unknown host name",
  EAI_AGAIN: "host name lookup failed",
  FailedToOpenSocket: "connection refused or unknown host name",
  ETIMEDOUT: "connection timed out",
  ConnectionTimeout: "connection timed out",
  EHOSTUNREACH: "host unreachable",
  ENETUNREACH: "network unreachable",
  ECONNRESET: "the server closed the connection",
  ConnectionClosed: "the server closed the connection",
  EPIPE: "the server closed the connection",
  DEPTH_ZERO_SELF_SIGNED_CERT: "self-signed certificate",
  SELF_SIGNED_CERT_IN_CHAIN: "self-signed certificate in the certificate chain",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificate cannot be verified",
  CERT_HAS_EXPIRED: "the certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another host name",
};

/** The reason for a failed connection: the message of its code, or the innermost error message. */
function rootCause(error: unknown): string {
  let inner = error;
  for (let depth = 0; depth < 5; depth += 1) {
    const known = inner instanceof Error ? CAUSES[(inner as NodeJS.ErrnoException).code ?? ""] : undefined;
    if (known !== undefined) return known;
    if (!(inner instanceof Error && inner.cause instanceof Error)) break;
    inner = inner.cause;
  }
  const text = inner instanceof Error ? inner.message || inner.name : String(inner);
  return truncate(text, 200).text;
}
