// A report in the Chromium of test/support/chromium.ts: one page with its requests and errors.
import type { CDPSession, Browser as Chromium, Page } from "playwright-core";
import { startChromium } from "../support/chromium.ts";

/** A browser with one page. Must be closed. */
export class Browser {
  private readonly chromium: Chromium;
  private readonly page: Page;
  private readonly session: CDPSession;
  private asked: string[] = [];
  private said: string[] = [];

  private constructor(chromium: Chromium, page: Page, session: CDPSession) {
    this.chromium = chromium;
    this.page = page;
    this.session = session;
    page.on("request", (request) => this.asked.push(request.url()));
    page.on("console", (message) => this.said.push(message.text()));
    page.on("pageerror", (error) => this.said.push(String(error)));
    session.on("Log.entryAdded", ({ entry }) => this.said.push(entry.text));
  }

  static async start(): Promise<Browser> {
    const chromium = await startChromium();
    const page = await chromium.newPage();
    const session = await page.context().newCDPSession(page);
    for (const domain of ["Log.enable", "Accessibility.enable"] as const) await session.send(domain);
    return new Browser(chromium, page, session);
  }

  /** Sends a command of the DevTools protocol. */
  send: CDPSession["send"] = (method, params) => this.session.send(method, params);

  async open(url: string): Promise<void> {
    this.asked = [];
    this.said = [];
    await this.page.goto(url);
  }

  /** Returns the value of an expression in the page. */
  evaluate<T>(expression: string): Promise<T> {
    return this.page.evaluate<T>(expression);
  }

  press(key: string): Promise<void> {
    return this.page.keyboard.press(key);
  }

  resize(width: number, height: number): Promise<void> {
    return this.page.setViewportSize({ width, height });
  }

  /** Errors of the page since it was opened: console, blocked content, exceptions. */
  complaints(): string[] {
    return this.said;
  }

  /** Addresses requested by the page since it was opened. */
  requests(): string[] {
    return this.asked;
  }

  close(): Promise<void> {
    return this.chromium.close();
  }
}
