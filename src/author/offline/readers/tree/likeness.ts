// How well a place of a structured document fits a value or field of the page: by its names, by what the page says they
// mean, by texts that the page shows for it, and by the kind of its texts.
import { escapeRegex } from "../../escape.ts";
import { likeness, similarity, wordsOf } from "../../page/names.ts";
import type { Hint, Page } from "../../page/page.ts";
import { kindEvidence } from "../../parts/kinds.ts";
import { type Place, textAt } from "./places.ts";

/** Texts of a place that are looked at. */
const SAMPLE = 40;

/** "TC is the toggle count", "`lvl` means the level": names of the log and what the page calls them. */
export function aliasesOf(page: Page): Map<string, string> {
  const aliases = new Map<string, string>();
  const text = [...page.statements, ...page.sourceStatements].map((one) => one.text).join("\n");
  const said =
    /(?<![\w.])[`"]?([A-Za-z_@][\w.-]*)[`"]? (?:is|means|stands for|holds|gives|has|contains|=) (?:the |an? |its )?([a-z][\w-]*(?: (?:of (?:the )?)?[a-z][\w-]*){0,3})/g;
  for (const [, name = "", meaning = ""] of text.matchAll(said)) {
    if (/^(?:it|this|that|which|there|what|value|line|each|one|key|name|field)s?$/i.test(name)) continue;
    if (!aliases.has(name)) aliases.set(name, meaning);
  }
  const under =
    /\b(?:the |an? |its )?((?:[a-z][\w-]* ){1,3})(?:is |stands |given |printed |found )?(?:under|behind|in|as) (?:the )?(?:key )?[`"]?([A-Za-z_][\w.-]*)[`"]?/g;
  for (const [, meaning = "", name = ""] of text.matchAll(under)) {
    if (!aliases.has(name)) aliases.set(name, meaning.trim());
  }
  return aliases;
}

/** The name of a place as the log has it: of an item the name of its list, of a position that of its own list. */
export function nameOf(place: Place): { name: string; outer: string } {
  const names = place.path.filter((one) => one !== "[]" && one !== "*" && !/^\$\d+$/.test(one));
  return { name: (names.at(-1) ?? "").replace(/^@/, ""), outer: (names.at(-2) ?? "").replace(/^@/, "") };
}

/** "ip" and "address" are one word here. */
function same(text: string): string {
  return wordsOf(text)
    .map((word) => (/^(?:ip|addr)$/.test(word) ? "address" : word))
    .join(" ");
}

/** What the page calls it, with what it is of: "the address of the client" is the client address too. */
function phraseOf(hint: Hint): string {
  const head = hint.description.replace(/^\((.*)\)$/s, "$1").replace(/[,;(].*$/s, "");
  const words = wordsOf(head).filter(
    (word) => !/^(?:the|an?|of|its|as|in|on|for|each|every|that|this|was)$/.test(word),
  );
  return words.length > 4 ? "" : words.join(" ");
}

/** Likeness of names alone, 0 to 1.2. */
export function nameLikeness(hint: Hint, place: Place, aliases: ReadonlyMap<string, string>): number {
  const { name, outer } = nameOf(place);
  if (name === "" && place.take === "text") return 0;
  const dotted = place.path.join(".");
  if (place.take === "text" && (hint.literals.includes(name) || hint.literals.includes(dotted))) return 1.2;
  const alias = aliases.get(name);
  const phrase = phraseOf(hint);
  const asked = same(hint.name);
  const likes = [
    likeness(hint, name),
    similarity(asked, same(name)),
    // "the port name" is the text of a port.
    Math.min(0.82, similarity(asked.replace(/ name$/, ""), same(name))),
    outer === "" ? 0 : similarity(asked, same(`${outer} ${name}`)),
    phrase === "" ? 0 : similarity(same(phrase), same(name)),
    phrase === "" || outer === "" ? 0 : similarity(same(phrase), same(`${outer} ${name}`)),
    alias === undefined ? 0 : Math.max(similarity(hint.name, alias), similarity(phrase, alias)),
  ];
  const best = Math.max(...likes, keyNamed(hint, name)) + outerNamed(hint, place, name);
  if (place.take === "text") return place.path.at(-1) === "*" ? best - 0.2 : best;
  // A name that is data: the page calls it a name or key, or by the word for what it is in.
  const said = /\b(?:key|name)s?\b/i.test(`${hint.name.replace(/_/g, " ")} ${hint.description}`);
  return Math.max(said ? 0.85 : 0, Math.min(0.8, best));
}

/** "the path of the program, exe in that object": a word that is exactly the key, at the end or in front of a place. */
function keyNamed(hint: Hint, name: string): number {
  if (!/^[A-Za-z_@][\w.-]*$/.test(name)) return 0;
  const own = escapeRegex(name);
  const named = new RegExp(
    `(?:^|[,(]\\s*)(?:the )?[\`"]?${own}[\`"]?(?:\\s+(?:in|of|inside|from|under|below)\\b|\\s*[),;.]|$)`,
  );
  return named.test(hint.description) ? 0.9 : 0;
}

/** An object that the description of the hint names: "in an object PPID", "which is in the context of the event". */
function outerNamed(hint: Hint, place: Place, name: string): number {
  const outer = place.path.slice(0, -1).filter((one) => /^[A-Za-z_]\w*$/.test(one) && one !== name);
  const points = outer.map((one) => {
    const within = `\\b(?:in|inside|under|below|within|from|of) (?:the |an? |its |that )?(?:object |key |part )?[\`"]?${one}(?![\\w])`;
    if (new RegExp(within).test(hint.description)) return 0.2;
    return /[A-Z_]/.test(one) && new RegExp(`(?<![\\w.])${one}(?![\\w])`).test(hint.description) ? 0.1 : 0;
  });
  return points.reduce((sum: number, one) => sum + one, 0);
}

/** What the texts of a place say about it, -1 to 1. */
export function textEvidence(hint: Hint, place: Place): number {
  const texts = new Set<string>();
  for (const node of place.nodes) {
    const text = textAt(place, node);
    if (text !== "") texts.add(text);
    if (texts.size >= SAMPLE) break;
  }
  if (texts.size === 0) return -1;
  // "--" stands for nothing.
  if ([...texts].every((text) => /^[-\u2013\u2014.]+$/.test(text))) return -0.6;
  let points = 0;
  for (const text of texts)
    kindEvidence(text, hint, false, (say) => {
      points += say / texts.size;
    });
  let score = Math.max(-0.3, Math.min(0.15, points * 0.08));
  const all = new Set(place.nodes.map((node) => textAt(place, node)));
  const shown = hint.literals.filter((one) => one.length > 1);
  if (shown.some((one) => all.has(one))) score += 0.5;
  if (hint.choices.length > 0)
    score += [...texts].every((text) => hint.choices.includes(text))
      ? 0.4
      : hint.choices.some((one) => all.has(one))
        ? 0.2
        : -0.2;
  return score;
}
