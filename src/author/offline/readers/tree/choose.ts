// Which places of a structured document are the value and the fields: the value's node stands for the record, and its
// fields are reached from there.
import { similarity } from "../../page/names.ts";
import type { Group, Hint, Page } from "../../page/page.ts";
import { recordLines } from "../../page/record-line.ts";
import { nodeFrom } from "../../program/tree/nodes.ts";
import { nameLikeness, nameOf, textEvidence } from "./likeness.ts";
import { type Place, stepsBetween, textAt } from "./places.ts";

export interface Chosen {
  hint: Hint;
  place: Place;
  up: number;
  down: string[];
  score: number;
  /** How well it fits by itself, wherever it stands. */
  own: number;
}

export interface Choice {
  value: Chosen;
  fields: Chosen[];
  /** Fields for which no place was found. */
  missing: Hint[];
  /** A hint and the name of another place that fits it as well and has other texts. */
  rivals: { hint: Hint; name: string; near: boolean }[];
  score: number;
}

const LEAST = 0.55;

const OUTSIDE =
  /\b(?:(?:it|they|that|which) (?:is|are|stands?|belongs?|lies|was|were)(?: \w+)? (?:in|to|of|under|inside)|(?:belongs?|belonging) to|stands? in|enclosing|surrounding|innermost)\b/i;

interface Scored {
  place: Place;
  score: number;
}

function rank(
  hint: Hint,
  places: readonly Place[],
  aliases: ReadonlyMap<string, string>,
  shown: Shown,
): Scored[] {
  return places
    .map((place) => {
      const like = nameLikeness(hint, place, aliases);
      const seen = shown(hint, place);
      const deep = 0.01 * place.path.length;
      return { place, score: like < 0.3 && seen <= 0 ? 0 : like + textEvidence(hint, place) + seen - deep };
    })
    .filter((one) => one.score >= LEAST)
    .sort((a, b) => b.score - a.score)
    .slice(0, 8);
}

/** How much an example of the page speaks for a place as the text of a hint. */
export type Shown = (hint: Hint, place: Place) => number;

/** The best choice of places, or undefined when nothing is like the value. */
export function choosePlaces(
  group: Group,
  page: Page,
  places: readonly Place[],
  aliases: ReadonlyMap<string, string>,
  shown: Shown,
): Choice | undefined {
  const { value } = group;
  if (value === undefined) return undefined;
  const ranked = new Map(group.fields.map((hint) => [hint, rank(hint, places, aliases, shown)]));
  const said = page.statements
    .flatMap((one) => one.sentences.map(({ text }) => text))
    .filter((text) => !/^(?:the |its )?fields?\b/i.test(text))
    .join("\n");
  const choices = rank(value, places, aliases, (hint, place) => shown(hint, place) + outerSaid(place, said))
    .slice(0, 5)
    .map((one) => around(one, value, group.fields, ranked));
  choices.sort((a, b) => b.score - a.score);
  const [best, second] = choices;
  if (best !== undefined && second !== undefined && best.score - second.score < 0.12)
    if (differs(best.value.place, second.value.place))
      best.rivals.push({ hint: value, name: second.value.place.path.join("."), near: true });
  return best;
}

/** The fields around a place that has the value somewhere in its text. */
export function choicesAround(
  place: Place,
  value: Hint,
  fields: readonly Hint[],
  places: readonly Place[],
  aliases: ReadonlyMap<string, string>,
  shown: Shown,
): Choice {
  const ranked = new Map(fields.map((hint) => [hint, rank(hint, places, aliases, shown)]));
  return around({ place, score: 1 }, value, fields, ranked);
}

/** The page names the object that the place is in, as it is written in the log: "each event with a SYSCALL object". */
function outerSaid(place: Place, said: string): number {
  const outer = place.path.slice(0, -1).findLast((one) => one !== "[]" && one !== "*");
  if (outer === undefined || !/^[A-Za-z_]\w*$/.test(outer) || !/[A-Z_]/.test(outer)) return 0;
  return new RegExp(`(?<![\\w.])${outer}(?![\\w])`).test(said) ? 0.15 : 0;
}

/** The fields around one place of the value, the surest first, each place for one field. */
function around(
  one: Scored,
  value: Hint,
  fields: readonly Hint[],
  ranked: ReadonlyMap<Hint, readonly Scored[]>,
): Choice {
  const chosen: Chosen[] = [];
  const rivals: Choice["rivals"] = [];
  const pairs = fields.flatMap((hint) =>
    (ranked.get(hint) ?? []).flatMap(({ place, score }) => {
      const steps = stepsBetween(one.place, place);
      if (steps === undefined || place === one.place) return [];
      const list = steps.down.filter((name) => name === "[]").length;
      // "the deployment it belongs to" stands further out than what is beside the value.
      const inside = steps.up <= 1 && OUTSIDE.test(hint.description) ? 0.25 : 0;
      const far = 0.03 * (steps.up + steps.down.length) + 0.3 * list + inside;
      return [
        { hint, place, ...steps, own: score, score: score - far - lacking(one.place, place, steps, hint) },
      ];
    }),
  );
  pairs.sort((a, b) => b.score - a.score);
  for (const pair of pairs) {
    if (pair.score < LEAST - 0.15 || chosen.some((other) => other.hint === pair.hint)) continue;
    if (chosen.some((other) => other.place === pair.place)) continue;
    chosen.push(pair);
    // What stands right beside the value is meant before what is further off.
    const beside = pair.up <= 1 && pair.down.length <= 1;
    const rival = pairs.find(
      (other) =>
        other.hint === pair.hint &&
        !(beside && other.up + other.down.length > pair.up + pair.down.length) &&
        other.place !== pair.place &&
        !chosen.some((taken) => taken.place === other.place) &&
        pair.score - other.score < 0.1 &&
        differs(pair.place, other.place),
    );
    if (rival !== undefined) rivals.push({ hint: pair.hint, name: rival.place.path.join("."), near: true });
  }
  const missing = fields.filter((hint) => !chosen.some((other) => other.hint === hint));
  const score =
    1.5 * one.score +
    chosen.reduce((sum, other) => sum + other.score, 0) -
    0.5 * missing.filter((hint) => !hint.optional).length;
  return {
    value: { hint: value, place: one.place, up: 0, down: [], score: one.score, own: one.score },
    fields: chosen,
    missing,
    rivals,
    score,
  };
}

/** A field that most of the records lack is hardly meant. */
function lacking(from: Place, to: Place, steps: { up: number; down: string[] }, hint: Hint): number {
  const sample = from.nodes.slice(0, 200);
  const having = sample.filter((node) => {
    const found = nodeFrom(node, steps.up, steps.down);
    return found !== undefined && textAt(to, found) !== "";
  }).length;
  if (having === 0) return 2;
  return hint.optional ? 0 : 0.3 * (1 - having / Math.max(1, sample.length));
}

/** Do two places have other texts? */
function differs(a: Place, b: Place): boolean {
  if (a.nodes.length !== b.nodes.length) return true;
  return a.nodes.some((node, index) => {
    const other = b.nodes[index];
    return other === undefined || textAt(a, node) !== textAt(b, other);
  });
}

/** The node whose line the page gives a record: "Line number: the INSTANCE line", else that of the value. */
export function lineOf(page: Page, value: Place, places: readonly Place[]): { up: number; down: string[] } {
  const said = [...page.statements, ...page.sourceStatements]
    .flatMap((one) => one.sentences)
    .find(({ text }) =>
      /^(?:the )?line(?: number)?\b|\bline(?: number)? of (?:an?|the|each) (?:item|record)/i.test(text),
    );
  const told = recordLines([...page.statements, ...page.sourceStatements]).find(
    (one) => !one.weak && one.told !== "",
  );
  if (said === undefined && told === undefined) return { up: 0, down: [] };
  const rest =
    said?.text.replace(/^(?:the )?line(?: number)?(?: of (?:an?|the|each) \w+)?/i, "") ?? told?.told ?? "";
  // A name as it is written ("ErrorCode") says more than its words, which other names have as well.
  const words: string[] = rest.match(/[\p{L}\p{N}_-]+/gu) ?? [];
  // An element around the value, which may have no text of its own.
  const up = value.path.toReversed().findIndex((name, index) => index > 0 && words.includes(name));
  if (up > 0) return { up, down: [] };
  const reachable = places.flatMap((place) => {
    const steps = stepsBetween(value, place);
    if (steps === undefined || place.take === "name" || steps.down.includes("[]")) return [];
    const { name } = nameOf(place);
    const like = words.includes(name) ? 2 : Math.max(0, ...words.map((word) => similarity(word, name)));
    return like < 0.9 || /^\$/.test(place.path.at(-1) ?? "") ? [] : [{ steps, like }];
  });
  reachable.sort((a, b) => b.like - a.like || a.steps.down.length - b.steps.down.length);
  return reachable[0]?.steps ?? { up: 0, down: [] };
}
