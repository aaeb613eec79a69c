// The agent configurations and templates that are part of the program.
import creator from "../../../../configs/agents/creator.json" with { type: "json" };
import creatorInstructions from "../../../../configs/agents/creator_instructions.md" with { type: "text" };
import researcher from "../../../../configs/agents/researcher.json" with { type: "json" };
import researcherInstructions from "../../../../configs/agents/researcher_instructions.md" with {
  type: "text",
};
import tidy from "../../../../configs/agents/tidy.json" with { type: "json" };
import tidyInstructions from "../../../../configs/agents/tidy_instructions.md" with { type: "text" };
import validator from "../../../../configs/agents/validator.json" with { type: "json" };
import validatorInstructions from "../../../../configs/agents/validator_instructions.md" with {
  type: "text",
};

export const EMBEDDED_CONFIGS: Readonly<Record<string, unknown>> = { creator, researcher, tidy, validator };

export const EMBEDDED_TEMPLATES: Readonly<Record<string, string>> = {
  "creator_instructions.md": creatorInstructions,
  "researcher_instructions.md": researcherInstructions,
  "tidy_instructions.md": tidyInstructions,
  "validator_instructions.md": validatorInstructions,
};
