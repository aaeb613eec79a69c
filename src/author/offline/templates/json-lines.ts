// The same entries as objects of JSON, one per line (`{"msg":"...","user":"ann"}`), where the page shows them as pairs: the keys
// are the same, and so is what stands behind them.

import { escapeRegex } from "../escape.ts";
import type { LineAlternative, Projection } from "../program/ir.ts";
import { type Anatomy, anatomyOf, looksOf } from "./anatomy.ts";
import { type Attempt, runPattern } from "./attempt.ts";
import type { Region } from "./regions.ts";
import type { LineTask } from "./task.ts";
import type { Slot } from "./template.ts";
import { conditionsOf } from "./told-words.ts";

const OBJECT = /^\s*\{\s*"/;

/** The expression for lines that are objects with all keys of the parts; nothing where the log has no such lines. */
export function jsonAlternative(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  best: Attempt,
  projection: Projection,
): LineAlternative[] {
  const objects = task.lines.filter((text) => OBJECT.test(text));
  const speaksOf = (task.wantedStems ?? task.stems).has("json") && task.unwantedStems?.has("json") !== true;
  if (!speaksOf || objects.length === 0 || OBJECT.test(line)) return [];
  const anatomy = anatomyOf(task, line, slots);
  if (anatomy === undefined || anatomy.head.length > 0) return [];
  const all = conditionsOf(task, anatomy, best);
  const known = all.find(({ ahead }) => ahead !== "" && best.pattern.startsWith(`^${ahead}`));
  const regions = new Map(anatomy.regions.map((region) => [region, asJson(region, objects)]));
  const own: Anatomy = {
    ...anatomy,
    regions: [...regions.values()],
    keyed: anatomy.keyed.flatMap((one) => {
      const region = regions.get(one.region);
      return region === undefined ? [] : [{ ...one, region }];
    }),
  };
  const { whole: _whole, ...open } = best.options;
  const options = { ...open, tail: false, classes: new Map<string, string>() };
  const looks = looksOf({ ...task, lines: objects }, own, options, new Set());
  const ahead = (known ?? all.at(-1))?.within(own.regions) ?? "";
  const pattern = `^\\s*(?=\\{)${ahead}${looks}`;
  const found = runPattern(pattern, slots, options, objects);
  // What JSON escapes is not the text itself.
  const escaped = [...found.texts.values()].some((texts) => texts.some((text) => text.includes("\\")));
  if (found.hits.length === 0 || escaped) return [];
  return [{ pattern, projection, example: objects[found.hits[0] ?? 0] ?? "" }];
}

/** A region as the log writes it in its objects: a text in quotes, or a number without. */
function asJson(region: Region, objects: readonly string[]): Region {
  const key = `"${escapeRegex(region.key)}"\\s*:\\s*`;
  const text = new RegExp(`${key}"`);
  if (objects.some((one) => text.test(one)))
    return { ...region, lead: `${key}"`, body: '(?:[^"\\\\]|\\\\.)*', stop: '"' };
  return { ...region, lead: key, body: '[^\\s,}"]+', stop: "" };
}
