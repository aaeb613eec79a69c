// Headless Chromium over its DevTools protocol, as far as the page tests need it. Where no Chromium is installed
// `findChromium` gives nothing, and the tests say that they were skipped.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function findChromium(): string | null {
  const named = process.env["CHROMIUM"];
  if (named !== undefined && named !== "") return named;
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
  const found = names.map((name) => Bun.which(name)).find((path) => path !== null) ?? null;
  // Some systems have a command of this name that only tells how to install it.
  return found !== null && Bun.spawnSync([found, "--version"]).exitCode === 0 ? found : null;
}

type Params = Record<string, unknown>;

/** One browser with one page. Close it. */
export class Browser {
  private readonly process: Bun.Subprocess;
  private readonly socket: WebSocket;
  private readonly profile: string;
  private session = "";
  private last = 0;
  private readonly waiting = new Map<
    number,
    { resolve: (value: Params) => void; reject: (e: Error) => void }
  >();
  private readonly events: { method: string; params: Params }[] = [];
  private readonly listeners = new Set<() => void>();

  private constructor(process: Bun.Subprocess, socket: WebSocket, profile: string) {
    this.process = process;
    this.socket = socket;
    this.profile = profile;
    socket.onmessage = (message) => this.receive(JSON.parse(String(message.data)) as Params);
  }

  static async start(path: string): Promise<Browser> {
    const profile = mkdtempSync(join(tmpdir(), "atomsmith-chromium-"));
    const flags = [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--no-first-run",
    ];
    const child = Bun.spawn(
      [path, ...flags, "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"],
      {
        stdout: "ignore",
        stderr: "pipe",
        env: { ...process.env, HOME: profile },
      },
    );
    const address = await readAddress(child.stderr);
    const socket = new WebSocket(address);
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = () => reject(new Error("no connection to Chromium"));
    });
    const browser = new Browser(child, socket, profile);
    const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
    browser.session = String(sessionId);
    for (const domain of ["Page", "Runtime", "Log", "Network", "Accessibility"])
      await browser.send(`${domain}.enable`);
    return browser;
  }

  send(method: string, params: Params = {}): Promise<Params> {
    this.last += 1;
    const id = this.last;
    const session = this.session === "" ? {} : { sessionId: this.session };
    this.socket.send(JSON.stringify({ id, method, params, ...session }));
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  async open(url: string): Promise<void> {
    this.events.length = 0;
    await this.send("Page.navigate", { url });
    await this.event("Page.loadEventFired");
  }

  /** Value of an expression in the page. */
  async evaluate<T>(expression: string): Promise<T> {
    const answer = await this.send("Runtime.evaluate", {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    if (answer["exceptionDetails"] !== undefined) throw new Error(JSON.stringify(answer["exceptionDetails"]));
    return (answer["result"] as { value: T }).value;
  }

  async press(key: string, text?: string): Promise<void> {
    const codes: Record<string, number> = {
      Tab: 9,
      Enter: 13,
      Escape: 27,
      ArrowUp: 38,
      ArrowDown: 40,
      " ": 32,
    };
    const shared = { key, windowsVirtualKeyCode: codes[key] ?? key.toUpperCase().charCodeAt(0) };
    const typed = text ?? (key === "Enter" ? "\r" : key.length === 1 ? key : undefined);
    await this.send("Input.dispatchKeyEvent", {
      type: "keyDown",
      ...shared,
      ...(typed ? { text: typed } : {}),
    });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...shared });
  }

  async resize(width: number, height: number): Promise<void> {
    await this.send("Emulation.setDeviceMetricsOverride", {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: false,
    });
  }

  async screenshot(path: string): Promise<void> {
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    await Bun.write(path, Buffer.from(String(data), "base64"));
  }

  /** Complaints of the page since it was opened: console, blocked content, exceptions. */
  complaints(): string[] {
    return this.events
      .filter(({ method }) =>
        ["Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"].includes(method),
      )
      .map(({ params }) => JSON.stringify(params));
  }

  /** Addresses that the page asked for. */
  requests(): string[] {
    return this.events
      .filter(({ method }) => method === "Network.requestWillBeSent")
      .map(({ params }) => (params["request"] as { url: string }).url);
  }

  async close(): Promise<void> {
    this.socket.close();
    this.process.kill("SIGKILL");
    await this.process.exited;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  private async event(method: string): Promise<void> {
    while (!this.events.some((event) => event.method === method)) {
      await new Promise<void>((resolve) => {
        const listener = () => {
          this.listeners.delete(listener);
          resolve();
        };
        this.listeners.add(listener);
      });
    }
  }

  private receive(message: Params): void {
    const id = message["id"];
    if (typeof id === "number") {
      const waiting = this.waiting.get(id);
      this.waiting.delete(id);
      if (message["error"] !== undefined) waiting?.reject(new Error(JSON.stringify(message["error"])));
      else waiting?.resolve((message["result"] ?? {}) as Params);
      return;
    }
    this.events.push({ method: String(message["method"]), params: (message["params"] ?? {}) as Params });
    for (const listener of [...this.listeners]) listener();
  }
}

async function readAddress(stderr: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stderr.getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`Chromium ended: ${text.slice(0, 500)}`);
    text += new TextDecoder().decode(value);
    const address = /DevTools listening on (ws:\S+)/.exec(text)?.[1];
    if (address === undefined) continue;
    // Goes on reading, so that Chromium never waits for a full pipe.
    void (async () => {
      while (!(await reader.read()).done);
    })().catch(() => undefined);
    return address;
  }
}
