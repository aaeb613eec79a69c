// Wraps a model author for pages with a check block, which is the config. Without text in section 4.2 the model is not
// asked for the logic; with text, the requirements and waivers of its config are replaced by those of the block
// (docs/contract.md, section 6).
import { declaredBy, draftFromCheck, isSameCheck, withCheck } from "./check-config.ts";
import { observedFiles } from "./input-files.ts";
import type { Author, AuthorContext, ExtractionSummary, GivenUp, LogicDraft, ReflectInput } from "./types.ts";

/** The author with the check block of a page in place of its own config.
 * @param searchRoot absolute path */
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
      return applyCheck(await author.agentB(slice, atomA, extraction, context), slice.check, files);
    },
    reflectB: async (slice, input, extraction, context) => {
      const { check } = slice;
      if (check === null) return author.reflectB(slice, input, extraction, context);
      const files = globs(extraction, context);
      const standard = draftFromCheck(slice, files);
      const parts = input.parts.filter((part) => part !== "config");
      if (standard === undefined && parts.length > 0) {
        const reply = await author.reflectB(slice, { ...input, parts }, extraction, context);
        return applyCheck(reply, check, files);
      }
      const draft = standard ?? unchangedLogic(input, check, files);
      return isUnchanged(draft, input) ? blameCheckBlock(input) : draft;
    },
  };
}

function applyCheck(
  reply: LogicDraft | GivenUp,
  check: string | null,
  globs: readonly string[],
): LogicDraft | GivenUp {
  if (reply.kind !== "draft" || check === null) return reply;
  return { ...reply, config: withCheck(reply.config, check, globs), declarations: declaredBy(check) };
}

function isUnchanged(draft: LogicDraft, { sources }: ReflectInput): boolean {
  const { atom_b, atom_c, config } = draft;
  return atom_b === sources.atom_b && atom_c === sources.atom_c && isSameCheck(config, sources.config);
}

function unchangedLogic({ sources }: ReflectInput, check: string, globs: readonly string[]): LogicDraft {
  return {
    kind: "draft",
    atom_b: sources.atom_b,
    atom_c: sources.atom_c,
    config: withCheck(sources.config, check, globs),
    reasoning: "The config was restored from the check block.",
    declarations: declaredBy(check),
  };
}

/** A gate rejects the config of the check block, which only the user can change. */
function blameCheckBlock({ errors, log_summary }: ReflectInput): GivenUp {
  const configErrors = errors.filter(({ atom }) => atom === "config");
  return {
    kind: "gave_up",
    reasons: (configErrors.length > 0 ? configErrors : errors).map(
      ({ gate, message }) => `${gate} rejects the check block of the page: ${message}`,
    ),
    questions: ["What should the check block be? Correct it in the page."],
    candidates: [],
    log_summary,
  };
}
