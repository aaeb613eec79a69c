// Errors of the HTTP interface: RFC 9457 problem documents made of the program's one error type.
import { z } from "zod";
import { AtomsmithError, ERROR_KINDS, type ErrorKind, toAtomsmithError } from "../../core/errors.ts";

export const problemSchema = z
  .object({
    type: z.string().describe("urn:atomsmith:error:KIND"),
    title: z.string(),
    status: z.int(),
    detail: z.string().optional(),
    kind: z.enum(ERROR_KINDS),
    hint: z.string().optional().describe("how to fix it"),
    where: z.string().optional(),
  })
  .meta({ id: "Problem" });

const STATUS: Record<ErrorKind, number> = {
  usage: 400,
  config: 409,
  spec: 422,
  provider: 502,
  rate_limit: 503,
  budget: 409,
  limit: 503,
  sandbox: 503,
  gate: 409,
  store: 503,
  interrupted: 503,
  internal: 500,
};

const TITLES: Record<number, string> = {
  400: "Bad request",
  401: "Token required",
  403: "Not allowed",
  404: "Not found",
  405: "Method not allowed",
  409: "Conflict",
  413: "Request too large",
  415: "Unsupported media type",
  421: "Unknown host",
  422: "Unusable page",
  500: "Error in the program",
  502: "Error of the provider",
  503: "Not available",
};

/** An error that a client made, with its HTTP status. */
export function refusal(status: number, message: string, hint?: string): AtomsmithError {
  return new AtomsmithError("usage", message, { status, ...(hint === undefined ? {} : { hint }) });
}

/** The answer for anything thrown. Messages of internal errors go only to the log of the server. */
export function problemResponse(thrown: unknown, headers: Record<string, string> = {}): Response {
  const error = toAtomsmithError(thrown);
  const { kind, details } = error;
  const status = kind === "usage" ? (details.status ?? 400) : STATUS[kind];
  const hidden = kind === "internal";
  const problem = {
    type: `urn:atomsmith:error:${kind}`,
    title: TITLES[status] ?? "Error",
    status,
    detail: hidden ? "an error in atomsmith; the server's output has the details" : error.message,
    kind,
    ...(details.hint === undefined || hidden ? {} : { hint: details.hint }),
    ...(details.where === undefined || hidden ? {} : { where: details.where }),
  };
  return Response.json(problem, {
    status,
    headers: { ...headers, "content-type": "application/problem+json", "cache-control": "no-store" },
  });
}
