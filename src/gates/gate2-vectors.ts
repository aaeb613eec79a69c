// gate2_*: seven groups of test vectors. Each proves one rule of Atom B on inputs that distinguish the rule from likely
// misreadings; gate2_equivalence tests the rules on other inputs.
// Targets empty alternatives that match everything, `regex:` inside alternatives used as a regex, swapped precedence,
// exceptions for bad regexes or null fields, unknown modes that throw, `match` used as a full match.
import type { AtomSession } from "../../sandbox/types.ts";
import type { GateName } from "../contract/gates.ts";
import type { Findings } from "./findings.ts";
import { askMatcher, difference, type MatchArgs, showMatchCall } from "./matcher-calls.ts";
import { referenceMatch } from "./reference-matcher.ts";

interface VectorGroup {
  gate: GateName;
  rule: string;
  vectors: MatchArgs[];
}

const all = (
  texts: string[],
  patterns: string[],
  more: Omit<MatchArgs, "text" | "pattern"> = {},
): MatchArgs[] => texts.flatMap((text) => patterns.map((pattern) => ({ text, pattern, ...more })));

/** Short texts and shell patterns; all pairs are vectors. */
const GLOB_TEXTS = [
  "",
  "a",
  "b",
  "c",
  "d",
  "ab",
  "abc",
  "b1",
  "a\nc",
  "\n",
  "]",
  "[",
  "!",
  "-",
  "a-c",
  "ABC",
  "a]c",
  "ac",
];
const GLOBS = [
  "?",
  "*",
  "??",
  "a?c",
  "a*c",
  "*c",
  "a*",
  "*b*",
  "[a-c]*",
  "[a-d]?",
  "[!a-c]*",
  "*[!b]",
  "[]]*",
  "[!]]*",
  "[a-]*",
  "[abc]?*",
  "*[",
  "[*",
  "[a*",
  "a[!b]?",
  "*[0-9]",
  "[!0-9]*",
  "[c-a]*",
  "**",
  "*\n*",
  "[A-C]*",
];

/** The groups; expected answers come from the reference matcher. */
export const VECTOR_GROUPS: readonly VectorGroup[] = [
  {
    gate: "gate2_none_safety",
    rule: "`parsed_fields` may be null or left out, in every branch.",
    vectors: ["a", "z", "a|z", "|", "regex:^a", "regex:[", "a*", "z?", ""].flatMap((pattern) => [
      { text: "abc", pattern, fields: null },
      { text: "abc", pattern },
      { text: "abc", pattern, fields: null, defaultMatch: "exact", regexMode: "match" },
      { text: "abc", pattern, fields: {}, defaultMatch: "contains", regexMode: "search" },
    ]),
  },
  {
    gate: "gate2_alternatives",
    rule: "`|` splits; segments are trimmed, empty ones dropped; true if any segment is contained, also with default_match exact; only empties is false.",
    vectors: [
      ...all(
        ["abc", ""],
        ["|a||", "z|a", "a|z", " b | z ", "z|y", "|", "||", " | ", "|  |", "A|B", "abc|", "|abcd"],
      ),
      ...all(["abc"], ["b|z", "a|", "|", "z|ab"], { fields: null, defaultMatch: "exact" }),
      ...all(["a|b", "a b"], ["a|b", "a | b", "\\|", "a\\|b"]),
    ],
  },
  {
    gate: "gate2_bad_regex",
    rule: "A regex that does not compile gives false and a reason that starts with exactly `Invalid Regex:`; it never throws.",
    vectors: [
      ...all(
        ["abc", "[", ""],
        [
          "regex:[",
          "regex:(",
          "regex:*a",
          "regex:a)",
          "regex:(?P<n",
          "regex:[z-a]",
          "regex:a{2,1}",
          "regex:\\",
        ],
      ),
      ...all(["abc"], ["regex:[", "regex:("], { fields: null, defaultMatch: "exact", regexMode: "match" }),
      ...all(["abc"], ["regex:abc", "regex:x", "regex:"]),
    ],
  },
  {
    gate: "gate2_literal_alt",
    rule: "Inside alternatives everything is literal: `regex:`, `*`, `?`, `[seq]`, dots.",
    vectors: [
      ...all(["abc", "regex:^a", "zzz"], ["regex:^a|zzz", "zzz|regex:^a"]),
      ...all(["abc", "a*c", "a?c", "x"], ["a*c|q", "a?c|q", "q|*", "*|?"]),
      ...all(["abc", "a[bc]c", "a.c"], ["a[bc]c|q", "a.c|q"]),
    ],
  },
  {
    gate: "gate2_precedence",
    rule: "Precedence is `|`, then `regex:` at offset 0, then `*` or `?` (the whole text, case-sensitive, also across lines, `[seq]`), then contains or exact.",
    vectors: [
      ...all(["abc", "xabc", "abcx", "aBc", "ac"], ["a*c", "a?c", "*b*", "a[b-c]?", "a[!x]c*", "?", "*"]),
      ...all(["abc", "a[b]c"], ["a[b]c", "[abc]", "a[b]*"]),
      ...all(
        ["abc", "a\nb\nc", "xregex:^a", " regex:^a"],
        ["regex:a.c", "regex:a*", "regex:^.b?", " regex:^a", "xregex:^a", "Regex:^a", "a*c"],
      ),
      ...all(["abc", "aabb"], ["regex:^a*b", "regex:b$", "regex:^b", "a*"], {
        fields: null,
        defaultMatch: "exact",
      }),
      ...all(["regex:abc", "abc"], ["regex:abc", "regex:ABC", "regex:regex:abc"]),
      ...all(GLOB_TEXTS, GLOBS),
      ...all(
        ["abc", "a.c", "a+b", "(a)b", "$a", "^a", "a{2}", "a\\b"],
        ["a.c*", "a+*", "(a)*", "$*", "^*", "a.?", "a{2}*", "*\\?", "?bc"],
      ),
      ...all([" b ", "b", "\tb"], [" b*", "* ", "regex:^ b", "regex:^b$", "regex: $", "?b?"]),
    ],
  },
  {
    gate: "gate2_default_strategy",
    rule: "Without marks in the pattern: contains, or equality when default_match is `exact`; any other value means contains; an empty pattern is contained in everything and equals only the empty text.",
    vectors: ["contains", "exact", "EXACT", "", "regex"].flatMap((defaultMatch) =>
      all(
        ["abc", "b", "", "ABC", " b ", "b  b", "\u00e9", "e\u0301"],
        ["b", "abc", "", "B", "a.c", " b ", " b", "b ", "b b", "\u00e9"],
        { fields: null, defaultMatch },
      ),
    ),
  },
  {
    gate: "gate2_invalid_mode",
    rule: "regex_mode `match` matches at the start (not the whole text); every other mode searches.",
    vectors: ["search", "match", "INVALID_MODE", "", "fullmatch", "Match"].flatMap((regexMode) =>
      all(
        ["abc", "xabc", "abc\nabc", "a\nb"],
        ["regex:^a", "regex:abc", "regex:b", "regex:a", "regex:^xabc$", "regex:^b", "regex:c$"],
        {
          fields: null,
          defaultMatch: "contains",
          regexMode,
        },
      ),
    ),
  },
];

/** Runs all groups. Returns false if the atom hangs or crashes, so that it is not called again. */
export async function runVectorGates(session: AtomSession, findings: Findings): Promise<boolean> {
  const calls = VECTOR_GROUPS.flatMap((group) => group.vectors.map((args) => ({ group, args })));
  const answers = await askMatcher(
    session,
    calls.map((call) => call.args),
  );
  let usable = true;
  calls.forEach(({ group, args }, i) => {
    const answer = answers[i];
    if (!answer) return;
    if (!answer.ok && answer.fatal) usable = false;
    const wrong = difference(answer, expectedFor(args));
    if (wrong === undefined) return;
    const code = answer.ok ? "wrong_answer" : answer.code;
    const message = `${group.rule} \`${showMatchCall(args)}\` ${wrong}.`;
    findings.error(group.gate, "atom_b", code, message, {
      example: showMatchCall(args),
      ...(answer.ok || answer.line === undefined ? {} : { line: answer.line }),
    });
  });
  findings.ran(...VECTOR_GROUPS.map((group) => group.gate));
  return usable;
}

/** The answer of the reference matcher to a call, with defaults for missing arguments. */
export function expectedFor(args: MatchArgs): ReturnType<typeof referenceMatch> {
  return referenceMatch(args.text, args.pattern, args.defaultMatch ?? "contains", args.regexMode ?? "search");
}
