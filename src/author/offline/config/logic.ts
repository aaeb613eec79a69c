// Agent B: the universal atoms, and the config from what sections 2, 3 and 4.2 say.
import { Document, isScalar, isSeq } from "yaml";
import type { LogicSlice } from "../../../spec/types.ts";
import type { ObservedText } from "../../../tools/types.ts";
import { ATOM_B, ATOM_C } from "../../standard-atoms.ts";
import type { ExtractionSummary, GivenUp, LogicDraft } from "../../types.ts";
import { misplacedPatterns } from "../doubts/patterns.ts";
import { type LogicReading, readLogic } from "./page.ts";

/** Writes Atom B, Atom C and the config, or says what in the page is unclear. */
export function draftLogic(
  slice: LogicSlice,
  extraction: ExtractionSummary,
  itemId: string,
  hints: readonly string[] = [],
  evidence?: { atomA: string; observed: readonly ObservedText[] },
): LogicDraft | GivenUp {
  const section2 = [
    slice.section_2,
    ...hints.filter((hint) => /\b(?:pattern|requirement|expect|type [1-4])/i.test(hint)),
  ].join("\n\n");
  const section3 = [slice.section_3, ...hints.filter((hint) => /\bwaive/i.test(hint))].join("\n\n");
  const reading = readLogic(section2, section3, slice.section_4_2);
  const misplaced =
    evidence === undefined ? [] : misplacedPatterns(reading.patterns, evidence.atomA, evidence.observed);
  for (const pattern of misplaced) {
    reading.open.push(
      `The pattern ${pattern} stands in the log, but in no value that Atom A takes: the value may be another part of the lines.`,
    );
  }
  const config = writeConfig(reading, extraction, itemId);
  const reasoning = [...reading.why, extraReason(reading, extraction)]
    .filter((text) => text !== "")
    .join(" ");
  if (reading.open.length > 0) {
    return {
      kind: "gave_up",
      reasons: reading.open,
      questions: reading.open.map(
        (text) =>
          `${text} Which patterns, waivers and type are meant? Answer with a hint, e.g. "patterns: \`a\`, \`b\`".`,
      ),
      candidates: [{ code: config, note: "The config as it would be written now." }],
      log_summary: `Records seen: ${extraction.records} in ${extraction.files} files.`,
    };
  }
  return { kind: "draft", atom_b: ATOM_B, atom_c: ATOM_C, config, reasoning };
}

function hasPatterns(reading: LogicReading): boolean {
  return reading.type === 2 || reading.type === 3;
}

/** Items that no pattern consumes: a violation only where the page lists all that is allowed. */
function extraOf(reading: LogicReading, extraction: ExtractionSummary): "fail" | "info" | undefined {
  if (!hasPatterns(reading) || reading.expect === "absent") return undefined;
  if (reading.extra !== "unsaid") return reading.extra;
  return extraction.records > reading.patterns.length ? "info" : "fail";
}

function extraReason(reading: LogicReading, extraction: ExtractionSummary): string {
  const extra = extraOf(reading, extraction);
  if (extra === undefined) return "";
  if (reading.extra !== "unsaid") return `Further items: ${extra}, from the words of section 2.`;
  return extra === "info"
    ? `The page does not say whether further items matter; the logs have ${extraction.records} records for ${reading.patterns.length} patterns, so the patterns name what must be seen, not all that is allowed (extra: info).`
    : "The page does not say whether further items matter; the default holds (extra: fail).";
}

export function writeConfig(reading: LogicReading, extraction: ExtractionSummary, itemId: string): string {
  const extra = extraOf(reading, extraction);
  const { waivers } = reading;
  const document = {
    description: `${itemId}: ${reading.description}`,
    input_files: extraction.input_files ?? [],
    requirements: {
      value: hasPatterns(reading) ? reading.patterns.length : "N/A",
      pattern_items: hasPatterns(reading) ? reading.patterns : [],
      ...(reading.expect === "absent" ? { expect: "absent" } : {}),
      ...(extra === "info" ? { extra: "info" } : {}),
    },
    waivers: {
      value: waivers.value ?? "N/A",
      waive_items: waivers.items.map((waiver) => waiver.pattern),
      waive_reasons: waivers.items.map((waiver) => (waiver.reason === "" ? "N/A" : waiver.reason)),
    },
  };
  const yaml = new Document(document);
  for (const path of [
    ["requirements", "pattern_items"],
    ["waivers", "waive_items"],
  ]) {
    const list = yaml.getIn(path, true);
    if (!isSeq(list)) continue;
    for (const item of list.items) {
      const spelled = isScalar(item) ? reading.spelled.get(String(item.value)) : undefined;
      if (spelled !== undefined && isScalar(item))
        item.comment = ` the page has ${spelled}, and a bar makes plain texts`;
    }
  }
  return yaml.toString({ lineWidth: 0 });
}
