// Forms of logs end to end: worked examples in, the source of Atom A out, run over the log and over lines that the
// author has not seen.
import { describe, expect, test } from "bun:test";
import type { ParsedItem } from "../../../src/contract/atoms.ts";
import { drafted, parse, runAtom } from "../../support/offline.ts";
import { type Expected, SHAPES } from "./cases.ts";

function brief(items: readonly ParsedItem[]): Expected[] {
  return items.map(({ value, line_number, parsed_fields }) => [
    line_number ?? 0,
    value,
    parsed_fields as Record<string, string | number>,
  ]);
}

function expectRecords(source: string, text: string, expected: readonly Expected[]): void {
  const items = runAtom(source, text, "run.log");
  expect(brief(items)).toEqual([...expected]);
  const lines = text.split("\n");
  for (const item of items) {
    expect(item.source_file).toBe("run.log");
    expect(item.matched_content).toBe(lines[(item.line_number ?? 0) - 1] ?? "");
  }
}

describe.each(SHAPES)("$name", ({ log, files, patterns, examples, expected, unseen, found }) => {
  const draft = parse(files?.(log) ?? { "run.log": log }, examples, {
    section_4_1: patterns ?? "`run.log`",
  });

  test("the records of the log are read with lines and fields", async () => {
    expectRecords(drafted(await draft).atom_a, log, expected);
  });

  test("an unseen log is read as well", async () => {
    expectRecords(drafted(await draft).atom_a, unseen, found);
  });
});
