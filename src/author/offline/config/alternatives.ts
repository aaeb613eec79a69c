// "regex:^(root|admin)$": in a configuration a bar makes a pattern a list of plain texts (contract, Atom B, 1), so a
// choice is written without one: of two expressions one matches where "not (neither the first nor the second)" holds,
// which is `(?!(?!first)(?!second))`. What follows the choice is part of both, so nothing has to be consumed.

/** Length in characters that a rewritten expression may have: what follows a choice is written once for each branch. */
const MAX_LENGTH = 2_000;

/** A part of a sequence: plain text with its quantifier, or a group. */
type Node = string | { open: string; branches: Node[][]; quantifier: string };

/**
 * The pattern without bars, which matches the same texts in both modes; the pattern itself where it is no expression,
 * has no choice, or has one that cannot be taken apart (repeated, looked back at, or referred to).
 */
export function withoutBars(pattern: string): string {
  const source = /^regex:(.*)$/s.exec(pattern)?.[1];
  if (source === undefined || !source.includes("|")) return pattern;
  // Numbers and names of groups, and blanks that do not count, would not survive.
  if (/\\[1-9]|\\k|\(\?P=|\(\?\(|\(\?[a-z]*x/.test(source)) return pattern;
  try {
    const flags = /^\(\?[a-z]+\)/.exec(source)?.[0] ?? "";
    const [branches, rest] = readBranches(source.slice(flags.length));
    if (rest !== "") return pattern;
    const written = `regex:${flags}${choice(branches, [])}`;
    return written.includes("|") || written.length > MAX_LENGTH ? pattern : written;
  } catch (error) {
    if (error instanceof NotPlain) return pattern;
    throw error;
  }
}

/** The expression cannot be taken apart; never leaves this file. */
class NotPlain extends Error {}

/** The branches up to a closing bracket or the end, and what is left. */
function readBranches(source: string): [branches: Node[][], rest: string] {
  const branches: Node[][] = [[]];
  let rest = source;
  while (rest !== "" && !rest.startsWith(")")) {
    const open = /^\((?:\?(?:P?<\w+>|[a-z]*:|<?[=!]))?/.exec(rest)?.[0];
    if (rest.startsWith("|")) {
      branches.push([]);
      rest = rest.slice(1);
    } else if (open === undefined) {
      const plain = /^(?:\[\^?\]?(?:\\.|[^\\\]])*\]|\\.|[^\\[()|])(?:[*+?]|\{[\d,]*\})*/s.exec(rest)?.[0];
      if (plain === undefined) throw new NotPlain();
      // A bar that stands for itself.
      branches.at(-1)?.push(plain.replace(/\\?\|/g, "\\x7c"));
      rest = rest.slice(plain.length);
    } else {
      if (open === "(" && rest.startsWith("(?")) throw new NotPlain();
      const [inner, after] = readBranches(rest.slice(open.length));
      const quantifier = /^\)((?:[*+?]|\{[\d,]*\})*)/.exec(after);
      if (quantifier === null) throw new NotPlain();
      branches.at(-1)?.push({ open, branches: inner, quantifier: quantifier[1] ?? "" });
      rest = after.slice(quantifier[0].length);
    }
  }
  return [branches, rest];
}

/** One of the branches, then what follows. */
function choice(branches: readonly Node[][], after: readonly Node[]): string {
  const [only] = branches;
  if (branches.length === 1 && only !== undefined) return sequence([...only, ...after]);
  const written = branches.map((branch) => `(?!${sequence([...branch, ...after])})`).join("");
  if (written.length > MAX_LENGTH) throw new NotPlain();
  return `(?!${written})`;
}

function sequence(nodes: readonly Node[]): string {
  const [first, ...after] = nodes;
  if (first === undefined) return "";
  if (typeof first === "string") return first + sequence(after);
  const { open, branches, quantifier } = first;
  const letters = branches.length > 1 && open !== "(?=" && open !== "(?!" ? oneOf(branches) : undefined;
  if (letters !== undefined && !open.startsWith("(?<")) return letters + quantifier + sequence(after);
  if (!hasChoice(branches)) return whole(first) + sequence(after);
  if (open === "(?=" || open === "(?!")
    return `${open}${choice(branches, [])})${quantifier}${sequence(after)}`;
  if (open.startsWith("(?<=") || open.startsWith("(?<!")) throw new NotPlain();
  if (/^\(\?[a-z]+:/.test(open)) throw new NotPlain();
  if (quantifier === "") return choice(branches, after);
  if (quantifier === "?") return choice([...branches, []], after);
  throw new NotPlain();
}

/** A choice between single characters is a class, which may be repeated. */
function oneOf(branches: readonly Node[][]): string | undefined {
  const letters = branches.map(([letter, ...more]) =>
    more.length === 0 &&
    typeof letter === "string" &&
    /^(?:\w|\\[dws.+*?()[\]{}^$/-]|[ :;,=<>"'/@#%&~!_-])$/.test(letter)
      ? letter.replace(/^-$/, "\\-")
      : undefined,
  );
  return letters.includes(undefined) ? undefined : `[${letters.join("")}]`;
}

function hasChoice(branches: readonly Node[][]): boolean {
  return (
    branches.length > 1 ||
    branches.some((branch) => branch.some((node) => typeof node !== "string" && hasChoice(node.branches)))
  );
}

/** A group without a choice as it stands; its name is of no use, and could stand twice. */
function whole({ open, branches, quantifier }: Exclude<Node, string>): string {
  const plainOpen = /^\((?:\?P?<\w+>)?$/.test(open) ? "(?:" : open;
  return `${plainOpen}${branches.map((branch) => sequence(branch)).join("")})${quantifier}`;
}
