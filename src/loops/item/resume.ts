// The stage at which a run of an item starts: the first one, the one that was interrupted, or the one that the user names.
// `done` and `human_required` are final unless the user gives a hint or an example, edited the page or the atoms, names a
// stage, or raised the limit that was reached.
import { AtomsmithError } from "../../core/errors.ts";
import { didYouMean } from "../../core/suggest.ts";
import { count } from "../../core/words.ts";
import type { Position } from "../../engine/index.ts";
import type { RunWriter } from "../../store/index.ts";
import { logsNamedBy } from "./evidence.ts";
import { answering } from "./hints.ts";
import { withStandardParts } from "./new-attempt.ts";
import type { OutputStore } from "./output-store.ts";
import { specOf } from "./prepare.ts";
import type { ItemRequest, PersonSays } from "./request.ts";
import type { RunServices } from "./run-services.ts";
import {
  type ItemState,
  initialState,
  RUNNABLE_STAGES,
  readState,
  repairStage,
  type Stage,
  withSources,
} from "./state.ts";

export interface Beginning {
  position: Position<ItemState>;
  /** The run starts from nothing: stored replies and error logs of the one before are put aside. */
  fresh: boolean;
  /** Nothing is to be done: the item has ended, and a person said nothing new. */
  ended?: true;
}

export async function startingPosition(
  request: ItemRequest,
  run: RunServices,
  store: RunWriter,
  output: OutputStore,
  settingsHash: string,
): Promise<Beginning> {
  const person = typeof request.mode === "object" ? request.mode.person : undefined;
  const checkpoint = await store.loadCheckpoint(person?.checkpoint);
  const held = checkpoint && readState(checkpoint.state, request.itemId);
  const restart = (said: Said): Beginning => ({
    fresh: true,
    position: at(
      "load_spec",
      initialState({
        itemId: request.itemId,
        specPath: request.specPath,
        specSha256: request.specSha256,
        searchRoot: run.searchRoot,
        seed: run.seed,
        ...said,
        settingsHash,
        now: new Date().toISOString(),
      }),
    ),
  });
  if (person) return positionForUser(person, held, request, run, output, restart);
  const said: Said = { hints: held?.hints ?? [], answers: held?.answers ?? [] };
  if (held === undefined || request.mode === "restart") return restart(said);
  const resumable = !held.finished || request.fleet?.begunBefore() === true;
  const fits = resumable && held.item_spec_sha256 === request.specSha256 && held.made_with === settingsHash;
  return fits ? { fresh: false, position: at(held.current_stage, moved(held, request, run)) } : restart(said);
}

/** Answers of the user; a restart keeps them. */
type Said = Pick<ItemState, "hints" | "answers">;

function at(node: Stage, state: ItemState): Position<ItemState> {
  return { node, state: { ...state, current_stage: node, finished: false } };
}

/** The same page and logs may have moved to another folder since the checkpoint. */
function moved(state: ItemState, request: ItemRequest, run: RunServices): ItemState {
  return { ...state, item_spec_path: request.specPath, search_root: run.searchRoot };
}

async function positionForUser(
  person: PersonSays,
  held: ItemState | undefined,
  request: ItemRequest,
  run: RunServices,
  output: OutputStore,
  restart: (said: Said) => Beginning,
): Promise<Beginning> {
  if (held === undefined) {
    throw new AtomsmithError("usage", `no checkpoint of ${request.itemId} found`, {
      hint: "start it with: atomsmith generate ITEM.md",
    });
  }
  const said: Said = {
    hints: hintsAfter(person, held),
    answers: [...held.answers, ...(person.answers ?? [])],
  };
  // A changed page makes everything that was read from it stale.
  if (held.item_spec_sha256 !== request.specSha256 && !person.acceptEdits) return restart(said);
  const state: ItemState = { ...moved(held, request, run), ...said };
  if (person.acceptEdits) return acceptEdits(state, run, output);
  if (person.from !== undefined) {
    if (person.from === "load_spec") return restart(said);
    return { fresh: false, position: onAt(checkStage(person.from, state), state) };
  }
  const said_more = person.hint !== undefined || person.dropHint !== undefined;
  if (said_more || (person.answers ?? []).length > 0) {
    return { fresh: false, position: onAt(stageForHint(state), state) };
  }
  if (!state.finished || person.checkpoint !== undefined) {
    return { fresh: false, position: at(state.current_stage, state) };
  }
  const raised = raisedLimit(state, run);
  if (raised !== undefined)
    return { fresh: false, position: at(raised, continued(state, state.iteration_base)) };
  return { fresh: false, ended: true, position: { node: state.current_stage, state } };
}

/** Hints with what a person adds or takes back. An answer is kept with its question, so that "yes" says something. */
function hintsAfter({ hint, dropHint }: PersonSays, held: ItemState): string[] {
  if (dropHint !== undefined && held.hints[dropHint - 1] === undefined) {
    throw new AtomsmithError("usage", `${held.item_id} has no hint ${dropHint}`, {
      hint: `it has ${count(held.hints.length, "hint")}; resume --hints lists them`,
    });
  }
  const left = held.hints.filter((_, i) => i + 1 !== dropHint);
  if (hint === undefined) return left;
  // What Agent B asks is about the check, and Agent A, which reads hints too, must not learn of it.
  const asked = held.given_up?.stage === "agent_a" ? held.given_up.questions : [];
  return [...left, answering(hint, asked)];
}

/** Position for another run from a stage on. Logs that were read whole count until Atom A is written again. */
function onAt(stage: Stage, state: ItemState): Position<ItemState> {
  const rewritesAtomA = stage === "preprocess" || stage === "agent_a";
  return at(stage, { ...continued(state), named_logs: rewritesAtomA ? [] : state.named_logs });
}

/** The state without the reason it ended for; the limit of attempts counts from here. */
function continued(state: ItemState, base = state.iteration_count): ItemState {
  return {
    ...state,
    given_up: null,
    human_reason: null,
    limits_met: null,
    edited_by_person: false,
    iteration_base: base,
  };
}

/** The stage that can use an answer: the one that gave up, else the repair of what failed, else Agent A. */
function stageForHint(state: ItemState): Stage {
  if (!state.finished) return state.current_stage;
  if (state.given_up) return state.given_up.stage;
  return (state.best ? repairStage(state) : undefined) ?? "agent_a";
}

/** The stage to resume at when the limit that ended the item was raised since; undefined otherwise. */
function raisedLimit(state: ItemState, run: RunServices): Stage | undefined {
  if (state.limits_met === null) return undefined;
  const { execution, tool_constraints } = run.config;
  if (state.human_reason === "iterations" && execution.max_iterations > state.limits_met.max_iterations) {
    return repairStage(state);
  }
  if (tool_constraints.max_total_read_bytes > state.limits_met.max_total_read_bytes) {
    return state.given_up?.stage ?? "agent_a";
  }
  return undefined;
}

/** Checks that a stage a person names can run on what is stored. */
function checkStage(name: string, state: ItemState): Stage {
  const stage = RUNNABLE_STAGES.find((known) => known === name);
  if (stage === undefined) {
    throw new AtomsmithError(
      "usage",
      `there is no stage ${JSON.stringify(name)} to begin with${didYouMean(name, RUNNABLE_STAGES)}`,
      {
        hint: `stages: ${RUNNABLE_STAGES.join(", ")}`,
      },
    );
  }
  const missing = WHAT_IS_MISSING[stage]?.(state);
  if (missing !== undefined) {
    throw new AtomsmithError("usage", `${state.item_id} cannot begin at ${stage}: ${missing}`, {
      hint: "choose an earlier stage",
    });
  }
  return stage;
}

type Need = (state: ItemState) => string | undefined;
const needsPage: Need = (state) =>
  Object.keys(state.spec_sections).length === 0 ? "the page was never loaded" : undefined;
const needsA: Need = (state) =>
  needsPage(state) ?? (state.atom_a_code === "" ? "there is no Atom A" : undefined);
const needsErrors: Need = (state) =>
  needsA(state) ??
  (state.validation_errors.length === 0 ? "there is no failed attempt to repair" : undefined);
const WHAT_IS_MISSING: Partial<Record<Stage, Need>> = {
  preprocess: needsPage,
  agent_a: needsPage,
  agent_b: needsA,
  validate: (state) => needsA(state) ?? (state.yaml_config === "" ? "there is no config" : undefined),
  second_look: (state) =>
    needsA(state) ?? (state.best?.report.valid ? undefined : "there is no attempt that passed the gates"),
  reflect_a: needsErrors,
  reflect_b: needsErrors,
};

/** A person's edits go through all gates as they are; only if these pass is the set accepted. */
async function acceptEdits(state: ItemState, run: RunServices, output: OutputStore): Promise<Beginning> {
  const edits = await output.readAttempt();
  if (edits === undefined) {
    throw new AtomsmithError("usage", `there is no ${output.attemptDir} with edited atoms`, {
      where: output.attemptDir,
      hint: `atomsmith resume ${state.item_id} --new-attempt makes it; only atom_a.js has to be written`,
    });
  }
  if (Object.keys(state.spec_sections).length === 0) {
    throw new AtomsmithError("usage", `the page of ${state.item_id} was never loaded`, {
      hint: "run generate first",
    });
  }
  const sources = withStandardParts(edits, specOf(state), state.answers);
  const named_logs = await logsNamedBy(sources.config, run.searchRoot, run.config);
  const edited = withSources(
    { ...continued(state), edited_by_person: true, named_logs, best: null },
    sources,
  );
  return { fresh: false, position: at("validate", edited) };
}
