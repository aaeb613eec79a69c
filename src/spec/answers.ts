// Blocks that a user adds to an item with `resume --example`. They are stored as text and count like blocks of the page.
// docs/contract.md, section 6.
import { AtomsmithError } from "../core/errors.ts";
import { type ExactBlock, findBlocks, readExactParts } from "./blocks.ts";
import { type CheckReader, exactProblems, placedBlocks, textKey } from "./exact-findings.ts";
import { fencedBlock, formatExample, type WorkedExample } from "./example.ts";
import type { ItemSpec } from "./types.ts";

/**
 * Reads blocks with their fences (text around them is ignored), or the bare content of one example. Returns each block with
 * its fence. Throws kind `usage` when a block is invalid or contradicts the page.
 * @param text with LF line ends
 * @param where name of the source in messages: a path, or `-`
 */
export function readAnswers(text: string, where: string, spec: ItemSpec, readCheck: CheckReader): string[] {
  const fenced = findBlocks(text);
  const blocks: ExactBlock[] =
    fenced.length > 0 ? fenced : [{ kind: "example", content: text.replace(/\n+$/, ""), line: 0 }];
  const problems = exactProblems(blocks, readCheck);
  const page = readExactParts(placedBlocks(spec.blocks));
  const added = readExactParts(blocks);
  const [check] = page.checks;
  if (check !== undefined && added.checks.length > 0) {
    const message = `The page already has a check block (line ${check.line}); change that one.`;
    problems.push({ severity: "error", code: "check_twice", message });
  }
  for (const example of added.examples) {
    const existing = page.examples.find((candidate) => textKey(candidate) === textKey(example));
    if (existing === undefined || sameRecords(existing, example)) continue;
    const message = `The page has an example with the same log text and other records (line ${existing.line}); change that one.`;
    problems.push({ severity: "error", code: "examples_differ", message });
  }
  if (problems.length > 0) {
    const all = problems.map(({ message, line }) =>
      line === undefined || fenced.length === 0 ? message : `line ${line}: ${message}`,
    );
    throw new AtomsmithError("usage", `--example ${where}: ${[...new Set(all)].join(" ")}`, {
      where,
      hint: "an example is log text, a line `---`, then `value: …` and the fields, or `none`; see docs/item-spec.md",
    });
  }
  return blocks.map(({ kind, content }) => fencedBlock(kind, content));
}

/** Combines the blocks of all answers. Later ones take precedence: a check replaces an earlier one, an example one with the
 * same log text. */
export function readAnswered(answers: readonly string[]): {
  examples: WorkedExample[];
  check: string | null;
  witnesses: string[];
} {
  const parts = answers.map((answer) => readExactParts(answer));
  const examples = new Map<string, WorkedExample>();
  for (const part of parts) {
    for (const { text, records } of part.examples)
      examples.set(textKey({ text, records }), { text, records });
  }
  return {
    examples: [...examples.values()],
    check: parts.flatMap(({ checks }) => checks).at(-1)?.yaml ?? null,
    witnesses: parts.flatMap(({ witnesses }) => witnesses.map(({ pattern }) => pattern)),
  };
}

function sameRecords(a: WorkedExample, b: WorkedExample): boolean {
  return formatExample({ ...a, text: "" }) === formatExample({ ...b, text: "" });
}
