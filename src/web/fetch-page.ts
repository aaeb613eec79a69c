// Fetches one page: from allowed hosts only, each redirect checked again, to addresses that are checked when
// the connection is made, within limits of time and size.
import { type LookupAddress, lookup } from "node:dns";
import { get as httpGet, type IncomingMessage, type RequestOptions } from "node:http";
import { get as httpsGet } from "node:https";
import type { LookupFunction } from "node:net";
import { AtomsmithError } from "../core/errors.ts";
import { VERSION } from "../core/version.ts";
import { isPrivate } from "./address.ts";
import { allowedUrl, privateAddress, refusal, type WebPolicy } from "./policy.ts";

const MAX_REDIRECTS = 5;
/** Texts; anything else is no page to read. */
const TYPES = new Set(["text/html", "application/xhtml+xml", "text/plain", "text/markdown"]);

export interface FetchedPage {
  /** Where it was found after redirects. */
  url: string;
  /** `text/html`. */
  type: string;
  /** As the server declared it. */
  charset: string | undefined;
  bytes: Uint8Array;
}

/** Fetches a page. Throws kind `usage` for one that may not or cannot be read, kind `provider` for a failure that may
 * pass, and kind `interrupted`. */
export async function fetchPage(
  address: string,
  policy: WebPolicy,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const limit = AbortSignal.timeout(policy.timeoutMs);
  let url = allowedUrl(address, policy);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const answer = await ask(url, policy, signal, limit);
    if ("page" in answer) return answer.page;
    url = allowedUrl(answer.to, policy);
  }
  throw refusal(address, `it is redirected more than ${MAX_REDIRECTS} times`);
}

type Answer = { page: FetchedPage } | { to: string };

/** One request. The stream is ended in any case. */
function ask(url: URL, policy: WebPolicy, signal: AbortSignal, limit: AbortSignal): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const options: RequestOptions = {
    // One connection for one request, so that its address is always one that was looked at here.
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
  const request = get(url, options, (response) => {
    read(url, response, policy).then(resolve, reject);
  });
  const stop = AbortSignal.any([signal, limit]);
  const end = (): void => {
    reject(stopped(url, signal, policy));
    request.destroy();
  };
  stop.addEventListener("abort", end, { once: true });
  if (stop.aborted) end();
  request.on("error", (error) => reject(failure(url, error)));
  return promise
    .catch((error: unknown) => {
      throw error instanceof AtomsmithError ? error : failure(url, error);
    })
    .finally(() => {
      stop.removeEventListener("abort", end);
      request.destroy();
    });
}

/** Resolves a name, and refuses addresses that may not be connected to. The error of a lookup arrives wrapped, so the
 * refusal goes its own way. */
function guarded(url: URL, policy: WebPolicy, refuse: (error: AtomsmithError) => void): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error !== null) return callback(error, []);
      const bad = !policy.privateAddresses && addresses.some(({ address }) => isPrivate(address));
      if (bad || addresses.length === 0) {
        const refused = privateAddress(url.href);
        refuse(refused);
        return callback(refused, []);
      }
      callback(null, addresses);
    });
  };
}

async function read(url: URL, response: IncomingMessage, policy: WebPolicy): Promise<Answer> {
  const { statusCode = 0, headers } = response;
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
    if (!URL.canParse(headers.location, url)) throw refusal(url.href, "it is redirected to no address");
    return { to: new URL(headers.location, url).href };
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
    throw refusal(url.href, `it is ${type || "of no declared type"}; only ${[...TYPES].join(", ")} are read`);
  }
  if (!/^(?:identity)?$/i.test(headers["content-encoding"] ?? "")) {
    throw refusal(url.href, "the server compresses it although that was not asked for");
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
  return new AtomsmithError("provider", `${url.host} sent no whole page within ${timeoutMs / 1000} s`, {
    where: url.href,
    retryable: true,
  });
}

function failure(url: URL, error: unknown): AtomsmithError {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? "";
  const said = error instanceof Error ? error.message.split("\n")[0] : String(error);
  // A retry does not make an unknown host known.
  if (code === "ENOTFOUND") return refusal(url.href, `there is no host ${url.hostname}`);
  return new AtomsmithError("provider", `no page from ${url.host}: ${said}`, {
    where: url.href,
    retryable: true,
    cause: error,
  });
}
