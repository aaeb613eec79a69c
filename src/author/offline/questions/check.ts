// The logic without a model: the check block is the config. Without one a person is asked for it, filled in as far as
// texts in backticks allow; with one, patterns that stand in the logs but in no record are asked about.
import { Document, parse } from "yaml";
import type { ParsedItem } from "../../../contract/atoms.ts";
import { isJsonObject } from "../../../core/json.ts";
import { codeSpans } from "../../../spec/blocks.ts";
import type { WorkedExample } from "../../../spec/example.ts";
import { VALUE } from "../examples/instances.ts";
import type { LogText } from "../logs/places.ts";
import { exampleBlock, exampleOf, type Question } from "./lines.ts";

/** The check that a page seems to mean, as the YAML of its block: the texts that sections 2 and 3 show in backticks. */
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

/** Asks for the block that a page needs, filled in as far as backticks allow. */
export function askCheck(section2: string, section3: string): Question {
  return {
    reasons: ["The page has no check block, and prose is not read without a model."],
    questions: [
      "Is this the check? Correct it and put it into section 2. `expect: absent` makes records violations, `extra: info` lets records that no pattern names pass.",
    ],
    blocks: [{ kind: "check", content: proposedCheck(section2, section3) }],
  };
}

/** A line that has a pattern of the check, although no record has it: the records may be incomplete. Undefined when
 * there is none, or when an example decides about every such line. */
export function askPattern(
  check: string,
  records: readonly ParsedItem[],
  known: readonly WorkedExample[],
  logs: readonly LogText[],
): Question | undefined {
  for (const pattern of plainPatterns(check)) {
    if (records.some(({ value }) => value.includes(pattern))) continue;
    for (const { path, lines } of logs) {
      const at = lines.findIndex((line) => line.includes(pattern) && !isDecided(line, known));
      const line = lines[at];
      if (line === undefined) continue;
      const examples = [exampleOf([line], 0, new Map([[VALUE, pattern]])), exampleOf([line], 0, null)];
      return {
        reasons: [`No record has the pattern \`${pattern}\` of the check, but \`${path}:${at + 1}\` has it.`],
        questions: [
          "Is this line a record? Paste the block that is right into section 1 of the page (add the fields), or hand it in with `resume --example FILE`.",
        ],
        blocks: examples.map(exampleBlock),
      };
    }
  }
  return undefined;
}

function isDecided(line: string, examples: readonly WorkedExample[]): boolean {
  return examples.some(({ text }) => text.split("\n").some((one) => one.trimEnd() === line.trimEnd()));
}

/** Patterns of a check that ask for a text as such, where records must be present. */
function plainPatterns(check: string): string[] {
  const block: unknown = parse(check);
  const requirements = isJsonObject(block) ? block["requirements"] : undefined;
  if (!isJsonObject(requirements) || requirements["expect"] === "absent") return [];
  const items = requirements["pattern_items"];
  return (Array.isArray(items) ? items : [])
    .map((item: unknown) => (typeof item === "string" || typeof item === "number" ? String(item) : ""))
    .filter((text) => text.trim().length > 1 && !/[|*?]|^regex:/.test(text));
}
