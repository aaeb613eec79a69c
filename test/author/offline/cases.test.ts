// The offline author on invented pages and logs of many kinds. What it accepts must be right: the records of the
// code, run in the real sandbox, are compared with the truth, and with what the interpreter says they are.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createSandbox } from "../../../sandbox/index.ts";
import type { Sandbox } from "../../../sandbox/types.ts";
import { THRESHOLD } from "../../../src/author/offline/index.ts";
import { emitAtomA } from "../../../src/author/offline/program/emit.ts";
import { interpret } from "../../../src/author/offline/program/interpret.ts";
import type { Candidate } from "../../../src/author/offline/synthesize.ts";
import type { ParsedItem } from "../../../src/contract/atoms.ts";
import { bestOf, caseIds, type ExpectedItem, expectedItems, textsOf } from "./support.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ require: "process", children: 1 }, () => {});
});
afterAll(async () => {
  await sandbox.close();
});

async function extract(candidate: Candidate): Promise<ParsedItem[]> {
  const session = await sandbox.open({ name: "atom_a.js", source: emitAtomA(candidate.program) });
  const items: ParsedItem[] = [];
  for (const [path, text] of await textsOf(candidate)) {
    const outcome = await session.call("extract_context", [text, path]);
    if (!outcome.ok) throw new Error(`${outcome.error.kind}: ${outcome.error.message}`);
    items.push(...(outcome.value as unknown as ParsedItem[]));
    const interpreted = interpret(candidate.program, text).map((one) => ({
      value: one.value,
      source_file: path,
      line_number: one.line,
      matched_content: one.content,
      parsed_fields: one.fields,
    }));
    expect(outcome.value as unknown).toEqual(interpreted);
  }
  await session.close();
  return items;
}

/** F1 on file, line and value. */
function score(expected: readonly ExpectedItem[], items: readonly ParsedItem[]): number {
  const left = [...items];
  let hits = 0;
  for (const want of expected) {
    const at = left.findIndex(
      (one) =>
        one.source_file.endsWith(want.file) &&
        (want.line_accept ?? [want.line]).includes(one.line_number ?? 0) &&
        one.value === want.value,
    );
    if (at < 0) continue;
    left.splice(at, 1);
    hits += 1;
  }
  return (2 * hits) / Math.max(1, expected.length + items.length);
}

describe("own cases", () => {
  const verdicts = new Map<string, "right" | "wrong" | "gave_up">();

  for (const id of caseIds()) {
    test(`${id}: code and interpreter agree`, async () => {
      const best = await bestOf(id);
      if (best === undefined || best.confidence < THRESHOLD) {
        verdicts.set(id, "gave_up");
        expect(best?.confidence ?? 0).toBeLessThan(THRESHOLD);
        return;
      }
      verdicts.set(id, score(expectedItems(id), await extract(best)) >= 0.95 ? "right" : "wrong");
      expect(best.records.size).toBeGreaterThan(0);
    });
  }

  test("of the accepted at least 90 % are right, and more than half are accepted", () => {
    const count = (verdict: string): number => [...verdicts.values()].filter((one) => one === verdict).length;
    const accepted = count("right") + count("wrong");
    const wrong = [...verdicts].filter(([, verdict]) => verdict === "wrong").map(([id]) => id);
    expect({ wrong, enough: count("right") >= 0.9 * accepted }).toEqual({ wrong, enough: true });
    expect(accepted).toBeGreaterThan(verdicts.size / 2);
  });

  test('"Pulled" is no other form of the word in "Failed to pull"', async () => {
    const best = await bestOf("KEYIMG-02");
    if (best === undefined) throw new Error("no candidate");
    expect(score(expectedItems("KEYIMG-02"), await extract(best))).toBe(1);
  });

  test("a log cut in front of the line that has the value gives no record without one", async () => {
    const candidate = await bestOf("WELDS-321");
    if (candidate === undefined) throw new Error("no candidate");
    const text = ["      Depth:    4.75", "      Limit:    3.50 (WEAK)", ""].join("\n");
    const session = await sandbox.open({ name: "atom_a.js", source: emitAtomA(candidate.program) });
    const outcome = await session.call("extract_context", [text, "scan.log"]);
    await session.close();
    expect(outcome.ok ? outcome.value : outcome.error.message).toEqual([]);
    expect(interpret(candidate.program, text)).toEqual([]);
  });

  test("a log without any wanted line and nothing like it is not accepted", () => {
    expect(verdicts.get("DECOY-22")).toBe("gave_up");
  });

  test("documents are not accepted where plain lines beside them hold records, too", () => {
    expect(verdicts.get("PARROT-1103")).toBe("gave_up");
  });
});
