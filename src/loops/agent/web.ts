// Web access of a job: none unless the configuration names a search server or hosts.
import type { Config } from "../../config/schema.ts";
import type { Redact } from "../../core/redact/index.ts";
import { type FetchedPage, fetchPage } from "../../web/fetch-page.ts";
import { isAllowed, type WebPolicy } from "../../web/policy.ts";
import { searchWeb, type WebHit } from "../../web/search.ts";

export interface WebAccess {
  /** Undefined when no server is configured. */
  search: ((query: string, maxResults: number, signal: AbortSignal) => Promise<WebHit[]>) | undefined;
  /** Throws kind `usage` for a page that may not be fetched. */
  fetch(url: string, signal: AbortSignal): Promise<FetchedPage>;
  /** True when pages of this host may be fetched. */
  isAllowed(url: string): boolean;
}

/** @param redact masks secrets in a query before it leaves the machine */
export function webAccess(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
  redact: Redact,
): WebAccess {
  const { search_url, api_key_env, hosts, private_addresses, max_bytes, timeout_seconds } =
    config.loops.agent.web;
  const timeoutMs = timeout_seconds * 1000;
  const policy: WebPolicy = { hosts, privateAddresses: private_addresses, maxBytes: max_bytes, timeoutMs };
  const apiKey = api_key_env === undefined ? undefined : env[api_key_env]?.trim();
  return {
    search:
      search_url === undefined
        ? undefined
        : (query, maxResults, signal) =>
            searchWeb(redact(query), maxResults, { baseUrl: search_url, apiKey, timeoutMs }, signal),
    fetch: (url, signal) => fetchPage(url, policy, signal),
    isAllowed: (url) => isAllowed(url, policy),
  };
}
