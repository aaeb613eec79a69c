// Calls of gate2_equivalence that are aimed at one atom: its literals, its numbers, and the words of the item.
import type { JsonObject } from "../core/json.ts";
import type { MatchArgs } from "./matcher-calls.ts";
import type { Literals } from "./static/literals.ts";

/** Numbers of the source up to this one are tried as lengths. */
const MAX_NUMBER = 20_000;

/** The texts of an atom and its item that calls are derived from. */
export interface EquivalenceAim {
  literals: Literals;
  /** Values and words of the item: config patterns, observed values, words of the page. */
  itemWords: string[];
  /** The same source passed all calls in this run: only calls with words of the item are made. */
  known: boolean;
}

/** Texts that are equal as numbers but not as texts: `exact` compares texts. */
const SAME_NUMBERS = [
  "1",
  "1.0",
  "01",
  "+1",
  " 1",
  "1 ",
  "1e0",
  "0x1",
  "1.00",
  "-0",
  "0",
  "0.0",
  "1000",
  "1e3",
  "Infinity",
  "NaN",
];
export const NUMBER_CALLS: MatchArgs[] = SAME_NUMBERS.flatMap((text) =>
  SAME_NUMBERS.flatMap((pattern) =>
    ["exact", "contains"].map((defaultMatch) => ({ text, pattern, fields: null, defaultMatch })),
  ),
);

/** Calls with every literal of the atom and every word of the item as text and as pattern, and with texts whose lengths
 * are close to the atom's numbers. */
export function aimedCalls(aim: EquivalenceAim): MatchArgs[] {
  const literal = new Set(aim.literals.texts.map((t) => t.text));
  const own = [...new Set([...literal, ...aim.itemWords])].filter((t) => t.length < 400).slice(0, 120);
  const fields: JsonObject = Object.fromEntries(
    aim.literals.properties.slice(0, 40).map((p) => [p, "waived"]),
  );
  const truths: JsonObject = Object.fromEntries(aim.literals.properties.slice(0, 40).map((p) => [p, true]));
  const calls: MatchArgs[] = [];
  for (const text of aim.known ? own.filter((t) => !literal.has(t)) : own) {
    calls.push({ text, pattern: text }, { text, pattern: "zzz" }, { text: "zzz", pattern: text });
    calls.push({ text: `x${text}x`, pattern: text }, { text: "abc", pattern: `${text}|zz` });
    calls.push({ text: text.toUpperCase(), pattern: text.toLowerCase() });
    calls.push(
      { text, pattern: "abc", fields: truths },
      { text: "abc", pattern: "abc", fields: { value: text, status: text } },
    );
  }
  if (aim.known) return calls;
  for (const pattern of ["abc", "z", "regex:z", "z*", "z|y", "a|b", "regex:a", "a*"]) {
    calls.push({ text: "abc", pattern, fields }, { text: "abc", pattern, fields: truths });
  }
  for (const pattern of ["abc", "a*c", "regex:^abc$", "zz|abc", "a?c"]) {
    const named = Object.fromEntries(aim.literals.properties.slice(0, 60).map((p) => [p, "abc"]));
    calls.push(
      { text: "zzz", pattern, fields: named },
      { text: "zzz", pattern, fields: { value: "abc", name: "abc", text: "abc" } },
    );
    calls.push({
      text: "zzz",
      pattern,
      fields: { ...named, list: ["abc"] },
      defaultMatch: "exact",
      regexMode: "match",
    });
  }
  calls.push(...lengthCalls(aim.literals.numbers));
  const long = "ab".repeat(3_000);
  calls.push(
    { text: `${long}z`, pattern: "z" },
    { text: `${long}z`, pattern: "*z" },
    { text: `${long}z`, pattern: "regex:z$" },
  );
  calls.push({ text: "abc", pattern: `${"x|".repeat(300)}abc` }, { text: `${long}z`, pattern: `q|${long}z` });
  return calls;
}

/** Calls with texts and patterns that are a little shorter and longer than the numbers of the atom, its possible limits. */
function lengthCalls(numbers: readonly number[]): MatchArgs[] {
  const calls: MatchArgs[] = [];
  for (const number of numbers) {
    if (!Number.isInteger(number) || number < 2 || number > MAX_NUMBER) continue;
    for (const length of [number - 1, number, number + 1, number + 2]) {
      const long = "a".repeat(length);
      calls.push(
        { text: `${long}z`, pattern: "z" },
        { text: long, pattern: "a" },
        { text: "abc", pattern: `${long}*` },
      );
      calls.push(
        { text: long, pattern: long, fields: null, defaultMatch: "exact" },
        { text: long, pattern: `b|${long}` },
      );
      calls.push(
        { text: long, pattern: `regex:${long}` },
        { text: `${long}z`, pattern: "regex:z" },
        { text: `${long}z`, pattern: "*z" },
      );
    }
  }
  return calls;
}
