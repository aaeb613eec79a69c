// Fetching pages from a real server on loopback: what is allowed, and the result of every response that is not a
// page.
import { afterAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import type { AtomsmithError } from "../../src/core/errors.ts";
import { isPrivate } from "../../src/web/address.ts";
import { fetchPage } from "../../src/web/fetch-page.ts";
import { allowedUrl, type WebPolicy } from "../../src/web/policy.ts";

const asked: string[] = [];
const html = { "content-type": 'text/html; charset="utf-8"' };
const server: Bun.Server<undefined> = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 60,
  fetch(request): Response | Promise<Response> {
    const { pathname } = new URL(request.url);
    asked.push(`${request.headers.get("host")}${pathname}`);
    switch (pathname) {
      case "/page":
        return new Response("<p>Hello</p>", { headers: html });
      case "/twice":
        return new Response(null, { status: 302, headers: { location: "/once" } });
      case "/once":
        return new Response(null, { status: 307, headers: { location: "page#part" } });
      case "/circle":
        return new Response(null, { status: 301, headers: { location: "/circle" } });
      case "/away":
        return new Response(null, {
          status: 302,
          headers: { location: `http://127.0.0.1:${other.port}/secret` },
        });
      case "/file":
        return new Response(null, { status: 302, headers: { location: "file:///etc/passwd" } });
      case "/name":
        return new Response(null, {
          status: 302,
          headers: { location: `http://localhost:${server.port}/page` },
        });
      case "/picture":
        return new Response("x", { headers: { "content-type": "image/png" } });
      case "/untyped":
        return new Response(new Uint8Array(3));
      case "/packed":
        return new Response(gzipSync("<p>x</p>"), { headers: { ...html, "content-encoding": "gzip" } });
      case "/busy":
        return new Response("", { status: 503 });
      case "/endless":
        return new Response(
          new ReadableStream({
            async pull(stream) {
              stream.enqueue(new Uint8Array(16_384).fill(97));
              await Bun.sleep(1);
            },
          }),
          { headers: html },
        );
      case "/silent":
        return new Promise<Response>(() => undefined);
      default:
        return new Response("", { status: 404 });
    }
  },
});
const other: Bun.Server<undefined> = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: () => {
    asked.push("other");
    return new Response("secret", { headers: html });
  },
});
afterAll(() => Promise.all([server.stop(true), other.stop(true)]));

const urlOf = (path: string): string => `http://127.0.0.1:${server.port}${path}`;
const policy = (change: Partial<WebPolicy> = {}): WebPolicy => ({
  hosts: [`127.0.0.1:${server.port}`],
  privateAddresses: true,
  maxBytes: 100_000,
  timeoutMs: 20_000,
  ...change,
});
const never = new AbortController().signal;

async function errorOf(url: string, change?: Partial<WebPolicy>, signal = never): Promise<AtomsmithError> {
  return fetchPage(url, policy(change), signal).then(
    () => {
      throw new Error("it was fetched");
    },
    (error) => error,
  );
}

test("a page is returned with its type and encoding, and redirects are followed within the allowed hosts", async () => {
  const page = await fetchPage(urlOf("/page"), policy(), never);
  expect(page).toMatchObject({ url: urlOf("/page"), type: "text/html", charset: "utf-8" });
  expect(Buffer.from(page.bytes).toString()).toBe("<p>Hello</p>");
  expect((await fetchPage(urlOf("/twice"), policy(), never)).url).toBe(urlOf("/page#part"));
});

describe("refused before a request is sent", () => {
  test.each([
    ["ftp://127.0.0.1/x", "the address must begin with"],
    ["file:///etc/passwd", "the address must begin with"],
    ["nonsense", "the address must begin with"],
    [`http://user:secret@127.0.0.1:${server.port}/page`, "its address contains a user or password"],
    [`http://localhost:${server.port}/page`, "are not fetched: allowed are"],
    ["http://127.0.0.1:1/page", "are not fetched"],
  ])("%s", async (url, said) => {
    const before = asked.length;
    const error = await errorOf(url);
    expect(error).toMatchObject({ kind: "usage" });
    expect(error.message).toContain(said);
    expect(asked).toHaveLength(before);
  });

  test("addresses of this machine are refused in any notation, or behind a name", async () => {
    const before = asked.length;
    const { port } = server;
    const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, `[::ffff:7f00:1]:${port}`];
    for (const host of ["127.0.0.1", "0x7f.1", "2130706433", "localhost", "[::1]", "[::ffff:127.0.0.1]"]) {
      const error = await errorOf(`http://${host}:${port}/page`, { hosts, privateAddresses: false });
      expect(error).toMatchObject({ kind: "usage" });
      expect(error.message).toContain("its host resolves to an address of this machine or its network");
    }
    expect(asked).toHaveLength(before);
  });
});

test("each hop of a redirect is checked", async () => {
  const before = asked.filter((one) => one === "other").length;
  expect((await errorOf(urlOf("/away"))).message).toContain(
    `pages of 127.0.0.1:${other.port} are not fetched`,
  );
  expect((await errorOf(urlOf("/file"))).message).toContain("the address must begin with");
  expect((await errorOf(urlOf("/circle"))).message).toContain("redirected more than 5 times");
  expect((await errorOf(urlOf("/name"))).message).toContain("are not fetched");
  const hosts = [`127.0.0.1:${server.port}`, `localhost:${server.port}`];
  expect((await fetchPage(urlOf("/name"), policy({ hosts }), never)).url).toContain("localhost");
  expect(asked.filter((one) => one === "other")).toHaveLength(before);
});

test("answers that are not pages are reported", async () => {
  for (const [path, said] of [
    ["/none", "answered with status 404"],
    ["/picture", "its content type is image/png; only text/html"],
    ["/untyped", "only text/html"],
    ["/packed", "compressed it, although"],
    ["/endless", "larger than 100000 bytes"],
  ] as const) {
    const error = await errorOf(urlOf(path));
    expect([path, error.kind]).toEqual([path, "usage"]);
    expect(error.message).toContain(said);
  }
  expect(await errorOf("http://no.such.invalid/", { hosts: ["no.such.invalid"] })).toMatchObject({
    kind: "usage",
  });
}, 30_000);

test("temporary errors are retryable, and time limit and interruption end a wait", async () => {
  expect(await errorOf(urlOf("/busy"))).toMatchObject({
    kind: "provider",
    details: { retryable: true, status: 503 },
  });
  const hosts = ["127.0.0.1:1"];
  expect(await errorOf("http://127.0.0.1:1/", { hosts })).toMatchObject({ details: { retryable: true } });
  const slow = await errorOf(urlOf("/silent"), { timeoutMs: 200 });
  expect(slow.message).toContain("did not send the whole page within 0.2 s");
  expect((await errorOf(urlOf("/endless"), { timeoutMs: 200, maxBytes: 10 ** 9 })).message).toContain(
    "within 0.2 s",
  );
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 50);
  expect(await errorOf(urlOf("/silent"), {}, stop.signal)).toMatchObject({ kind: "interrupted" });
}, 30_000);

test("hosts are matched by name, suffix and port", () => {
  const isAllowed = (url: string, hosts: string[]): boolean => {
    try {
      return allowedUrl(url, policy({ hosts })) !== undefined;
    } catch {
      return false;
    }
  };
  expect(isAllowed("https://a.example.org/x", ["*.example.org"])).toBe(true);
  expect(isAllowed("https://A.B.Example.org./x", ["*.example.org"])).toBe(true);
  expect(isAllowed("https://example.org/", ["*.example.org"])).toBe(false);
  expect(isAllowed("https://badexample.org/", ["*.example.org"])).toBe(false);
  expect(isAllowed("https://example.org.evil.net/", ["example.org"])).toBe(false);
  expect(isAllowed("https://example.org:8443/", ["example.org"])).toBe(false);
  expect(isAllowed("https://example.org:8443/", ["example.org:8443"])).toBe(true);
  expect(isAllowed("http://example.org/", ["example.org:443"])).toBe(false);
  expect(isAllowed("https://example.org/", [])).toBe(false);
});

test("private addresses are recognized", () => {
  const closed =
    "127.0.0.1 10.1.2.3 172.31.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255 ::1 :: fe80::1%eth0 fd00::1 ::ffff:8.8.8.8 64:ff9b::7f00:1 2002:7f00:1:: 2001::1 ff02::1 nonsense";
  for (const address of closed.split(" ")) expect([address, isPrivate(address)]).toEqual([address, true]);
  for (const address of ["8.8.8.8", "172.32.0.1", "2606:4700::1111", "[2a00:1450:4001::1]"])
    expect([address, isPrivate(address)]).toEqual([address, false]);
});
