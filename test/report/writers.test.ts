// JUnit, SARIF, YAML and text reports: counts and locations are correct, all text is escaped, the data is not
// modified.
import { describe, expect, test } from "bun:test";
import { parse } from "yaml";
import { escapeHtml } from "../../src/report/escape.ts";
import {
  compareWithBaseline,
  newlyBroken,
  oneLine,
  parseBaseline,
  renderItemLog,
  renderItemReport,
  renderJunit,
  renderRunJunit,
  renderRunSarif,
  renderSummaryYaml,
  visible,
  xml,
} from "../../src/report/index.ts";
import { broken, failing, foundItem, globally, HOSTILE, item, missingItem, run } from "./data.ts";

/** A minimal strict XML reader: throws for anything that is not well-formed. */
function readXml(text: string): { name: string; attributes: Record<string, string>; depth: number }[] {
  expect(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text)).toBe(false);
  const elements: { name: string; attributes: Record<string, string>; depth: number }[] = [];
  const open: string[] = [];
  const body = text.replace(/^<\?xml[^?]*\?>\n/, "");
  const token = /<(\/?)([a-z-]+)((?: [a-z-]+="[^"<]*")*)(\/?)>|([^<]+)/gy;
  let offset = 0;
  while (offset < body.length) {
    token.lastIndex = offset;
    const m = token.exec(body);
    if (m === null) throw new Error(`not well-formed at: ${body.slice(offset, offset + 80)}`);
    offset = token.lastIndex;
    const [, close, name, attributes, selfClosed, content] = m;
    if (content !== undefined || name === undefined) {
      if (/&(?!(amp|lt|gt|quot|#\d+);)/.test(content ?? "")) throw new Error(`a bare & in ${content}`);
      continue;
    }
    if (close === "/") {
      if (open.pop() !== name) throw new Error(`${name} closes nothing`);
      continue;
    }
    const pairs = [...(attributes ?? "").matchAll(/ ([a-z-]+)="([^"]*)"/g)].map((a) => [
      a[1] ?? "",
      a[2] ?? "",
    ]);
    elements.push({ name, attributes: Object.fromEntries(pairs), depth: open.length });
    if (selfClosed !== "/") open.push(name);
  }
  if (open.length > 0) throw new Error(`${open.join(", ")} left open`);
  return elements;
}

test("the author's declarations are in the report of an item", () => {
  const declared = ['records: distinct ("each name <once>")', "extra: fail (the page is silent)"];
  const text = renderItemReport(item("ID", {}, { declared }), run());
  for (const line of declared) expect(text).toContain(line);
});

describe("escaping", () => {
  test("control characters, overrides and lone surrogates become visible", () => {
    expect(visible("a\u001b[31m\u0000\t\n\u202e\ud800b\u0085")).toBe("a␛[31m␀\t\n⟨U+202E⟩\ufffdb⟨U+0085⟩");
    expect(visible("😀 漢字 é")).toBe("😀 漢字 é");
    expect(oneLine("a\nb\tc")).toBe("a␊b c");
  });
  test("HTML and XML", () => {
    expect(escapeHtml(`<a href="x" onclick='y'>&\``)).toBe(
      "&lt;a href=&quot;x&quot; onclick=&#39;y&#39;&gt;&amp;&#96;",
    );
    expect(xml("]]><![CDATA[")).toBe("]]&gt;&lt;![CDATA[");
  });
});

describe("JUnit", () => {
  const text = renderRunJunit(run());
  const elements = readXml(text);
  const cases = elements.filter((e) => e.name === "testcase");
  test("there is one case per item, and the counts are right", () => {
    expect(cases.map((c) => c.attributes["name"])).toEqual(["PASS-1", "FAIL-1", "ERR-1", "GLOBAL-1"]);
    for (const name of ["testsuites", "testsuite"]) {
      const counts = elements.find((e) => e.name === name)?.attributes;
      expect(counts).toMatchObject({ tests: "4", failures: "1", errors: "1", skipped: "0" });
    }
    expect(elements.filter((e) => e.name === "failure")).toHaveLength(1);
    expect(elements.filter((e) => e.name === "error")).toHaveLength(1);
    expect(cases[0]?.attributes["time"]).toBe("0.012");
  });
  test("the message states the reason of the outcome", () => {
    expect(elements.find((e) => e.name === "failure")?.attributes["message"]).toStartWith("missing \u201c");
    expect(elements.find((e) => e.name === "error")?.attributes["message"]).toMatch(
      /^logs\/no.log:7: There is no such file/,
    );
  });
  test("a huge text is cut with a note", () => {
    const one = {
      name: "n",
      classname: "c",
      time: 0,
      outcome: "failure" as const,
      message: "m",
      details: "é".repeat(200_000),
    };
    const big = renderJunit([{ name: "s", timestamp: "t", time: 0, cases: [one] }]);
    readXml(big);
    expect(big.length).toBeLessThan(80_000);
    expect(big).toContain("400000 bytes in all");
  });
});

describe("SARIF 2.1.0", () => {
  const document = renderRunSarif(run()) as {
    version: string;
    runs: {
      tool: { driver: { name: string; rules: { id: string }[] } };
      invocations: { executionSuccessful: boolean }[];
      originalUriBaseIds: Record<string, { uri: string }>;
      results: {
        ruleId: string;
        ruleIndex: number;
        level: string;
        message: { text: string };
        locations?: {
          physicalLocation: {
            artifactLocation: { uri: string; uriBaseId?: string };
            region?: { startLine: number; snippet?: { text: string } };
          };
        }[];
        suppressions?: { kind: string; justification: string }[];
        partialFingerprints: Record<string, string>;
      }[];
    }[];
  };
  const sarif = document.runs[0];
  if (sarif === undefined) throw new Error("no run");
  test("version, rules and root are stated", () => {
    expect(document.version).toBe("2.1.0");
    expect(sarif.tool.driver.name).toBe("atomsmith");
    expect(sarif.originalUriBaseIds["SEARCH_ROOT"]?.uri).toBe("file:///srv/");
    expect(sarif.invocations[0]?.executionSuccessful).toBe(false);
    for (const result of sarif.results)
      expect(sarif.tool.driver.rules[result.ruleIndex]?.id).toBe(result.ruleId);
  });
  test("violations are errors with file and line below the root", () => {
    const errors = sarif.results.filter((r) => r.ruleId === "FAIL-1" && r.level === "error");
    expect(errors).toHaveLength(2);
    expect(errors[1]?.locations?.[0]?.physicalLocation).toMatchObject({
      artifactLocation: { uri: "logs/a.log", uriBaseId: "SEARCH_ROOT" },
      region: { startLine: 3 },
    });
    expect(errors[0]?.locations?.[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: "logs/a.log", uriBaseId: "SEARCH_ROOT" },
    });
  });
  test("a waived violation is a suppressed note with its reason", () => {
    const waived = sarif.results.filter((r) => r.suppressions !== undefined);
    expect(waived.map((w) => [w.ruleId, w.level, w.suppressions?.[0]])).toEqual([
      ["FAIL-1", "note", { kind: "external", justification: "beta*: known bug" }],
      ["FAIL-1", "note", { kind: "external", justification: "gamma: N/A" }],
      ["GLOBAL-1", "note", { kind: "external", justification: "Global Waiver" }],
      ["GLOBAL-1", "note", { kind: "external", justification: "Global Waiver" }],
    ]);
  });
  test("diagnostics are results; found items of a passing check are not", () => {
    expect(
      sarif.results.filter((r) => r.ruleId.startsWith("atomsmith/")).map((r) => [r.ruleId, r.level]),
    ).toEqual([
      ["atomsmith/input_missing", "error"],
      ["atomsmith/unverified", "warning"],
    ]);
    expect(sarif.results.some((r) => r.ruleId === "PASS-1")).toBe(false);
  });
  test("a moved line does not change the fingerprint of a result", () => {
    const moved = structuredClone(failing);
    const extra = moved.result.result?.extra_items?.[0];
    if (extra === undefined) throw new Error("no extra");
    extra.line_number = 99;
    const again = renderRunSarif(run([moved])) as typeof document;
    const prints = (d: typeof document) =>
      d.runs[0]?.results
        .filter((r) => r.ruleId === "FAIL-1")
        .map((r) => r.partialFingerprints["atomsmith/v1"]);
    expect(prints(again)).toEqual(prints(document));
  });
  test("file names with blanks and special characters are encoded", () => {
    const odd = foundItem("x");
    odd.source_file = "/srv/a b/100%#?.log";
    const result = {
      status: "FAIL" as const,
      found_items: [],
      missing_items: [],
      extra_items: [odd],
      waived: [],
      unused_waivers: [],
    };
    const text = JSON.stringify(renderRunSarif(run([item("I", { outcome: "fail", result })])));
    expect(text).toContain("a%20b/100%25%23%3F.log");
  });
});

describe("text and YAML", () => {
  test("the report lists failures first, waivers with reasons and searched files", () => {
    const text = renderItemReport(failing, run());
    expect(text.split("\n")[0]).toBe("FAIL-1: FAIL");
    const order = ["Missing: 1", "Unexpected: 1", "Found: 1", "Waived: 2", "Unused waivers: 1"];
    expect(
      order.map((title) => text.indexOf(title)).every((offset, i, all) => offset > (all[i - 1] ?? 0)),
    ).toBe(true);
    expect(text).toContain("waived by: beta* (known bug)");
    expect(text).toContain("logs/a.log:3");
    expect(/[\u0000-\u0008\u000b-\u001f]/.test(text)).toBe(false);
  });
  test("the log is complete, the report is limited with a note", () => {
    const many = item("MANY", {
      result: {
        status: "PASS",
        found_items: Array.from({ length: 300 }, (_, i) => foundItem(`v${i}`)),
        missing_items: [],
        extra_items: [],
        waived: [],
        unused_waivers: [],
      },
    });
    expect(renderItemReport(many, run())).toContain("… and 250 more");
    expect(renderItemReport(many, run())).not.toContain("v299");
    expect(renderItemLog(many, run())).toContain("v299");
    expect(renderItemLog(many, run())).toContain('{"kind":"item"');
  });
  test("an unverified set is marked", () => {
    expect(renderItemReport(broken, run())).toStartWith("ERR-1: ERROR (UNVERIFIED SET)");
  });
  test("the summary is valid YAML with the right counts", () => {
    const summary = parse(renderSummaryYaml(run())) as { totals: object; items: Record<string, unknown>[] };
    expect(summary.totals).toEqual({ items: 4, pass: 2, fail: 1, error: 1 });
    expect(summary.items[1]).toMatchObject({
      item_id: "FAIL-1",
      outcome: "fail",
      found: 1,
      missing: 1,
      extra: 1,
      waived: 2,
      unused_waivers: ["delta"],
    });
    expect(summary.items[2]).toMatchObject({ item_id: "ERR-1", outcome: "error", unverified: true });
    expect(summary.items[2]).not.toHaveProperty("found");
  });
  test("no writer changes the data", () => {
    const data = run();
    const before = structuredClone(data);
    renderRunJunit(data);
    renderRunSarif(data);
    renderSummaryYaml(data);
    for (const one of data.items) renderItemLog(one, data);
    expect(data).toEqual(before);
  });
});

describe("baseline", () => {
  const asBaseline = (...items: (typeof failing)[]) =>
    parseBaseline(JSON.stringify({ results: items.map((i) => i.result) }), "b.json");
  const passing = item("A", {});
  const failed = (...extras: string[]) =>
    item("A", {
      outcome: "fail",
      result: {
        status: "FAIL",
        found_items: [],
        missing_items: [missingItem("m")],
        extra_items: extras.map((e) => foundItem(e)),
        waived: [],
        unused_waivers: [],
      },
    });
  const compare = (now: typeof failing, was: typeof failing) => {
    const compared = compareWithBaseline([now], asBaseline(was), "b.json").items[0];
    if (compared === undefined) throw new Error("nothing compared");
    return { ...compared, broken: newlyBroken(now, compared) };
  };
  test("newly failing, newly passing, changed and equal results are told apart", () => {
    expect(compare(failed("x"), passing)).toMatchObject({
      change: "newly_failing",
      before: "pass",
      now: "fail",
      broken: "fail",
    });
    expect(compare(passing, failed("x"))).toMatchObject({ change: "newly_passing", broken: null });
    expect(compare(failed("x"), failed("x"))).toMatchObject({ change: "same", appeared: [], broken: null });
    expect(compare(failed("x", "y"), failed("x"))).toMatchObject({
      change: "changed",
      appeared: ["extra: y (a.log)"],
      broken: "fail",
    });
    expect(compare(failed("x"), failed("x", "y"))).toMatchObject({
      change: "changed",
      disappeared: ["extra: y (a.log)"],
      broken: null,
    });
    const other = item("A", {
      result: { ...passing.result.result, found_items: [foundItem("other")] } as never,
    });
    expect(compare(other, passing)).toMatchObject({ change: "changed", appeared: [], broken: null });
  });
  test("an error after a failure is new, the same error is not", () => {
    const error = item("A", {
      outcome: "error",
      result: null,
      diagnostics: [{ severity: "error", code: "input_missing", message: "m", file: "/r1/x.log" }],
    });
    expect(compare(error, failed("x")).broken).toBe("error");
    expect(compare(error, error)).toMatchObject({ change: "same", broken: null });
    const another = item("A", {
      outcome: "error",
      result: null,
      diagnostics: [{ severity: "error", code: "atom_threw", message: "m" }],
    });
    expect(compare(another, error).broken).toBe("error");
  });
  test("a moved line or directory is not a change, a duplicate violation is", () => {
    const moved = failed("x");
    const extra = moved.result.result?.extra_items?.[0];
    if (extra === undefined) throw new Error("no extra");
    extra.line_number = 77;
    extra.source_file = "/elsewhere/run2/a.log";
    expect(compare(moved, failed("x")).change).toBe("same");
    expect(compare(failed("x", "x"), failed("x")).appeared).toHaveLength(1);
  });
  test("new and removed items are listed", () => {
    const compared = compareWithBaseline([failed("x")], asBaseline(globally), "b.json");
    expect(compared.items.map((i) => [i.item_id, i.change])).toEqual([
      ["A", "new"],
      ["GLOBAL-1", "gone"],
    ]);
    expect(newlyBroken(failed("x"), compared.items[0] as never)).toBe("fail");
  });
  test("a file that is not a result is a usage error that states what is expected", () => {
    for (const text of ["", "{", "{}", '{"results": [{"item_id": 1}]}', "[]"]) {
      expect(() => parseBaseline(text, "b.json")).toThrow(/baseline b.json/);
    }
  });
  test("hostile texts are compared without errors", () => {
    expect(compare(failed(HOSTILE), failed("x")).appeared[0]).not.toContain("\u001b");
  });
});
