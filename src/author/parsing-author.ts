// The model as the author of Atom A: first draft, repair and second look.
import { EXTRACTION_DOUBT } from "../contract/gates.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { runTask } from "../conversation/task-loop.ts";
import type { ParsingSlice } from "../spec/types.ts";
import { TOOL_SPECS } from "../tools/index.ts";
import { compareAttempts } from "./best.ts";
import { fingerprint } from "./code.ts";
import { findingsForParsing } from "./disclosure.ts";
import { fileToolBox } from "./file-tool-box.ts";
import { observedFiles } from "./input-files.ts";
import type { ModelSession } from "./model-session.ts";
import { nudge } from "./prompts.ts";
import { agentARequest, knownToParsing, reflectARequest, secondLookARequest } from "./requests.ts";
import { ASK_PERSON_SPEC, SUBMIT_A_SPEC } from "./submit-tools.ts";
import { logSummary } from "./summary.ts";
import { type AtomAAnswer, atomATask, MAX_REASON_CHARS, parsingSecondLookTask } from "./tasks.ts";
import type {
  AtomADraft,
  AuthorContext,
  GivenUp,
  ParsingSecondLook,
  ParsingSecondLookInput,
  ReflectInput,
} from "./types.ts";
import type { WitnessProposal } from "./witnesses.ts";

const SUBMIT_TOOLS = [SUBMIT_A_SPEC, ASK_PERSON_SPEC];
const READING_TOOLS = [...TOOL_SPECS, ...SUBMIT_TOOLS];

export class ParsingAuthor {
  private readonly session: ModelSession;

  constructor(session: ModelSession) {
    this.session = session;
  }

  async agentA(slice: ParsingSlice, context: AuthorContext): Promise<AtomADraft | GivenUp> {
    const draft =
      slice.examples.length === 0 ? undefined : await this.session.options.drafter?.agentA(slice, context);
    const messages = agentARequest(slice, context, draft?.kind === "draft" ? draft : undefined);
    const conversation = this.session.start("agent_a", "agent_a", context, READING_TOOLS, messages);
    return this.bestCandidate(conversation, context, slice.witnesses.length === 0);
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
    const concernsCode = errors.some(({ atom }) => atom === "atom_a") || errors.length === 0;
    const messages = reflectARequest(slice, input, context, {
      findings: errors,
      searchRoot: this.session.options.searchRoot,
    });
    const conversation = this.session.start("reflect", "reflect_a", context, READING_TOOLS, messages);
    const tried = [input.sources.atom_a, ...input.history.map(({ sources }) => sources.atom_a)];
    // A doubt of the logic author may be mistaken: unchanged code is a valid answer.
    const doubtsOnly = errors.length > 0 && errors.every(({ code }) => code === EXTRACTION_DOUBT);
    // A wrong witness is repaired without changing the code.
    const task = atomATask(() => true, concernsCode && !doubtsOnly ? tried.map(fingerprint) : [], {
      wantsWitness: errors.some(({ gate }) => gate === "gate4_witness"),
      tools: fileToolBox(context.tools),
    });
    return this.finish(await runTask(conversation, task), context, input.log_summary);
  }

  /** Asks once about Atom A. An unusable reply leaves it unchanged. */
  async secondLookA(
    slice: ParsingSlice,
    input: ParsingSecondLookInput,
    context: AuthorContext,
  ): Promise<ParsingSecondLook> {
    const { atom_a, config } = input.sources;
    const findings = findingsForParsing(input.suspicions, config, knownToParsing(slice, input, context));
    const messages = secondLookARequest(slice, input, context, findings);
    const conversation = this.session.start("agent_a", "second_look_a", context, SUBMIT_TOOLS, messages);
    const reply = await runTask(conversation, parsingSecondLookTask(), { turns: 1 });
    if ("kept" in reply) return { reason: reply.kept };
    const decisions = reply.decisions.map(({ decision, reason }) => `${decision} ${reason}`.trim()).join(" ");
    const reason = (decisions || reply.notes.trim()).slice(0, MAX_REASON_CHARS) || "no reason was given";
    if (fingerprint(reply.code) === fingerprint(atom_a)) return { reason };
    const draft = this.finish(reply, context, reply.log_summary);
    return draft.kind === "draft" ? { draft, reason } : { reason };
  }

  /** Runs the step; with `execution.candidates` above 1, the best of several variants that continue the conversation. */
  private async bestCandidate(
    conversation: Conversation,
    context: AuthorContext,
    wantsWitness: boolean,
  ): Promise<AtomADraft | GivenUp> {
    const hasRead = (): boolean => context.tools.snapshot().observed.length > 0;
    const answer = await runTask(
      conversation,
      atomATask(hasRead, [], { wantsWitness, tools: fileToolBox(context.tools) }),
    );
    const observed = observedFiles(context.tools.snapshot(), this.session.options.searchRoot);
    const first = this.finish(answer, context, "", { globs: observed });
    const count = this.session.options.config.execution.candidates;
    const { judgeAtomA } = context;
    if (count < 2 || judgeAtomA === undefined || first.kind !== "draft") return first;
    const variants = await Promise.all(
      Array.from({ length: count - 1 }, (_, i) =>
        this.variant(conversation, context, first, { number: i + 2, count }),
      ),
    );
    const drafts = [first, ...variants.filter((draft) => draft.kind === "draft")];
    const judged = await Promise.all(
      drafts.map(async (draft) => ({
        draft,
        report: await judgeAtomA(draft.atom_a, draft.declarations ?? {}),
      })),
    );
    const best = judged.reduce((a, b) => (compareAttempts(b.report, a.report, "atom_a") > 0 ? b : a));
    return best.draft;
  }

  /** Another solution in a branch of the conversation; what it does not state is taken from the first draft. */
  private async variant(
    conversation: Conversation,
    context: AuthorContext,
    first: AtomADraft,
    { number, count }: { number: number; count: number },
  ): Promise<AtomADraft | GivenUp> {
    const branch = conversation.fork(`${conversation.options.stage}#${number}`);
    branch.answerOpenCalls("Kept as variant 1.");
    branch.say(nudge("variant", { number, count }));
    const answer = await runTask(
      branch,
      atomATask(() => true, [], { wantsWitness: false }),
    );
    return this.finish(answer, context, first.log_summary, {
      globs: first.input_files,
      witnesses: first.witnesses,
    });
  }

  /** The draft of an answer, with defaults for input files and witnesses that the model did not name. */
  private finish(
    answer: AtomAAnswer | GivenUp,
    context: AuthorContext,
    earlierSummary: string,
    defaults: { globs?: string[] | undefined; witnesses?: WitnessProposal | undefined } = {},
  ): AtomADraft | GivenUp {
    const { services, searchRoot } = this.session.options;
    const snapshot = context.tools.snapshot();
    const summary = (text: string): string => services.redact(logSummary(text, snapshot, searchRoot));
    if ("kind" in answer) return { ...answer, log_summary: summary(earlierSummary) };
    const files = answer.input_files.length > 0 ? answer.input_files : defaults.globs;
    const { patterns, reason } = answer.witnesses;
    const witnesses = patterns.length > 0 || reason !== "" ? answer.witnesses : defaults.witnesses;
    return {
      kind: "draft",
      atom_a: answer.code,
      reasoning: answer.notes,
      decisions: answer.decisions,
      log_summary: summary(answer.log_summary || earlierSummary),
      declarations: answer.declarations,
      ...(files === undefined ? {} : { input_files: files }),
      ...(witnesses === undefined ? {} : { witnesses }),
    };
  }
}
