// The model as the author of the logic: first draft, repair and second look at the config.
import type { AtomSources } from "../contract/atoms.ts";
import type { GateFinding } from "../contract/gates.ts";
import type { ToolSpec } from "../contract/tool-spec.ts";
import { runTask } from "../conversation/task-loop.ts";
import { hashJson } from "../core/hash.ts";
import type { LogicSlice } from "../spec/types.ts";
import { findingsForLogic } from "./disclosure.ts";
import { observedFiles, withInputFiles } from "./input-files.ts";
import type { ModelSession } from "./model-session.ts";
import {
  agentBRequest,
  knownToLogic,
  type LogicRequest,
  reflectBRequest,
  secondLookRequest,
} from "./requests.ts";
import { ATOM_B, ATOM_C } from "./standard-atoms.ts";
import { ASK_PERSON_SPEC, submitLogicSpec } from "./submit-tools.ts";
import { logSummary } from "./summary.ts";
import {
  isSameSource,
  LOGIC_PARTS,
  type LogicAnswer,
  type LogicPart,
  logicTask,
  MAX_REASON_CHARS,
  secondLookTask,
} from "./tasks.ts";
import type {
  AuthorContext,
  ExtractionSummary,
  GivenUp,
  LogicDraft,
  ReflectInput,
  SecondLook,
  SecondLookInput,
} from "./types.ts";
import { withoutProgramKeys } from "./witnesses.ts";

export class LogicAuthor {
  private readonly session: ModelSession;

  constructor(session: ModelSession) {
    this.session = session;
  }

  async agentB(
    slice: LogicSlice,
    atomA: string,
    extraction: ExtractionSummary,
    context: AuthorContext,
  ): Promise<LogicDraft | GivenUp> {
    const parts = this.writtenParts();
    const messages = agentBRequest(this.request(slice, extraction, context, parts), atomA);
    const conversation = this.session.start("agent_b", "agent_b", context, logicTools(parts), messages);
    const answer = await runTask(conversation, logicTask(parts, undefined, []));
    return this.finish(answer, extraction, context);
  }

  async reflectB(
    slice: LogicSlice,
    input: ReflectInput,
    extraction: ExtractionSummary,
    context: AuthorContext,
  ): Promise<LogicDraft | GivenUp> {
    const written = this.writtenParts();
    const faulty = written.filter((part) => input.parts.includes(part));
    const parts = faulty.length === 0 ? written : faulty;
    const request = this.request(slice, extraction, context, parts);
    const findings = await this.disclosedFindings(request, input.errors, input.sources);
    const messages = reflectBRequest(request, input, findings);
    const conversation = this.session.start("reflect", "reflect_b", context, logicTools(parts), messages);
    const tried = [input.sources, ...input.history.map(({ sources }) => sources)];
    const task = logicTask(parts, input.sources, tried);
    return this.finish(await runTask(conversation, task), extraction, context);
  }

  /** Asks once about the config. An unusable reply leaves it unchanged. */
  async secondLook(
    slice: LogicSlice,
    input: SecondLookInput,
    extraction: ExtractionSummary,
    context: AuthorContext,
  ): Promise<SecondLook> {
    const { sources, declarations } = input;
    const request = this.request(slice, extraction, context, ["config"]);
    const suspicions = await this.disclosedFindings(request, input.suspicions, sources);
    const messages = secondLookRequest(request, input, suspicions);
    const conversation = this.session.start(
      "agent_b",
      "second_look",
      context,
      logicTools(["config"]),
      messages,
    );
    const reply = await runTask(conversation, secondLookTask(), { turns: 1 });
    if ("kept" in reply) return { reason: reply.kept };
    const { config, notes } = reply;
    const reason = notes.trim().slice(0, MAX_REASON_CHARS) || "no reason was given";
    const changed = isSameSource(config, sources.config)
      ? {}
      : { config: this.withFiles(config, extraction, context) };
    const declared = { ...declarations, ...reply.declarations };
    const redeclared = hashJson(declared) === hashJson(declarations) ? {} : { declarations: declared };
    return { ...changed, ...redeclared, reason };
  }

  /** The parts that the model writes: the config alone, unless `llm.universal_atoms` asks for Atoms B and C. */
  private writtenParts(): readonly LogicPart[] {
    return this.writesAtoms() ? LOGIC_PARTS : ["config"];
  }

  private writesAtoms(): boolean {
    return this.session.options.config.llm.universal_atoms === "author";
  }

  private request(
    slice: LogicSlice,
    extraction: ExtractionSummary,
    context: AuthorContext,
    parts: readonly LogicPart[],
  ): LogicRequest {
    return { slice, extraction, context, parts, writesAtoms: this.writesAtoms() };
  }

  /** The findings in the words that the author of the logic may read. */
  private async disclosedFindings(
    request: LogicRequest,
    findings: readonly GateFinding[],
    sources: AtomSources,
  ): Promise<GateFinding[]> {
    if (findings.length === 0) return [];
    const atoms = this.writesAtoms() ? [sources.atom_a, sources.atom_b, sources.atom_c] : [];
    return findingsForLogic(findings, await request.context.records(), {
      config: withoutProgramKeys(sources.config),
      texts: knownToLogic(request, atoms),
    });
  }

  private withFiles(config: string, extraction: ExtractionSummary, context: AuthorContext): string {
    const snapshot = context.tools.snapshot();
    return withInputFiles(
      config,
      extraction.input_files ?? observedFiles(snapshot, this.session.options.searchRoot),
    );
  }

  private finish(
    answer: LogicAnswer | GivenUp,
    extraction: ExtractionSummary,
    context: AuthorContext,
  ): LogicDraft | GivenUp {
    const snapshot = context.tools.snapshot();
    if ("kind" in answer)
      return { ...answer, log_summary: logSummary("", snapshot, this.session.options.searchRoot) };
    const usesStandard = !this.writesAtoms();
    return {
      kind: "draft",
      atom_b: usesStandard ? ATOM_B : answer.atom_b,
      atom_c: usesStandard ? ATOM_C : answer.atom_c,
      config: this.withFiles(answer.config, extraction, context),
      reasoning: answer.notes,
      decisions: answer.decisions,
      declarations: answer.declarations,
      extraction_doubts: answer.extraction_doubts,
    };
  }
}

function logicTools(parts: readonly LogicPart[]): ToolSpec[] {
  return [submitLogicSpec(parts), ASK_PERSON_SPEC];
}
