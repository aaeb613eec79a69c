// Blocks that a person adds to an item with `resume --example`. They are kept as the text of their blocks and count
// like those of the page. Contract, section 6.
import { AtomsmithError } from "../core/errors.ts";
import { type ExactBlock, findBlocks, readExactParts } from "./blocks.ts";
import { type CheckReader, exactProblems, placedBlocks, textKey } from "./exact-findings.ts";
import { fencedBlock, formatExample, type WorkedExample } from "./example.ts";
import type { ItemSpec } from "./types.ts";

/**
 * Reads what a person gives: blocks with their fences (text around them is for people), or the bare content of one
 * example. Returns each block with its fence.
 * @param text with LF line ends
 * @param where what the text is called in messages: a path, or `-`
 * Throws kind `usage` when it cannot be read or says other than the page.
 */
export function readAnswers(text: string, where: string, spec: ItemSpec, readCheck: CheckReader): string[] {
  const fenced = findBlocks(text);
  const blocks: ExactBlock[] =
    fenced.length > 0 ? fenced : [{ kind: "example", content: text.replace(/\n+$/, ""), line: 0 }];
  const problems = exactProblems(blocks, readCheck);
  const page = readExactParts(placedBlocks(spec.blocks));
  const given = readExactParts(blocks);
  const [check] = page.checks;
  if (check !== undefined && given.checks.length > 0) {
    const message = `The page already has a check block (line ${check.line}); change that one.`;
    problems.push({ severity: "error", code: "check_twice", message });
  }
  for (const example of given.examples) {
    const same = page.examples.find((one) => textKey(one) === textKey(example));
    if (same === undefined || sameRecords(same, example)) continue;
    const message = `The page has an example with the same log text and other records (line ${same.line}); change that one.`;
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

/** What a person's answers say. The last word counts: a later check replaces an earlier one, a later example one with
 * the same log text. */
export function readAnswered(answers: readonly string[]): {
  examples: WorkedExample[];
  check: string | null;
  witnesses: string[];
} {
  const parts = answers.map((answer) => readExactParts(answer));
  const examples = new Map<string, WorkedExample>();
  for (const { examples: some } of parts) {
    for (const { text, records } of some) examples.set(textKey({ text, records }), { text, records });
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
