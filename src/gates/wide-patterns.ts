// Patterns that also match longer texts: `2.5 V` matches `12.5 V`, and `/var` matches `/var/log`, since a plain pattern is
// searched for. Part of the gate consistency. The page may include the longer texts, so the author is asked once before the
// set is accepted (a suspicion), and nothing is rejected.
// Targets numbers and paths of a page that are used as plain patterns.
import type { NormalizedConfig } from "../contract/config.ts";
import type { Findings } from "./findings.ts";
import { show } from "./show.ts";

const PATH = /^[^\s]*\/[^\s]*$/;

/** Checks the plain patterns.
 * @param fixed the config is the check block of the page: a finding is then a warning instead of a question */
export function checkWidePatterns(
  { requirements }: NormalizedConfig,
  values: readonly string[],
  fixed: boolean,
  findings: Findings,
): void {
  if (requirements.value === null) return;
  for (const pattern of requirements.pattern_items) {
    for (const piece of piecesOf(pattern)) {
      const longer = values.find((value) => isInsideNumberOrPath(value, piece)) ?? extend(piece, values);
      if (longer === undefined) continue;
      const matches = values.includes(longer) ? "also matches the observed value" : "would also match";
      const message = `The pattern ${show(pattern, 100)} ${matches} ${show(longer, 100)}, which contains it. If the page requires the whole value, write a wildcard or \`regex:^…$\`.`;
      findings[fixed ? "warn" : "suspect"]("consistency", "config", "pattern_wide", message, {
        example: pattern,
      });
      break;
    }
  }
}

/** The plain texts of a pattern. */
function piecesOf(pattern: string): string[] {
  if (pattern.includes("|")) {
    return pattern
      .split("|")
      .map((part) => part.trim())
      .filter((part) => part !== "");
  }
  return pattern === "" || pattern.startsWith("regex:") || /[*?]/.test(pattern) ? [] : [pattern];
}

/** Does a value contain the text only inside another number or a longer path? */
function isInsideNumberOrPath(value: string, piece: string): boolean {
  const offsets = offsetsOf(piece, value);
  return (
    offsets.length > 0 &&
    offsets.every((offset) => {
      const before = value.slice(0, offset);
      const after = value.slice(offset + piece.length);
      if (/^\d/.test(piece) && /\d[.,]?$/.test(before)) return true;
      if (/\d$/.test(piece) && /^[.,]?\d/.test(after)) return true;
      return (
        PATH.test(piece) && (/^\/?[^\s/,;:)\]]/.test(after) || (piece.startsWith("/") && /\S$/.test(before)))
      );
    })
  );
}

/** A longer text that the pattern matches, if the pattern is an observed value. */
function extend(piece: string, values: readonly string[]): string | undefined {
  if (!values.includes(piece)) return undefined;
  if (/^\d/.test(piece)) return `1${piece}`;
  if (/\d$/.test(piece)) return `${piece}0`;
  return PATH.test(piece) ? `${piece}/x` : undefined;
}

function offsetsOf(piece: string, value: string): number[] {
  const offsets: number[] = [];
  for (let offset = value.indexOf(piece); offset >= 0; offset = value.indexOf(piece, offset + 1))
    offsets.push(offset);
  return offsets;
}
