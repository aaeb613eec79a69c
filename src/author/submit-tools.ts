// The tools with which a model submits its work or asks the user. The descriptions are part of prompts.
import { z } from "zod";
import { DECLARED, DECLARED_NAMES, SILENT } from "../contract/declarations.ts";
import type { ToolSpec } from "../contract/tool-spec.ts";

export const SUBMIT_A = "submit_extract_context";
export const SUBMIT_B = "submit_logic";
export const ASK_PERSON = "ask_person";

const text = (description: string) => ({ type: "string", description });
const texts = (description: string) => ({ type: "array", items: { type: "string" }, description });

/** Decisions are repeated in the requests of later repairs. */
const DECISIONS = texts("Choices you made, each as `decision: reason`.");

/** The declarations of one part, each a value with its quote. */
function declarations(part: "atom_a" | "config") {
  const properties = Object.fromEntries(
    DECLARED_NAMES.filter((name) => DECLARED[name].part === part).map((name) => [
      name,
      {
        type: "object",
        properties: {
          value: { type: "string", enum: [...DECLARED[name].values] },
          quote: text(`Words of the page, or "${SILENT}".`),
        },
        required: ["value", "quote"],
      },
    ]),
  );
  return { type: "object", properties, description: "What the page asks for." };
}

export const SUBMIT_A_SPEC: ToolSpec = {
  name: SUBMIT_A,
  description: "Hands in Atom A. The gates then prove it on the real logs.",
  parameters: {
    type: "object",
    properties: {
      code: text("The whole JavaScript source with function extract_context(text, source_file)."),
      input_files: texts("Globs for exactly the logs the page means."),
      log_summary: text("Three to six sentences: which logs there are, their format, what must not match."),
      witnesses: texts("Lines that only a complete run writes: plain text, or regex: and an expression."),
      no_witness_reason: text("Without witnesses: why nothing can serve."),
      declarations: declarations("atom_a"),
      decisions: DECISIONS,
    },
    required: ["code", "input_files", "log_summary", "witnesses", "declarations"],
  },
};

/** The submit tool of Agent B for these parts. */
export function submitLogicSpec(parts: readonly ("atom_b" | "atom_c" | "config")[]): ToolSpec {
  const sources = {
    atom_b: text("The whole JavaScript source with function validate_logic."),
    atom_c: text("The whole JavaScript source with function check_existence."),
    config: text("The whole YAML of the config."),
  };
  const properties = Object.fromEntries(parts.map((part) => [part, sources[part]]));
  return {
    name: SUBMIT_B,
    description: "Hands in the logic. The gates then prove it.",
    parameters: {
      type: "object",
      properties: {
        ...properties,
        declarations: declarations("config"),
        extraction_doubts: {
          type: "array",
          description:
            "Rules of section 4.2 about the form of records that the extraction breaks; usually none.",
          items: {
            type: "object",
            properties: {
              statement: text("What the extraction gets wrong, without any text of requirements or waivers."),
              quote: text("The page's own words for it, letter by letter."),
            },
            required: ["statement", "quote"],
          },
        },
        decisions: DECISIONS,
        notes: text("Anything else, briefly."),
      },
      required: [...parts, "declarations"],
    },
  };
}

export const ASK_PERSON_SPEC: ToolSpec = {
  name: ASK_PERSON,
  description:
    "Ends the work without an answer: a person is asked. For what cannot be known, not for effort.",
  parameters: {
    type: "object",
    properties: {
      reasons: texts("What is missing or contradictory, one sentence each."),
      questions: texts("Exact questions whose answers would settle it."),
    },
    required: ["reasons", "questions"],
  },
};

/** Entries that are not texts or numbers are ignored. */
const listEntry = z.union([z.string(), z.number().transform(String)]).catch("");
const listOfTexts = z
  .union([z.array(listEntry), z.string().transform((text) => [text])])
  .catch([])
  .transform((texts) => texts.map((text) => text.trim()).filter((text) => text !== ""));

/** Limits for the decisions of one reply: their number, and characters of each text. */
const MAX_DECISIONS = 8;
const MAX_DECISION_CHARS = 300;
const listOfDecisions = listOfTexts.transform((texts) => texts.slice(0, MAX_DECISIONS).map(parseDecision));

/** Parses `decision: reason`; without a colon the whole text is the decision. */
function parseDecision(text: string): { decision: string; reason: string } {
  const [, decision = text, reason = ""] = /^(.+?):\s+(.+)$/s.exec(text) ?? [];
  const plain = (part: string): string => part.replace(/\s+/g, " ").trim().slice(0, MAX_DECISION_CHARS);
  return { decision: plain(decision), reason: plain(reason) };
}

/** Lenient, since models deviate from the schema: a list may be a string, a text may be missing. */
export const submitAArguments = z.object({
  code: z.string().catch(""),
  input_files: listOfTexts,
  log_summary: z.string().catch(""),
  declarations: z.unknown().optional(),
  witnesses: listOfTexts,
  no_witness_reason: z.string().catch(""),
  decisions: listOfDecisions,
  notes: z.string().catch(""),
});

export const submitBArguments = z.object({
  atom_b: z.string().catch(""),
  atom_c: z.string().catch(""),
  config: z.unknown().optional(),
  declarations: z.unknown().optional(),
  extraction_doubts: z.array(z.object({ statement: z.string(), quote: z.string() })).catch([]),
  decisions: listOfDecisions,
  notes: z.string().catch(""),
});

export const askPersonArguments = z.object({ reasons: listOfTexts, questions: listOfTexts });
