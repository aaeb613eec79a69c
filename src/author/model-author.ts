// The author that is a model: what each of the four steps says, which tools it offers and what it takes for an
// answer. The loop itself is src/conversation/task-loop.ts, the words are in prompts/item/.
import type { Config } from "../config/schema.ts";
import { describeDeclarations } from "../contract/declarations.ts";
import { concernsParsing, EXTRACTION_DOUBT } from "../contract/gates.ts";
import type { ToolSpec } from "../contract/tool-spec.ts";
import { Conversation } from "../conversation/conversation.ts";
import { fenceCode, fenceData } from "../conversation/fence.ts";
import { render } from "../conversation/prompts.ts";
import { runTask } from "../conversation/task-loop.ts";
import { hashJson } from "../core/hash.ts";
import type { Ledger } from "../llm/budget.ts";
import { usageOfTurns } from "../llm/budget.ts";
import type { LlmServices } from "../llm/services.ts";
import type { TurnLog, UsageTotal } from "../llm/turns.ts";
import type { ChatMessage } from "../llm/types.ts";
import { fencedBlock, formatExample, formatExampleBlock, readExactParts } from "../spec/index.ts";
import type { LogicSlice, ParsingSlice } from "../spec/types.ts";
import { TOOL_SPECS } from "../tools/index.ts";
import { compareAttempts } from "./best.ts";
import { fingerprint } from "./code.ts";
import { fileToolBox } from "./file-tool-box.ts";
import { formatFindings, formatHistory, relevantLines } from "./findings.ts";
import { observedFiles, withInputFiles } from "./input-files.ts";
import { nudge, PROMPTS } from "./prompts.ts";
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
    const conversation = this.start("agent_a", "agent_a", context, this.parsingTools(), [
      { role: "system", content: PROMPTS.system_a },
      {
        role: "user",
        content: render(PROMPTS.user_a, {
          item_id: slice.item_id,
          section_1: orNothing(slice.section_1),
          section_4_1: orNothing(slice.section_4_1),
          hints: hintsText(context) + givenExamples(slice),
          draft: draft?.kind === "draft" ? parsingDraft(draft) : "",
        }),
      },
    ]);
    return this.candidates(conversation, context, slice.witnesses.length === 0);
  }

  async agentB(
    slice: LogicSlice,
    atomA: string,
    extraction: ExtractionSummary,
    context: AuthorContext,
  ): Promise<LogicDraft | GivenUp> {
    const parts = this.logicParts();
    const conversation = this.start("agent_b", "agent_b", context, logicTools(parts), [
      { role: "system", content: this.systemB() },
      {
        role: "user",
        content: render(PROMPTS.user_b, {
          ...logicSections(slice),
          atom_a: this.atomAText(atomA),
          extraction: extractionText(extraction),
          template: fenceCode("yaml", PROMPTS.config_template),
          hints: hintsText(context) + givenCheck(slice),
          parts: parts.join(", "),
        }),
      },
    ]);
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
    // Only what concerns Atom A: findings about the config would carry requirements and waivers over.
    const errors = input.errors.filter(concernsParsing);
    const aboutCode = errors.some(({ atom }) => atom === "atom_a") || errors.length === 0;
    const { observed } = context.tools.snapshot();
    const conversation = this.start("reflect", "reflect_a", context, this.parsingTools(), [
      { role: "system", content: PROMPTS.system_a },
      {
        role: "user",
        content: render(PROMPTS.user_reflect_a, {
          item_id: slice.item_id,
          section_1: orNothing(slice.section_1),
          section_4_1: orNothing(slice.section_4_1),
          code: fenceCode("js", input.sources.atom_a),
          findings: fenceData("gate findings", formatFindings(errors, ["atom_a", "config"])),
          lines: fenceData("log lines", relevantLines(observed, errors, this.o.searchRoot)),
          log_summary: fenceData("summary", input.log_summary || "(none)"),
          history: formatHistory(input.history.filter(({ part }) => part === "atom_a").map(onlyAtomA)),
          hints: hintsText(context) + givenExamples(slice),
          quota: `${context.tools.bytesLeft()} bytes are left`,
        }),
      },
    ]);
    const tried = [input.sources.atom_a, ...input.history.map(({ sources }) => sources.atom_a)];
    // A doubt of the logic author may be mistaken: the code may stay as it is.
    const doubtsOnly = errors.length > 0 && errors.every(({ code }) => code === EXTRACTION_DOUBT);
    // A wrong witness is repaired with the same code.
    const task = atomATask(() => true, aboutCode && !doubtsOnly ? tried.map(fingerprint) : [], {
      wantsWitness: !aboutCode,
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
    const conversation = this.start("reflect", "reflect_b", context, logicTools(parts), [
      { role: "system", content: this.systemB() },
      {
        role: "user",
        content: render(PROMPTS.user_reflect_b, {
          ...logicSections(slice),
          parts: parts.join(", "),
          atom_a: this.atomAText(input.sources.atom_a),
          extraction: extractionText(extraction),
          code: parts.map((part) => failedPart(part, input)).join("\n\n"),
          findings: fenceData("gate findings", formatFindings(input.errors, parts)),
          history: formatHistory(input.history.filter(({ part }) => part === "logic")),
          hints: hintsText(context) + givenCheck(slice),
        }),
      },
    ]);
    const tried = [input.sources, ...input.history.map(({ sources }) => sources)];
    const task = logicTask(parts, input.sources, tried);
    return this.finishLogic(await runTask(conversation, task), extraction, context);
  }

  /** One call: a reply that cannot be used keeps the config as it is. */
  async secondLook(
    slice: LogicSlice,
    { sources, suspicions, declarations }: SecondLookInput,
    extraction: ExtractionSummary,
    context: AuthorContext,
  ): Promise<SecondLook> {
    const conversation = this.start("agent_b", "second_look", context, logicTools(["config"]), [
      { role: "system", content: this.systemB() },
      {
        role: "user",
        content: render(PROMPTS.user_second_look, {
          ...logicSections(slice),
          extraction: extractionText(extraction),
          config: fenceCode("yaml", withoutProgramKeys(sources.config)),
          declarations: describeDeclarations(declarations).join("\n") || "(none)",
          suspicions: suspicions.map(({ message }) => `- ${message}`).join("\n"),
          hints: hintsText(context) + givenCheck(slice),
        }),
      },
    ]);
    const said = await runTask(conversation, secondLookTask(), { turns: 1 });
    if ("kept" in said) return { reason: said.kept };
    const { config, notes, declarations: anew } = said;
    const reason = notes.trim().slice(0, MAX_REASON_CHARS) || "no reason was given";
    const changed = sameConfig(config, sources.config)
      ? {}
      : { config: this.withFiles(config, extraction, context) };
    const declared = { ...declarations, ...anew };
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

  private systemB(): string {
    return render(PROMPTS.system_b, { atoms: this.writesAtoms() ? PROMPTS.system_b_atoms : "" });
  }

  /** The code is shown to whom its neighbours are asked for. */
  private atomAText(code: string): string {
    return this.writesAtoms() ? `## Atom A\n${fenceCode("js", code)}\n\n` : "";
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

function logicSections(slice: LogicSlice): Record<string, string> {
  return {
    item_id: slice.item_id,
    section_2: orNothing(slice.section_2),
    section_3: orNothing(slice.section_3),
    section_4_2: orNothing(slice.section_4_2),
  };
}

function orNothing(text: string): string {
  return text.trim() === "" ? "(empty)" : text.trim();
}

function hintsText(context: AuthorContext): string {
  if (context.hints.length === 0) return "";
  return `\n## A person says\n${context.hints.map((hint) => `- ${hint}`).join("\n")}\n`;
}

/** Examples and witnesses that a person gave beside the page: they stand in none of its sections. */
function givenExamples(slice: ParsingSlice): string {
  const page = readExactParts(`${slice.section_1}\n\n${slice.section_4_1}`);
  const onPage = new Set(page.examples.map(formatExample));
  const witnesses = slice.witnesses.filter((one) => !page.witnesses.some(({ pattern }) => pattern === one));
  return givenBlocks([
    ...slice.examples.filter((example) => !onPage.has(formatExample(example))).map(formatExampleBlock),
    ...(witnesses.length === 0 ? [] : [fencedBlock("witness", witnesses.join("\n"))]),
  ]);
}

/** A check that a person gave beside the page. */
function givenCheck({ section_2, section_3, check }: LogicSlice): string {
  const page = readExactParts(`${section_2}\n\n${section_3}`);
  return givenBlocks(check === null || page.checks.length > 0 ? [] : [fencedBlock("check", check)]);
}

function givenBlocks(blocks: readonly string[]): string {
  if (blocks.length === 0) return "";
  return `\n## Blocks that a person gave beside the page\n${blocks.join("\n")}\n`;
}

/** What the offline author made of the worked examples. */
function parsingDraft({ atom_a, reasoning, log_summary }: AtomADraft): string {
  const notes = [
    ["What it took and left out", "evidence", reasoning],
    ["What it saw", "summary", log_summary],
  ].map(([label = "", name = "", text = ""]) => `\n${label}: ${fenceData(name, text)}\n`);
  return `\n## A draft made from the worked examples\nA program agrees with all examples and may still be wrong elsewhere. Check it against the page and the logs, and hand in your own.\n${fenceCode("js", atom_a)}\n${notes.join("")}`;
}

function extractionText(extraction: ExtractionSummary): string {
  const { input_files: _, witnesses: __, ...shapes } = extraction;
  return fenceData("extraction", JSON.stringify(shapes, null, 1));
}

function failedPart(part: LogicPart, input: ReflectInput): string {
  const source = part === "config" ? withoutProgramKeys(input.sources.config) : input.sources[part];
  return `${part}:\n${fenceCode(part === "config" ? "yaml" : "js", source)}`;
}

function onlyAtomA(attempt: ReflectInput["history"][number]): ReflectInput["history"][number] {
  return { ...attempt, errors: attempt.errors.filter(concernsParsing) };
}
