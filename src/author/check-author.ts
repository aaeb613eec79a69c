// Around an author that is a model: where the page has a check block, the logic is not the author's to decide. Without text in
// section 4.2 no author is asked at all; with text the author is asked, and the config of the reply gets the
// requirements and waivers of the block. Contract, section 6.
import { declaredBy, draftFromCheck, sameCheck, withCheck } from "./check-config.ts";
import { observedFiles } from "./input-files.ts";
import type { Author, AuthorContext, ExtractionSummary, GivenUp, LogicDraft, ReflectInput } from "./types.ts";

/** @param searchRoot absolute */
export function withCheckBlocks(author: Author, searchRoot: string): Author {
  const globs = (extraction: ExtractionSummary, context: AuthorContext): readonly string[] =>
    extraction.input_files ?? observedFiles(context.tools.snapshot(), searchRoot);
  return {
    name: author.name,
    settings: author.settings,
    usage: () => author.usage(),
    ...(author.secondLook ? { secondLook: author.secondLook.bind(author) } : {}),
    ...(author.secondLookA ? { secondLookA: author.secondLookA.bind(author) } : {}),
    agentA: (...args) => author.agentA(...args),
    reflectA: (...args) => author.reflectA(...args),
    agentB: async (slice, atomA, extraction, context) => {
      const files = globs(extraction, context);
      const draft = draftFromCheck(slice, files);
      if (draft !== undefined) return draft;
      return settle(await author.agentB(slice, atomA, extraction, context), slice.check, files);
    },
    reflectB: async (slice, input, extraction, context) => {
      const { check } = slice;
      if (check === null) return author.reflectB(slice, input, extraction, context);
      const files = globs(extraction, context);
      const standard = draftFromCheck(slice, files);
      const parts = input.parts.filter((part) => part !== "config");
      if (standard === undefined && parts.length > 0) {
        const reply = await author.reflectB(slice, { ...input, parts }, extraction, context);
        return settle(reply, check, files);
      }
      const draft = standard ?? keptLogic(input, check, files);
      return isSame(draft, input) ? unrepairable(input) : draft;
    },
  };
}

function settle(
  reply: LogicDraft | GivenUp,
  check: string | null,
  globs: readonly string[],
): LogicDraft | GivenUp {
  if (reply.kind !== "draft" || check === null) return reply;
  return { ...reply, config: withCheck(reply.config, check, globs), declarations: declaredBy(check) };
}

function isSame(draft: LogicDraft, { sources }: ReflectInput): boolean {
  const { atom_b, atom_c, config } = draft;
  return atom_b === sources.atom_b && atom_c === sources.atom_c && sameCheck(config, sources.config);
}

function keptLogic({ sources }: ReflectInput, check: string, globs: readonly string[]): LogicDraft {
  return {
    kind: "draft",
    atom_b: sources.atom_b,
    atom_c: sources.atom_c,
    config: withCheck(sources.config, check, globs),
    reasoning: "The config is that of the check block again.",
    declarations: declaredBy(check),
  };
}

/** The config says what the block says, and a gate refuses it: only the person can change the block. */
function unrepairable({ errors, log_summary }: ReflectInput): GivenUp {
  const own = errors.filter(({ atom }) => atom === "config");
  return {
    kind: "gave_up",
    reasons: (own.length > 0 ? own : errors).map(
      ({ gate, message }) => `The check block of the page is the config, and ${gate} refuses it: ${message}`,
    ),
    questions: ["What must the check block say instead? Correct it in the page."],
    candidates: [],
    log_summary,
  };
}
