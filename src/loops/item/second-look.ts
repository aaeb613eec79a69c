// The stage before acceptance that asks the authors about suspicions, once and with one call each: suspicions about
// Atom A go to the parsing author, those about the config to the logic author. A corrected part is the next attempt.
import { withWitnesses } from "../../author/witnesses.ts";
import { concernsParsing } from "../../contract/gates.ts";
import type { NodeTime } from "../../engine/index.ts";
import { applyAtomA, authorContext, NO_EXTRACTION } from "./authoring.ts";
import { saveStageOutput } from "./item-store.ts";
import { withDecisions } from "./memory.ts";
import { logicSliceOf, parsingSliceOf, quotaOf, restoreTools } from "./prepare.ts";
import type { ItemServices } from "./services.ts";
import { type ItemState, sourcesOf, withSources } from "./state.ts";

/** Answer of one author. */
interface Answer {
  state: ItemState;
  corrected: boolean;
  /** Undefined when the author was not asked. */
  reason: string | undefined;
}

/** Asks about all suspicions of the valid attempt. After a correction of Atom A the logic author is not asked: the
 * config is judged with the next attempt. */
export async function secondLook(
  state: ItemState,
  services: ItemServices,
  time: NodeTime,
): Promise<ItemState> {
  const suspicions = state.best?.report.suspicions ?? [];
  const questions = suspicions.map(({ message }) => message);
  const parsing = await askParsingAuthor(state, services, time);
  const logic: Answer = parsing.corrected
    ? { state: parsing.state, corrected: false, reason: undefined }
    : await askLogicAuthor(parsing.state, services, time);
  const reasons = [parsing.reason, logic.reason].filter((reason) => reason !== undefined);
  const corrected = parsing.corrected || logic.corrected;
  const reason = reasons.length === 0 ? "the author cannot be asked" : reasons.join(" ");
  const second_look = { asked: questions, corrected, reason };
  await saveStageOutput(services.store, "second_look", { timestamp: services.now(), ...second_look });
  // The author rejected the valid attempt: it must not be a fallback.
  return { ...logic.state, second_look, ...(corrected ? { best: null } : {}) };
}

async function askParsingAuthor(state: ItemState, services: ItemServices, time: NodeTime): Promise<Answer> {
  const suspicions = (state.best?.report.suspicions ?? []).filter(concernsParsing);
  const { author } = services;
  if (suspicions.length === 0 || author.secondLookA === undefined) {
    return { state, corrected: false, reason: undefined };
  }
  const tools = restoreTools(state, services);
  const { draft, reason } = await author.secondLookA(
    parsingSliceOf(state),
    { sources: sourcesOf(state), suspicions },
    authorContext(state, services, tools, time),
  );
  if (draft === undefined) {
    const key_decisions = withDecisions(state, "reflect_a", { reasoning: reason });
    return { state: { ...state, tool_quota: quotaOf(tools), key_decisions }, corrected: false, reason };
  }
  return { state: await applyAtomA(state, "reflect_a", draft, tools, services), corrected: true, reason };
}

async function askLogicAuthor(state: ItemState, services: ItemServices, time: NodeTime): Promise<Answer> {
  const suspicions = (state.best?.report.suspicions ?? []).filter((suspicion) => !concernsParsing(suspicion));
  const { author } = services;
  if (suspicions.length === 0 || author.secondLook === undefined) {
    return { state, corrected: false, reason: undefined };
  }
  const tools = restoreTools(state, services);
  const reply = await author.secondLook(
    logicSliceOf(state),
    { sources: sourcesOf(state), suspicions, declarations: state.declarations },
    state.extraction ?? NO_EXTRACTION,
    authorContext(state, services, tools, time),
  );
  const { reason } = reply;
  const next: ItemState = {
    ...state,
    tool_quota: quotaOf(tools),
    key_decisions: withDecisions(state, "second_look", { reasoning: reason }),
  };
  if (reply.config === undefined && reply.declarations === undefined) {
    return { state: next, corrected: false, reason };
  }
  const witnesses = state.extraction?.witnesses;
  const newConfig = reply.config ?? state.yaml_config;
  const config = witnesses === undefined ? newConfig : withWitnesses(newConfig, witnesses);
  return {
    state: {
      ...withSources(next, { ...sourcesOf(next), config }),
      declarations: { ...state.declarations, ...reply.declarations },
    },
    corrected: true,
    reason,
  };
}
