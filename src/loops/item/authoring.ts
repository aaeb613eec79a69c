// The stages that ask an author: agent_a, agent_b, reflect_a, reflect_b. Each starts from the tools snapshot of the
// last checkpoint, so that a stage run again asks the same questions and is answered from the stored replies. Replies
// are stored unchanged; the gates judge them.
import { relative } from "node:path";
import { belowRoot, withInputFiles } from "../../author/input-files.ts";
import type { AtomADraft, AuthorContext, GivenUp, LogicDraft, ReflectInput } from "../../author/types.ts";
import { type WitnessProposal, withWitnesses } from "../../author/witnesses.ts";
import type { AtomPart } from "../../contract/atoms.ts";
import { declarationsOf } from "../../contract/declarations.ts";
import { EXTRACTION_DOUBT, type GateFinding } from "../../contract/gates.ts";
import type { NodeTime } from "../../engine/index.ts";
import { openLogFolder } from "../../tools/log-folder.ts";
import type { FileTools } from "../../tools/types.ts";
import { dropPolicyDoubts } from "./doubts.ts";
import { extractObserved, observedFiles, observedLogs, saveRecords } from "./evidence.ts";
import { saveStageOutput } from "./item-store.ts";
import { judgeAtomA } from "./judge.ts";
import { memoryFor, withDecisions } from "./memory.ts";
import { logicSliceOf, parsingSliceOf, quotaOf, readToolsSnapshot, restoreTools } from "./prepare.ts";
import type { ItemServices } from "./services.ts";
import type { Stage } from "./stages.ts";
import { attemptNumber, type ItemState, recordShape, sourcesOf, withSources } from "./state.ts";

export async function agentA(state: ItemState, services: ItemServices, time: NodeTime): Promise<ItemState> {
  const tools = restoreTools(state, services);
  const reply = await services.author.agentA(parsingSliceOf(state), {
    ...authorContext(state, services, tools, time),
    judgeAtomA: judgeAtomA(state, services, tools, time.signal),
  });
  return applyAtomA(state, "agent_a", reply, tools, services);
}

export async function reflectA(state: ItemState, services: ItemServices, time: NodeTime): Promise<ItemState> {
  const { doubts } = state;
  const wrong = doubts.pending.length > 0 ? undefined : wrongWitnesses(state);
  if (wrong !== undefined) return giveUp(state, "reflect_a", wrong, services);
  const tools = restoreTools(state, services);
  const errors = doubts.pending.length > 0 ? doubts.pending.map(doubtFinding) : state.validation_errors;
  const reply = await services.author.reflectA(
    parsingSliceOf(state),
    reflectInput({ ...state, validation_errors: errors }, ["atom_a"]),
    authorContext(state, services, tools, time),
  );
  const withSentDoubts = {
    ...state,
    doubts: { ...doubts, pending: [], sent: doubts.sent || doubts.pending.length > 0 },
  };
  return applyAtomA(withSentDoubts, "reflect_a", reply, tools, services);
}

export async function agentB(state: ItemState, services: ItemServices, time: NodeTime): Promise<ItemState> {
  const tools = restoreTools(state, services);
  const reply = await services.author.agentB(
    logicSliceOf(state),
    state.atom_a_code,
    state.extraction ?? NO_EXTRACTION,
    authorContext(state, services, tools, time),
  );
  return applyLogic(state, "agent_b", reply, tools, services);
}

export async function reflectB(state: ItemState, services: ItemServices, time: NodeTime): Promise<ItemState> {
  const tools = restoreTools(state, services);
  const reply = await services.author.reflectB(
    logicSliceOf(state),
    reflectInput(state, ["atom_b", "atom_c", "config"]),
    state.extraction ?? NO_EXTRACTION,
    authorContext(state, services, tools, time),
  );
  return applyLogic(state, "reflect_b", reply, tools, services);
}

/** A statement of the logic author about extraction, as a finding for Agent A. */
function doubtFinding({ statement, quote }: ItemState["doubts"]["pending"][number]): GateFinding {
  return {
    gate: "consistency",
    atom: "atom_a",
    code: EXTRACTION_DOUBT,
    message: statement,
    example: quote,
  };
}

export const NO_EXTRACTION = { records: 0, files: 0, fields: {}, value_shapes: [] };

/** Limits of one listing: number of files returned, and time. */
const FOLDER_LIMITS = { files: 5_000, ms: 20_000 };

export function authorContext(
  state: ItemState,
  services: ItemServices,
  tools: FileTools,
  { signal, deadline }: NodeTime,
): AuthorContext {
  return {
    tools,
    logs: openLogFolder({
      searchRoot: state.search_root,
      hidden: services.hidden,
      variables: services.config.paths.variables,
      limits: FOLDER_LIMITS,
      signal,
      read: (path) => services.reader.read(path),
    }),
    examples: parsingSliceOf(state).examples,
    records: async () => {
      const logs = await observedLogs(state, services);
      return (await extractObserved(state.atom_a_code, logs, services)).items;
    },
    emit: services.emit,
    signal,
    deadline,
    hints: state.hints,
    item_id: state.item_id,
    iteration: attemptNumber(state),
  };
}

/** Input of a reflect stage. `parts` are the repairable parts that the gates blamed, or all repairable parts when
 * they blamed none of them. */
function reflectInput(state: ItemState, repairable: AtomPart[]): ReflectInput {
  const blamed = new Set(state.validation_errors.map((error) => error.atom));
  const parts = repairable.filter((part) => blamed.has(part));
  return {
    sources: sourcesOf(state),
    errors: state.validation_errors,
    gates: state.gate_results,
    parts: parts.length > 0 ? parts : repairable,
    history: state.error_history,
    log_summary: state.conversation_summary,
    memory: memoryFor(state, repairable.includes("atom_a") ? "parsing" : "logic"),
  };
}

export async function applyAtomA(
  state: ItemState,
  stage: Stage,
  reply: AtomADraft | GivenUp,
  tools: FileTools,
  services: ItemServices,
): Promise<ItemState> {
  const named_logs = [...new Set([...state.named_logs, ...(reply.logs ?? [])])];
  const withQuota: ItemState = { ...state, tool_quota: quotaOf(tools), named_logs };
  await saveDiscovery(withQuota, services);
  if (reply.kind === "gave_up") return giveUp(withQuota, stage, reply, services);
  const inputFiles =
    reply.input_files?.map((glob) => belowRoot(glob, state.search_root)) ??
    state.extraction?.input_files ??
    [];
  // Agent A decides where the data is; after a repair of Atom A the existing config of Agent B is updated.
  const witnesses = witnessesOf(state, reply);
  const withInputs =
    reply.input_files === undefined
      ? withQuota.yaml_config
      : withInputFiles(withQuota.yaml_config, inputFiles);
  const config = witnesses === undefined ? withInputs : withWitnesses(withInputs, witnesses);
  const written = withSources(withQuota, { ...sourcesOf(withQuota), atom_a: reply.atom_a, config });
  const logs = await observedLogs(written, services);
  const { items, shapes } = await extractObserved(reply.atom_a, logs, services);
  await saveRecords(state, items, logs, services);
  const next: ItemState = {
    ...written,
    atom_a_reasoning: reply.reasoning,
    conversation_summary: reply.log_summary,
    declarations: { ...withQuota.declarations, ...declarationsOf("atom_a", reply.declarations ?? {}) },
    extraction: {
      ...shapes,
      ...(inputFiles.length === 0 ? {} : { input_files: inputFiles }),
      ...(witnesses === undefined ? {} : { witnesses }),
    },
    key_decisions: withDecisions(withQuota, stage, reply),
  };
  await saveStageOutput(services.store, stage === "agent_a" ? "agent_a_output" : "reflect_a_output", {
    timestamp: services.now(),
    iteration: attemptNumber(state),
    atom_a_code: reply.atom_a,
    atom_a_reasoning: reply.reasoning,
    log_summary: reply.log_summary,
    extraction: next.extraction,
  });
  return next;
}

async function applyLogic(
  state: ItemState,
  stage: Stage,
  reply: LogicDraft | GivenUp,
  tools: FileTools,
  services: ItemServices,
): Promise<ItemState> {
  const withQuota: ItemState = { ...state, tool_quota: quotaOf(tools) };
  if (reply.kind === "gave_up") return giveUp(withQuota, stage, reply, services);
  const witnesses = state.extraction?.witnesses;
  const written = withSources(withQuota, {
    atom_a: state.atom_a_code,
    atom_b: reply.atom_b,
    atom_c: reply.atom_c,
    config: witnesses === undefined ? reply.config : withWitnesses(reply.config, witnesses),
  });
  await saveStageOutput(services.store, stage === "agent_b" ? "agent_b_output" : "reflect_b_output", {
    timestamp: services.now(),
    iteration: attemptNumber(state),
    atom_b_code: reply.atom_b,
    atom_c_code: reply.atom_c,
    yaml_config: written.yaml_config,
    atom_b_reasoning: reply.reasoning,
  });
  const { kept, dropped } = dropPolicyDoubts(
    reply.extraction_doubts ?? [],
    logicSliceOf(state),
    reply.config,
  );
  return {
    ...written,
    declarations: { ...withQuota.declarations, ...declarationsOf("config", reply.declarations ?? {}) },
    // Doubts go back once: accepting more after the repair could loop without end.
    doubts: withQuota.doubts.sent
      ? withQuota.doubts
      : {
          ...withQuota.doubts,
          pending: stage === "agent_b" ? kept : [],
          dropped: withQuota.doubts.dropped + dropped,
        },
    atom_b_reasoning: reply.reasoning,
    logic_written_for: recordShape(state),
    key_decisions: withDecisions(withQuota, stage, reply),
  };
}

/** The witnesses of the page; without these, the proposal of the author in this reply or an earlier one. */
function witnessesOf(state: ItemState, reply: AtomADraft): WitnessProposal | undefined {
  const { witnesses } = parsingSliceOf(state);
  if (witnesses.length > 0) return { patterns: witnesses, reason: "" };
  return reply.witnesses ?? state.extraction?.witnesses;
}

/** A reply that gives up when all errors are about the witness block of the page: only the user can correct it. */
function wrongWitnesses(state: ItemState): GivenUp | undefined {
  const errors = state.validation_errors;
  const repairable = errors.length === 0 || errors.some(({ gate }) => gate !== "gate4_witness");
  if (repairable || parsingSliceOf(state).witnesses.length === 0) return undefined;
  return {
    kind: "gave_up",
    reasons: errors.map(({ message }) => `The witness block of the page was rejected: ${message}`),
    questions: ["Which line shows that the run was complete? Correct the witness block of the page."],
    candidates: [],
    log_summary: state.conversation_summary,
  };
}

async function giveUp(
  state: ItemState,
  stage: Stage,
  reply: GivenUp,
  services: ItemServices,
): Promise<ItemState> {
  await saveStageOutput(services.store, "given_up", { timestamp: services.now(), stage, ...reply });
  return {
    ...state,
    conversation_summary: reply.log_summary || state.conversation_summary,
    given_up: {
      stage,
      reasons: reply.reasons,
      questions: reply.questions,
      lines: reply.lines ?? [],
      blocks: reply.blocks ?? [],
      candidates: reply.candidates,
    },
    human_reason: "gave_up",
  };
}

/** View of the tool log for reports: which files were found, and what was read of them. */
async function saveDiscovery(state: ItemState, services: ItemServices): Promise<void> {
  if (state.tool_quota === null) return;
  const quota = readToolsSnapshot(state.tool_quota);
  const snippets: Record<string, string> = {};
  for (const text of quota.observed) {
    const part = text.lines.map((line, index) => `${text.startLine + index}: ${line}`).join("\n");
    snippets[text.path] = snippets[text.path] === undefined ? part : `${snippets[text.path]}\n…\n${part}`;
  }
  await saveStageOutput(services.store, "discover_logs", {
    timestamp: services.now(),
    discovered_log_files: quota.discovered,
    observed: observedFiles(state).map((path) => ({
      path: relative(state.search_root, path),
      lines: quota.observed.reduce((sum, text) => sum + (text.path === path ? text.lines.length : 0), 0),
    })),
    log_snippets: snippets,
    bytes_used: quota.bytes_used,
    calls: quota.calls,
  });
}
