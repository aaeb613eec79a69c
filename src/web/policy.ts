// Which addresses of pages the configuration allows.
import { AtomsmithError } from "../core/errors.ts";
import { isPrivate } from "./address.ts";

export interface WebPolicy {
  /** `docs.example.org`, `*.example.org`, either with `:port`. Without a port: 80 and 443. */
  hosts: readonly string[];
  /** Are addresses of this machine and its network allowed? */
  privateAddresses: boolean;
  maxBytes: number;
  timeoutMs: number;
}

/** The address of a page. Throws kind `usage` for one that may not be fetched, with the reason. */
export function allowedUrl(text: string, policy: WebPolicy): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw refusal(text, "only addresses that begin with http:// or https:// are fetched");
  }
  if (url.username !== "" || url.password !== "")
    throw refusal(url.host, "its address holds a user or a password");
  if (!policy.hosts.some((host) => isOfHost(url, host))) {
    const known = policy.hosts.length === 0 ? "none is allowed" : `allowed are ${policy.hosts.join(", ")}`;
    throw refusal(url.href, `pages of ${url.host} are not fetched: ${known} (loops.agent.web.hosts)`);
  }
  const isAddress = /^[\d.]+$|^\[/.test(url.hostname);
  if (isAddress && !policy.privateAddresses && isPrivate(url.hostname)) throw privateAddress(url.href);
  return url;
}

/** Would a page of this address be fetched? Its name is not looked up. */
export function isAllowed(url: string, policy: WebPolicy): boolean {
  try {
    allowedUrl(url, policy);
    return true;
  } catch (error) {
    if (error instanceof AtomsmithError) return false;
    throw error;
  }
}

/** The error of a page that may not be fetched. */
export function refusal(url: string, reason: string): AtomsmithError {
  return new AtomsmithError("usage", `cannot fetch ${url.slice(0, 300)}: ${reason}`, {
    where: url.slice(0, 300),
  });
}

export function privateAddress(url: string): AtomsmithError {
  return refusal(url, "its host has an address of this machine or its network");
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
