// The stage that runs all gates on the current attempt, keeps the best attempt, and assigns the errors to the part to
// be repaired. An attempt that gets here counts as an iteration.
import { compareAttempts } from "../../author/best.ts";
import { silentDeclarations } from "../../contract/declarations.ts";
import type { GateFinding, GateReport } from "../../contract/gates.ts";
import type { NodeTime } from "../../engine/index.ts";
import { runGates } from "../../gates/index.ts";
import { errorSource } from "../../gates/route.ts";
import { inputsOfConfig } from "../../gates/set-context.ts";
import { extractObserved, hashOfLogs, observedLogs, saveRecords } from "./evidence.ts";
import { userText } from "./hints.ts";
import { saveErrorLog, saveStageOutput } from "./item-store.ts";
import { exactBlocks, specOf } from "./prepare.ts";
import type { ItemServices } from "./services.ts";
import { type AttemptEntry, type ItemState, shapeOf, sourcesOf, withSources } from "./state.ts";

export async function validate(
  state: ItemState,
  services: ItemServices,
  { signal }: NodeTime,
): Promise<ItemState> {
  const logs = await observedLogs(state, services);
  const sources = sourcesOf(state);
  const { variables } = services.config.paths;
  const inputs = await inputsOfConfig(sources.config, state.search_root, variables);
  const report = await services.gateSlots.run(() =>
    runGates(
      {
        itemId: state.item_id,
        sources,
        spec: specOf(state),
        ...exactBlocks(state),
        waived: services.output.waivers().map(({ pattern }) => pattern),
        // A missing declaration has the same meaning as a page without a statement.
        declarations: { ...silentDeclarations("atom_a"), ...state.declarations },
        answers: [...state.hints.map(userText), ...state.answers],
        logs,
        observed: true,
        inputs,
        searchRoot: state.search_root,
        seed: state.gate_seed,
        requireWitness: services.config.check.require_witness,
      },
      {
        sandbox: services.sandbox,
        emit: services.emit,
        signal,
        proofs: services.proofs,
        budgetMs: services.config.execution.gate_budget * 1000,
      },
    ),
  );
  signal.throwIfAborted();
  if (state.edited_by_person) {
    const { items } = await extractObserved(sources.atom_a, logs, services);
    await saveRecords(state, items, logs, services);
  }
  const iteration = state.iteration_count + 1;
  const source = errorSourceOf(report);
  const entry: AttemptEntry = {
    iteration,
    part: source === "atom_a" || source === "unknown" || source === "none" ? "atom_a" : "logic",
    sources,
    gates: report.gates,
    errors: report.errors,
    source,
    timestamp: services.now(),
  };
  await saveResult(entry, report, services);
  const judged: ItemState = {
    ...state,
    iteration_count: iteration,
    validation_errors: report.errors,
    gate_results: report.gates,
    error_source: source,
    error_history: report.valid ? state.error_history : [...state.error_history, entry],
    best: { iteration, sources, declarations: state.declarations, extraction: state.extraction, report },
    gated_on: hashOfLogs(logs, state.search_root),
    iteration_context: { based_on: iteration, dropped: [] },
  };
  if (report.valid) {
    // Without a log nothing is proved, even if the gates that need no log pass.
    return logs.length === 0 ? { ...judged, human_reason: "no_evidence" } : judged;
  }
  const kept = state.edited_by_person ? judged : keepBest(state, judged);
  return { ...kept, human_reason: reviewReason(judged, services) };
}

function reviewReason(state: ItemState, services: ItemServices): ItemState["human_reason"] {
  if (state.edited_by_person) return "edits_rejected";
  const tries = state.iteration_count - state.iteration_base;
  return tries >= services.config.execution.max_iterations ? "iterations" : null;
}

/** A worse attempt never replaces the best one: the next repair starts from the best; the worse one stays in the
 * history with its errors. */
function keepBest(before: ItemState, judged: ItemState): ItemState {
  const { best } = before;
  if (best === null || judged.best === null) return judged;
  if (compareAttempts(judged.best.report, best.report) >= 0) return judged;
  return {
    ...withSources(judged, best.sources),
    best,
    declarations: best.declarations,
    extraction: best.extraction,
    validation_errors: best.report.errors,
    gate_results: best.report.gates,
    error_source: errorSourceOf(best.report),
    logic_written_for: shapeOf(best.extraction),
    iteration_context: {
      based_on: best.iteration,
      dropped: [...before.iteration_context.dropped, judged.iteration_count],
    },
  };
}

/** The part to be repaired, determined by the gates that found the errors. */
function errorSourceOf(report: GateReport): ItemState["error_source"] {
  if (report.valid) return "none";
  return report.errors.length === 0 ? "unknown" : errorSource(report.errors);
}

async function saveResult(entry: AttemptEntry, report: GateReport, services: ItemServices): Promise<void> {
  await saveStageOutput(services.store, "validation_result", {
    timestamp: entry.timestamp,
    iteration: entry.iteration,
    valid: report.valid,
    gate_results: report.gates,
    validation_errors: report.errors,
    warnings: report.warnings,
    error_source: entry.source,
    facts: report.facts,
  });
  await saveErrorLog(services.store, entry.iteration, {
    ...entry,
    valid: report.valid,
    warnings: report.warnings,
    facts: report.facts,
    errors_by_gate: countByGate(report.errors),
  });
}

function countByGate(errors: GateFinding[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const error of errors) counts[error.gate] = (counts[error.gate] ?? 0) + 1;
  return counts;
}
