// Calls the model and parses its directive. An unusable reply is returned once with the reason; after that, the turn
// ends in an error with this reason.
import { toAtomsmithError } from "../../../core/errors.ts";
import { truncate } from "../../../core/limits.ts";
import type { ChatReply } from "../../../llm/types.ts";
import { type Directive, readDirective } from "../directive.ts";
import { nudge } from "../prompts.ts";
import type { TurnDeps, TurnState } from "../turn-state.ts";
import { wantsContext } from "../wants-context.ts";

/** Maximum size of an error message, bytes. */
const MAX_ERROR = 2_000;

type Judgement =
  | { directive: Directive; warnings: string[] }
  | { nudge: "invalid" | "patches"; problem: string; warnings: string[] };

export async function answer(
  state: TurnState,
  deps: TurnDeps,
  { mayRequestContext }: { mayRequestContext: boolean },
): Promise<TurnState> {
  const replies = [...state.replies];
  const warnings = [...state.warnings];
  try {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await deps.conversation.ask();
      replies.push(reply.content);
      const judged = judge(reply, deps, mayRequestContext);
      warnings.push(...judged.warnings);
      if ("directive" in judged) return { ...state, replies, warnings, directive: judged.directive };
      if (attempt === 2) {
        const message = truncate(`the model's answer is unusable: ${judged.problem}`, MAX_ERROR).text;
        return { ...state, replies, warnings, directive: null, error: { kind: "directive", message } };
      }
      warnings.push(`the reply was returned to the model: ${truncate(judged.problem, MAX_ERROR).text}`);
      deps.conversation.say(nudge(judged.nudge, { problem: truncate(judged.problem, MAX_ERROR).text }));
    }
  } catch (thrown) {
    const { kind, message } = toAtomsmithError(thrown);
    if (kind === "interrupted" || kind === "internal" || kind === "store") throw thrown;
    const redacted = truncate(deps.project.services.redact(message), MAX_ERROR).text;
    return { ...state, replies, warnings, directive: null, error: { kind, message: redacted } };
  }
}

function judge(reply: ChatReply, { project }: TurnDeps, mayRequestContext: boolean): Judgement {
  const problem = replyProblem(reply);
  if (problem !== undefined) return { nudge: "invalid", problem, warnings: [] };
  const read = readDirective(
    reply.content,
    project.pipeline.stages.map(({ name }) => name),
  );
  const { warnings } = read;
  if (!read.ok) return { nudge: "invalid", problem: read.problem, warnings };
  const { directive } = read;
  if (wantsContext(directive)) {
    if (mayRequestContext) return { directive, warnings };
    warnings.push("a second request for context in one turn was ignored");
  }
  if (directive.proposed_patches.length === 0) return { directive, warnings };
  const trial = project.tryPatch(project.reader.latestVersion().spec, directive.proposed_patches);
  return trial.ok ? { directive, warnings } : { nudge: "patches", problem: trial.problem, warnings };
}

/** The reason why a reply cannot be an answer, independent of its content. */
function replyProblem(reply: ChatReply): string | undefined {
  if (reply.refusal !== undefined) return `the model refuses: ${reply.refusal}`;
  if (reply.finish_reason === "content_filter") return "a content filter of the server stopped the reply";
  if (reply.finish_reason === "length")
    return "the reply was cut off at its length limit; raise llm.design.max_tokens";
  return reply.content.trim() === "" ? "the reply is empty" : undefined;
}
