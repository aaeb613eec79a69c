// The author that is a model: which tools each step offers and what it takes for an answer. The loop itself is
// src/conversation/task-loop.ts, what is said is in requests.ts and prompts/item/.
import type { Config } from "../config/schema.ts";
import type { AtomSources } from "../contract/atoms.ts";
import { EXTRACTION_DOUBT, type GateFinding } from "../contract/gates.ts";
import type { ToolSpec } from "../contract/tool-spec.ts";
import { Conversation } from "../conversation/conversation.ts";
import { runTask } from "../conversation/task-loop.ts";
import { hashJson } from "../core/hash.ts";
import type { Ledger } from "../llm/budget.ts";
import { usageOfTurns } from "../llm/budget.ts";
import type { LlmServices } from "../llm/services.ts";
import type { TurnLog, UsageTotal } from "../llm/turns.ts";
import type { ChatMessage } from "../llm/types.ts";
import type { LogicSlice, ParsingSlice } from "../spec/types.ts";
import { TOOL_SPECS } from "../tools/index.ts";
import { compareAttempts } from "./best.ts";
import { fingerprint } from "./code.ts";
import { findingsForLogic, findingsForParsing } from "./disclosure.ts";
import { fileToolBox } from "./file-tool-box.ts";
import { observedFiles, withInputFiles } from "./input-files.ts";
import { nudge } from "./prompts.ts";
import {
  agentARequest,
  agentBRequest,
  knownToLogic,
  knownToParsing,
  type LogicRequest,
  reflectARequest,
  reflectBRequest,
  secondLookARequest,
  secondLookRequest,
} from "./requests.ts";
import { type AuthorRole, isAuthorRole } from "./roles.ts";
import { ATOM_B, ATOM_C } from "./standard-atoms.ts";
import { ASK_PERSON_SPEC, SUBMIT_A_SPEC, submitLogicSpec } from "./submit-tools.ts";
import { logSummary } from "./summary.ts";
import {
  type AtomAAnswer,
  atomATask,
  LOGIC_PARTS,
  type LogicAnswer,
  type LogicPart,
  logicTask,
  MAX_REASON_CHARS,
  parsingSecondLookTask,
  sameConfig,
  secondLookTask,
} from "./tasks.ts";
import type {
  AtomADraft,
  Author,
  AuthorContext,
  ExtractionSummary,
  GivenUp,
  LogicDraft,
  ParsingSecondLook,
  ParsingSecondLookInput,
  ReflectInput,
  SecondLook,
  SecondLookInput,
} from "./types.ts";
import { type WitnessProposal, withoutProgramKeys } from "./witnesses.ts";

/** The loop that atoms are written for, as its budget is called. */
const LOOP = "item";

export interface ModelAuthorOptions {
  config: Config;
  services: LlmServices;
  turns: TurnLog;
  searchRoot: string;
  /** With `llm.draft: offline`: writes a first draft that the model is shown, of pages with worked examples. */
  drafter?: Author;
  settings: Author["settings"];
}

export class ModelAuthor implements Author {
  readonly name = "model";
  readonly settings: Author["settings"];
  private readonly o: ModelAuthorOptions;
  private ledger: Ledger | undefined;

  constructor(options: ModelAuthorOptions) {
    this.o = options;
    this.settings = options.settings;
  }

  usage(): UsageTotal {
    return this.ledger?.spent() ?? this.spentBefore();
  }

  private spentBefore(): UsageTotal {
    const { turns, config } = this.o;
    return usageOfTurns(turns.listTurns(), config.llm.prices, (role) =>
      isAuthorRole(role) ? config.llm[role].model : undefined,
    );
  }

  async agentA(slice: ParsingSlice, context: AuthorContext): Promise<AtomADraft | GivenUp> {
    const draft = slice.examples.length === 0 ? undefined : await this.o.drafter?.agentA(slice, context);
    const messages = agentARequest(slice, context, draft?.kind === "draft" ? draft : undefined);
    const conversation = this.start("agent_a", "agent_a", context, this.parsingTools(), messages);
    return this.candidates(conversation, context, slice.witnesses.length === 0);
  }

  async agentB(
    slice: LogicSlice,
    atomA: string,
    extraction: ExtractionSummary,
    context: AuthorContext,
  ): Promise<LogicDraft | GivenUp> {
    const parts = this.logicParts();
    const messages = agentBRequest(this.logicRequest(slice, extraction, context, parts), atomA);
    const conversation = this.start("agent_b", "agent_b", context, logicTools(parts), messages);
    return this.finishLogic(
      await runTask(conversation, logicTask(parts, undefined, [])),
      extraction,
      context,
    );
  }

  async reflectA(
    slice: ParsingSlice,
    input: ReflectInput,
    context: AuthorContext,
  ): Promise<AtomADraft | GivenUp> {
    const errors = findingsForParsing(
      input.errors,
      input.sources.config,
      knownToParsing(slice, input, context),
    );
    const aboutCode = errors.some(({ atom }) => atom === "atom_a") || errors.length === 0;
    const messages = reflectARequest(slice, input, context, { told: errors, searchRoot: this.o.searchRoot });
    const conversation = this.start("reflect", "reflect_a", context, this.parsingTools(), messages);
    const tried = [input.sources.atom_a, ...input.history.map(({ sources }) => sources.atom_a)];
    // A doubt of the logic author may be mistaken: the code may stay as it is.
    const doubtsOnly = errors.length > 0 && errors.every(({ code }) => code === EXTRACTION_DOUBT);
    // A wrong witness is repaired with the same code.
    const task = atomATask(() => true, aboutCode && !doubtsOnly ? tried.map(fingerprint) : [], {
      wantsWitness: errors.some(({ gate }) => gate === "gate4_witness"),
      tools: fileToolBox(context.tools),
    });
    return this.finishA(await runTask(conversation, task), context, input.log_summary);
  }

  async reflectB(
    slice: LogicSlice,
    input: ReflectInput,
    extraction: ExtractionSummary,
    context: AuthorContext,
  ): Promise<LogicDraft | GivenUp> {
    const asked = this.logicParts();
    const faulty = asked.filter((part) => input.parts.includes(part));
    const parts = faulty.length === 0 ? asked : faulty;
    const request = this.logicRequest(slice, extraction, context, parts);
    const told = await this.toldToLogic(request, input.errors, input.sources);
    const messages = reflectBRequest(request, input, told);
    const conversation = this.start("reflect", "reflect_b", context, logicTools(parts), messages);
    const tried = [input.sources, ...input.history.map(({ sources }) => sources)];
    const task = logicTask(parts, input.sources, tried);
    return this.finishLogic(await runTask(conversation, task), extraction, context);
  }

  /** One call: a reply that cannot be used keeps Atom A as it is. */
  async secondLookA(
    slice: ParsingSlice,
    input: ParsingSecondLookInput,
    context: AuthorContext,
  ): Promise<ParsingSecondLook> {
    const { atom_a, config } = input.sources;
    const told = findingsForParsing(input.suspicions, config, knownToParsing(slice, input, context));
    const messages = secondLookARequest(slice, input, context, told);
    const tools = [SUBMIT_A_SPEC, ASK_PERSON_SPEC];
    const conversation = this.start("agent_a", "second_look_a", context, tools, messages);
    const said = await runTask(conversation, parsingSecondLookTask(), { turns: 1 });
    if ("kept" in said) return { reason: said.kept };
    const stated = said.decisions.map(({ decision, reason }) => `${decision} ${reason}`.trim()).join(" ");
    const reason = (stated || said.notes.trim()).slice(0, MAX_REASON_CHARS) || "no reason was given";
    if (fingerprint(said.code) === fingerprint(atom_a)) return { reason };
    const draft = this.finishA(said, context, said.log_summary);
    return draft.kind === "draft" ? { draft, reason } : { reason };
  }

  /** One call: a reply that cannot be used keeps the config as it is. */
  async secondLook(
    slice: LogicSlice,
    input: SecondLookInput,
    extraction: ExtractionSummary,
    context: AuthorContext,
  ): Promise<SecondLook> {
    const { sources, declarations } = input;
    const request = this.logicRequest(slice, extraction, context, ["config"]);
    const told = await this.toldToLogic(request, input.suspicions, sources);
    const messages = secondLookRequest(request, input, told);
    const conversation = this.start("agent_b", "second_look", context, logicTools(["config"]), messages);
    const said = await runTask(conversation, secondLookTask(), { turns: 1 });
    if ("kept" in said) return { reason: said.kept };
    const { config, notes } = said;
    const reason = notes.trim().slice(0, MAX_REASON_CHARS) || "no reason was given";
    const changed = sameConfig(config, sources.config)
      ? {}
      : { config: this.withFiles(config, extraction, context) };
    const declared = { ...declarations, ...said.declarations };
    const redeclared = hashJson(declared) === hashJson(declarations) ? {} : { declarations: declared };
    return { ...changed, ...redeclared, reason };
  }

  /** What the author of the logic hands in: the program brings Atoms B and C, unless they are asked for. */
  private logicParts(): readonly LogicPart[] {
    return this.writesAtoms() ? LOGIC_PARTS : ["config"];
  }

  private writesAtoms(): boolean {
    return this.o.config.llm.universal_atoms === "author";
  }

  private logicRequest(
    slice: LogicSlice,
    extraction: ExtractionSummary,
    context: AuthorContext,
    parts: readonly LogicPart[],
  ): LogicRequest {
    return { slice, extraction, context, parts, writesAtoms: this.writesAtoms() };
  }

  /** Findings as the author of the logic may read them. */
  private async toldToLogic(
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
    return withInputFiles(config, extraction.input_files ?? observedFiles(snapshot, this.o.searchRoot));
  }

  /** Atom A, once or as the best of several candidates that continue the same conversation. */
  private async candidates(
    conversation: Conversation,
    context: AuthorContext,
    wantsWitness: boolean,
  ): Promise<AtomADraft | GivenUp> {
    const looked = (): boolean => context.tools.snapshot().observed.length > 0;
    const end = await runTask(
      conversation,
      atomATask(looked, [], { wantsWitness, tools: fileToolBox(context.tools) }),
    );
    const read = observedFiles(context.tools.snapshot(), this.o.searchRoot);
    const first = this.finishA(end, context, "", read);
    const count = this.o.config.execution.candidates;
    const { judgeAtomA } = context;
    if (count < 2 || judgeAtomA === undefined || first.kind !== "draft") return first;
    const others = await Promise.all(
      Array.from({ length: count - 1 }, async (_, i) => {
        const branch = conversation.fork(`${conversation.options.stage}#${i + 2}`);
        branch.answerOpenCalls("Kept as variant 1.");
        branch.say(nudge("variant", { number: i + 2, count }));
        return this.finishA(
          await runTask(
            branch,
            atomATask(() => true, [], { wantsWitness: false }),
          ),
          context,
          first.log_summary,
          first.input_files,
          first.witnesses,
        );
      }),
    );
    const drafts = [first, ...others.filter((draft) => draft.kind === "draft")];
    const judged = await Promise.all(
      drafts.map(async (draft) => ({
        draft,
        report: await judgeAtomA(draft.atom_a, draft.declarations ?? {}),
      })),
    );
    const best = judged.reduce((a, b) => (compareAttempts(b.report, a.report, "atom_a") > 0 ? b : a));
    return best.draft;
  }

  /** What a step about Atom A ends with. `globs`: the files it is about when the model named none, `proposed` the
   * witnesses likewise; without them what an earlier step said stays. */
  private finishA(
    end: AtomAAnswer | GivenUp,
    context: AuthorContext,
    before: string,
    globs?: string[],
    proposed?: WitnessProposal,
  ): AtomADraft | GivenUp {
    const snapshot = context.tools.snapshot();
    const summary = (words: string): string =>
      this.o.services.redact(logSummary(words, snapshot, this.o.searchRoot));
    if ("kind" in end) return { ...end, log_summary: summary(before) };
    const files = end.input_files.length > 0 ? end.input_files : globs;
    const { patterns, reason } = end.witnesses;
    const witnesses = patterns.length > 0 || reason !== "" ? end.witnesses : proposed;
    return {
      kind: "draft",
      atom_a: end.code,
      reasoning: end.notes,
      decisions: end.decisions,
      log_summary: summary(end.log_summary || before),
      declarations: end.declarations,
      ...(files === undefined ? {} : { input_files: files }),
      ...(witnesses === undefined ? {} : { witnesses }),
    };
  }

  private finishLogic(
    end: LogicAnswer | GivenUp,
    extraction: ExtractionSummary,
    context: AuthorContext,
  ): LogicDraft | GivenUp {
    const snapshot = context.tools.snapshot();
    if ("kind" in end) return { ...end, log_summary: logSummary("", snapshot, this.o.searchRoot) };
    const standard = !this.writesAtoms();
    return {
      kind: "draft",
      atom_b: standard ? ATOM_B : end.atom_b,
      atom_c: standard ? ATOM_C : end.atom_c,
      config: this.withFiles(end.config, extraction, context),
      reasoning: end.notes,
      decisions: end.decisions,
      declarations: end.declarations,
      extraction_doubts: end.extraction_doubts,
    };
  }

  private parsingTools(): ToolSpec[] {
    return [...TOOL_SPECS, SUBMIT_A_SPEC, ASK_PERSON_SPEC];
  }

  private start(
    role: AuthorRole,
    stage: string,
    context: AuthorContext,
    tools: ToolSpec[],
    messages: ChatMessage[],
  ): Conversation {
    const { services, turns, config } = this.o;
    this.ledger ??= services.ledger(
      LOOP,
      { subject: context.item_id, spent: this.spentBefore() },
      context.emit,
    );
    return new Conversation(
      {
        model: services.model(role, {
          cassette: context.item_id,
          ledger: this.ledger,
          emit: context.emit,
          searchRoot: this.o.searchRoot,
        }),
        role,
        turns,
        stage,
        iteration: context.iteration,
        tools,
        signal: context.signal,
        clock: services.clock,
        deadline: context.deadline,
        deadlineKey: "execution.timeout_per_stage",
        emit: context.emit,
        stream: config.execution.enable_streaming,
        redact: services.redact,
      },
      messages,
    );
  }
}

function logicTools(parts: readonly LogicPart[]): ToolSpec[] {
  return [submitLogicSpec(parts), ASK_PERSON_SPEC];
}
