// The HTML page: its content without a browser, and its behaviour in headless Chromium.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { escapeHtml } from "../../src/report/escape.ts";
import { compareWithBaseline, parseBaseline, renderRunPage } from "../../src/report/index.ts";
import { Browser } from "./chromium.ts";
import { failing, foundItem, HOSTILE, item, run } from "./data.ts";

const page = renderRunPage(run());

describe("the document", () => {
  test("it loads nothing and allows its own script only", () => {
    expect(page).toStartWith("<!doctype html>");
    expect(page).toContain("default-src 'none'");
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(/<(link|img|iframe|object|embed|base|form)\b/i.test(page)).toBe(false);
    expect(/\b(src|href)="(?!#)/.test(page)).toBe(false);
    expect(/url\(|@import|https?:/.test(page)).toBe(false);
    expect(/ on[a-z]+="/.test(page.replaceAll("&quot;", ""))).toBe(false);
  });
  test("it is valid UTF-8 without control or bidirectional characters", () => {
    expect(/[\u0000-\u0008\u000b-\u001f\u202a-\u202e]/.test(page)).toBe(false);
    expect(Buffer.from(page).toString("utf8")).toBe(page);
  });
  test("the worst results come first, and the title counts them", () => {
    const ids = [...page.matchAll(/<details class="item" id="item-([^"]+)"/g)].map((m) => m[1]);
    expect(ids).toEqual(["ERR-1", "FAIL-1", "PASS-1", "GLOBAL-1"]);
    expect(page).toContain("<title>Check results: 1 could not be judged, 1 failed, 2 passed</title>");
  });
  test("evidence is shown with its line in context, waivers with reasons, and searched files", () => {
    expect(page).toContain('<tr class="hit"><th scope="row">2</th><td>item: alpha</td></tr>');
    expect(page).toContain("known bug");
    expect(page).toContain("Waivers that matched nothing");
    expect(page).toContain("Searched: 1 file");
    expect(page).toContain("Searched in</b> 2 files");
  });
  test("the author's declarations are shown with their quotes", () => {
    const declared = ['records: distinct ("each name <once>")', "extra: fail (the page is silent)"];
    const text = renderRunPage(run([item("ID", {}, { declared })]));
    for (const line of declared) expect(text).toContain(escapeHtml(line));
  });
  test("unverified sets are announced at the top", () => {
    expect(page).toContain("1 of 4 sets were run unverified");
  });
  test("a list of thousands is cut with a note", () => {
    const many = item("MANY", {
      result: {
        status: "PASS",
        found_items: Array.from({ length: 5000 }, (_, i) => foundItem(`v${i}`)),
        missing_items: [],
        extra_items: [],
        waived: [],
        unused_waivers: [],
      },
    });
    const text = renderRunPage(run([many]));
    expect(text).toContain("… and 4900 more.");
    expect(text.length).toBeLessThan(400_000);
  });
  test("a comparison with an earlier run is shown", () => {
    const before = structuredClone(failing.result);
    const extra = before.result?.extra_items;
    before.outcome = "pass";
    extra?.splice(0);
    const baseline = parseBaseline(JSON.stringify({ results: [before] }), "old.json");
    const current = run([failing]);
    const text = renderRunPage({
      ...current,
      comparison: compareWithBaseline(current.items, baseline, "old.json"),
    });
    expect(text).toContain("1 newly failing");
    expect(text).toContain("New since the earlier run (previous outcome: pass)");
  });
  test("a check without items has a page", () =>
    expect(renderRunPage(run([]))).toContain("No item matches."));
});

describe("in Chromium", () => {
  let folder: string;
  let browser: Browser;
  let url: string;
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "atomsmith-page-")));
    const path = join(folder, "page.html");
    writeFileSync(path, page);
    url = pathToFileURL(path).href;
    browser = await Browser.start();
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const visible = () =>
    browser.evaluate<string[]>(
      `[...document.querySelectorAll("details.item")].filter((d) => d.offsetParent !== null).map((d) => d.id.slice(5))`,
    );

  test("the page opens from a file without errors or requests, and runs nothing of a log", async () => {
    await browser.resize(1280, 900);
    await browser.open(url);
    await browser.evaluate(`document.getElementById("open").click()`);
    expect(await browser.evaluate("document.title")).toStartWith("Check results");
    expect(await browser.evaluate("document.scripts.length + document.images.length")).toBe(1);
    expect(
      await browser.evaluate<string>(`document.querySelector("#item-FAIL-1 .entry .text").textContent`),
    ).toContain("<img src=x");
    expect(browser.requests()).toEqual([url]);
    expect(browser.complaints()).toEqual([]);
  });
  test("results are filtered by outcome and by text, and the number shown is stated", async () => {
    await browser.open(url);
    expect(await visible()).toEqual(["ERR-1", "FAIL-1", "PASS-1", "GLOBAL-1"]);
    await browser.evaluate(`document.querySelector('[data-status="pass"]').click()`);
    expect(await visible()).toEqual(["PASS-1", "GLOBAL-1"]);
    expect(
      await browser.evaluate(`document.querySelector('[data-status="pass"]').getAttribute("aria-pressed")`),
    ).toBe("true");
    expect(await browser.evaluate(`document.getElementById("shown").textContent`)).toBe("2 of 4 shown");
    await browser.evaluate(`document.querySelector('[data-status="pass"]').click()`);
    await browser.press("/");
    for (const char of "known BUG") await browser.press(char);
    expect(await visible()).toEqual(["FAIL-1"]);
    for (const char of "zzz") await browser.press(char);
    expect(await visible()).toEqual([]);
    expect(await browser.evaluate(`document.getElementById("empty").hidden`)).toBe(false);
    await browser.press("Escape");
    expect(await visible()).toHaveLength(4);
  });
  test("every item can be reached, opened and left by keyboard", async () => {
    await browser.open(url);
    const reached: string[] = [];
    for (let i = 0; i < 14; i += 1) {
      await browser.press("Tab");
      reached.push(
        await browser.evaluate<string>(
          `document.activeElement.closest("details")?.id ?? document.activeElement.id ?? ""`,
        ),
      );
    }
    for (const id of ["search", "open", "close", "item-ERR-1", "item-FAIL-1", "item-PASS-1"])
      expect(reached).toContain(id);
    await browser.evaluate(`document.querySelector("#item-ERR-1 summary").focus()`);
    await browser.press("ArrowDown");
    expect(await browser.evaluate(`document.activeElement.closest("details").id`)).toBe("item-FAIL-1");
    await browser.press("Enter");
    expect(await browser.evaluate(`document.getElementById("item-FAIL-1").open`)).toBe(true);
    const outline = await browser.evaluate<string>(`getComputedStyle(document.activeElement).outlineStyle`);
    expect(outline).not.toBe("none");
  });
  test("a link to one item opens it", async () => {
    await browser.open("about:blank");
    await browser.open(`${url}#item-PASS-1`);
    expect(await browser.evaluate(`document.getElementById("item-PASS-1").open`)).toBe(true);
  });
  test("nothing overflows the page in a narrow window", async () => {
    await browser.resize(360, 740);
    await browser.open(url);
    await browser.evaluate(`document.getElementById("open").click()`);
    expect(await browser.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await browser.resize(1280, 900);
  });
  test("scrolling boxes can be reached by keyboard, others are not tab stops", async () => {
    await browser.resize(420, 800);
    await browser.open(url);
    await browser.evaluate(`document.getElementById("open").click()`);
    await browser.evaluate(`new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))`);
    const boxes = await browser.evaluate<{ scrolls: boolean; stop: boolean }[]>(
      `[...document.querySelectorAll(".context")].map((b) => ({ scrolls: b.scrollWidth > b.clientWidth, stop: b.tabIndex === 0 }))`,
    );
    expect(boxes.some((box) => box.scrolls)).toBe(true);
    for (const box of boxes) expect(box.stop).toBe(box.scrolls);
    await browser.resize(1280, 900);
  });
  test("screen readers get landmarks, headings, named controls and an announced count", async () => {
    await browser.open(url);
    await browser.evaluate(`document.getElementById("open").click()`);
    const { nodes } = (await browser.send("Accessibility.getFullAXTree")) as {
      nodes: { ignored: boolean; role?: { value: string }; name?: { value: string } }[];
    };
    const named = (role: string) =>
      nodes.filter((n) => !n.ignored && n.role?.value === role).map((n) => n.name?.value ?? "");
    for (const role of ["banner", "navigation", "main", "contentinfo", "status"])
      expect(named(role)).toHaveLength(1);
    expect(named("searchbox")).toEqual(["Search the results"]);
    expect(named("button").every((name) => name.trim() !== "")).toBe(true);
    expect(named("heading")).toContain("Missing 1");
    expect(named("group")).toContain("Lines of logs/a.log:2");
  });
  test("colours have enough contrast, light and dark", async () => {
    for (const scheme of ["light", "dark"]) {
      await browser.send("Emulation.setEmulatedMedia", {
        features: [{ name: "prefers-color-scheme", value: scheme }],
      });
      await browser.open(url);
      await browser.evaluate(`document.getElementById("open").click()`);
      const worst = await browser.evaluate<{ ratio: number; what: string }>(CONTRAST);
      expect(`${scheme} ${worst.what} ${worst.ratio < 4.5 ? worst.ratio : "ok"}`).toBe(
        `${scheme} ${worst.what} ok`,
      );
    }
    await browser.send("Emulation.setEmulatedMedia", { features: [] });
  });
  test("everything is open and controls are hidden in print", async () => {
    await browser.open(url);
    await browser.send("Emulation.setEmulatedMedia", { media: "print" });
    await browser.evaluate(`dispatchEvent(new Event("beforeprint"))`);
    expect(
      await browser.evaluate(`[...document.querySelectorAll("details.item")].every((d) => d.open)`),
    ).toBe(true);
    expect(await browser.evaluate(`getComputedStyle(document.querySelector(".bar")).display`)).toBe("none");
    await browser.evaluate(`dispatchEvent(new Event("afterprint"))`);
    expect(await browser.evaluate(`[...document.querySelectorAll("details.item")].some((d) => d.open)`)).toBe(
      false,
    );
    await browser.send("Emulation.setEmulatedMedia", { media: "" });
    const { data } = await browser.send("Page.printToPDF", {});
    expect(Buffer.from(String(data), "base64").subarray(0, 5).toString()).toBe("%PDF-");
  });
  test("everything can be read without the script", async () => {
    await browser.send("Emulation.setScriptExecutionDisabled", { value: true });
    await browser.open(url);
    const { nodes } = (await browser.send("Accessibility.getFullAXTree")) as {
      nodes: { role?: { value: string } }[];
    };
    await browser.send("Emulation.setScriptExecutionDisabled", { value: false });
    expect(nodes.filter((n) => n.role?.value === "searchbox")).toEqual([]);
    expect(await visible()).toHaveLength(4);
  });
});

/** The lowest contrast between a text and its background (WCAG 2.1, 1.4.3). */
const CONTRAST = `(() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => { const c = v / 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; })
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (el) => { for (let e = el; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] === 1) return c; } return [255, 255, 255]; };
  let worst = { ratio: 99, what: "" };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n = walker.nextNode(); n; n = walker.nextNode()) {
    const el = n.parentElement;
    if (!n.textContent.trim() || ["SCRIPT", "STYLE"].includes(el.tagName) || el.getClientRects().length === 0) continue;
    const a = light(rgb(getComputedStyle(el).color)), b = light(behind(el));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < worst.ratio) worst = { ratio, what: el.tagName + "." + el.className };
  }
  return worst;
})()`;

test("the hostile texts of these tests would be harmful unescaped", () => {
  expect(HOSTILE).toContain("</script><script>");
  expect(page).not.toContain("</script><script>document");
});
