// The agent configurations and templates that are part of the program.
import researcher from "../../../../configs/agents/researcher.json" with { type: "json" };
import researcherInstructions from "../../../../configs/agents/researcher_instructions.md" with {
  type: "text",
};
import tidy from "../../../../configs/agents/tidy.json" with { type: "json" };
import tidyInstructions from "../../../../configs/agents/tidy_instructions.md" with { type: "text" };

export const EMBEDDED_CONFIGS: Readonly<Record<string, unknown>> = { researcher, tidy };

export const EMBEDDED_TEMPLATES: Readonly<Record<string, string>> = {
  "researcher_instructions.md": researcherInstructions,
  "tidy_instructions.md": tidyInstructions,
};
