// The state of a running turn as plain JSON, and the services of its nodes.
import { z } from "zod";
import type { Conversation } from "../../conversation/conversation.ts";
import type { ContextSource } from "./context.ts";
import { directiveSchema } from "./directive.ts";
import type { DesignProject } from "./project.ts";

export const turnStateSchema = z.object({
  turn: z.int(),
  message: z.string(),
  /** Sizes of the packs sent. */
  packs: z.array(z.object({ mode: z.string(), chars: z.int(), hop: z.int() })),
  /** The model's raw replies. */
  replies: z.array(z.string()),
  directive: directiveSchema.nullable(),
  warnings: z.array(z.string()),
  error: z.object({ kind: z.string(), message: z.string() }).nullable(),
  /** The patch file that the turn proposed. */
  patch_id: z.string().nullable(),
});
export type TurnState = z.infer<typeof turnStateSchema>;

export interface TurnDeps {
  project: DesignProject;
  conversation: Conversation;
  source: ContextSource;
}
