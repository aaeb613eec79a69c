// The slices of a page that each author may see: the isolation of the authors. docs/contract.md, sections 1 and 6.
import { readAnswered } from "./answers.ts";
import { readExactParts } from "./blocks.ts";
import { placedBlocks, textKey } from "./exact-findings.ts";
import type { WorkedExample } from "./example.ts";
import type { ItemSpec, LogicSlice, ParsingSlice, SectionKey } from "./types.ts";

/** Sections 1 and 4.1, for Agent A.
 * @param answers blocks that a user added with `resume --example`, as returned by `readAnswers` */
export function parsingSlice(spec: ItemSpec, answers: readonly string[] = []): ParsingSlice {
  const page = readExactParts(placedBlocks(spec.blocks));
  const answered = readAnswered(answers);
  const examples = new Map<string, WorkedExample>();
  for (const { text, records } of [...page.examples, ...answered.examples]) {
    const key = textKey({ text, records });
    // For the same log text, the page takes precedence.
    if (!examples.has(key)) examples.set(key, { text, records });
  }
  return {
    item_id: spec.id,
    section_1: textOf(spec, "1"),
    section_4_1: textOf(spec, "4.1"),
    examples: [...examples.values()],
    witnesses: [...new Set([...page.witnesses.map(({ pattern }) => pattern), ...answered.witnesses])],
  };
}

/** Sections 2, 3 and 4.2, for Agent B. A check block of the page takes precedence over an answer.
 * @param answers as for `parsingSlice` */
export function logicSlice(spec: ItemSpec, answers: readonly string[] = []): LogicSlice {
  const [check] = readExactParts(placedBlocks(spec.blocks)).checks;
  return {
    item_id: spec.id,
    section_2: textOf(spec, "2"),
    section_3: textOf(spec, "3"),
    section_4_2: textOf(spec, "4.2"),
    check: check?.yaml ?? readAnswered(answers).check,
  };
}

function textOf(spec: ItemSpec, key: SectionKey): string {
  return spec.sections[key]?.text ?? "";
}
