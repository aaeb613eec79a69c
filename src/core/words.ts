// Numbers with their nouns.

/** `1 item`, `2 items`. */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${n} ${n === 1 ? noun : plural}`;
}
