// Questions about the check. The check block of a page is its config; a page without one gets a proposal from its code
// spans. Patterns that occur in a log but in no record lead to a question.
import { Document, parse } from "yaml";
import type { ParsedItem } from "../../../contract/atoms.ts";
import { isJsonObject } from "../../../core/json.ts";
import { codeSpans } from "../../../spec/blocks.ts";
import type { WorkedExample } from "../../../spec/example.ts";
import { VALUE } from "../examples/instances.ts";
import type { LogText } from "../logs/places.ts";
import { exampleBlock, exampleOf, type Question } from "./lines.ts";

/** A proposal for the check block of a page, as YAML, from the code spans of sections 2 and 3. */
export function proposedCheck(section2: string, section3: string): string {
  const [patterns, waivers] = [codeSpans(section2), codeSpans(section3)];
  const document = new Document({
    requirements:
      patterns.length > 0
        ? { value: patterns.length, pattern_items: patterns, extra: "fail" }
        : { value: "N/A", expect: "present" },
    waivers:
      waivers.length > 0
        ? { value: waivers.length, waive_items: waivers, waive_reasons: waivers.map(() => "reason") }
        : { value: "N/A" },
  });
  return document.toString({ lineWidth: 0 }).trimEnd();
}

/** Asks for the check block of a page that has none. */
export function askCheck(section2: string, section3: string): Question {
  return {
    reasons: ["The page has no check block, and prose is not read without a model."],
    questions: [
      "Is this the check? Correct it and paste it into section 2. With `expect: absent`, records are violations; with `extra: info`, records that match no pattern pass.",
    ],
    blocks: [{ kind: "check", content: proposedCheck(section2, section3) }],
  };
}

/** Asks about a line that contains a pattern of the check, if no record contains it: the records may be incomplete.
 * Undefined if there is no such line, or an example shows it. */
export function askPattern(
  check: string,
  records: readonly ParsedItem[],
  known: readonly WorkedExample[],
  logs: readonly LogText[],
): Question | undefined {
  for (const pattern of plainPatterns(check)) {
    if (records.some(({ value }) => value.includes(pattern))) continue;
    for (const { path, lines } of logs) {
      const index = lines.findIndex((line) => line.includes(pattern) && !isShown(line, known));
      const line = lines[index];
      if (line === undefined) continue;
      const examples = [exampleOf([line], 0, new Map([[VALUE, pattern]])), exampleOf([line], 0, null)];
      return {
        reasons: [
          `No record has the pattern \`${pattern}\` of the check, but \`${path}:${index + 1}\` has it.`,
        ],
        questions: [
          "Is this line a record? Paste the block that is right into section 1 of the page (add the fields), or hand it in with `resume --example FILE`.",
        ],
        blocks: examples.map(exampleBlock),
      };
    }
  }
  return undefined;
}

function isShown(line: string, examples: readonly WorkedExample[]): boolean {
  return examples.some(({ text }) => text.split("\n").some((shown) => shown.trimEnd() === line.trimEnd()));
}

/** Patterns without wildcards or expressions, of a check that requires records. */
function plainPatterns(check: string): string[] {
  const block: unknown = parse(check);
  const requirements = isJsonObject(block) ? block["requirements"] : undefined;
  if (!isJsonObject(requirements) || requirements["expect"] === "absent") return [];
  const items = requirements["pattern_items"];
  return (Array.isArray(items) ? items : [])
    .map((item: unknown) => (typeof item === "string" || typeof item === "number" ? String(item) : ""))
    .filter((text) => text.trim().length > 1 && !/[|*?]|^regex:/.test(text));
}
