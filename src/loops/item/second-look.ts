// The stage before acceptance that puts suspicions to their authors, once and with one call each: what the page seems to
// say against Atom A to the author who reads the logs, what it seems to say against the config to the other. A corrected
// part is the next attempt.
import { withWitnesses } from "../../author/witnesses.ts";
import { concernsParsing } from "../../contract/gates.ts";
import type { NodeTime } from "../../engine/index.ts";
import { context, NO_EXTRACTION, takeAtomA } from "./authoring.ts";
import { saveStageOutput } from "./item-store.ts";
import { withDecisions } from "./memory.ts";
import { logicSliceOf, parsingSliceOf, quotaOf, restoreTools } from "./prepare.ts";
import type { ItemServices } from "./services.ts";
import { type ItemState, sourcesOf, withSources } from "./state.ts";

/** What one author answered. */
interface Answer {
  state: ItemState;
  corrected: boolean;
  /** Undefined where the author cannot be asked. */
  reason: string | undefined;
}

/** Asks about all suspicions of the attempt that passed. After a correction of Atom A the config waits: it is judged
 * with the next attempt. */
export async function secondLook(
  state: ItemState,
  services: ItemServices,
  time: NodeTime,
): Promise<ItemState> {
  const suspicions = state.best?.report.suspicions ?? [];
  const asked = suspicions.map(({ message }) => message);
  const parsing = await askParsing(state, services, time);
  const logic: Answer = parsing.corrected
    ? { state: parsing.state, corrected: false, reason: undefined }
    : await askLogic(parsing.state, services, time);
  const reasons = [parsing.reason, logic.reason].filter((reason) => reason !== undefined);
  const corrected = parsing.corrected || logic.corrected;
  const reason = reasons.length === 0 ? "the author cannot be asked" : reasons.join(" ");
  const second_look = { asked, corrected, reason };
  await saveStageOutput(services.store, "second_look", { timestamp: services.now(), ...second_look });
  // The author says that what passed is wrong: it is no attempt to fall back to.
  return { ...logic.state, second_look, ...(corrected ? { best: null } : {}) };
}

async function askParsing(state: ItemState, services: ItemServices, time: NodeTime): Promise<Answer> {
  const suspicions = (state.best?.report.suspicions ?? []).filter(concernsParsing);
  const { author } = services;
  if (suspicions.length === 0 || author.secondLookA === undefined) {
    return { state, corrected: false, reason: undefined };
  }
  const tools = restoreTools(state, services);
  const { draft, reason } = await author.secondLookA(
    parsingSliceOf(state),
    { sources: sourcesOf(state), suspicions },
    context(state, services, tools, time),
  );
  if (draft === undefined) {
    const key_decisions = withDecisions(state, "reflect_a", { reasoning: reason });
    return { state: { ...state, tool_quota: quotaOf(tools), key_decisions }, corrected: false, reason };
  }
  return { state: await takeAtomA(state, "reflect_a", draft, tools, services), corrected: true, reason };
}

async function askLogic(state: ItemState, services: ItemServices, time: NodeTime): Promise<Answer> {
  const suspicions = (state.best?.report.suspicions ?? []).filter((one) => !concernsParsing(one));
  const { author } = services;
  if (suspicions.length === 0 || author.secondLook === undefined) {
    return { state, corrected: false, reason: undefined };
  }
  const tools = restoreTools(state, services);
  const reply = await author.secondLook(
    logicSliceOf(state),
    { sources: sourcesOf(state), suspicions, declarations: state.declarations },
    state.extraction ?? NO_EXTRACTION,
    context(state, services, tools, time),
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
  const said = reply.config ?? state.yaml_config;
  const config = witnesses === undefined ? said : withWitnesses(said, witnesses);
  return {
    state: {
      ...withSources(next, { ...sourcesOf(next), config }),
      declarations: { ...state.declarations, ...reply.declarations },
    },
    corrected: true,
    reason,
  };
}
