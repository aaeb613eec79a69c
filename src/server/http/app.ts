// Combines routes, checks and headers: requests are checked before a handler sees them, and answers have the headers
// that restrict a browser to this server.
import { Hono } from "hono";
import { z } from "zod";
import { type AtomsmithError, toAtomsmithError } from "../../core/errors.ts";
import type { Route, ServerContext } from "../types.ts";
import type { Guard } from "./guard.ts";
import { problemResponse, refusal } from "./problem.ts";

const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const HEADERS: Record<string, string> = {
  "content-security-policy": CSP,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
};

/** Maximum bytes of a request's body. */
export const MAX_BODY_BYTES = 2 ** 20;

/** Answers that no route declares: the page and its files, and MCP. */
export interface Extra {
  method: "GET" | "ALL";
  path: string;
  open: boolean;
  handle(request: Request): Response | Promise<Response>;
}

/** One function from request to answer. Never throws. */
export function createApp(
  routes: readonly Route[],
  extras: readonly Extra[],
  guard: Guard,
  context: ServerContext,
): (request: Request) => Promise<Response> {
  const app = new Hono();
  for (const route of routes) {
    const path = route.path.replace(/\{(\w+)\}/g, ":$1");
    app.on(route.method.toUpperCase(), path, (c) =>
      answer(c.req.raw, route.path, context, async () => {
        guard.check(c.req.raw, route.open === true);
        return call(route, c.req.raw, c.req.param() as Record<string, string>, context);
      }),
    );
  }
  for (const { method, path, open, handle } of extras) {
    const handler = (c: { req: { raw: Request } }) =>
      answer(c.req.raw, path, context, async () => {
        guard.check(c.req.raw, open);
        return handle(c.req.raw);
      });
    if (method === "GET") app.get(path, handler);
    else app.all(path, handler);
  }
  app.notFound((c) =>
    answer(c.req.raw, "other", context, async () => {
      guard.check(c.req.raw, true);
      const known = routes.some((route) => matches(route.path, new URL(c.req.url).pathname));
      throw known ? refusal(405, `${c.req.method} is not supported by this path`) : refusal(404, "not found");
    }),
  );
  return async (request) => app.fetch(request);
}

async function answer(
  request: Request,
  path: string,
  context: ServerContext,
  work: () => Promise<Response>,
): Promise<Response> {
  const started = performance.now();
  let response: Response;
  try {
    response = await work();
  } catch (thrown) {
    const error = readable(thrown);
    if (error.kind === "internal" && !request.signal.aborted) {
      context.options.warn(`${request.method} ${path}: ${error.message}\n${errorStack(thrown)}`);
    }
    response = problemResponse(error);
  }
  for (const [name, value] of Object.entries(HEADERS)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  if (!response.headers.has("cache-control")) response.headers.set("cache-control", "no-store");
  context.metrics.request(request.method, path, response.status, (performance.now() - started) / 1000);
  return response;
}

async function call(
  route: Route,
  raw: Request,
  given: Record<string, string>,
  context: ServerContext,
): Promise<Response> {
  const url = new URL(raw.url);
  const params = route.params?.parse(given);
  const query = route.query?.parse(Object.fromEntries(url.searchParams));
  const body = route.method === "post" ? route.body?.parse(await readJson(raw)) : undefined;
  const result = await route.handle({ params, query, body, raw }, context);
  return result instanceof Response ? result : Response.json(result, { status: route.status ?? 200 });
}

async function readJson(request: Request): Promise<unknown> {
  // A form of another site cannot send this type without a preflight request.
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const text = await request.text().catch(() => {
    throw refusal(413, `the body is larger than ${MAX_BODY_BYTES} bytes`);
  });
  if (type !== "application/json") {
    if (text === "" && type === undefined) return undefined;
    throw refusal(415, "the body must be application/json");
  }
  if (text.length > MAX_BODY_BYTES) throw refusal(413, `the body is larger than ${MAX_BODY_BYTES} bytes`);
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw refusal(400, "the body is not valid JSON");
  }
}

/** Errors of a schema as one sentence. */
function readable(thrown: unknown): AtomsmithError {
  if (!(thrown instanceof z.ZodError)) return toAtomsmithError(thrown);
  const issues = thrown.issues.slice(0, 5).map(({ path, message }) => {
    const where = path.map(String).join(".");
    return where === "" ? message : `${where}: ${message}`;
  });
  return refusal(400, issues.join("; "), "the schemas are in /openapi.json");
}

function errorStack(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? "") : "";
}

function matches(path: string, asked: string): boolean {
  const pattern = path
    .split("/")
    .map((part) => (part.startsWith("{") ? "[^/]+" : part.replaceAll(".", "\\.")));
  return new RegExp(`^${pattern.join("/")}$`).test(asked);
}
