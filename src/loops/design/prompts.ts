// The prompts of the design loop, embedded in the executable from prompts/design/*.md.
import nudgesText from "../../../prompts/design/nudges.md" with { type: "text" };
import systemText from "../../../prompts/design/system.md" with { type: "text" };
import userText from "../../../prompts/design/user.md" with { type: "text" };
import { readNudges } from "../../conversation/nudges.ts";
import { render } from "../../conversation/prompts.ts";
import type { ChatMessage } from "../../llm/types.ts";
import type { Pipeline } from "./pipeline/types.ts";

/** Replies of the program within a turn. */
export const nudge = readNudges(nudgesText);

/** The first messages of a turn. */
export function firstMessages(pipeline: Pipeline, pack: string, message: string): ChatMessage[] {
  const stages = pipeline.stages.map(({ name }) => name).join(", ");
  const system = render(systemText, {
    pipeline: pipeline.name,
    stages,
    spec_notes: pipeline.specNotes ?? "",
  });
  return [
    { role: "system", content: system },
    { role: "user", content: render(userText, { pack, message }) },
  ];
}
