// Which of the nodes are records: conditions that the page states about a key, texts that it quotes and that stand
// somewhere in the document as a whole, and the kind of entry that its example shows.
import { escapeRegex } from "../../escape.ts";
import { filterOf, holds } from "../../page/conditions.ts";
import { similarity, stem, stemsOf, wordsOf } from "../../page/names.ts";
import type { FieldRule, Group, Hint, Page } from "../../page/page.ts";
import { bare, NEGATIVE, quotedIn, type Sentence } from "../../page/text.ts";
import { nodeFrom, type TreeNode } from "../../program/tree/nodes.ts";
import type { Choice } from "./choose.ts";
import { nameLikeness } from "./likeness.ts";
import { type Place, stepsBetween, textAt } from "./places.ts";
import { standsAt } from "./shown.ts";

export interface Condition {
  place: Place;
  rule: FieldRule;
  /** Nothing but the example says it. */
  guessed?: boolean;
}

interface Known {
  group: Group;
  page: Page;
  choice: Choice;
  places: readonly Place[];
  aliases: ReadonlyMap<string, string>;
  shown: readonly TreeNode[];
  /** Every entry is a line of a log of its own. */
  oneLine: boolean;
}

/** All conditions that were found, at most one per place and text. */
export function conditionsOf(known: Known): Condition[] {
  const { page } = known;
  const found: Condition[] = [];
  const add = (one: Condition | undefined): void => {
    if (
      one === undefined ||
      found.some((other) => other.place === one.place && !differ(other.rule, one.rule))
    )
      return;
    const same = found.find((other) => other.place === one.place && other.rule.negate === one.rule.negate);
    if (same !== undefined && same.rule.match === one.rule.match && !one.rule.negate)
      same.rule = { ...same.rule, equals: [...new Set([...same.rule.equals, ...one.rule.equals])] };
    else found.push(one);
  };
  for (const rule of [...page.rules, ...partRules(page)]) add(stated(rule, known));
  add(saysSo(known));
  for (const one of [...memberConditions(known), ...besideConditions(known)]) add(one);
  add(outcome(known));
  for (const one of quotedConditions(known, found)) add(one);
  if (found.length === 0) add(shownKind(known));
  if (found.length === 0) add(namedKind(known));
  return found;
}

function differ(a: FieldRule, b: FieldRule): boolean {
  return JSON.stringify([a.equals, a.negate, a.match]) !== JSON.stringify([b.equals, b.negate, b.match]);
}

/** The texts of a place for the nodes of the value. */
function textsFor(value: Place, place: Place): string[] {
  const steps = stepsBetween(value, place);
  if (steps === undefined) return [];
  return value.nodes.map((node) => {
    const at = nodeFrom(node, steps.up, steps.down);
    return at === undefined ? "" : textAt(place, at);
  });
}

function asHint(name: string): Hint {
  return {
    name: wordsOf(name).join("_"),
    description: name,
    literals: [],
    choices: [],
    kind: undefined,
    optional: false,
    wholeLine: false,
    basename: false,
  };
}

/** "those with timing as a part of the name", "whose path has `x` in it". */
function partRules(page: Page): FieldRule[] {
  return page.statements.flatMap(({ sentences }) =>
    sentences.flatMap(({ text }) => {
      const match =
        /\b(?:with|having|that have) (?:the (?:word|text) )?[`"]?([\w.:/-]+)[`"]? (?:as (?:a )?part of|in|inside) (?:the|its|their) (\w+)/i.exec(
          text,
        );
      if (
        match === null ||
        !/\bonly\b|\bwanted\b/i.test(bare(text)) ||
        /^(?:an?|the|no|it)$/i.test(match[1] ?? "")
      )
        return [];
      const equals = [match[1] ?? ""];
      return [{ name: match[2] ?? "", equals, negate: false, match: "contains" as const }];
    }),
  );
}

/** A condition of the page at the place that it names. */
function stated(rule: FieldRule, known: Known): Condition | undefined {
  if (rule.name === "") return undefined;
  const { choice, places, aliases } = known;
  const chosen = [choice.value, ...choice.fields];
  const ranked = places
    .flatMap((place) => {
      const texts = textsFor(choice.value.place, place);
      if (texts.every((text) => text === "")) return [];
      const own = chosen.find((one) => one.place === place);
      const like = Math.max(
        nameLikeness(asHint(rule.name), place, aliases),
        own === undefined ? 0 : similarity(own.hint.name, rule.name),
      );
      if (like < 0.55) return [];
      const hits = texts.filter((text) => holds({ ...rule, negate: false }, text)).length;
      return [{ place, like: like + (hits > 0 ? 0.5 : 0) - 0.02 * place.path.length, texts, hits }];
    })
    .sort((a, b) => b.like - a.like);
  const [best] = ranked;
  if (best === undefined) return undefined;
  return best.hits > 0 || rule.negate ? { place: best.place, rule } : undefined;
}

/** "Only the alerts, that is objects whose event type says so": the sentence itself has the word. */
function saysSo(known: Known): Condition | undefined {
  const { choice, places, aliases, page } = known;
  for (const { text } of page.statements.flatMap((one) => one.sentences)) {
    const match =
      /\b(?:whose|where(?: the)?|by their|by its) (?:`?([\w.-]+)`?|([a-z]+ [a-z]+)) (?:(?:says?|shows?|tells?|names?) (?:so|this|that|them|it)\b|is (?:that|so|such)\b)/i.exec(
        text,
      );
    if (match === null) continue;
    const stems = stemsOf(text.replace(/[,;] (?:but|not|other)\b.*$/i, ""));
    const hint = asHint(match[1] ?? match[2] ?? "");
    const options = places.flatMap((place) => {
      const like = nameLikeness(hint, place, aliases);
      if (like < 0.7) return [];
      const texts = [...new Set(place.nodes.map((node) => textAt(place, node)))];
      const meant = texts.filter((one) => one !== "" && wordsOf(one).every((word) => stems.has(stem(word))));
      return meant.length === 1 && stepsBetween(choice.value.place, place) !== undefined
        ? [{ place, like, meant }]
        : [];
    });
    options.sort((a, b) => b.like - a.like);
    const [best] = options;
    if (best !== undefined)
      return { place: best.place, rule: { name: hint.name, equals: best.meant, negate: false } };
  }
  return undefined;
}

/** "(reason login_denied)", "events of type Alarm": a key right in front of one of its texts, both as in the log. */
function besideConditions(known: Known): Condition[] {
  const { choice, places, page } = known;
  const said = page.statements
    .flatMap((one) => one.sentences.map(({ text }) => bare(text)))
    .filter((text) => !NEGATIVE.test(text) && !/^(?:the |its )?(?:value|fields?)\b/i.test(text));
  return places.flatMap((place) => {
    const name = place.path.at(-1) ?? "";
    if (!/^[A-Za-z][\w-]+$/.test(name) || place === choice.value.place) return [];
    if (stepsBetween(choice.value.place, place) === undefined) return [];
    const beside = new RegExp(`(?<![\\w.-])${name} (?:is |of )?([\\w.-]*[\\w])(?![\\w-])`, "g");
    const texts = new Set(place.nodes.map((node) => textAt(place, node)));
    if (texts.size < 2) return [];
    const equals = said
      .flatMap((text) => [...text.matchAll(beside)].map((match) => match[1] ?? ""))
      .filter((one) => /[A-Z\d_]/.test(one) && texts.has(one));
    return equals.length === 0
      ? []
      : [{ place, rule: { name, equals: [...new Set(equals)], negate: false } }];
  });
}

const YES = /^(?:yes|true|1|ok|success|succeeded)$/i;
const NO = /^(?:no|false|0|failed|failure|error)$/i;

/** "the programs that were started successfully": a key of yes and no that the asking sentence has as a word. */
function outcome(known: Known): Condition | undefined {
  const { choice, places, page } = known;
  const asks = page.statements
    .flatMap((one) => one.sentences.map(({ text }) => bare(text)))
    .filter(
      (text) => /\b(?:extract|only|take|report|list|collect|wanted)\b/i.test(text) && !NEGATIVE.test(text),
    );
  for (const place of places) {
    const name = (place.path.at(-1) ?? "").toLowerCase();
    if (!/^[a-z]{4,}$/.test(name) || stepsBetween(choice.value.place, place) === undefined) continue;
    const texts = [...new Set(textsFor(choice.value.place, place))].filter((text) => text !== "");
    if (texts.length !== 2 || !texts.some((text) => YES.test(text)) || !texts.some((text) => NO.test(text)))
      continue;
    const word = new RegExp(`\\b(un|not )?${name}(?:ful|fully|ly|ed)?\\b`, "i");
    const said = asks.map((text) => word.exec(text)).find((match) => match !== null);
    if (said === undefined) continue;
    const wanted = said?.[1] === undefined ? YES : NO;
    return { place, rule: { name, equals: texts.filter((text) => wanted.test(text)), negate: false } };
  }
  return undefined;
}

/** "their objects have no member architecture", "an event with an object SYSCALL": it must be there, or must not. */
function memberConditions(known: Known): Condition[] {
  const { choice, places, page } = known;
  return page.statements.flatMap(({ sentences }) =>
    sentences.flatMap(({ text }, index) => {
      const match =
        /\b(?:have|has|having|with|contain\w*) (no|an?) (?:member|key|attribute|property|entry|field|element|object)s? (?:called |named )?[`"]?([A-Za-z_][\w.-]*)/i.exec(
          text,
        );
      const place = places.find((one) => one.path.at(-1) === match?.[2] && one.take === "text");
      if (match === null || place === undefined) return [];
      if (stepsBetween(choice.value.place, place) === undefined) return [];
      // "Only tests without it are wanted; their objects have no member architecture."
      const before = /^(?:their|its|these|they|such)\b/i.test(text) ? (sentences[index - 1]?.text ?? "") : "";
      if (!/\bonly\b|\bwanted\b|\bextract\b|\btake\b/i.test(bare(`${before} ${text}`))) return [];
      const negative = /\bnot (?:wanted|of interest|needed)\b|\bignor/i.test(bare(text));
      const without = match[1]?.toLowerCase() === "no";
      return [{ place, rule: { name: match[2] ?? "", equals: [""], negate: without === negative } }];
    }),
  );
}

/** Texts that the page quotes and that are the whole text of some place: the sender "connection_failed". */
function quotedConditions(known: Known, found: readonly Condition[]): Condition[] {
  const { group, page, choice, places, shown } = known;
  const own = new Set([
    ...[group.value, ...group.fields].flatMap((hint) => [
      hint?.name ?? "",
      ...(hint?.literals ?? []),
      ...(hint?.choices ?? []),
    ]),
    ...group.examples.flatMap((one) => (one.mark === "quote" ? [] : one.lines)),
  ]);
  const conditions: Condition[] = [];
  for (const { text, negative } of quotedTexts(page)) {
    if (own.has(text) || found.some((one) => one.rule.equals.includes(text))) continue;
    if (places.some((place) => place.path.at(-1) === text)) continue;
    const having = places
      .flatMap((place) => {
        if (place === choice.value.place) return [];
        const texts = textsFor(choice.value.place, place);
        const hits = texts.filter((one) => one === text).length;
        // What is the same everywhere tells nothing apart.
        const constant = place.nodes.every((node) => textAt(place, node) === text);
        return hits === 0 || (constant && !negative) ? [] : [{ place, hits }];
      })
      .sort((a, b) => b.hits - a.hits || a.place.path.length - b.place.path.length);
    const [best, second] = having;
    if (best === undefined) {
      const part = negative ? undefined : quotedPart(text, known);
      if (part !== undefined) conditions.push(part);
      continue;
    }
    if (
      second !== undefined &&
      second.hits === best.hits &&
      shown.some((node) => standsAt(node, second.place))
    )
      continue;
    const name = best.place.path.at(-1) ?? "";
    conditions.push({ place: best.place, rule: { name, equals: [text], negate: negative } });
  }
  // What is not wanted says nothing where something else is asked for at the same place.
  return conditions.filter(
    (one) => !one.rule.negate || !conditions.some((other) => other.place === one.place && !other.rule.negate),
  );
}

/** A quoted text of several words that stands in some of the messages: "Login failed:". */
function quotedPart(text: string, known: Known): Condition | undefined {
  const { choice, places } = known;
  if (wordsOf(text).length < 2) return undefined;
  for (const place of places) {
    if (!isKind(place)) continue;
    const texts = textsFor(choice.value.place, place);
    const hits = texts.filter((one) => one.includes(text)).length;
    if (hits === 0 || hits === texts.length) continue;
    const match = texts.every((one) => !one.includes(text) || one.startsWith(text)) ? "prefix" : "contains";
    return { place, rule: { name: place.path.at(-1) ?? "", equals: [text], negate: false, match } };
  }
  return undefined;
}

function quotedTexts(page: Page): { text: string; negative: boolean }[] {
  return [...page.statements, ...page.sourceStatements].flatMap(({ sentences }) =>
    sentences.flatMap((sentence) => {
      if (/^(?:the )?(?:value|fields?|its fields)\b/i.test(sentence.text)) return [];
      return quotedIn(sentence.text).flatMap((span) => {
        const before = sentence.text.slice(0, span.start);
        if (/\b(?:e\.g\.|for example|such as|like)\s*\(?$/i.test(before)) return [];
        return [{ text: span.text, negative: isNegative(sentence, before) }];
      });
    }),
  );
}

function isNegative(sentence: Sentence, before: string): boolean {
  // "Only `a`, not `b`": what stands behind the word; otherwise the sentence as a whole.
  if (/\bonly\b/i.test(bare(sentence.text))) return NEGATIVE.test(bare(before)) || /\bnot\b/i.test(before);
  return NEGATIVE.test(bare(sentence.text));
}

const KINDS =
  /^(?:msg|message|event|type|kind|action|result|status|state|outcome|sender|source|module|component|category|class|operation|op|reason|logger|name|event_?(?:type|name|kind|id|action)|severity|level|log_?type)$/i;

function isKind(place: Place): boolean {
  const name = place.path.at(-1) ?? "";
  return (
    KINDS.test(name) ||
    /(?:type|event|kind|action|status|result|message|event_?id|code|rule_?id)$/i.test(name)
  );
}

/** The kind of entry that the example shows, where the log has others as well: its text up to the first number. */
function shownKind(known: Known): Condition | undefined {
  const { choice, places, shown, page } = known;
  const chosen = new Set([choice.value, ...choice.fields].map((one) => one.place));
  const spoken = page.statements.map((one) => bare(one.text)).join(" ");
  const stems = stemsOf(spoken);
  const options = places.flatMap((place) => {
    if (chosen.has(place) || !isKind(place)) return [];
    const node = shown.find((one) => one.parent !== undefined && standsAt(one, place));
    if (node === undefined || node.text === "" || node.text.includes("...")) return [];
    // A number is a kind when the page says it: "failed logons (event 4625)".
    if (!/[A-Za-z]/.test(node.text)) {
      const said = new RegExp(`(?<![\\w.])${escapeRegex(node.text)}(?![\\w.])`).test(spoken);
      const all = textsFor(choice.value.place, place);
      const same = all.filter((text) => text === node.text).length;
      if (!said || same === 0) return [];
      const rule: FieldRule = { name: place.path.at(-1) ?? "", equals: [node.text], negate: false };
      return [{ place, rule, spoken: 2 }];
    }
    const prefix = /^[^\d]*/.exec(node.text)?.[0] ?? "";
    const whole = prefix === node.text;
    if (!whole && wordsOf(prefix).length < 2) return [];
    const rule: FieldRule = {
      name: place.path.at(-1) ?? "",
      equals: [prefix],
      negate: false,
      ...(whole ? {} : { match: "prefix" as const }),
    };
    const texts = textsFor(choice.value.place, place);
    const hits = texts.filter((text) => holds(rule, text)).length;
    if (hits === 0 || hits === texts.length) return [];
    // The page speaks of it: most of its words, or its key.
    const words = wordsOf(prefix).filter((word) => word.length > 2);
    const share = words.filter((word) => stems.has(stem(word))).length / Math.max(1, words.length);
    return share < 0.5 ? [] : [{ place, rule, spoken: share }];
  });
  options.sort((a, b) => b.spoken - a.spoken);
  const [best] = options;
  if (best === undefined) return undefined;
  const restricts = page.statements.some(({ sentences }) =>
    sentences.some(({ text }) => /\bonly\b/i.test(bare(text)) || NEGATIVE.test(bare(text))),
  );
  if (restricts || best.spoken > 1) return best;
  return known.oneLine ? { ...best, guessed: true } : undefined;
}

/** "Failed logins": the only kind of entry all of whose words the page has. */
function namedKind(known: Known): Condition | undefined {
  const { choice, places, page } = known;
  // Entries of one document are of one kind more often than lines of a log.
  if (!known.oneLine) return undefined;
  const chosen = new Set([choice.value, ...choice.fields].map((one) => one.place));
  const [first] = page.statements.filter((one) => one.sentences.length > 0);
  const stems = stemsOf(
    bare(first?.text ?? "").replace(/[^.;]*\b(?:not|other|others|ignored)\b[^.;]*/gi, " "),
  );
  for (const place of places) {
    if (chosen.has(place) || !isKind(place)) continue;
    const texts = textsFor(choice.value.place, place);
    const kinds = [...new Set(texts)].filter((text) => /[A-Za-z]{3}/.test(text));
    if (kinds.length < 2 || kinds.length > 40) continue;
    const meant = kinds.filter((text) => {
      const words = wordsOf(text).filter((word) => word.length > 2 && !/^\d+$/.test(word));
      return words.length > 0 && words.every((word) => stems.has(stem(word)));
    });
    if (meant.length === 1)
      return { place, rule: { name: place.path.at(-1) ?? "", equals: meant, negate: false }, guessed: true };
  }
  return undefined;
}

/** The filters of a rule, and the parts that they need beside those it has. */
export function filterFor(one: Condition, group: string): ReturnType<typeof filterOf> {
  return filterOf(one.rule, group);
}
