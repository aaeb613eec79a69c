// A list of fields with names in backticks, cut into its parts: which of the texts in backticks are names and which are
// texts shown for them ("`severity`: `Warning` or `Error`", "`event` - content of the `@(...)`, e.g. `negedge rst`").

import { splitList } from "./text.ts";

export interface CodedPart {
  text: string;
  /** Where the name stands in it; null when it says more about the part before. */
  name: RegExpExecArray | null;
}

const NAME = /^[^`(]{0,60}?`([A-Za-z_][\w .-]*)`/;
const IDENTIFIER = /^[A-Za-z_]\w*$/;

/** What in front of a text in backticks shows that it is no name. */
const SHOWN =
  /(?:\b(?:e\.g|i\.e)\.?,?|\b(?:for example|for instance|such as|like|here|say|for|than|or|either|also|begins? with|starts? with|ends? with|equals?|reads?|texts?|words?|marked|called|printed as))\s+$/i;

/** "Also `x`", "for UDP also `x`": names all the same. */
const ALSO = /^(?:and |then |but )?(?:(?:for|with|on|in) [\w -]+ )?also\s+$/i;

/** The mark between a name and what is said of it: "`x`: ...", "`x` - ...". */
function markOf(behind: string): string | undefined {
  return /^\s*(?:([:：=])|([-–—])\s)/
    .exec(behind)
    ?.slice(1)
    .find((one) => one !== undefined);
}

/** The parts of a list in their order. */
export function codedParts(text: string): CodedPart[] {
  const listed = splitList(
    text
      .replace(/`,?\s+then\s+(?=`)/g, "`, ")
      // "`msg` and, unless the rule has none, `severity`": what stands between is about the name behind it.
      .replace(
        /\s+and,\s+((?:where|if|when|whenever|unless|as far as|in case|only|for|on|with)\b[^,`]*),\s+(?=`)/g,
        ", and $1 ",
      ),
  ).map((part) => ({
    text: part,
    name: NAME.exec(part),
  }));
  const behind = ({ text: part, name }: CodedPart): string =>
    name === null ? part : part.slice(name.index + name[0].length).trim();
  const first = listed.find((one) => one.name !== null && behind(one) !== "");
  const mark = first === undefined ? undefined : markOf(behind(first));
  const opening = listed.findIndex((one) => one.name !== null);
  // What stands behind a semicolon is a part of its own, however the others are marked.
  const apart = new Set(Array.from(text.matchAll(/;\s+(?:and\s+)?`([A-Za-z_]\w*)`/g), (match) => match[1]));
  let shown = false;
  return listed.map((one, index) => {
    const { name } = one;
    if (name === null || index === opening || apart.has(name[1])) {
      shown = name === null && SHOWN.test(/^[^`]*(?=`)/.exec(one.text)?.[0] ?? "");
      return one;
    }
    const lead = one.text.slice(0, name[0].indexOf("`"));
    shown =
      (shown && behind(one) === "") ||
      (!ALSO.test(lead) && SHOWN.test(lead)) ||
      (mark !== undefined && !isMarked(listed.slice(index), mark, behind)) ||
      (mark !== undefined && !IDENTIFIER.test(name[1] ?? ""));
    return shown ? { text: one.text, name: null } : one;
  });
}

/** A name that has the mark behind it, or stands in a row of names of which the last one has it. */
function isMarked(from: readonly CodedPart[], mark: string, behind: (one: CodedPart) => string): boolean {
  for (const one of from) {
    if (one.name === null) return false;
    const rest = behind(one);
    if (rest !== "") return markOf(rest) === mark;
  }
  // A row of bare names at the end: the texts of the name before, unless they look like names of several words.
  return from.every((one) => /_/.test(one.name?.[1] ?? ""));
}
