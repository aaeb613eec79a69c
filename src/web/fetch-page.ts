// Fetches one page from an allowed host, within limits of time and size. Every redirect is checked, and every address when
// the connection is made.
import { type LookupAddress, lookup } from "node:dns";
import { get as httpGet, type IncomingMessage, type RequestOptions } from "node:http";
import { get as httpsGet } from "node:https";
import type { LookupFunction } from "node:net";
import { AtomsmithError } from "../core/errors.ts";
import { VERSION } from "../core/version.ts";
import { isPrivate } from "./address.ts";
import { allowedUrl, privateAddress, refusal, type WebPolicy } from "./policy.ts";

const MAX_REDIRECTS = 5;
/** Accepted content types. */
const TYPES = new Set(["text/html", "application/xhtml+xml", "text/plain", "text/markdown"]);

export interface FetchedPage {
  /** The address after redirects. */
  url: string;
  /** `text/html`. */
  type: string;
  /** As the server declared it. */
  charset: string | undefined;
  bytes: Uint8Array;
}

/** Fetches a page. Throws kind `usage` for a page that is not allowed or not readable, kind `provider` for a transient
 * failure, and kind `interrupted`. */
export async function fetchPage(
  address: string,
  policy: WebPolicy,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const limit = AbortSignal.timeout(policy.timeoutMs);
  let url = allowedUrl(address, policy);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const answer = await request(url, policy, signal, limit);
    if ("page" in answer) return answer.page;
    url = allowedUrl(answer.redirect, policy);
  }
  throw refusal(address, `it is redirected more than ${MAX_REDIRECTS} times`);
}

type Answer = { page: FetchedPage } | { redirect: string };

/** Makes one request. The connection is always closed. */
function request(url: URL, policy: WebPolicy, signal: AbortSignal, limit: AbortSignal): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const options: RequestOptions = {
    // A new connection for every request, so that its address is always checked here.
    agent: false,
    headers: {
      accept: [...TYPES].join(", "),
      "accept-encoding": "identity",
      connection: "close",
      "user-agent": `atomsmith/${VERSION}`,
    },
    lookup: guarded(url, policy, reject),
  };
  const get = url.protocol === "https:" ? httpsGet : httpGet;
  const connection = get(url, options, (response) => {
    readAnswer(url, response, policy).then(resolve, reject);
  });
  const stop = AbortSignal.any([signal, limit]);
  const end = (): void => {
    reject(stopped(url, signal, policy));
    connection.destroy();
  };
  stop.addEventListener("abort", end, { once: true });
  if (stop.aborted) end();
  connection.on("error", (error) => reject(failure(url, error)));
  return promise
    .catch((error: unknown) => {
      throw error instanceof AtomsmithError ? error : failure(url, error);
    })
    .finally(() => {
      stop.removeEventListener("abort", end);
      connection.destroy();
    });
}

/** Resolves a host name and refuses private addresses. The error of a lookup would be wrapped, so the refusal is also
 * passed to `refuse`. */
function guarded(url: URL, policy: WebPolicy, refuse: (error: AtomsmithError) => void): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error !== null) return callback(error, []);
      const isRefused = !policy.privateAddresses && addresses.some(({ address }) => isPrivate(address));
      if (isRefused || addresses.length === 0) {
        const refused = privateAddress(url.href);
        refuse(refused);
        return callback(refused, []);
      }
      callback(null, addresses);
    });
  };
}

async function readAnswer(url: URL, response: IncomingMessage, policy: WebPolicy): Promise<Answer> {
  const { statusCode = 0, headers } = response;
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
    if (!URL.canParse(headers.location, url))
      throw refusal(url.href, "it is redirected to an invalid address");
    return { redirect: new URL(headers.location, url).href };
  }
  if (statusCode === 429 || statusCode >= 500) {
    throw new AtomsmithError("provider", `${url.host} answered with status ${statusCode}`, {
      where: url.href,
      status: statusCode,
      retryable: true,
    });
  }
  if (statusCode !== 200) throw refusal(url.href, `the server answered with status ${statusCode}`);
  const [type = "", ...parameters] = (headers["content-type"] ?? "").split(";").map((part) => part.trim());
  if (!TYPES.has(type.toLowerCase())) {
    throw refusal(
      url.href,
      `its content type is ${type || "not declared"}; only ${[...TYPES].join(", ")} are supported`,
    );
  }
  if (!/^(?:identity)?$/i.test(headers["content-encoding"] ?? "")) {
    throw refusal(url.href, "the server compressed it, although compression was not requested");
  }
  const charset = parameters
    .map((parameter) => /^charset\s*=\s*"?([A-Za-z0-9_:.-]{1,40})"?$/i.exec(parameter)?.[1])
    .find((name) => name !== undefined);
  const bytes = await bounded(url, response, policy.maxBytes);
  return { page: { url: url.href, type: type.toLowerCase(), charset, bytes } };
}

async function bounded(url: URL, response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > maxBytes)
      throw refusal(url.href, `it is larger than ${maxBytes} bytes (loops.agent.web.max_bytes)`);
    parts.push(part);
  }
  const declared = Number(response.headers["content-length"] ?? size);
  if (size < declared) {
    throw new AtomsmithError("provider", `${url.host} sent ${size} of ${declared} bytes`, {
      where: url.href,
      retryable: true,
    });
  }
  return Buffer.concat(parts);
}

function stopped(url: URL, signal: AbortSignal, { timeoutMs }: WebPolicy): AtomsmithError {
  if (signal.aborted) return new AtomsmithError("interrupted", `fetching ${url.href} was interrupted`);
  return new AtomsmithError(
    "provider",
    `${url.host} did not send the whole page within ${timeoutMs / 1000} s`,
    {
      where: url.href,
      retryable: true,
    },
  );
}

function failure(url: URL, error: unknown): AtomsmithError {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? "";
  const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
  // Not retryable.
  if (code === "ENOTFOUND") return refusal(url.href, `the host ${url.hostname} does not exist`);
  return new AtomsmithError("provider", `no page from ${url.host}: ${reason}`, {
    where: url.href,
    retryable: true,
    cause: error,
  });
}
