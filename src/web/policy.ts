// The addresses of pages that the configuration allows.
import { AtomsmithError } from "../core/errors.ts";
import { isPrivate } from "./address.ts";

export interface WebPolicy {
  /** `docs.example.org`, `*.example.org`, either with `:port`. Without a port: 80 and 443. */
  hosts: readonly string[];
  /** Whether addresses of this machine and its network are allowed. */
  privateAddresses: boolean;
  maxBytes: number;
  timeoutMs: number;
}

/** Parses the address of a page. Throws kind `usage`, with the reason, for one that may not be fetched. */
export function allowedUrl(text: string, policy: WebPolicy): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw refusal(text, "the address must begin with http:// or https://");
  }
  if (url.username !== "" || url.password !== "")
    throw refusal(url.host, "its address contains a user or password");
  if (!policy.hosts.some((host) => isOfHost(url, host))) {
    const known = policy.hosts.length === 0 ? "none is allowed" : `allowed are ${policy.hosts.join(", ")}`;
    throw refusal(url.href, `pages of ${url.host} are not fetched: ${known} (loops.agent.web.hosts)`);
  }
  const isAddress = /^[\d.]+$|^\[/.test(url.hostname);
  if (isAddress && !policy.privateAddresses && isPrivate(url.hostname)) throw privateAddress(url.href);
  return url;
}

/** Whether an address may be fetched. The host name is not resolved. */
export function isAllowed(url: string, policy: WebPolicy): boolean {
  try {
    allowedUrl(url, policy);
    return true;
  } catch (error) {
    if (error instanceof AtomsmithError) return false;
    throw error;
  }
}

/** The error for a page that may not be fetched. */
export function refusal(url: string, reason: string): AtomsmithError {
  return new AtomsmithError("usage", `cannot fetch ${url.slice(0, 300)}: ${reason}`, {
    where: url.slice(0, 300),
  });
}

export function privateAddress(url: string): AtomsmithError {
  return refusal(url, "its host resolves to an address of this machine or its network");
}

function isOfHost(url: URL, pattern: string): boolean {
  const [, host = "", port] = /^(.*?)(?::(\d+))?$/.exec(pattern.toLowerCase()) ?? [];
  if (port === undefined ? url.port !== "" : effectivePort(url) !== port) return false;
  const name = url.hostname.replace(/\.$/, "");
  return host.startsWith("*.") ? name.endsWith(host.slice(1)) && name.length >= host.length : name === host;
}

function effectivePort({ port, protocol }: URL): string {
  return port === "" ? (protocol === "https:" ? "443" : "80") : port;
}
