// Values and fields that stand inside a text of a JSON object or of pairs ("Login failed: joe (Remote IP: ...)"): the
// texts of that key are read as lines of their own by the readers of lines, and what they find becomes parts of the node.
import { escapeRegex } from "../../escape.ts";
import type { Group, Hint, Page } from "../../page/page.ts";
import type { LineRule } from "../../program/ir.ts";
import type { TreeNode } from "../../program/tree/nodes.ts";
import { describedGroup } from "../described.ts";
import { lineGroup } from "../groups.ts";
import { wordedGroup } from "../worded/worded.ts";
import { type Choice, choicesAround } from "./choose.ts";
import { type Place, stepsBetween } from "./places.ts";
import { evidenceShown, standsAt } from "./shown.ts";

export interface Inner {
  /** The key whose texts were read. */
  place: Place;
  rule: LineRule;
  /** The hints that stand in it. */
  hints: Hint[];
  confidence: number;
  doubts: string[];
  /** The places of the others. */
  choice: Choice;
}

/** A hint found worse than this as a key of its own may stand inside a text. */
const SURE = 0.75;
const MOST_TEXTS = 2000;

/** The best reading of the texts of one key for what has no key of its own; undefined when nothing is missing. */
export function innerOf(
  choice: Choice | undefined,
  group: Group,
  page: Page,
  places: readonly Place[],
  known: { aliases: ReadonlyMap<string, string>; shown: readonly TreeNode[] },
): Inner | undefined {
  const { value } = group;
  if (value === undefined) return undefined;
  const evidence = evidenceShown(known.shown);
  const found = places
    .filter((place) => isSpeech(place, page))
    .slice(0, 2)
    .flatMap((place) => {
      const hasKey = choice !== undefined && choice.value.own >= SURE;
      const around = hasKey
        ? choice
        : choicesAround(place, value, group.fields, places, known.aliases, evidence);
      if (stepsBetween(around.value.place, place) === undefined) return [];
      const sure = around.fields.filter((one) => one.own >= SURE).map((one) => one.hint);
      const open = [...(hasKey ? [] : [value]), ...group.fields.filter((hint) => !sure.includes(hint))];
      if (open.every((hint) => hint.optional)) return [];
      return readTexts(place, open, group, page, known.shown).map((one) => ({ ...one, choice: around }));
    });
  return found.sort((a, b) => b.confidence - a.confidence)[0];
}

/** The texts of a place as lines, read for some of the hints. */
function readTexts(
  place: Place,
  open: readonly Hint[],
  group: Group,
  page: Page,
  shown: readonly TreeNode[],
): Omit<Inner, "choice">[] {
  const [first, ...others] = open;
  const texts = place.nodes.slice(0, MOST_TEXTS).map((node) => node.text.trim());
  const own = shown.filter(
    (node) => standsAt(node, place) && /\s/.test(node.text) && !node.text.includes("..."),
  );
  const examples = own.map((node) => ({ lines: [node.text.trim()], label: "", mark: "code" as const }));
  const inner: Group = { ...group, value: first, fields: others, examples };
  const shape = examples.length > 0 ? undefined : describedGroup(inner, page, texts);
  // What only the forms of the texts say is not enough by itself.
  if (shape !== undefined) shape.confidence = Math.min(shape.confidence, 0.7);
  const read = [examples.length > 0 ? lineGroup(inner, page, texts) : wordedGroup(inner, page, texts), shape];
  return read.flatMap((one) => {
    if (one === undefined || one.confidence < 0.6 || one.rule.kind !== "line") return [];
    const { rule, confidence, doubts } = one;
    if (rule.above !== undefined || rule.scope !== undefined) return [];
    return [{ place, rule, hints: [...open], confidence, doubts }];
  });
}

/** A key with sentences, and one that the page names or that is called like a message. */
function isSpeech(place: Place, page: Page): boolean {
  const name = place.path.at(-1) ?? "";
  if (place.take === "name" || name === "[]" || name === "*") return false;
  const several = place.nodes.filter((node) => node.text.trim().split(/\s+/).length >= 3).length;
  if (several < Math.max(1, place.nodes.length * 0.5)) return false;
  // What stands in front of the object.
  if (place.path.length === 0) return true;
  if (/^(?:msg|message|text|log|line|content|@message|short_message|full_message)$/i.test(name)) return true;
  return new RegExp(`(?<![\\w.])${escapeRegex(name)}(?![\\w])`).test(page.prose);
}
