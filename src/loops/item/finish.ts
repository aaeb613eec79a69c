// The two final stages: done writes the accepted set; human_required writes safe stubs, the report and the best
// attempt. Both are idempotent, so a crash is repaired by running them again.
import { relative, resolve, sep } from "node:path";
import type { AtomSources } from "../../contract/atoms.ts";
import { type ErrorSource, noGateResults } from "../../contract/gates.ts";
import type { GivenWaiver } from "../../contract/manifest.ts";
import { hashJson } from "../../core/hash.ts";
import { redactDeep } from "../../core/redact/index.ts";
import { CONTRACT_VERSION, GATES_VERSION, VERSION } from "../../core/version.ts";
import type { NodeTime } from "../../engine/index.ts";
import { errorSource } from "../../gates/index.ts";
import type { InterventionReport } from "../../report/intervention.ts";
import { interventionReport } from "../../report/intervention.ts";
import type { ShownAttempt } from "../../report/intervention-facts.ts";
import { addWaivers } from "../../runtime/edit-waivers.ts";
import { readItemConfig } from "../../runtime/index.ts";
import { toolLimits } from "../../tools/index.ts";
import { compareWithAccepted } from "./changes.ts";
import { evidenceOf, observedFiles, observedLogs } from "./evidence.ts";
import { saveStageOutput } from "./item-store.ts";
import { chooseCommand, nextSteps } from "./next-steps.ts";
import type { ManifestFacts } from "./output-store.ts";
import { parsingSliceOf, readToolsSnapshot } from "./prepare.ts";
import type { ItemServices } from "./services.ts";
import { type ItemState, sourcesOf } from "./state.ts";

export async function done(
  state: ItemState,
  services: ItemServices,
  { signal }: NodeTime,
): Promise<ItemState> {
  const { best } = state;
  if (best === null || !best.report.valid) throw new Error("stage done reached without a valid attempt");
  const { sources, waivers } = carryWaivers(best.sources, services.output.waivers());
  const facts = await manifestFacts(state, services);
  const factsWithWaivers = waivers.length === 0 ? facts : { ...facts, waivers };
  const changes = await compareWithAccepted(sources, factsWithWaivers, state.search_root, services, signal);
  if (!services.dryRun) await services.output.writeAccepted(sources, factsWithWaivers);
  return { ...state, changes };
}

/** Keeps waivers that the user gave to the previous set, unless the new config already has them from its page. */
function carryWaivers(
  sources: AtomSources,
  given: readonly GivenWaiver[],
): { sources: AtomSources; waivers: GivenWaiver[] } {
  const reading = given.length === 0 ? undefined : readItemConfig(sources.config, "handwritten");
  if (reading?.ok !== true) return { sources, waivers: [...given] };
  const { text, added } = addWaivers(sources.config, reading.config, given);
  const waivesAll = reading.config.waivers.value === 0;
  const waivers = given.filter((waiver) => waivesAll || added.includes(waiver));
  return { sources: { ...sources, config: text }, waivers };
}

export async function humanRequired(state: ItemState, services: ItemServices): Promise<ItemState> {
  if (services.dryRun) return state;
  const attempt = attemptToKeep(state);
  const report = redactDeep(buildReport(state, services, attempt), services.redact);
  await saveStageOutput(services.store, "human_intervention_report", report.json);
  await services.output.writeHumanRequired(await manifestFacts(state, services), report, attempt);
  return {
    ...state,
    limits_met: {
      max_iterations: services.config.execution.max_iterations,
      max_total_read_bytes: services.config.tool_constraints.max_total_read_bytes,
    },
  };
}

interface KeptAttempt {
  sources: AtomSources;
  notes: { iteration: number; gates: Record<string, boolean | null> };
}

/** The best attempt that reached the gates; otherwise the first candidate of an author that gave up. */
function attemptToKeep(state: ItemState): KeptAttempt | undefined {
  if (state.best) {
    return {
      sources: state.best.sources,
      notes: { iteration: state.best.iteration, gates: state.best.report.gates },
    };
  }
  const sources = sourcesOf(state);
  const candidate = state.given_up?.candidates[0]?.code;
  if (candidate !== undefined && sources.atom_a === "") sources.atom_a = candidate;
  if (Object.values(sources).every((text) => text === "")) return undefined;
  return { sources, notes: { iteration: state.iteration_count + 1, gates: noGateResults() } };
}

function buildReport(
  state: ItemState,
  services: ItemServices,
  attempt: KeptAttempt | undefined,
): InterventionReport {
  const quota = state.tool_quota === null ? undefined : readToolsSnapshot(state.tool_quota);
  const wholeLogs = new Set(state.named_logs);
  const linesRead = (path: string): number | null =>
    wholeLogs.has(path)
      ? null
      : (quota?.observed ?? [])
          .filter((text) => text.path === path)
          .reduce((sum, text) => sum + text.lines.length, 0);
  return interventionReport({
    item_id: state.item_id,
    title: state.spec_title,
    spec_path: state.item_spec_path,
    parsing_logic: state.spec_sections["1"]?.text ?? "",
    check_logic: state.spec_sections["2"]?.text ?? "",
    reason: state.human_reason ?? "gave_up",
    iterations: state.iteration_count,
    max_iterations: services.config.execution.max_iterations,
    reasons: state.given_up?.reasons ?? [],
    questions: state.given_up?.questions ?? [],
    lines: state.given_up?.lines ?? [],
    blocks: state.given_up?.blocks ?? [],
    attempts: state.error_history.map((entry) => ({
      iteration: entry.iteration,
      error_source: sourceOf(entry.source),
      gates_passed: Object.values(entry.gates).filter((result) => result === true).length,
      gates_failed: Object.entries(entry.gates).flatMap(([name, result]) => (result === false ? [name] : [])),
      errors: entry.errors,
      timestamp: entry.timestamp,
    })),
    best: bestAttempt(state, attempt),
    last: lastAttempt(state),
    spec_warnings: state.spec_warnings,
    doubts_sent: state.doubts.sent,
    looked_at: observedFiles(state).map((path) => ({
      path: relative(state.search_root, path),
      lines: linesRead(path),
    })),
    discovered: quota?.discovered.length ?? 0,
    search_root: state.search_root,
    tool_bytes: {
      used: quota?.bytes_used ?? 0,
      limit: services.config.tool_constraints.max_total_read_bytes,
    },
    hints: state.hints,
    answers: state.answers,
    choose_command: chooseCommand(state, services),
    next_steps: nextSteps(state, services, attempt !== undefined),
    output_dir: services.output.dir,
    attempt_dir: services.output.attemptDir,
    keeps_set: services.output.hasSetToKeep(),
    cache_dir: services.store.dir,
    created_at: services.now(),
  });
}

function bestAttempt({ best }: ItemState, attempt: KeptAttempt | undefined): ShownAttempt | null {
  if (attempt === undefined) return null;
  const errors = best?.report.errors ?? [];
  return {
    iteration: attempt.notes.iteration,
    error_source: errorSource(errors),
    errors,
    code: attempt.sources,
  };
}

/** The last attempt that reached the gates. */
function lastAttempt({ best, error_history, iteration_count }: ItemState): ShownAttempt | null {
  const last = error_history.at(-1);
  if (last?.iteration === iteration_count) {
    const { iteration, source, errors, sources } = last;
    return { iteration, error_source: sourceOf(source), errors, code: sources };
  }
  if (best?.iteration !== iteration_count) return null;
  const { iteration, report, sources } = best;
  return { iteration, error_source: errorSource(report.errors), errors: report.errors, code: sources };
}

function sourceOf(source: ItemState["error_source"]): ErrorSource {
  return source === "none" ? "unknown" : source;
}

/** Content of the manifest other than the hashes of the files. */
async function manifestFacts(state: ItemState, services: ItemServices): Promise<ManifestFacts> {
  const report = state.best?.report;
  const usage = services.author.usage();
  // A set may be moved to another machine: it must not contain local paths.
  const portable = (text: string): string => text.replaceAll(`${state.search_root}${sep}`, "");
  const lineLocal = report?.facts.line_local_evidence;
  const evidence = evidenceOf(await observedLogs(state, services), state.search_root);
  return {
    item_id: state.item_id,
    program_version: VERSION,
    contract_version: CONTRACT_VERSION,
    created_at: services.now(),
    spec: { path: pathFromSet(services.output.dir, state.item_spec_path), sha256: state.item_spec_sha256 },
    evidence,
    prompts_sha256: services.promptsSha256,
    author: {
      provider: services.author.name,
      settings: { ...services.author.settings },
      settings_sha256: hashJson(services.author.settings),
    },
    gates: report?.gates ?? noGateResults(),
    gate_seed: state.gate_seed,
    line_local: report?.facts.line_local ?? null,
    ...(lineLocal === undefined ? {} : { line_local_evidence: portable(lineLocal) }),
    declarations: state.best?.declarations ?? state.declarations,
    ...(state.second_look === null ? {} : { second_look: state.second_look }),
    ...(state.doubts.dropped === 0 ? {} : { doubts_dropped: state.doubts.dropped }),
    ...witnessFacts(state),
    warnings: (report?.warnings ?? []).map(({ gate, code, message }) => ({
      gate,
      code,
      message: portable(message),
    })),
    sandbox_level: services.sandbox.info.level,
    iterations: state.iteration_count,
    usage: {
      calls: usage.calls,
      input_tokens: usage.input_tokens,
      output_tokens: usage.output_tokens,
      cost_usd: usage.cost_usd,
    },
    inputs: {
      gates_version: GATES_VERSION,
      limits_sha256: limitsHash(services.config),
      ...(evidence.length === 0 ? { listing_sha256: await services.listing() } : {}),
    },
  };
}

/** A path relative to the folder of the set, with `/`. */
function pathFromSet(dir: string, path: string): string {
  return relative(resolve(dir), resolve(path)).split(sep).join("/");
}

/** The witnesses of the config, and whether they are from the page. */
function witnessFacts(state: ItemState): Pick<ManifestFacts, "witnesses"> {
  const reading = readItemConfig(state.best?.sources.config ?? "", "handwritten");
  if (!reading.ok || reading.config.witnesses === null) return {};
  const { witnesses: patterns, no_witness_reason: reason } = reading.config;
  const from_page = patterns.length > 0 && parsingSliceOf(state).witnesses.join("\n") === patterns.join("\n");
  return { witnesses: { patterns, from_page, ...(reason === "" ? {} : { reason }) } };
}

/** Hash of the limits of an author: raising one makes an item that needs review run again. */
export function limitsHash(config: ItemServices["config"]): string {
  return hashJson({
    tools: toolLimits(config.tool_constraints),
    max_iterations: config.execution.max_iterations,
  });
}
