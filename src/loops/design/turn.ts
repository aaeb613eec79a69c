// One turn of the conversation: takes a message, returns a document. If a process was killed during a turn, sending
// the same message again reuses the stored replies.
import { Conversation } from "../../conversation/conversation.ts";
import { AtomsmithError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { runGraph } from "../../engine/index.ts";
import type { LlmServices } from "../../llm/index.ts";
import { usageByRole } from "../../llm/transcript.ts";
import { turnLogOver } from "../../llm/turns.ts";
import { type ContextSource, firstPack } from "./context.ts";
import { DESIGN_LOOP } from "./events.ts";
import { turnGraph } from "./graph.ts";
import { differenceOf } from "./patches.ts";
import type { DesignProject } from "./project.ts";
import { firstMessages } from "./prompts.ts";
import type { TurnDocument } from "./schemas.ts";
import { restingState } from "./state.ts";
import { readTurns } from "./turn-log.ts";
import type { TurnDeps, TurnState } from "./turn-state.ts";
import { file } from "./versions.ts";

export const DESIGN_ROLE = "design";

/** Maximum length of a message; longer texts belong in the spec or an artifact. */
const MAX_MESSAGE = 100_000;

/** Answers a message. Errors of the model or its server are in the document; throws kinds `usage` for an invalid message,
 * `interrupted`, and `store`. */
export async function runTurn(project: DesignProject, llm: LlmServices, text: string): Promise<TurnDocument> {
  const message = project.services.redact(text.trim());
  if (message === "") throw new AtomsmithError("usage", "the message is empty");
  if (message.length > MAX_MESSAGE) {
    throw new AtomsmithError(
      "usage",
      `the message has ${message.length} characters; the limit is ${MAX_MESSAGE}`,
    );
  }
  const { reader } = project;
  const turns = await readTurns(reader);
  const source: ContextSource = {
    reader,
    pipeline: project.pipeline,
    limits: project.services.config.loops.design,
    turns,
    openQuestions: turns.at(-1)?.questions ?? [],
  };
  const pack = firstPack(source);
  const turn = reader.state.turn + 1;
  const state: TurnState = {
    turn,
    message,
    packs: [{ mode: pack.mode, chars: pack.text.length, hop: 0 }],
    replies: [],
    directive: null,
    warnings: [],
    error: null,
    patch_id: null,
  };
  const deps: TurnDeps = {
    project,
    source,
    conversation: openConversation(project, llm, turn, pack.text, message),
  };
  await project.write({ files: [file("state.json", { ...reader.state, state: "PROCESSING" })] });
  try {
    const end = await runGraph(turnGraph, { node: turnGraph.start, state }, deps, {
      signal: project.services.signal,
      checkpoint: async ({ node, state: now }) => {
        await project.store.saveCheckpoint(node, now as unknown as JsonObject);
      },
    });
    if (end.end !== "finished") throw new AtomsmithError("internal", "a turn has no limits of its own");
    return documentOf(project, end.state);
  } catch (error) {
    // Interrupted: the turn is discarded; its stored replies are reused when the message is sent again.
    await project.write({ files: [file("state.json", restingState(project.state))] });
    throw error;
  }
}

function openConversation(
  project: DesignProject,
  llm: LlmServices,
  turn: number,
  pack: string,
  message: string,
): Conversation {
  const { config, emit, signal } = project.services;
  const { name } = project.reader.project;
  const turns = turnLogOver(project.store.turns);
  const { total: spent } = usageByRole(turns.listTurns());
  const ledger = llm.ledger(DESIGN_LOOP, { subject: name, spent }, emit);
  const model = llm.model(DESIGN_ROLE, {
    cassette: `${DESIGN_LOOP}-${name}`,
    ledger,
    emit,
    searchRoot: project.dir,
  });
  return new Conversation(
    {
      model,
      role: DESIGN_ROLE,
      turns,
      stage: "turn",
      iteration: turn,
      tools: [],
      signal,
      clock: llm.clock,
      deadline: llm.clock.now() + config.execution.timeout_total * 1000,
      deadlineKey: "execution.timeout_total",
      emit,
      stream: config.execution.enable_streaming,
      redact: llm.redact,
    },
    firstMessages(project.pipeline, pack, message),
  );
}

function documentOf(project: DesignProject, turn: TurnState): TurnDocument {
  const { reader } = project;
  const { state, pending_patch_ids, pending_run } = reader.state;
  return {
    turn: turn.turn,
    state,
    assistant_message: turn.directive?.assistant_message ?? "",
    questions: turn.directive?.questions ?? [],
    proposal: turn.patch_id === null ? null : proposalOf(project, turn.patch_id),
    pending_patch_ids,
    pending_run,
    warnings: turn.warnings,
    error: turn.error,
  };
}

/** A pending patch for the user: its changes of the spec and of the results. */
export function proposalOf(project: DesignProject, id: string): TurnDocument["proposal"] {
  const { reader } = project;
  const { patch_id, patches, judged_anew, verdicts } = reader.patch(id);
  const { spec } = reader.latestVersion();
  const trial = project.tryPatch(spec, patches);
  return { patch_id, difference: trial.ok ? differenceOf(spec, trial.spec) : [], judged_anew, verdicts };
}
