// How the texts of a part begin and end, all of them together: with half a pair of quotes, with a mark that only closes or parts
// something, with a label, with a word that is none of what the page calls a number or an address.

import { escapeRegex } from "../../escape.ts";
import type { Hint } from "../../page/page.ts";
import type { Placed } from "./exact.ts";
import type { Part } from "./parts.ts";

/** Texts that are enough to tell what all of them have. */
const LEAST = 3;
/** Share of the texts that have the sign. */
const MOST = 0.5;

/** Doubts about texts of a part with something at their edges that belongs to what stands beside them. */
export function edges({ hint, name }: Part, places: readonly Placed[]): string[] {
  if (hint.wholeLine) return [];
  const texts = places.map(({ host, start, end }) => host.slice(start, end));
  const [first] = [
    ...(hint.kind === "text" ? [] : parting(texts, hint)),
    ...labelled(texts),
    ...dated(texts, hint),
    ...(texts.length < LEAST ? [] : sameFirst(texts, hint)),
  ];
  return first === undefined ? [] : [`the ${name} has something at its edge that is no part of it: ${first}`];
}

function mostOf(texts: readonly string[], isOdd: (text: string) => boolean): string[] {
  const odd = texts.filter(isOdd);
  return odd.length > texts.length * MOST ? odd : [];
}

/** ":443", "'hall", "hall'": what parts texts, and quotes without their other half. */
function parting(texts: readonly string[], { literals }: Hint): string[] {
  const isHalf = (text: string): boolean => {
    const quotes = text.match(/["`]|(?<!\w)'|'(?!\w)/g) ?? [];
    return quotes.length === 1 && /^["'`]|["'`]$/.test(text);
  };
  const isParted = (text: string): boolean => /^(?:[;,|)\]}]|[:=](?!:))/.test(text);
  if (literals.some((one) => isHalf(one) || isParted(one))) return [];
  return [...mostOf(texts, isHalf), ...mostOf(texts, isParted)];
}

/** "(C): 33": the end of a label. */
function labelled(texts: readonly string[]): string[] {
  return mostOf(texts, (text) => /^[([][^()[\]]*[)\]]\s*[:=]\s*\S/.test(text));
}

/** A number that is a date and a time. */
function dated(texts: readonly string[], { kind, literals, description }: Hint): string[] {
  if (kind !== "number" || /\b(?:time|date|when|since|stamp)\b/i.test(description)) return [];
  const isDate = (text: string): boolean => /\d[/.-]\d+[/.-]\d+[ T]\d+:\d\d/.test(text);
  return literals.some(isDate) ? [] : mostOf(texts, isDate);
}

const EXACT = new Set(["number", "address", "path", "version", "hex"]);

/** "port 443", "Ban 192.0.2.1" of what is a number or an address. */
function sameFirst(texts: readonly string[], { kind, name, description, literals, choices }: Hint): string[] {
  const firsts = new Set(texts.map((text) => /^(\p{L}{2,})\s+\S/u.exec(text)?.[1]));
  const [first] = firsts;
  if (firsts.size !== 1 || first === undefined || new Set(texts).size < LEAST || kind === "time") return [];
  // The page shows such a text ("Bay 5"), or says the word although the part is called otherwise.
  const said = `${description} ${literals.join(" ")} ${choices.join(" ")}`;
  if (new RegExp(`${escapeRegex(first)}\\s+[\\d=]`).test(said)) return [];
  const word = first.toLowerCase();
  if (said.toLowerCase().includes(word) && !name.toLowerCase().includes(word)) return [];
  const rests = texts.map((text) => text.slice(first.length).trim());
  const isAtom = rests.every((rest) => /^[-+]?\d[\d.,:]*%?$/.test(rest));
  return EXACT.has(kind ?? "") || isAtom ? [texts[0] ?? ""] : [];
}
