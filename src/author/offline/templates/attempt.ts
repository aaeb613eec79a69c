// An expression tried on the observed lines: which it matches, and what it takes from them.

import { isTooFree } from "./effort.ts";
import type { Slot, TemplateOptions } from "./template.ts";

export interface Attempt {
  pattern: string;
  options: TemplateOptions;
  hits: number[];
  /** Texts of each group over the hits. */
  texts: Map<string, string[]>;
}

/** Tries an expression with other options on the observed lines. */
export type Attempts = (options: TemplateOptions) => Attempt;

/** What an expression matches on the observed lines; nothing when trying it would never end. */
export function runPattern(
  pattern: string,
  slots: readonly Slot[],
  options: TemplateOptions,
  lines: readonly string[],
): Attempt {
  const regex = new RegExp(pattern);
  const hits: number[] = [];
  const texts = new Map<string, string[]>(slots.map((slot) => [slot.group, []]));
  if (isTooFree(pattern, lines)) return { pattern, options, hits, texts };
  lines.forEach((text, index) => {
    const match = regex.exec(text);
    if (match === null) return;
    hits.push(index);
    for (const [group, list] of texts) list.push(match.groups?.[group] ?? "");
  });
  return { pattern, options, hits, texts };
}

/** Every line of the smaller set is read the same way by both. */
export function sameProjection(a: Attempt, b: Attempt): boolean {
  const at = new Map(a.hits.map((hit, index) => [hit, index]));
  return b.hits.every((hit, index) => {
    const other = at.get(hit);
    return (
      other !== undefined &&
      [...b.texts].every(([group, texts]) => a.texts.get(group)?.[other] === texts[index])
    );
  });
}

/** The part of an attempt that is about these lines. */
export function only(attempt: Attempt, hits: readonly number[]): Pick<Attempt, "hits" | "texts"> {
  const at = attempt.hits.flatMap((hit, index) => (hits.includes(hit) ? [index] : []));
  const texts = new Map(
    [...attempt.texts].map(([group, list]) => [group, at.map((index) => list[index] ?? "")]),
  );
  return { hits: [...hits], texts };
}

/** Parts that are numbers in the example still have a digit, or say that there is none, wherever they match. */
export function stillNumbers(
  line: string,
  slots: readonly Slot[],
  attempt: Attempt,
  mayBeEmpty = false,
): boolean {
  return slots.every(({ group, hint, span }) => {
    if (!/^[-+]?\d+(?:\.\d+)?$/.test(line.slice(span.start, span.end))) return true;
    // Between quotes a text that is no number by its name may be any.
    const quote = line.charAt(span.start - 1);
    if (/["'`]/.test(quote) && line.charAt(span.end) === quote && hint.kind !== "number") return true;
    // So may a name between two marks: `sip:100@` for the account.
    const closed = /[^\s\p{L}\p{N}]/u.test(quote) && /[^\s\p{L}\p{N}]/u.test(line.charAt(span.end));
    if (closed && hint.kind === "word") return true;
    return (attempt.texts.get(group) ?? []).every(
      (text) =>
        (mayBeEmpty && text === "") ||
        /^[\w.,+%-]*\d[\w.,+%-]*$|^[-–]+$|^n\/?a$|^[\d*?][\d*?,/-]*$/i.test(text),
    );
  });
}
