// Findings about exact blocks of a page or of an answer. An invalid block is an error: its meaning is never guessed.
// docs/contract.md, section 6.
import { type BlockKind, type ExactBlock, readExactParts } from "./blocks.ts";
import { type ExampleText, formatExample, type WorkedExample } from "./example.ts";
import type { SpecFinding } from "./finding.ts";
import type { SectionKey, SpecBlock } from "./types.ts";

/** Returns the problems of the YAML of a check block, with 1-based lines of that YAML. Passed in, because the config reader
 * is in a higher layer. */
export type CheckReader = (yaml: string) => { message: string; line?: number }[];

/** The sections in which blocks of each kind count. */
export const PLACES: Readonly<Record<BlockKind, readonly SectionKey[]>> = {
  example: ["1", "4.1"],
  check: ["2", "3"],
  witness: ["1", "4.1"],
};

/** The blocks in a section where they count. */
export function placedBlocks(blocks: readonly SpecBlock[]): SpecBlock[] {
  return blocks.filter(({ kind, section }) => section !== null && PLACES[kind].includes(section));
}

/** Findings about the blocks of a page.
 * @param openFence line of a fence that is never closed */
export function blockFindings(
  blocks: readonly SpecBlock[],
  openFence: number | undefined,
  readCheck: CheckReader,
): SpecFinding[] {
  const placed = placedBlocks(blocks);
  const misplaced = blocks
    .filter((block) => !placed.includes(block))
    .map(({ kind, section, line }): SpecFinding => {
      const where = section === null ? "outside of these sections" : `in section ${section}`;
      const places = PLACES[kind].join(" or ");
      const message = `${article(kind)} counts in section ${places}; this one is ${where} and is not used. Move it there.`;
      return { severity: "warning", code: "block_misplaced", message, line };
    });
  const unclosed = placed.find(({ line }) => line === openFence);
  if (unclosed !== undefined) {
    const message = `The ${unclosed.kind} block is never closed; end it with a line of backticks.`;
    return [...misplaced, { severity: "error", code: "block_unreadable", message, line: unclosed.line }];
  }
  return [...misplaced, ...exactProblems(placed, readCheck)];
}

/** Findings about blocks that count. */
export function exactProblems(blocks: readonly ExactBlock[], readCheck: CheckReader): SpecFinding[] {
  const parts = readExactParts(blocks);
  const findings: SpecFinding[] = [];
  const error = (code: string, message: string, line: number): void => {
    findings.push({ severity: "error", code, message, line });
  };
  for (const { kind, message, line } of parts.problems) {
    error("block_unreadable", `The ${kind} block cannot be read. ${message}`, line);
  }
  const [first, second] = parts.checks;
  if (first !== undefined && second !== undefined) {
    const lines = parts.checks.map(({ line }) => line).join(" and ");
    error("check_twice", `There are check blocks in lines ${lines}; a page has one at most.`, second.line);
  }
  for (const { yaml, line } of parts.checks) {
    for (const problem of readCheck(yaml)) {
      error(
        "check_invalid",
        `The check block cannot be used. ${problem.message}`,
        line + (problem.line ?? 0),
      );
    }
  }
  const seen = new Map<string, WorkedExample & { line: number }>();
  for (const example of parts.examples) {
    for (const message of textProblems(example)) error("not_in_example", message, example.line);
    const before = seen.get(textKey(example));
    if (before === undefined) seen.set(textKey(example), example);
    else if (formatExample(before) !== formatExample({ ...example, text: before.text })) {
      const message = `The examples in lines ${before.line} and ${example.line} have the same log text and other records.`;
      error("examples_differ", message, example.line);
    }
  }
  return findings;
}

/** The log text for comparison, without trailing whitespace, which many editors remove. */
export function textKey({ text }: WorkedExample): string {
  return text.replace(/[ \t]+$/gm, "");
}

function textProblems({ text, records }: WorkedExample): string[] {
  return records.flatMap(({ value, fields }) => [
    ...(value.number ? ["`value (number)` cannot be: the value of a record is always a text."] : []),
    ...problemsOf("value", value, text),
    ...[...fields].flatMap(([name, field]) => problemsOf(name, field, text)),
  ]);
}

function problemsOf(name: string, { text, number, composed }: ExampleText, log: string): string[] {
  const problems: string[] = [];
  if (!composed && !log.includes(text)) {
    const mark = number ? "" : `, or write \`${name} (composed): ${text}\``;
    problems.push(`\`${name}: ${text}\` is not in the example's log text. Copy it exactly${mark}.`);
  }
  if (number && name !== "value" && numberOf(text) === undefined) {
    problems.push(`\`${name} (number): ${text}\` is not a number.`);
  }
  return problems;
}

/** Parses a number, with optional group separators; undefined for any other text. */
export function numberOf(text: string): number | undefined {
  const plain = /^[+-]?\d{1,3}(?:([,_' ])\d{3})(?:\1\d{3})*(?:\.\d+)?$/.test(text)
    ? text.replace(/[,_' ]/g, "")
    : text;
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$|^0[xX][0-9a-fA-F]+$/.test(plain)) return undefined;
  return Number(plain);
}

function article(kind: BlockKind): string {
  return kind === "example" ? "An example block" : `A ${kind} block`;
}
