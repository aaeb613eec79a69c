// Turns of a sentence that say which records are wanted without naming them first: "except for `x`, all count", "as long as
// it is `x` it counts", "nothing from `x`", "everything that is not `x` is wanted". Put into "Only …" or "… are not wanted".

/** What counts. */
const TAKEN =
  "(?:(?:is|are) (?:all )?(?:wanted|needed|taken|counted|reported|listed|items?|records?|findings?|of interest)|counts?|matters?)(?: here)?";
const NOUNS = "(?:an?|the|every|each|all|any)? ?(?:[a-z]+ )?[a-z]+";
const PRONOUN = "(?:it|they|this|these|those|that one)";
const IS = "(?:is|are|was|were|has|have|shows?|says?|reads?)";

interface Turn {
  form: RegExp;
  /** The sentence in plain words, of the groups "what" and "noun". */
  plain: (groups: Record<string, string>) => string;
}

const TURNS: Turn[] = [
  // "Except for `x`, which holds the system, all disks count."
  {
    form: new RegExp(
      `^(?:except(?: for)?|apart from|besides|other than|with the exception of|but for|save for) (?<what>[^,;]+?)(?:, (?:which|that|who) [^,;]+)?, (?:all|every|each|any)(?:thing|one)?\\b[^,;]* ${TAKEN}$`,
      "i",
    ),
    plain: ({ what = "" }) => `${what.replace(THOSE, "records")} are not wanted`,
  },
  // "All disks count, with the exception of `x`."
  {
    form: new RegExp(
      `^(?:all|every|each|any)(?:thing|one)?\\b[^,;]*? ${TAKEN},? (?:except(?: for)?|apart from|but not|with the exception of|but for|save for|save|minus) (?<what>[^;]+)$`,
      "i",
    ),
    plain: ({ what = "" }) => `${what.replace(THOSE, "records")} are not wanted`,
  },
  // "Only accounts that can log in: not those with `x` as their shell."
  {
    form: /^only [^:;]+: (?:but )?(?:not|no) (?<what>[^;]+)$/i,
    plain: ({ what = "" }) => `${what.replace(THOSE, "records")} are not wanted`,
  },
  // "Only addresses outside of `x`."
  {
    form: /^only (?:the )?(?<noun>[a-z]+(?: [a-z]+)?) outside (?:of )?(?<what>[^;]+)$/i,
    plain: ({ noun = "", what = "" }) => `${noun} in ${what} are not wanted`,
  },
  // "As long as an account is `active` it counts", "units are wanted as long as they are not dead".
  {
    form: new RegExp(
      `^(?:as long as|so long as|while|provided(?: that)?) (?:an?|the|every|each) (?<noun>[a-z]+(?: [a-z]+)?) ${IS} (?<not>not )?(?<what>[^,;]+?),? ${PRONOUN} ${TAKEN}$`,
      "i",
    ),
    plain: (groups) => onlyThat(groups),
  },
  {
    form: new RegExp(
      `^(?<noun>${NOUNS}) ${TAKEN},? (?:only )?(?:as long as|so long as|while) (?:it|they) ${IS} (?<not>not )?(?<what>[^,;]+)$`,
      "i",
    ),
    plain: (groups) => onlyThat(groups),
  },
  // "Nothing from the service `x`", "nothing with `@` in its name".
  {
    form: /^(?:but |and )?(?:(?:take|report|list|extract|read) )?nothing (?<what>(?:with|from|in|of|below|under|to|by|whose|that|which|at|on) (?!else\b)[^;]+)$/i,
    plain: ({ what = "" }) => `Records ${what} are not wanted`,
  },
  // "Anything but `x` in the column Y rules a row out."
  {
    form: /^(?:any|every)thing (?:but|other than|except|else than) (?<what>[^,;]+) (?:rules? (?:it|them|an? [a-z]+|the [a-z]+) out|disqualif(?:y|ies) [a-z ]+|makes? (?:it|an? [a-z]+|the [a-z]+) (?:unwanted|uninteresting|irrelevant))$/i,
    plain: ({ what = "" }) => `Only records with ${what}`,
  },
  // "Everything that is not OK is wanted", "only what did not end with `x`".
  {
    form: new RegExp(
      `^(?:everything|anything|all|whatever|what)(?: that| which)? (?:is|are|was|were|does|do|did|has|have) not (?:be |end (?:with|in) |read |say |show |have )?(?<what>‹\\d+›|[A-Z][A-Z\\d_-]+(?: (?:or|nor) (?:‹\\d+›|[A-Z][A-Z\\d_-]+))*) ${TAKEN}$`,
      "i",
    ),
    plain: ({ what = "" }) => `Records with ${what} are not wanted`,
  },
  {
    form: /^only (?:what|those that|the ones that|[a-z]+ (?:that|which|who)) (?:is|are|was|were|does|do|did|has|have) not (?:end(?:ed)? (?:with|in) |read |say |show )?(?<what>‹\d+›|[A-Z][A-Z\d_-]+)(?: (?:at|in) the end)?$/,
    plain: ({ what = "" }) => `Records with ${what} are not wanted`,
  },
];

const THOSE = /^(?:those|the ones|these|such)(?= )/i;

function onlyThat({ noun = "", not, what = "" }: Record<string, string | undefined>): string {
  const own = noun.replace(/^(?:an?|the|every|each|all|any) /i, "");
  const plural = own.endsWith("s") ? own : `${own}s`;
  return not === undefined ? `Only ${plural} that are ${what}` : `${plural} that are ${what} are not wanted`;
}

/** The sentence, quoted texts as ‹number› and without its end, in plain words; undefined where it takes no such turn. */
export function turned(text: string): string | undefined {
  for (const { form, plain } of TURNS) {
    const groups = form.exec(text.replace(/^[A-Z](?=[a-z]+ )/, (one) => one))?.groups;
    if (groups === undefined) continue;
    const own = plain(groups as Record<string, string>);
    return own.charAt(0).toUpperCase() + own.slice(1);
  }
  return undefined;
}
