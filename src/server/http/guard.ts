// Access checks: the Host header against DNS rebinding, Origin and Sec-Fetch-Site against other sites, the token.
import { createHmac, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { sha256 } from "../../core/hash.ts";
import { refusal } from "./problem.ts";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
const COOKIE = "atomsmith_session";
/** Seconds that a session of a browser lasts. */
const SESSION_SECONDS = 12 * 60 * 60;

/** True when the address is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

export class Guard {
  private readonly hosts: ReadonlySet<string>;
  private readonly token: Buffer | undefined;
  private readonly sessionKey: string;

  constructor(options: { host: string; allowedHosts: readonly string[]; token: string | undefined }) {
    const { host, allowedHosts, token } = options;
    this.hosts = new Set([...namesOf(host), ...allowedHosts.map((name) => name.toLowerCase())]);
    this.token = token === undefined ? undefined : digest(token);
    this.sessionKey = token === undefined ? "" : sha256(`session ${token}`);
  }

  /** True when every request needs a token. */
  get needsToken(): boolean {
    return this.token !== undefined;
  }

  /** Throws a refusal for a request that another site may have caused.
   * @param open needs no token */
  check(request: Request, open: boolean): void {
    this.checkHost(request);
    this.checkOrigin(request);
    if (!open && !this.hasToken(request)) {
      throw refusal(401, "token required", "send it as: Authorization: Bearer TOKEN");
    }
  }

  /** The session cookie for a correct token; undefined for a wrong one. */
  sessionCookie(token: string): string | undefined {
    if (this.token === undefined || !timingSafeEqual(digest(token), this.token)) return undefined;
    const until = Math.floor(Date.now() / 1000) + SESSION_SECONDS;
    const value = `${until}.${this.sign(String(until))}`;
    return `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${SESSION_SECONDS}`;
  }

  hasToken(request: Request): boolean {
    if (this.token === undefined) return true;
    const bearer = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
    if (bearer !== undefined) return timingSafeEqual(digest(bearer), this.token);
    const [, until, signature] =
      new RegExp(`(?:^|; )${COOKIE}=(\\d{1,12})\\.([0-9a-f]{64})(?:;|$)`).exec(
        request.headers.get("cookie") ?? "",
      ) ?? [];
    if (until === undefined || signature === undefined) return false;
    const valid = timingSafeEqual(Buffer.from(signature), Buffer.from(this.sign(until)));
    return valid && Number(until) * 1000 > Date.now();
  }

  private checkHost(request: Request): void {
    const name = nameOf(request.headers.get("host") ?? "");
    if (name !== undefined && this.hosts.has(name)) return;
    throw refusal(421, "unknown host name", "add it with: serve --allow-host NAME");
  }

  /** Browsers send the origin of a request; other programs do not, and need no such protection. */
  private checkOrigin(request: Request): void {
    const origin = request.headers.get("origin");
    const site = request.headers.get("sec-fetch-site");
    const host = request.headers.get("host") ?? "";
    // Links on other sites may open the page itself.
    const opensPage = request.method === "GET" && request.headers.get("sec-fetch-mode") === "navigate";
    const foreignSite = site !== null && site !== "same-origin" && site !== "none" && !opensPage;
    if (foreignSite || (origin !== null && hostOf(origin) !== host.toLowerCase())) {
      throw refusal(403, "requests from other sites are refused");
    }
  }

  private sign(text: string): string {
    return createHmac("sha256", this.sessionKey).update(text).digest("hex");
  }
}

/** Host names of a bound address. */
function namesOf(host: string): string[] {
  if (isLoopback(host)) return [...LOOPBACK, shownHost(host)];
  if (host !== "0.0.0.0" && host !== "::") return [shownHost(host)];
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return [...LOOPBACK, ...own.map(({ address }) => shownHost(address))];
}

/** A host as written in a URL. */
export function shownHost(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host.toLowerCase();
}

function nameOf(header: string): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/.exec(header.toLowerCase())?.[1];
}

function hostOf(origin: string): string | undefined {
  return /^https?:\/\/([^/]+)$/.exec(origin.toLowerCase())?.[1];
}

/** Gives both sides equal lengths for the comparison in constant time. */
function digest(token: string): Buffer {
  return createHmac("sha256", "atomsmith token").update(token).digest();
}
