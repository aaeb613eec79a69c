// The first messages of each conversation: the prompts of prompts/item/ with the sections of the page that the author may
// see (docs/contract.md, section 1) and the results of earlier rounds.
import { describeDeclarations } from "../contract/declarations.ts";
import type { GateFinding } from "../contract/gates.ts";
import { fenceCode, fenceData } from "../conversation/fence.ts";
import { render } from "../conversation/prompts.ts";
import type { ChatMessage } from "../llm/types.ts";
import { fencedBlock, formatExample, formatExampleBlock, readExactParts } from "../spec/index.ts";
import type { LogicSlice, ParsingSlice } from "../spec/types.ts";
import { formatFindings, formatHistory, relevantLines } from "./findings.ts";
import { formatDecisions, formatGates, formatSignatures } from "./memory.ts";
import { PROMPTS } from "./prompts.ts";
import type { LogicPart } from "./tasks.ts";
import type {
  AtomADraft,
  AuthorContext,
  ExtractionSummary,
  ParsingSecondLookInput,
  ReflectInput,
  SecondLookInput,
} from "./types.ts";
import { withoutProgramKeys } from "./witnesses.ts";

/** Asks for the first draft of Atom A.
 * @param draft the draft of the offline author from the worked examples */
export function agentARequest(
  slice: ParsingSlice,
  context: AuthorContext,
  draft: AtomADraft | undefined,
): ChatMessage[] {
  return [
    { role: "system", content: systemA(context) },
    {
      role: "user",
      content: render(PROMPTS.user_a, {
        ...parsingSections(slice),
        hints: hintsText(context) + givenExamples(slice),
        draft: draft === undefined ? "" : offlineDraft(draft),
      }),
    },
  ];
}

/** Asks for a repair of Atom A.
 * @param options.findings in the words that this author may read */
export function reflectARequest(
  slice: ParsingSlice,
  input: ReflectInput,
  context: AuthorContext,
  { findings, searchRoot }: { findings: readonly GateFinding[]; searchRoot: string },
): ChatMessage[] {
  const { observed } = context.tools.snapshot();
  return [
    { role: "system", content: systemA(context) },
    {
      role: "user",
      content: render(PROMPTS.user_reflect_a, {
        ...parsingSections(slice),
        code: fenceCode("js", input.sources.atom_a),
        gates: formatGates(input.gates),
        findings: fenceData("gate findings", formatFindings(findings, ["atom_a", "config"])),
        lines: fenceData("log lines", relevantLines(observed, findings, searchRoot)),
        log_summary: fenceData("summary", input.log_summary || "(none)"),
        decisions: formatDecisions(input.memory.decisions),
        signatures: formatSignatures(input.sources, ["atom_a"]),
        history: formatHistory(
          input.history.filter(({ part }) => part === "atom_a"),
          input.memory.iteration,
        ),
        hints: hintsText(context) + givenExamples(slice),
        quota: `${context.tools.bytesLeft()} bytes are left`,
      }),
    },
  ];
}

/** Asks about Atom A before it is accepted.
 * @param suspicions in the words that this author may read */
export function secondLookARequest(
  slice: ParsingSlice,
  { sources }: ParsingSecondLookInput,
  context: AuthorContext,
  suspicions: readonly GateFinding[],
): ChatMessage[] {
  return [
    { role: "system", content: systemA(context) },
    {
      role: "user",
      content: render(PROMPTS.user_second_look_a, {
        ...parsingSections(slice),
        code: fenceCode("js", sources.atom_a),
        suspicions: fenceData("suspicions", suspicions.map(({ message }) => `- ${message}`).join("\n")),
        hints: hintsText(context) + givenExamples(slice),
      }),
    },
  ];
}

/** The texts that the author of Atom A has seen before a repair: findings may quote them. */
export function knownToParsing(
  slice: ParsingSlice,
  { sources }: Pick<ReflectInput, "sources">,
  context: AuthorContext,
): string[] {
  const { observed } = context.tools.snapshot();
  return [
    PROMPTS.system_a,
    PROMPTS.user_reflect_a,
    PROMPTS.user_second_look_a,
    slice.section_1,
    slice.section_4_1,
    hintsText(context),
    givenExamples(slice),
    sources.atom_a,
    ...observed.map(({ lines }) => lines.join("\n")),
  ];
}

/** Common input of requests about the logic. */
export interface LogicRequest {
  slice: LogicSlice;
  extraction: ExtractionSummary;
  context: AuthorContext;
  /** Parts to write. */
  parts: readonly LogicPart[];
  /** The author writes Atoms B and C, and sees the code of Atom A. */
  writesAtoms: boolean;
}

/** Asks for the first draft of the logic. */
export function agentBRequest(request: LogicRequest, atomA: string): ChatMessage[] {
  const { slice, extraction, context, parts, writesAtoms } = request;
  return [
    { role: "system", content: systemB(writesAtoms) },
    {
      role: "user",
      content: render(PROMPTS.user_b, {
        ...logicSections(slice),
        atom_a: atomAText(atomA, writesAtoms),
        extraction: extractionText(extraction),
        template: fenceCode("yaml", PROMPTS.config_template),
        hints: hintsText(context) + givenCheck(slice),
        parts: parts.join(", "),
      }),
    },
  ];
}

/** Asks for a repair of the logic.
 * @param findings in the words that this author may read */
export function reflectBRequest(
  request: LogicRequest,
  input: ReflectInput,
  findings: readonly GateFinding[],
): ChatMessage[] {
  const { slice, extraction, context, parts, writesAtoms } = request;
  return [
    { role: "system", content: systemB(writesAtoms) },
    {
      role: "user",
      content: render(PROMPTS.user_reflect_b, {
        ...logicSections(slice),
        parts: parts.join(", "),
        atom_a: atomAText(input.sources.atom_a, writesAtoms),
        extraction: extractionText(extraction),
        code: parts.map((part) => failedPart(part, input)).join("\n\n"),
        gates: formatGates(input.gates),
        findings: fenceData("gate findings", formatFindings(findings, parts)),
        decisions: formatDecisions(input.memory.decisions),
        signatures: writesAtoms ? formatSignatures(input.sources, ["atom_b", "atom_c"]) : "",
        history: formatHistory(
          input.history.filter(({ part }) => part === "logic"),
          input.memory.iteration,
        ),
        hints: hintsText(context) + givenCheck(slice),
      }),
    },
  ];
}

/** Asks about the config before it is accepted.
 * @param suspicions in the words that this author may read */
export function secondLookRequest(
  { slice, extraction, context, writesAtoms }: LogicRequest,
  { sources, declarations }: SecondLookInput,
  suspicions: readonly GateFinding[],
): ChatMessage[] {
  return [
    { role: "system", content: systemB(writesAtoms) },
    {
      role: "user",
      content: render(PROMPTS.user_second_look, {
        ...logicSections(slice),
        extraction: extractionText(extraction),
        config: fenceCode("yaml", withoutProgramKeys(sources.config)),
        declarations: describeDeclarations(declarations).join("\n") || "(none)",
        suspicions: suspicions.map(({ message }) => `- ${message}`).join("\n"),
        hints: hintsText(context) + givenCheck(slice),
      }),
    },
  ];
}

/** The texts that the author of the logic has seen: findings may quote them. */
export function knownToLogic(
  { slice, context, writesAtoms }: LogicRequest,
  atoms: readonly string[],
): string[] {
  return [
    systemB(writesAtoms),
    PROMPTS.user_reflect_b,
    PROMPTS.user_second_look,
    slice.section_2,
    slice.section_3,
    slice.section_4_2,
    hintsText(context),
    givenCheck(slice),
    ...atoms,
  ];
}

function systemA(context: AuthorContext): string {
  return render(PROMPTS.system_a, { max_lines: String(context.tools.limits.maxLinesPerCall) });
}

function systemB(writesAtoms: boolean): string {
  return render(PROMPTS.system_b, { atoms: writesAtoms ? PROMPTS.system_b_atoms : "" });
}

function parsingSections(slice: ParsingSlice): Record<string, string> {
  return {
    item_id: slice.item_id,
    section_1: orEmpty(slice.section_1),
    section_4_1: orEmpty(slice.section_4_1),
  };
}

function logicSections(slice: LogicSlice): Record<string, string> {
  return {
    item_id: slice.item_id,
    section_2: orEmpty(slice.section_2),
    section_3: orEmpty(slice.section_3),
    section_4_2: orEmpty(slice.section_4_2),
  };
}

function orEmpty(text: string): string {
  return text.trim() === "" ? "(empty)" : text.trim();
}

function hintsText(context: AuthorContext): string {
  if (context.hints.length === 0) return "";
  return `\n## A person says\n${context.hints.map((hint) => `- ${hint}`).join("\n")}\n`;
}

/** Examples and witnesses of the user that are not on the page. */
function givenExamples(slice: ParsingSlice): string {
  const page = readExactParts(`${slice.section_1}\n\n${slice.section_4_1}`);
  const onPage = new Set(page.examples.map(formatExample));
  const onPagePatterns = page.witnesses.map(({ pattern }) => pattern);
  const witnesses = slice.witnesses.filter((pattern) => !onPagePatterns.includes(pattern));
  return givenBlocks([
    ...slice.examples.filter((example) => !onPage.has(formatExample(example))).map(formatExampleBlock),
    ...(witnesses.length === 0 ? [] : [fencedBlock("witness", witnesses.join("\n"))]),
  ]);
}

/** A check of the user that is not on the page. */
function givenCheck({ section_2, section_3, check }: LogicSlice): string {
  const page = readExactParts(`${section_2}\n\n${section_3}`);
  return givenBlocks(check === null || page.checks.length > 0 ? [] : [fencedBlock("check", check)]);
}

function givenBlocks(blocks: readonly string[]): string {
  if (blocks.length === 0) return "";
  return `\n## Blocks that a person gave beside the page\n${blocks.join("\n")}\n`;
}

/** The draft of the offline author, with its notes. */
function offlineDraft({ atom_a, reasoning, log_summary }: AtomADraft): string {
  const notes = [
    ["What it took and left out", "evidence", reasoning],
    ["What it saw", "summary", log_summary],
  ].map(([label = "", name = "", text = ""]) => `\n${label}: ${fenceData(name, text)}\n`);
  return `\n## A draft made from the worked examples\nA program agrees with all examples and may still be wrong elsewhere. Check it against the page and the logs, and hand in your own.\n${fenceCode("js", atom_a)}\n${notes.join("")}`;
}

function atomAText(code: string, shown: boolean): string {
  return shown ? `## Atom A\n${fenceCode("js", code)}\n\n` : "";
}

function extractionText(extraction: ExtractionSummary): string {
  const { input_files: _, witnesses: __, ...shapes } = extraction;
  return fenceData("extraction", JSON.stringify(shapes, null, 1));
}

function failedPart(part: LogicPart, input: ReflectInput): string {
  const source = part === "config" ? withoutProgramKeys(input.sources.config) : input.sources[part];
  return `${part}:\n${fenceCode(part === "config" ? "yaml" : "js", source)}`;
}
