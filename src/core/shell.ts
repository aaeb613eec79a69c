// Commands as a person types them: words of a POSIX shell, and flags in front of others.

/** One word of a POSIX shell. */
export function quote(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Flags with their values as they are typed behind a command, each with a space in front: of all, or of those with
 * these names. `flags` holds name and value in turn. */
export function shellFlags(flags: readonly string[], names?: readonly string[]): string {
  const kept = flags.filter((_, index) => names?.includes(flags[index - (index % 2)] ?? "") ?? true);
  return kept.map((word) => ` ${quote(word)}`).join("");
}
