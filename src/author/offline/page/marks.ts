// The characters that pages call by their names: "the colon", "a row of dots", "two blanks".

import { escapeRegex } from "../escape.ts";

/** Characters that a page names in words, as expressions. */
export const NAMED_MARKS: [RegExp, string][] = [
  [/^at[- ](?:sign|character)\b|^at\b(?=\s*(?:$|[,;.)]))/i, "@"],
  [/^@(?=$|[\s,;.)])/, "@"],
  [/^double colons?\b/i, "::"],
  [/^semi-?colons?\b/i, ";"],
  [/^colons?\b/i, ":"],
  [/^equals?(?:[- ]signs?)?\b/i, "="],
  [/^commas?\b/i, ","],
  [/^backslash(?:es)?\b/i, "\\\\"],
  [/^slash(?:es)?\b/i, "\\/"],
  [/^(?:dash|hyphen|minus)(?:es|s)?\b/i, "-"],
  [/^(?:arrow|greater-than sign)s?\b/i, "(?:[-=]+>|\u2192|>)"],
  [/^(?:hash|number sign|pound sign)(?:es| signs?)?\b/i, "#"],
  [/^(?:asterisk|star)s?\b/i, "\\*"],
  [/^(?:check[- ]?mark|tick)s?\b/i, "[\u2713\u2714\u221a]"],
  [/^plus(?: sign)?\b/i, "\\+"],
  [/^ampersands?\b/i, "&"],
  [/^tildes?\b/i, "~"],
  [/^(?:percent sign|percentage sign)s?\b/i, "%"],
  [/^(?:pipe|vertical bar|bar)s?\b/i, "\\|"],
  [/^opening (?:round )?(?:parenthesis|paren)\b/i, "\\("],
  [/^closing (?:round )?(?:parenthesis|paren)\b/i, "\\)"],
  [/^opening (?:square )?bracket\b/i, "\\["],
  [/^closing (?:square )?bracket\b/i, "\\]"],
  [/^(?:round |opening |closing )*(?:parenthes[ie]s|paren)\b/i, "[()]"],
  [/^(?:square |opening |closing )*brackets?\b/i, "[[\\]]"],
  [/^(?:angle|pointed) brackets?\b/i, "[<>]"],
  [/^(?:curly |opening |closing )*bra(?:ces?|kets?)\b/i, "[{}]"],
  [/^(?:back-?quote|back-?tick)s?\b/i, "`"],
  [/^(?:apostrophe|single quote)s?\b/i, "'"],
  [/^(?:quotes?|quotation marks?|double quotes?)\b/i, "[\"']"],
  [/^(?:row of |leading |trailing |three |leader )*(?:dots|ellipsis)\b/i, "\\.{2,}"],
  [/^full stops?\b/i, "\\.(?=[\\s\"'`)\\]]|$)"],
  [/^(?:dot|period)\b/i, "\\."],
  [/^(?:blank|space|white ?space)s?\b/i, "\\s+"],
  [/^tab(?:ulator)?s?\b/i, "\\t"],
];

const COUNT = /^(?:(?:an?|the|its|one|two|three|four|several|some|single|further|another) )+/i;

const AMBIGUOUS = /^(?:period|star|bar|dash|minus|dot|space|blank|tab|pipe|quote|at|hash|plus|arrow|slash)$/i;

/** The expression of a mark, when the text names one and nothing else: "a colon", "two spaces", "`->`". */
export function markNamed(text: string): string | undefined {
  const quoted = /^(?:(?:the|an?) )?`([^`\p{L}\p{N}]+)`$/u.exec(text.trim())?.[1];
  if (quoted !== undefined) return escapeRegex(quoted.trim());
  const plain = text.trim().replace(COUNT, "");
  // "Period" and "size" may be parts; "a period" is a mark.
  const named = plain.length < text.trim().length;
  if (!named && (/^[A-Z]/.test(plain) || AMBIGUOUS.test(plain))) return undefined;
  for (const [words, source] of NAMED_MARKS) {
    const found = words.exec(plain);
    if (found !== null && found[0].length === plain.length) return source;
  }
  return undefined;
}
