import { z } from "zod";
import { defineTool, done } from "../types.ts";

export const askPerson = defineTool({
  name: "ask_person",
  category: "completion",
  description: "Ask a person a question; the job waits for the answer.",
  details:
    "Only for what the workspace cannot answer and what must not be guessed. Ask one question that can be answered alone.",
  schema: z.strictObject({ question: z.string().trim().min(1).max(4000) }),
  run: ({ question }) =>
    done("The question was sent to a person; the job waits for the answer.", {
      patch: { waiting: { reason: "question", text: question, node: "execute" } },
    }),
});
