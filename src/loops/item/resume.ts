// The stage at which a run of an item starts: the first one, the one that was interrupted, or the one that the user names.
// `done` and `human_required` are final unless the user gives a hint or an example, edited the page or the atoms, names a
// stage, or raised the limit that was reached.
import { AtomsmithError } from "../../core/errors.ts";
import { didYouMean } from "../../core/suggest.ts";
import { count } from "../../core/words.ts";
import type { Position } from "../../engine/index.ts";
import type { RunWriter } from "../../store/index.ts";
import { logsNamedBy } from "./evidence.ts";
import { withQuestions } from "./hints.ts";
import { withStandardParts } from "./new-attempt.ts";
import type { OutputStore } from "./output-store.ts";
import { specOf } from "./prepare.ts";
import type { ItemRequest, ResumeRequest } from "./request.ts";
import type { RunServices } from "./run-services.ts";
import { RUNNABLE_STAGES, type Stage } from "./stages.ts";
import { type ItemState, initialState, readState, repairStage, withSources } from "./state.ts";

export interface RunStart {
  position: Position<ItemState>;
  /** Start from the beginning; stored replies and error logs of the previous run are set aside. */
  fresh: boolean;
  /** Nothing to do: the item has ended, and the user changed nothing. */
  ended?: true;
}

export async function startingPosition(
  request: ItemRequest,
  run: RunServices,
  store: RunWriter,
  output: OutputStore,
  settingsHash: string,
): Promise<RunStart> {
  const user = typeof request.mode === "object" ? request.mode.user : undefined;
  const checkpoint = await store.loadCheckpoint(user?.checkpoint);
  const stored = checkpoint && readState(checkpoint.state, request.itemId);
  const restart = (input: UserInput): RunStart => ({
    fresh: true,
    position: positionAt(
      "load_spec",
      initialState({
        itemId: request.itemId,
        specPath: request.specPath,
        specSha256: request.specSha256,
        searchRoot: run.searchRoot,
        seed: run.seed,
        ...input,
        settingsHash,
        now: new Date().toISOString(),
      }),
    ),
  });
  if (user) return positionForUser(user, stored, request, run, output, restart);
  const input: UserInput = { hints: stored?.hints ?? [], answers: stored?.answers ?? [] };
  if (stored === undefined || request.mode === "restart") return restart(input);
  const resumable = !stored.finished || request.fleet?.startedBefore() === true;
  const fits =
    resumable && stored.item_spec_sha256 === request.specSha256 && stored.made_with === settingsHash;
  return fits
    ? { fresh: false, position: positionAt(stored.current_stage, withCurrentPaths(stored, request, run)) }
    : restart(input);
}

/** Input of the user; a restart keeps it. */
type UserInput = Pick<ItemState, "hints" | "answers">;

function positionAt(node: Stage, state: ItemState): Position<ItemState> {
  return { node, state: { ...state, current_stage: node, finished: false } };
}

/** Updates the paths: page and logs may have moved to another folder since the checkpoint. */
function withCurrentPaths(state: ItemState, request: ItemRequest, run: RunServices): ItemState {
  return { ...state, item_spec_path: request.specPath, search_root: run.searchRoot };
}

async function positionForUser(
  user: ResumeRequest,
  stored: ItemState | undefined,
  request: ItemRequest,
  run: RunServices,
  output: OutputStore,
  restart: (input: UserInput) => RunStart,
): Promise<RunStart> {
  if (stored === undefined) {
    throw new AtomsmithError("usage", `no checkpoint of ${request.itemId} found`, {
      hint: "start it with: atomsmith generate ITEM.md",
    });
  }
  const input: UserInput = {
    hints: hintsAfter(user, stored),
    answers: [...stored.answers, ...(user.answers ?? [])],
  };
  // A changed page makes everything that was read from it stale.
  if (stored.item_spec_sha256 !== request.specSha256 && !user.acceptEdits) return restart(input);
  const state: ItemState = { ...withCurrentPaths(stored, request, run), ...input };
  if (user.acceptEdits) return validateEdits(state, run, output);
  if (user.from !== undefined) {
    if (user.from === "load_spec") return restart(input);
    return { fresh: false, position: resumeAt(checkStage(user.from, state), state) };
  }
  const hintsChanged = user.hint !== undefined || user.dropHint !== undefined;
  if (hintsChanged || (user.answers ?? []).length > 0) {
    return { fresh: false, position: resumeAt(stageForHint(state), state) };
  }
  if (!state.finished || user.checkpoint !== undefined) {
    return { fresh: false, position: positionAt(state.current_stage, state) };
  }
  const raised = raisedLimit(state, run);
  if (raised !== undefined)
    return { fresh: false, position: positionAt(raised, continued(state, state.iteration_base)) };
  return { fresh: false, ended: true, position: { node: state.current_stage, state } };
}

/** Hints after adding or removing one. A hint that answers a question is stored with the question. */
function hintsAfter({ hint, dropHint }: ResumeRequest, stored: ItemState): string[] {
  if (dropHint !== undefined && stored.hints[dropHint - 1] === undefined) {
    throw new AtomsmithError("usage", `${stored.item_id} has no hint ${dropHint}`, {
      hint: `it has ${count(stored.hints.length, "hint")}; resume --hints lists them`,
    });
  }
  const remaining = stored.hints.filter((_, i) => i + 1 !== dropHint);
  if (hint === undefined) return remaining;
  // Questions of Agent B are about the check; Agent A reads hints too and must not see them.
  const questions = stored.given_up?.stage === "agent_a" ? stored.given_up.questions : [];
  return [...remaining, withQuestions(hint, questions)];
}

/** Position for another run from a stage on. Logs that the author named stay evidence until Atom A is rewritten. */
function resumeAt(stage: Stage, state: ItemState): Position<ItemState> {
  const rewritesAtomA = stage === "preprocess" || stage === "agent_a";
  return positionAt(stage, { ...continued(state), named_logs: rewritesAtomA ? [] : state.named_logs });
}

/** The state without its reason to end; the limit of attempts counts from `base`. */
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

/** Checks that the stored state is sufficient for the stage that the user named. */
function checkStage(name: string, state: ItemState): Stage {
  const stage = RUNNABLE_STAGES.find((known) => known === name);
  if (stage === undefined) {
    throw new AtomsmithError(
      "usage",
      `no stage ${JSON.stringify(name)} to start at${didYouMean(name, RUNNABLE_STAGES)}`,
      {
        hint: `stages: ${RUNNABLE_STAGES.join(", ")}`,
      },
    );
  }
  const missing = PRECONDITIONS[stage]?.(state);
  if (missing !== undefined) {
    throw new AtomsmithError("usage", `${state.item_id} cannot start at ${stage}: ${missing}`, {
      hint: "choose an earlier stage",
    });
  }
  return stage;
}

type Precondition = (state: ItemState) => string | undefined;
const needsPage: Precondition = (state) =>
  Object.keys(state.spec_sections).length === 0 ? "the page was never loaded" : undefined;
const needsA: Precondition = (state) =>
  needsPage(state) ?? (state.atom_a_code === "" ? "Atom A is missing" : undefined);
const needsErrors: Precondition = (state) =>
  needsA(state) ?? (state.validation_errors.length === 0 ? "no failed attempt to repair" : undefined);
const PRECONDITIONS: Partial<Record<Stage, Precondition>> = {
  preprocess: needsPage,
  agent_a: needsPage,
  agent_b: needsA,
  validate: (state) => needsA(state) ?? (state.yaml_config === "" ? "the config is missing" : undefined),
  second_look: (state) =>
    needsA(state) ?? (state.best?.report.valid ? undefined : "no attempt passed the gates"),
  reflect_a: needsErrors,
  reflect_b: needsErrors,
};

/** Validates the user's edits unchanged; the set is accepted only if all gates pass. */
async function validateEdits(state: ItemState, run: RunServices, output: OutputStore): Promise<RunStart> {
  const edits = await output.readAttempt();
  if (edits === undefined) {
    throw new AtomsmithError("usage", `no edited atoms in ${output.attemptDir}`, {
      where: output.attemptDir,
      hint: `atomsmith resume ${state.item_id} --new-attempt creates it; only atom_a.js must be written`,
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
  return { fresh: false, position: positionAt("validate", edited) };
}
