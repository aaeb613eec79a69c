// What makes a reading of a structured document doubtful: keys that are hardly like the name of the page, other keys
// that fit as well, kinds of entries that nothing tells apart, values that the separators cut.
import { escapeRegex } from "../../escape.ts";
import { wordsOf } from "../../page/names.ts";
import type { Page } from "../../page/page.ts";
import { interpretRule } from "../../program/interpret.ts";
import type { TreeRule } from "../../program/ir.ts";
import { scan } from "../../program/tree/index.ts";
import { isAt, nodeFrom } from "../../program/tree/nodes.ts";
import type { Choice } from "./choose.ts";
import type { Condition } from "./conditions.ts";
import type { Inner } from "./inner.ts";
import { type Place, stepsBetween, textAt } from "./places.ts";

interface Seen {
  choice: Choice;
  conditions: readonly Condition[];
  places: readonly Place[];
  page: Page;
  lines: readonly string[];
  oneLine: boolean;
  inner: Inner | undefined;
}

/** The doubts, and how much less sure they make. */
export function judge(rule: TreeRule, seen: Seen): { doubts: string[]; less: number } {
  const { choice, conditions, inner } = seen;
  const doubts: string[] = [...(inner?.doubts ?? [])];
  let less = 0;
  const add = (amount: number, text: string): void => {
    less += amount;
    doubts.push(text);
  };
  for (const hint of choice.missing) if (!hint.optional) add(0.4, `no key is ${hint.name}`);
  for (const one of [choice.value, ...choice.fields]) {
    if (one.own < 0.8)
      add(one.own < 0.65 ? 0.25 : 0.1, `the key ${one.place.path.join(".")} was taken for ${one.hint.name}`);
  }
  for (const { rule: condition, guessed } of conditions) {
    if (guessed === true)
      add(
        0.3,
        `only ${condition.name} ${condition.equals.join(" or ")} is taken, as the page's words and example have it`,
      );
  }
  for (const { hint, name } of choice.rivals) add(0.4, `the key ${name} could be ${hint.name} as well`);
  const kinds = mixedKinds(rule, seen);
  if (kinds !== undefined) add(0.45, kinds);
  const cut = rule.syntax === "pairs" ? cutValue(rule, seen) : undefined;
  if (cut !== undefined) add(0.45, cut);
  return { doubts, less };
}

const KIND =
  /^(?:event|type|action|operation|op|kind|msg|message|event_?(?:type|name|kind|id|action)|log_?type|record_?type)$/i;

/** Lines of several kinds are taken, by the key that names the kind, and nothing on the page tells them apart. */
function mixedKinds(rule: TreeRule, seen: Seen): string | undefined {
  const { choice, places, page, oneLine } = seen;
  if (!oneLine || rule.filters.length > 0 || seen.inner !== undefined) return undefined;
  const own = new Set([choice.value, ...choice.fields].map((one) => one.place));
  const all = /\b(?:each|every|all)\b[^.;]*\b(?:lines?|objects?|entry|entries|records?|events?|messages?)\b/i;
  if (all.test(page.prose)) return undefined;
  const nodes = scan(rule.syntax, seen.lines).filter((node) => isAt(node, rule.record));
  for (const place of places) {
    if (own.has(place) || place.take === "name" || !KIND.test(place.path.at(-1) ?? "")) continue;
    const steps = stepsBetween(choice.value.place, place);
    if (steps === undefined) continue;
    const texts = nodes.flatMap((node) => {
      const at = nodeFrom(node, steps.up, steps.down);
      return at === undefined ? [] : [textAt(place, at)];
    });
    const kinds = new Set(
      texts.map((text) => wordsOf(text.replace(/"[^"]*"|'[^']*'/g, " ").replace(/\S*\d\S*/g, " ")).join(" ")),
    );
    kinds.delete("");
    if (kinds.size < 2 || kinds.size > 8 || kinds.size > texts.length / 2) continue;
    return `entries with different ${place.path.join(".")} are taken: ${[...kinds].slice(0, 3).join(", ")}`;
  }
  return undefined;
}

/** A value of `key=value` behind which the text goes on without a key: blanks in it were taken for its end. */
function cutValue(rule: TreeRule, seen: Seen): string | undefined {
  const names = new Set([seen.choice.value, ...seen.choice.fields].map((one) => one.place.path.at(-1) ?? ""));
  for (const record of interpretRule(rule, seen.lines)) {
    for (const name of names) {
      const rest = new RegExp(`(?:^|[\\s,;])${escapeRegex(name)}=(?!")\\S*\\s+([^\\s=]+)(?=\\s|$)`).exec(
        record.content,
      );
      if (rest !== null) return `the text of ${name} may go on: ${rest[0].trim()}`;
    }
  }
  return undefined;
}
