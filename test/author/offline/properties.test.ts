// Properties of every program, for any log and any examples.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { LogText } from "../../../src/author/offline/logs/places.ts";
import { emitAtomA } from "../../../src/author/offline/program/emit.ts";
import { type Program, runProgram } from "../../../src/author/offline/program/program.ts";
import { solve } from "../../../src/author/offline/solve.ts";
import type { WorkedExample } from "../../../src/spec/example.ts";
import { one, runAtom } from "../../support/offline.ts";
import { SHAPES } from "./cases.ts";

const textOf = (lines: readonly string[]): LogText => ({ path: "run.log", lines });

function sourceOf(program: Program): string {
  return emitAtomA(program, { about: [], numbers: [] });
}

const PROGRAMS = SHAPES.map(({ name, log, unseen, examples }) => {
  const outcome = solve(examples, [textOf(log.split("\n"))]);
  if (outcome.kind !== "program") throw new Error(`${name}: ${outcome.kind}`);
  const { program } = outcome;
  return { name, program, source: sourceOf(program), lines: [...log.split("\n"), ...unseen.split("\n")] };
});

/** Lines of a log, parts of them, lines of punctuation, and noise. */
function textLike(lines: readonly string[]): fc.Arbitrary<string> {
  const line = fc.constantFrom(...lines);
  const cut = fc.tuple(line, fc.nat(60), fc.nat(60)).map(([text, a, b]) => text.slice(0, a) + text.slice(b));
  // Random code units, which include lone surrogates.
  const noise = fc
    .array(fc.nat(0xffff), { maxLength: 40 })
    .map((units) => units.map((unit) => String.fromCharCode(unit)).join(""));
  const marks = fc.constantFrom("", "   ", "-----", "=====", "\t", "{", "]", "</a>", "\u0000");
  const any = fc.oneof({ weight: 5, arbitrary: line }, cut, noise, marks);
  return fc
    .tuple(fc.array(any, { maxLength: 25 }), fc.constantFrom("\n", "\r\n"))
    .map(([all, end]) => all.join(end));
}

describe.each(PROGRAMS)("$name", ({ program, source, lines }) => {
  test("the emitted source and the author's own run read any text alike", () => {
    fc.assert(
      fc.property(textLike(lines), (text) => {
        const split = text.split(/\r?\n/);
        const own = runProgram(program, split).map(({ line, texts: { value, ...fields } }) => ({
          value: value ?? "",
          source_file: "any.log",
          line_number: line + 1,
          matched_content: split[line],
          parsed_fields: fields,
        }));
        expect(runAtom(source, text, "any.log") as unknown[]).toEqual(own);
      }),
      { numRuns: 200 },
    );
  }, 20_000);

  test("records of any text are well formed and in the order of their lines", () => {
    fc.assert(
      fc.property(textLike(lines), (text) => {
        let last = 0;
        for (const { value, line_number, parsed_fields } of runAtom(source, text, "any.log")) {
          expect(typeof value).toBe("string");
          expect(line_number).toBeGreaterThan(last);
          last = line_number ?? 0;
          expect(Object.values(parsed_fields).every((field) => typeof field === "string")).toBe(true);
        }
        expect(last).toBeLessThanOrEqual(text.split("\n").length);
      }),
      { numRuns: 150 },
    );
  });
});

/** Invented words, so that knowledge of a language cannot help the author. */
const WORD = fc.stringMatching(/^[b-df-hj-np-tv-z][aeiou][b-df-hj-np-tv-z]{1,2}[aeiou]?$/);
const HOLES: Record<string, fc.Arbitrary<string>> = {
  number: fc.nat(99999).map(String),
  name: fc.tuple(WORD, fc.nat(99)).map(([word, n]) => `${word}_${n}`),
  path: fc.array(WORD, { minLength: 2, maxLength: 3 }).map((words) => `/${words.join("/")}`),
};

interface Message {
  parts: ({ word: string } | { hole: string })[];
  rows: string[][];
}

const MESSAGE: fc.Arbitrary<Message> = fc
  .array(
    fc.oneof(
      WORD.map((word) => ({ word })),
      fc.constantFrom(...Object.keys(HOLES)).map((hole) => ({ hole })),
    ),
    { minLength: 2, maxLength: 6 },
  )
  .filter((parts) => parts.some((part) => "hole" in part) && parts.some((part) => "word" in part))
  .chain((parts) => {
    const holes = parts.flatMap((part) => ("hole" in part ? [HOLES[part.hole] ?? WORD] : []));
    return fc
      .array(fc.tuple(...holes), { minLength: 2, maxLength: 6 })
      .map((rows): Message => ({ parts, rows }));
  });

function lineOf({ parts }: Message, row: readonly string[]): string {
  let next = 0;
  return parts.map((part) => ("word" in part ? part.word : row[next++])).join(" ");
}

interface Task {
  lines: string[];
  examples: WorkedExample[];
}

const TASK: fc.Arbitrary<Task> = fc
  .record({
    wanted: MESSAGE,
    others: fc.array(MESSAGE, { maxLength: 2 }),
    fields: fc.nat(2),
    shown: fc.integer({ min: 1, max: 3 }),
    none: fc.boolean(),
    seed: fc.nat(),
  })
  .map(({ wanted, others, fields, shown, none, seed }) => {
    const examples = wanted.rows.slice(0, shown).map((row) => {
      const [value = "", ...rest] = row;
      const named = rest.slice(0, fields).map((text, index): [string, string] => [`f${index}`, text]);
      return one(lineOf(wanted, row), value, Object.fromEntries(named));
    });
    const foreign = others.flatMap((message) => message.rows.map((row) => lineOf(message, row)));
    const [first] = foreign;
    if (none && first !== undefined && !examples.some(({ text }) => text === first))
      examples.push(one(first));
    const lines = [...wanted.rows.map((row) => lineOf(wanted, row)), ...foreign];
    return { lines: lines.sort((a, b) => hash(a, seed) - hash(b, seed)), examples };
  });

function hash(text: string, seed: number): number {
  return [...text].reduce((sum, char) => (sum * 31 + (char.codePointAt(0) ?? 0)) | 0, seed | 0);
}

type Found = [line: string, value: string, fields: Record<string, unknown>];

function recordsOf(program: Program, text: string): Found[] {
  return runAtom(sourceOf(program), text, "run.log").map(
    ({ matched_content, value, parsed_fields }): Found => [matched_content, value, parsed_fields],
  );
}

describe("programs from generated messages", () => {
  test("a program reads every example as shown, and no line that an example excludes", () => {
    let programs = 0;
    fc.assert(
      fc.property(TASK, ({ lines, examples }) => {
        const outcome = solve(examples, [textOf(lines)]);
        if (outcome.kind !== "program") return;
        programs += 1;
        const found = recordsOf(outcome.program, lines.join("\n"));
        for (const { text, records } of examples) {
          const own = found.filter(([line]) => line === text);
          expect(own).toHaveLength(records.length === 0 ? 0 : lines.filter((line) => line === text).length);
          for (const { value, fields } of records) {
            const wanted = Object.fromEntries([...fields].map(([name, field]) => [name, field.text]));
            for (const [, text, read] of own) expect([text, read]).toEqual([value.text, wanted]);
          }
        }
      }),
      { numRuns: 200 },
    );
    // The property is vacuous where only questions result.
    expect(programs).toBeGreaterThan(40);
  }, 20_000);

  test("the order of the examples does not matter", () => {
    fc.assert(
      fc.property(TASK, ({ lines, examples }) => {
        const outcomes = [examples, [...examples].reverse()].map((order) => {
          const outcome = solve(order, [textOf(lines)]);
          if (outcome.kind === "program") return recordsOf(outcome.program, lines.join("\n"));
          return outcome.kind === "question" ? [lines[outcome.place.line]] : outcome.message;
        });
        expect(outcomes[0]).toEqual(outcomes[1] as never);
      }),
      { numRuns: 200 },
    );
  }, 20_000);

  test("the order of the files does not matter", () => {
    fc.assert(
      fc.property(TASK, fc.nat(), ({ lines, examples }, at) => {
        const cut = at % (lines.length + 1);
        const files = [
          { path: "a.log", lines: lines.slice(0, cut) },
          { path: "b.log", lines: lines.slice(cut) },
        ];
        const outcomes = [files, [...files].reverse()].map((order) => {
          const outcome = solve(examples, order);
          if (outcome.kind === "program") return recordsOf(outcome.program, lines.join("\n"));
          return outcome.kind;
        });
        expect(outcomes[0]).toEqual(outcomes[1] as never);
      }),
      { numRuns: 200 },
    );
  }, 20_000);
});
