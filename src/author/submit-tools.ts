// The tools with which a model hands in its work or asks a person, beside the four that read logs.
import { z } from "zod";
import { DECLARED, DECLARED_NAMES, SILENT } from "../contract/declarations.ts";
import type { ToolSpec } from "../contract/tool-spec.ts";

export const SUBMIT_A = "submit_extract_context";
export const SUBMIT_B = "submit_logic";
export const ASK_PERSON = "ask_person";

const text = (description: string) => ({ type: "string", description });
const texts = (description: string) => ({ type: "array", items: { type: "string" }, description });

/** Kept over rounds: a repair is told of them. */
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

/** The submit tool of Agent B; with `parts`, only these are asked for. */
export function submitLogicSpec(parts: readonly ("atom_b" | "atom_c" | "config")[]): ToolSpec {
  const all = {
    atom_b: text("The whole JavaScript source with function validate_logic."),
    atom_c: text("The whole JavaScript source with function check_existence."),
    config: text("The whole YAML of the config."),
  };
  const asked = Object.fromEntries(parts.map((part) => [part, all[part]]));
  return {
    name: SUBMIT_B,
    description: "Hands in the logic. The gates then prove it.",
    parameters: {
      type: "object",
      properties: {
        ...asked,
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

/** A text of a list; what is no text or number (null, an object) is left out. */
const listEntry = z.union([z.string(), z.number().transform(String)]).catch("");
const listOfTexts = z
  .union([z.array(listEntry), z.string().transform((one) => [one])])
  .catch([])
  .transform((all) => all.map((one) => one.trim()).filter((one) => one !== ""));

/** Decisions that are kept of one reply, and characters of each text. */
const MAX_DECISIONS = 8;
const MAX_DECISION_CHARS = 300;
const listOfDecisions = listOfTexts.transform((all) => all.slice(0, MAX_DECISIONS).map(decisionOf));

/** A statement such as `decision: reason`; without a colon all of it is the decision. */
function decisionOf(text: string): { decision: string; reason: string } {
  const [, decision = text, reason = ""] = /^(.+?):\s+(.+)$/s.exec(text) ?? [];
  const plain = (part: string): string => part.replace(/\s+/g, " ").trim().slice(0, MAX_DECISION_CHARS);
  return { decision: plain(decision), reason: plain(reason) };
}

/** Arguments as models send them: a list may be one string, a text may be missing. */
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
