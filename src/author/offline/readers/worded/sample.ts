// The lines of a set, as far as they are looked at, and small facts about texts that several files here need.

import { escapeRegex } from "../../escape.ts";

/** Some of the lines of a set, spread over it. */
export interface Sample {
  lines: string[];
  /** Share of the lines that have a word. */
  share: (word: string) => number;
}

const MOST = 24;

export function sampleOf(lines: readonly string[]): Sample {
  const step = Math.max(1, lines.length / MOST);
  const chosen: string[] = [];
  for (let at = 0; at < lines.length && chosen.length < MOST; at += step)
    chosen.push(lines[Math.floor(at)] ?? "");
  const known = new Map<string, number>();
  return {
    lines: chosen,
    share: (word) => {
      const share = known.get(word);
      if (share !== undefined) return share;
      const regex = new RegExp(`(?<![\\w])${escapeRegex(word)}(?![\\w])`);
      const own = chosen.filter((line) => regex.test(line)).length / Math.max(1, chosen.length);
      known.set(word, own);
      return own;
    },
  };
}

/** What closes each bracket and quote. */
export const CLOSERS: Record<string, string> = {
  "(": ")",
  "[": "]",
  "<": ">",
  "{": "}",
  '"': '"',
  "'": "'",
  "`": "`",
};

const TIME_PIECE =
  /^(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun|UTC|GMT)[a-z]*,?|[\d:.,/+-]+[TZ]?)$/;

/** Nothing but a date or a time. */
export function isTimeText(text: string): boolean {
  return text.length <= 40 && text.split(/\s+/).every((piece) => TIME_PIECE.test(piece));
}

/** A fixed text with any blanks where it has some. */
export function spaced(text: string): string {
  return escapeRegex(text).replace(/\s+/g, "\\s*");
}
