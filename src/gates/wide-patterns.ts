// Patterns that match more than they say: a pattern is contained in every longer text around it, so that `2.5 V`
// also matches `12.5 V`, and `/var` also `/var/log`. Part of the gate consistency. Whether the page means the longer text
// as well, only its author can say: it is asked once before the set is accepted (a suspicion), and nothing is refused.
// Built against: numbers and paths of a page taken over as plain patterns.
import type { NormalizedConfig } from "../contract/config.ts";
import type { Findings } from "./findings.ts";
import { show } from "./show.ts";

const PATH = /^[^\s]*\/[^\s]*$/;

/** Looks at the patterns that are contained in values.
 * @param fixed the page gives the config itself: then it is a warning and no question */
export function checkWidePatterns(
  { requirements }: NormalizedConfig,
  values: readonly string[],
  fixed: boolean,
  findings: Findings,
): void {
  if (requirements.value === null) return;
  for (const pattern of requirements.pattern_items) {
    for (const piece of piecesOf(pattern)) {
      const wider = values.find((value) => goesOn(value, piece)) ?? changed(piece, values);
      if (wider === undefined) continue;
      const seen = values.includes(wider) ? "also matches the observed value" : "would also match";
      const message = `The pattern ${show(pattern, 100)} ${seen} ${show(wider, 100)}: it is contained in it. If the page means the whole value, write a wildcard or \`regex:^…$\`.`;
      findings[fixed ? "warn" : "suspect"]("consistency", "config", "pattern_wide", message, {
        example: pattern,
      });
      break;
    }
  }
}

/** Texts that are looked for as such. */
function piecesOf(pattern: string): string[] {
  if (pattern.includes("|")) {
    return pattern
      .split("|")
      .map((part) => part.trim())
      .filter((part) => part !== "");
  }
  return pattern === "" || pattern.startsWith("regex:") || /[*?]/.test(pattern) ? [] : [pattern];
}

/** Is the text only contained as a part of another number or of a longer path? */
function goesOn(value: string, piece: string): boolean {
  const places = placesOf(piece, value);
  return (
    places.length > 0 &&
    places.every((at) => {
      const before = value.slice(0, at);
      const after = value.slice(at + piece.length);
      if (/^\d/.test(piece) && /\d[.,]?$/.test(before)) return true;
      if (/\d$/.test(piece) && /^[.,]?\d/.test(after)) return true;
      return (
        PATH.test(piece) && (/^\/?[^\s/,;:)\]]/.test(after) || (piece.startsWith("/") && /\S$/.test(before)))
      );
    })
  );
}

/** Another text that the pattern takes, where it is the whole of an observed value. */
function changed(piece: string, values: readonly string[]): string | undefined {
  if (!values.includes(piece)) return undefined;
  if (/^\d/.test(piece)) return `1${piece}`;
  if (/\d$/.test(piece)) return `${piece}0`;
  return PATH.test(piece) ? `${piece}/x` : undefined;
}

function placesOf(piece: string, value: string): number[] {
  const places: number[] = [];
  for (let at = value.indexOf(piece); at >= 0; at = value.indexOf(piece, at + 1)) places.push(at);
  return places;
}
