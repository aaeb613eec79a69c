// What the page says about brackets and quotes around a part: inside them, with them, in the first or last of them.

import type { Say } from "./evidence.ts";

const WITHIN = "\\b(?:in|inside|within|between) (?:the )?(?:\\w+ )?(?:(?:pair|set) of )?(?:(?!of\\b)\\w+ )?";
/** "It is what the parentheses at the very end contain." */
const CONTAIN =
  /\bwhat (?:the |its )?((?:\w+ )?(?:brackets?|parenthes[ie]s|quotes|braces))\b([^.;,]*?)\b(?:contain|enclose|hold|surround)s?\b/i;
const ENCLOSING: [RegExp, string, string][] = [
  [new RegExp(`${WITHIN}(?:round )?parenthes[ie]s\\b`, "i"), "(", ")"],
  [new RegExp(`${WITHIN}(?:square )?brackets?\\b(?<!(?:angle|pointed) brackets?)`, "i"), "[", "]"],
  [new RegExp(`${WITHIN}(?:angle |pointed )brackets?\\b`, "i"), "<", ">"],
  [new RegExp(`${WITHIN}(?:double |single )?quot(?:es|ation marks)\\b`, "i"), "\"'`", "\"'`"],
  [new RegExp(`${WITHIN}(?:curly )?bra(?:ces?|kets?)\\b(?<!brackets?)`, "i"), "{", "}"],
];

/** "with its index in brackets": the brackets belong to the part. */
const WITH_BRACKETS =
  /\b(?:with|including|plus)\b[^,;]*\bin (?:\w+ )?(?:brackets|parentheses|braces|quotes)\b/i;

/** "after the identifier in square brackets": the brackets hold what the part stands beside. */
const BESIDE =
  /\b(after|behind|following|before|in front of) (?:the |its |an? )?(?!(?:last|first|second|final|next) )(?:[a-z][\w-]* ){1,3}?in (?:the |its )?(round |square |angle |curly )?(parenthes[ei]s|brackets?|braces)\b/i;

/** Weighs such a border, and gives what else is said. */
function besideBrackets(said: string, before: string, after: string, say: Say): string {
  const told = BESIDE.exec(said);
  if (told === null) return said;
  const marks =
    /^paren/i.test(told[3] ?? "") || /round/i.test(told[2] ?? "")
      ? "()"
      : /^brace|curly/i.test(`${told[3] ?? ""}${told[2] ?? ""}`)
        ? "{}"
        : /angle/i.test(told[2] ?? "")
          ? "<>"
          : "[]";
  const isAfter = !/^(?:before|in)/i.test(told[1] ?? "");
  const fits = isAfter
    ? before.trimEnd().endsWith(marks.charAt(1))
    : after.trimStart().startsWith(marks.charAt(0));
  say(fits ? 6 : -3, "beside the brackets");
  return said.replace(told[0], " ");
}

/** "in the brackets", "with its braces": what the page says of the marks around a part. */
export function enclosingEvidence(said: string, before: string, after: string, say: Say, part: string): void {
  const text = besideBrackets(said.replace(CONTAIN, "in the $1$2"), before, after, say);
  const kept =
    /\bwith (?:its |the |their )?(?:surrounding |enclosing )?(?:curly |square |round |angle )?(braces|brackets|parentheses)\b/i.exec(
      text,
    )?.[1];
  if (kept !== undefined) {
    const own = { b: /^[[{<].*[\]}>]$/, p: /^\(.*\)$/ }[kept.charAt(0).toLowerCase()] ?? /^\{.*\}$/;
    say(own.test(part) ? 6 : -3, "with its brackets");
    return;
  }
  for (const [words, open, close] of ENCLOSING) {
    if (!words.test(text) || WITH_BRACKETS.test(text)) continue;
    // "the number in the parentheses" of "(uid=0)" has no key with it.
    const isNumber = /\b(?:number|digits|figure|count)\b/i.test(text) && /^[-+]?\d[\d.,]*$/.test(part);
    const keyless = isNumber ? before.replace(/[A-Za-z_][\w-]*(?:=|: ?)$/, "") : before;
    const [left, right] = [keyless.trimEnd(), after.trimStart()];
    const inside = left !== "" && open.includes(left.at(-1) ?? " ") && close.includes(right.charAt(0) || " ");
    const within = before.includes(open.charAt(0)) && after.includes(close.charAt(0));
    // Behind a name stand its arguments, which nobody calls a text in parentheses.
    const called = inside && open === "(" && /\w\($/.test(left);
    say(called ? 4.5 : inside ? 6 : within ? 3 : -4, "by its brackets");
    if (inside) countedBrackets(text, left, right, open, close, say);
  }
}

const AT_END = /\b(?:parenthes[ie]s|brackets?|braces?) at the (?:very )?end\b/i;

/** "in the last pair of parentheses", "the first square brackets". */
function countedBrackets(
  text: string,
  left: string,
  right: string,
  open: string,
  close: string,
  say: Say,
): void {
  // "the last bracket but one"
  const last =
    /\b(?:last (?:pair of )?(?:round |square |angle |curly )?(?:parenthes[ie]s|brackets?|braces?) but one|(?:second|next)[- ]to[- ](?:the )?last|last but one|penultimate|second(?: pair)? from the (?:end|right))\b/i.test(
      text,
    );
  if (last && open.length === 1) {
    const rest = right.slice(1).split(open).length - 1;
    say(rest === 1 ? 3 : -6, "the last brackets but one");
    return;
  }
  const which =
    /\b(first|second|last|final) (?:pair of )?(?:round |square |angle |curly )?(?:parenthes[ie]s|brackets?|braces?|quotes)\b/i
      .exec(text)?.[1]
      ?.toLowerCase() ?? (AT_END.test(text) ? "last" : undefined);
  if (which === undefined || open.length > 1) return;
  const before = left.slice(0, -1).split(close).length - 1;
  const behind = right.slice(1).includes(open);
  const fits = which === "first" ? before === 0 : which === "second" ? before === 1 : !behind;
  say(fits ? 1 : -5, `the ${which} brackets`);
}
