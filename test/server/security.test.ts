// Access control: hosts, origins, tokens and paths, and hostile clients.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { type Served, serveFixtures } from "../support/serve.ts";

const TOKEN = "0123456789abcdef0123456789abcdef";
let open: Served;
let locked: Served;

beforeAll(async () => {
  open = await serveFixtures({ items: ["STA-03"] });
  locked = await serveFixtures({ token: TOKEN });
  expect((await open.job("generate", { item: "STA-03" })).exit_code).toBe(0);
}, 60_000);
afterAll(async () => {
  await open.drop();
  await locked.drop();
});

const urlOf = (server: Served, path: string) => new URL(path, server.url);
const status = async (server: Served, path: string, init?: RequestInit): Promise<number> =>
  (await fetch(urlOf(server, path), init)).status;

/** Sends raw bytes that a client library would not send. */
function sendRaw(server: Served, text: string, ms = 3_000): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(server.port, "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.on("data", (data) => {
      answer += String(data);
    });
    const end = (): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.on("close", end);
    socket.on("error", end);
    setTimeout(end, ms);
  });
}

describe("hosts and origins", () => {
  test("a foreign host name is refused, also for the page (DNS rebinding)", async () => {
    for (const host of [
      "evil.example",
      "127.0.0.1.evil.example",
      "",
      "localhost@evil.example",
      "[::ffff:1.2.3.4]",
    ]) {
      for (const path of ["/", "/status", "/openapi.json", "/mcp", "/nothing"]) {
        const answer = await sendRaw(
          open,
          `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
        );
        expect(answer).toMatch(/^HTTP\/1\.1 4(21|00)/);
      }
    }
    const good = await sendRaw(
      open,
      `GET /health HTTP/1.1\r\nHost: localhost:${open.port}\r\nConnection: close\r\n\r\n`,
    );
    expect(good).toStartWith("HTTP/1.1 200");
  });

  test("requests from other sites are refused, regardless of their content type", async () => {
    const body = JSON.stringify({ kind: "batch" });
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: `http://127.0.0.1:${open.port + 1}` },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ] as Record<string, string>[]) {
      for (const type of ["application/json", "text/plain"]) {
        const init = { method: "POST", headers: { ...headers, "content-type": type }, body };
        expect(await status(open, "/jobs", init)).toBe(403);
      }
      expect(await status(open, "/api/items", { headers })).toBe(403);
      expect(await status(open, "/mcp", { method: "POST", headers, body: "{}" })).toBe(403);
    }
    expect(await status(open, "/jobs", { method: "POST", body })).toBe(415);
    expect((await open.get<{ total: number }>("/jobs?kind=batch")).total).toBe(0);
  });

  test("the server's own page is allowed, and no response allows another origin", async () => {
    const origin = open.url.slice(0, -1);
    const response = await fetch(urlOf(open, "/status"), {
      headers: { origin, "sec-fetch-site": "same-origin" },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const preflight = await fetch(urlOf(open, "/jobs"), {
      method: "OPTIONS",
      headers: { origin: "https://evil.example" },
    });
    expect(preflight.status).toBe(403);
  });
});

describe("token", () => {
  test("everything except health, the page and its description requires it", async () => {
    for (const path of ["/status", "/metrics", "/api/items", "/api/events", "/jobs", "/api/checks", "/mcp"]) {
      expect(await status(locked, path)).toBe(401);
      for (const wrong of ["", "x", `${TOKEN}x`, TOKEN.slice(1), TOKEN.toUpperCase()]) {
        expect(await status(locked, path, { headers: { authorization: `Bearer ${wrong}` } })).toBe(401);
      }
    }
    for (const path of ["/health", "/ready", "/", "/app.js", "/openapi.json"])
      expect(await status(locked, path)).toBe(200);
    expect(await status(locked, "/status", { headers: { authorization: `Bearer ${TOKEN}` } })).toBe(200);
  });

  test("a browser gets a cookie for it that scripts and other sites cannot use", async () => {
    const login = (token: string) =>
      fetch(urlOf(locked, "/api/session"), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ token }),
      });
    expect((await login("wrong")).status).toBe(401);
    const cookie = (await login(TOKEN)).headers.get("set-cookie") ?? "";
    expect(cookie).toContain("HttpOnly");
    expect(cookie).toContain("SameSite=Strict");
    expect(cookie).not.toContain(TOKEN);
    const value = cookie.split(";")[0] ?? "";
    expect(await status(locked, "/status", { headers: { cookie: value } })).toBe(200);
    const [name, until, signature = ""] = value.split(/[=.]/);
    const later = `${name}=${Number(until) + 1}.${signature}`;
    const forged = `${name}=${until}.${"0".repeat(64)}`;
    for (const wrong of [later, forged])
      expect(await status(locked, "/status", { headers: { cookie: wrong } })).toBe(401);
  });

  test("without a token an address reachable by others is refused", async () => {
    await expect(serveFixtures({ host: "0.0.0.0" })).rejects.toThrow("a token is required");
  });
});

describe("paths", () => {
  test("only logs of the item are read, however the path is written", async () => {
    const { dir } = open;
    writeFileSync(join(dir, "secret.txt"), "secret");
    symlinkSync(join(dir, "secret.txt"), join(dir, "logs/sta/link.log"));
    mkdirSync(join(dir, "logs/other"));
    writeFileSync(join(dir, "logs/other/own.log"), "of nobody\n");
    const lines = (file: string) =>
      status(open, `/api/items/STA-03/logs/lines?file=${encodeURIComponent(file)}`);
    expect(await lines("sta/func_ss.log")).toBe(200);
    expect(await lines("./sta/../sta/func_ss.log")).toBe(200);
    for (const file of [
      "../secret.txt",
      join(dir, "secret.txt"),
      "sta/link.log",
      "other/own.log",
      "/etc/passwd",
      "sta/func_ss.log/../../../secret.txt",
      "sta/func_ss.log\0.txt",
      "..\\secret.txt",
      "",
    ]) {
      expect([400, 404]).toContain(await lines(file));
    }
  });

  test("ids cannot leave their folders", async () => {
    for (const id of ["..", "%2e%2e", "..%2f..%2fsecret", "%00", "a%2fb", "."]) {
      for (const path of [
        `/api/items/${id}`,
        `/api/items/${id}/atoms`,
        `/jobs/${id}/files/job.json`,
        `/api/checks/${id}`,
      ]) {
        expect([400, 404]).toContain(await status(open, path));
      }
    }
    const [job] = (await open.get<{ jobs: { id: string }[] }>("/jobs")).jobs;
    for (const name of ["job.json", "..%2f..%2flock", "..", "%2e%2e%2fjob.json"]) {
      expect([404]).toContain(await status(open, `/jobs/${job?.id}/files/${name}`));
    }
    expect(await status(open, `/api/events?run=${encodeURIComponent("../x")}`)).toBe(400);
  });

  test("an id that looks like a flag is not parsed as one", async () => {
    writeFileSync(join(open.dir, "items/--force_ItemSpec.md"), "# ItemSpec: --force\n");
    open.context.items.refresh();
    await open.context.items.settled();
    const { exit_code } = await open.job("resume", { item: "--force" });
    expect(exit_code).toBe(2);
  });
});

describe("limits", () => {
  test("a large body is refused, with or without a content length", async () => {
    const body = `{"kind":"${"x".repeat(2 ** 20 + 10)}"}`;
    const headers = { "content-type": "application/json" };
    expect(await status(open, "/jobs", { method: "POST", headers, body })).toBe(413);
    const stream = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 40; i += 1) controller.enqueue(Buffer.alloc(65_536, 32));
        controller.close();
      },
    });
    const chunked = await fetch(urlOf(open, "/jobs"), { method: "POST", headers, body: stream }).then(
      (response) => response.status,
      () => 0,
    );
    expect([413, 0]).toContain(chunked);
    expect(await status(open, "/health")).toBe(200);
  });

  test("slow and incomplete requests do not block others", async () => {
    const slow = Array.from({ length: 50 }, () =>
      sendRaw(open, "POST /jobs HTTP/1.1\r\nHost: localhost\r\nContent-Le", 1_500),
    );
    const before = performance.now();
    expect(await status(open, "/status")).toBe(200);
    expect(performance.now() - before).toBeLessThan(1_000);
    await Promise.all(slow);
  });

  test("invalid bodies and queries are problem documents", async () => {
    const headers = { "content-type": "application/json" };
    for (const [body, code] of [
      ["{", 400],
      ["[]", 400],
      ['{"kind":"nothing"}', 400],
      ['{"kind":"generate","params":{"item":"../x"}}', 400],
      ['{"kind":"generate","params":{"item":"NONE"}}', 404],
      ['{"kind":"check","params":{"baseline":"../../x"}}', 404],
      ['{"kind":"batch","params":{"__proto__":{"force":true},"x":1}}', 400],
    ] as const) {
      const response = await fetch(urlOf(open, "/jobs"), { method: "POST", headers, body });
      expect(response.status).toBe(code);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      expect(Object.keys((await response.json()) as object)).toContain("detail");
    }
    for (const query of ["limit=0", "limit=x", "offset=-1", "limit=1e9"]) {
      expect(await status(open, `/api/items?${query}`)).toBe(400);
    }
    expect(await status(open, "/jobs", { method: "DELETE" })).toBe(405);
    expect(await status(open, "/nothing")).toBe(404);
    expect(open.warnings).toEqual([]);
  });
});
