// Splits a command into arguments by the quoting rules of a POSIX shell, like Python's `shlex.split`. Nothing is expanded,
// and operators have no meaning.

export type Words = { ok: true; words: string[] } | { ok: false; problem: string };

/** The arguments of a command line; an unclosed quote or a trailing backslash is a problem. */
export function splitWords(line: string): Words {
  const words: string[] = [];
  let word: string | undefined;
  let quote: '"' | "'" | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] as string;
    const next = line[at + 1];
    if (quote === "'") {
      if (char === "'") quote = undefined;
      else word += char;
    } else if (
      char === "\\" &&
      (quote === undefined || next === '"' || next === "\\" || next === undefined)
    ) {
      if (next === undefined) return { ok: false, problem: "the last backslash escapes nothing" };
      word = (word ?? "") + next;
      at += 1;
    } else if (quote === '"') {
      if (char === '"') quote = undefined;
      else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= "";
    } else if (/[ \t\r\n]/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? "") + char;
    }
  }
  if (quote !== undefined) return { ok: false, problem: "a quote is not closed" };
  if (word !== undefined) words.push(word);
  return { ok: true, words };
}
