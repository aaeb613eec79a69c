// Lines whose parts are announced by what stands beside them: each part is found by its own key, wherever it stands in the
// line, and which lines are wanted is told by the words of the example that the page speaks of. The rest of the line is free:
// other pieces come and go, and stand in another order than in the example.

import { escapeRegex, type Token, tokenize } from "../logs/tokens.ts";
import { stem, wordsOf } from "../page/names.ts";
import { messageTokens } from "../parts/shared.ts";
import { type Attempt, runPattern, stillNumbers } from "./attempt.ts";
import { isLeft, isNamed, turnsAgainst } from "./left-out.ts";
import { type Region, regionsOf } from "./regions.ts";
import type { LineTask } from "./task.ts";
import { buildPattern, type Slot, type TemplateOptions } from "./template.ts";
import { oddKinds } from "./wider.ts";

/** A line taken apart: what its keys announce, and the slots in front of the first of them. */
interface Anatomy {
  line: string;
  regions: readonly Region[];
  /** Regions with the slots in them. */
  keyed: readonly { region: Region; slots: readonly Slot[] }[];
  /** Slots in front of the first key. */
  head: readonly Slot[];
}

/** The reading by anchors, where it reads more lines than `best` and all of `best` the same way. */
export function anchoredChoice(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  base: TemplateOptions,
  best: Attempt | undefined,
): Attempt | undefined {
  const anatomy = anatomyOf(line, slots, task.lines);
  if (anatomy === undefined) return;
  const options: TemplateOptions = { ...base, tail: false };
  const attempt = (ahead: string, looks: string): Attempt => {
    const whole = `^${ahead}${looks}`;
    return runPattern(whole, slots, { ...options, whole }, task.lines);
  };
  const looks = looksOf(task, anatomy, options, new Set());
  const open = attempt("", looks);
  let chosen: { tried: Attempt; ahead: string } | undefined;
  for (const ahead of conditionsOf(task, anatomy, best)) {
    const tried = ahead === "" ? open : attempt(ahead, looks);
    if (!isBetter(task, anatomy, slots, tried, best)) continue;
    chosen = { tried, ahead };
    if (unexplained(task, anatomy, open, tried).length === 0) break;
  }
  if (chosen === undefined) return;
  const { tried, ahead } = chosen;
  // Where the message is the same, a piece that only some lines have is missing in the others.
  const loose = new Set(
    anatomy.keyed.flatMap(({ region, slots: own }) =>
      own.filter((slot) => own.length === 1 && slot.hint !== task.value && isAlone(line, region, slot)),
    ),
  );
  const more = attempt(ahead, looksOf(task, anatomy, options, loose));
  const isMost = more.hits.length > tried.hits.length && more.hits.length <= tried.hits.length * 2;
  const fits = isMost && ahead !== "" && haveMost(task, more, tried, anatomy);
  const lacking = new Set([...loose].filter(({ group }) => more.texts.get(group)?.includes("") === true));
  if (!fits || !isBetter(task, anatomy, slots, more, tried)) return tried;
  return attempt(ahead, looksOf(task, anatomy, options, lacking));
}

/** Is the part all that stands behind its key, a port aside? */
function isAlone(line: string, region: Region, { span }: Slot): boolean {
  return span.start === region.open && /^(?::\d+)?$/.test(line.slice(span.end, region.close));
}

/** Have the further lines most of the parts that stand behind keys? */
function haveMost(task: LineTask, more: Attempt, tried: Attempt, { keyed }: Anatomy): boolean {
  const known = new Set(tried.hits);
  const groups = keyed.flatMap((one) => one.slots.map(({ group }) => group));
  return more.hits.every((hit, index) => {
    const texts = groups.filter((group) => more.texts.get(group)?.[index] !== "");
    return known.has(hit) || (texts.length > 1 && texts.length * 2 > groups.length) || task.lines[hit] === "";
  });
}

/** Two parts at least stand behind keys of their own, and all others in front of the first key. */
function anatomyOf(line: string, slots: readonly Slot[], lines: readonly string[]): Anatomy | undefined {
  const regions = regionsOf(line, slots, lines);
  const keyed = regions.flatMap((region) => {
    const inside = slots.filter(({ span }) => span.start >= region.open && span.end <= region.close);
    return inside.length === 0 ? [] : [{ region, slots: inside }];
  });
  if (keyed.length < 2) return;
  const first = Math.min(...keyed.map(({ region }) => region.start));
  const head = slots.filter(({ span }) => !keyed.some((one) => one.slots.some((slot) => slot.span === span)));
  if (head.some(({ span }) => span.end > first)) return;
  return { line, regions, keyed, head };
}

/** What stands in brackets of its own with keys is another matter. */
const NESTED = /\[[A-Za-z_][\w.-]*=/;

/** A look-ahead for the head and one for each region with a part in it; `loose` parts may be missing. */
function looksOf(
  task: LineTask,
  anatomy: Anatomy,
  options: TemplateOptions,
  loose: ReadonlySet<Slot>,
): string {
  const { line, keyed } = anatomy;
  const some = NESTED.test(line) ? ".*?" : `(?:(?!${NESTED.source}).)*?`;
  const looks = keyed.map(({ region, slots }) => {
    const found = sourceOf(task, line, region, slots, options);
    const optional = slots.every((slot) => slot.hint.optional || loose.has(slot));
    return `(?=${optional ? some : ".*?"}${region.lead}${found}${optional ? "|" : ""})`;
  });
  return headSource(task, anatomy, options) + looks.join("");
}

function headSource(task: LineTask, { line, head, keyed }: Anatomy, options: TemplateOptions): string {
  if (head.length === 0) return "";
  const first = Math.min(...keyed.map(({ region }) => region.start));
  const last = Math.max(...head.map(({ span }) => span.end));
  const next = /^[^\s\p{L}\p{N}]+/u.exec(line.slice(last, first))?.[0] ?? "";
  const text = line.slice(0, last + next.length);
  const strict = buildPattern(text, head, { ...options, tail: true });
  const border = next === "" ? "(?=\\s)" : "";
  const source = (pattern: string): string => `(?=${pattern.replace(/^\^/, "")}${border})`;
  const hits = (pattern: string): number => runPattern(pattern, head, options, task.lines).hits.length;
  // Of the words in front of a part only those stay that the page speaks of.
  const kept = new Set(
    tokenize(text)
      .filter((token) => token.kind === "punct" || (token.kind === "word" && isSaid(task, token)))
      .map((token) => token.start),
  );
  const free = buildPattern(text, head, { ...options, tail: true, kept });
  return hits(`^${source(free)}`) > hits(`^${source(strict)}`) ? source(free) : source(strict);
}

/** The text of a region: the part itself, or what the example has around its parts. */
function sourceOf(
  task: LineTask,
  line: string,
  region: Region,
  slots: readonly Slot[],
  options: TemplateOptions,
): string {
  const [only] = slots;
  if (slots.length === 1 && only?.span.start === region.open && only.span.end === region.close) {
    return `(?<${only.group}>${options.classes.get(only.group) ?? region.body})${region.stop}`;
  }
  const address = slots.length === 1 && only !== undefined ? addressIn(line, region, only) : undefined;
  if (address !== undefined) return address;
  const end = Math.min(line.length, region.by === "closer" ? region.close + 1 : region.end);
  const text = line.slice(region.open, end);
  const moved = slots.map((slot) => ({
    ...slot,
    span: { start: slot.span.start - region.open, end: slot.span.end - region.open },
  }));
  const lead = `.*?${region.lead}`;
  const variants = [
    { ...options, tail: true },
    { ...options, tail: false },
    { ...options, tail: false, codes: false },
    { ...options, tail: false, prefix: "word" as const, codes: false },
  ].map((one) => buildPattern(text, moved, one).replace(/^\^(?:\\s\*)?/, ""));
  const hits = variants.map((pattern) => runPattern(lead + pattern, slots, options, task.lines).hits.length);
  const most = Math.max(...hits);
  return variants[hits.indexOf(most)] ?? "";
}

/** An address alone in its region, the port left out: others have no port, or are of version 6. */
function addressIn(line: string, region: Region, { group, span }: Slot): string | undefined {
  const rest = line.slice(span.end, region.close);
  if (span.start !== region.open || !/^:\d+$/.test(rest)) return;
  if (!/^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-fA-F:]*:[0-9a-fA-F:.]*)$/.test(line.slice(span.start, span.end)))
    return;
  const address = "\\d{1,3}(?:\\.\\d{1,3}){3}|[0-9a-fA-F]*:[0-9a-fA-F:.]*?[0-9a-fA-F]|[\\w.-]+?";
  const stop = region.stop === "" ? "(?![\\w.:])" : region.stop;
  return `(?<${group}>${address})(?::\\d+)?${stop}`;
}

/** Does the page's prose have the word? */
function isSaid(task: LineTask, token: Token): boolean {
  const pieces = [...(task.said ?? [])].some((piece) => piece.replace(/^`+|`+$/g, "") === token.text);
  if (pieces && /[A-Z]{2}|[\d_-]/.test(token.text)) return true;
  // "DUP" where the page speaks of duplicates.
  const stems = [...(task.wantedStems ?? task.stems)];
  if (/^[A-Z]{3,}$/.test(token.text) && stems.some((one) => one.startsWith(token.text.toLowerCase())))
    return true;
  return (
    token.text.length > 2 &&
    wordsOf(token.text).every((word) => (task.wantedStems ?? task.stems).has(stem(word)))
  );
}

/** Have all lines read so far the word? */
function isHeld(task: LineTask, token: Token, best: Attempt | undefined): boolean {
  const word = new RegExp(`(?<![A-Za-z])${escapeRegex(token.text)}(?![A-Za-z])`);
  return best?.hits.every((hit) => word.test(task.lines[hit] ?? "")) === true;
}

/** Conditions on the line as look-aheads, from the strictest: all words of the message, those that the page speaks of. */
function conditionsOf(task: LineTask, anatomy: Anatomy, best: Attempt | undefined): string[] {
  const { line, regions, keyed } = anatomy;
  const phrases = (task.eitherTexts ?? []).flatMap((texts) => {
    const shown = texts.filter((text) => line.includes(text));
    const seen = texts.every((text) => task.lines.some((one) => one.includes(text)));
    return shown.length === 1 && seen ? [{ texts, shown: shown[0] ?? "" }] : [];
  });
  const inPhrase = (token: Token): boolean =>
    phrases.some(({ shown }) => {
      const at = line.indexOf(shown);
      return token.start >= at && token.end <= at + shown.length;
    });
  const either = phrases
    .map(
      ({ texts }) => `(?=.*?(?:${texts.map((one) => escapeRegex(one).replace(/\s+/g, "\\s+")).join("|")}))`,
    )
    .join("");
  const tokens = tokenize(line).filter(
    (token) =>
      (token.kind === "word" || (token.kind === "mixed" && isSaid(task, token))) &&
      !inPhrase(token) &&
      !keyed.some(
        ({ region, slots }) =>
          (token.start >= region.start && token.end <= region.open) ||
          slots.some(({ span }) => token.start < span.end && token.end > span.start),
      ) &&
      !anatomy.head.some(({ span }) => token.start < span.end && token.end > span.start),
  );
  const isKey = (token: Token): boolean =>
    regions.some((region) => token.start >= region.start && token.end <= region.open) ||
    /^\s?(?:=|:\S)/.test(line.slice(token.end));
  const own = new Set(
    keyed.flatMap(({ slots }) => slots.flatMap(({ hint }) => wordsOf(hint.name).map(stem))),
  );
  const plain = tokens.filter((token) => !isKey(token));
  const said = plain.filter(
    (token) => token.kind === "mixed" || (isSaid(task, token) && !own.has(stem(token.text.toLowerCase()))),
  );
  const common = new Set(messageTokens(line, task.lines));
  const message = plain.filter((token) => common.has(token.start) && token.text.length > 1);
  // A remark behind the last key ("(DUP!)") says what kind of line it is.
  const last = Math.max(...regions.map(({ end }) => end));
  const remark = plain.filter(
    (token) =>
      token.start >= last && /[([{<"'*]$/.test(line.slice(0, token.start)) && isHeld(task, token, best),
  );
  const sets = [plain, [...said, ...message, ...remark], [...said, ...remark]].map((set) => [
    ...new Set(set),
  ]);
  const sources = sets.map((set) => either + ahead(task, line, regions, set));
  return [...new Set(sources)].filter((source) => source !== "" || said.length + remark.length === 0);
}

/** One look-ahead for each stretch of the line between its keys, and for each pair. */
function ahead(task: LineTask, line: string, regions: readonly Region[], set: readonly Token[]): string {
  const sorted = [...set].sort((a, b) => a.start - b.start);
  const placeOf = (token: Token): number =>
    regions.findIndex((region) => token.start >= region.start && token.end <= region.end);
  const zoneOf = (token: Token): string => {
    const pair = placeOf(token);
    return pair >= 0 ? `pair ${pair}` : `zone ${regions.filter((one) => one.end <= token.start).length}`;
  };
  const zones = Map.groupBy(sorted, zoneOf);
  return [...zones.values()]
    .map((tokens) => {
      const [first] = tokens;
      const pair = first === undefined ? undefined : regions[placeOf(first)];
      let source = pair === undefined ? "" : pair.lead;
      let at = pair?.open;
      for (const token of tokens) {
        const blank = at !== undefined && /^\s+$/.test(line.slice(at, token.start));
        source += at === token.start ? "" : blank ? "\\s+" : ".*?";
        source += wordSource(task, token, /\.\*\?$/.test(source) || source === "");
        at = token.end;
      }
      return `(?=.*?${source.replace(/^\.\*\?/, "")})`;
    })
    .join("");
}

/** A word, or one of those that the page gives as alternatives, as the log spells them. */
function wordSource(task: LineTask, token: Token, border: boolean): string {
  const known = task.either?.get(token.text) ?? [];
  const forms = new Set([token.text, ...known]);
  if (task.areEither !== undefined)
    for (const word of wordsBeside(task)) {
      if (!forms.has(word) && task.areEither(token.text, word)) forms.add(word);
    }
  const source = forms.size === 1 ? escapeRegex(token.text) : `(?:${[...forms].map(escapeRegex).join("|")})`;
  return `${border ? "(?<![A-Za-z])" : ""}${source}(?![A-Za-z])`;
}

const known = new WeakMap<readonly string[], ReadonlySet<string>>();

function wordsBeside(task: LineTask): ReadonlySet<string> {
  const same = known.get(task.lines);
  if (same !== undefined) return same;
  const words = new Set(task.lines.flatMap((text) => text.match(/[A-Za-z]{3,}/g) ?? []));
  known.set(task.lines, words);
  return words;
}

/** Does a reading take more lines than the one before it, all of those the same way, and none that the page rules out? */
function isBetter(
  task: LineTask,
  anatomy: Anatomy,
  slots: readonly Slot[],
  tried: Attempt,
  best: Attempt | undefined,
): boolean {
  const before = best?.hits ?? [];
  const hits = new Set(tried.hits);
  if (tried.hits.length < before.length || tried.hits.length === 0) return false;
  const lost = before.filter((hit) => !hits.has(hit)).map((hit) => task.lines[hit] ?? "");
  if (!lost.every((text) => isOut(task, anatomy, text) || lacksCode(task, anatomy, text))) return false;
  if (best !== undefined && !sameTexts(task, tried, best)) return false;
  if (!stillNumbers(anatomy.line, slots, tried, true) || oddKinds(anatomy.line, slots, tried)) return false;
  const first = new Set(before);
  return tried.hits.every((hit) => {
    const text = task.lines[hit] ?? "";
    return first.has(hit) || isLeft(task, text, anatomy.line) || !isOut(task, anatomy, text);
  });
}

/** Lacks the line a code of the example that the page speaks of ("log prefix `DROP-IN`")? */
function lacksCode(task: LineTask, { line, keyed, head }: Anatomy, text: string): boolean {
  const inSlots = [...head, ...keyed.flatMap((one) => one.slots)];
  return tokenize(line).some(
    (token) =>
      token.kind === "mixed" &&
      isSaid(task, token) &&
      !inSlots.some(({ span }) => token.start < span.end && token.end > span.start) &&
      !new RegExp(`(?<![\\w-])${escapeRegex(token.text)}(?![\\w-])`).test(text),
  );
}

/** Where both read a part, they read the same. */
function sameTexts(task: LineTask, tried: Attempt, best: Attempt): boolean {
  const at = new Map(tried.hits.map((hit, index) => [hit, index]));
  return best.hits.every((hit, index) =>
    [...best.texts].every(([group, texts]) => {
      const other = at.get(hit);
      if (other === undefined) return true;
      const [text, own] = [texts[index] ?? "", tried.texts.get(group)?.[other] ?? ""];
      return text === "" || own === text || NESTED.test(task.lines[hit] ?? "");
    }),
  );
}

/** Lines with all parts that a reading leaves although the page does not rule them out. */
function unexplained(task: LineTask, anatomy: Anatomy, open: Attempt, tried: Attempt): string[] {
  const hits = new Set(tried.hits);
  return open.hits
    .filter((hit) => !hits.has(hit))
    .map((hit) => task.lines[hit] ?? "")
    .filter((text) => !isLeft(task, text, anatomy.line) && !isOut(task, anatomy, text));
}

/** Does the page rule the line out, or says its message the opposite of the example's? */
function isOut(task: LineTask, anatomy: Anatomy, text: string): boolean {
  const beside = besideTexts(text);
  return isNamed(task, beside, undefined) || turnsAgainst(beside, besideTexts(anatomy.line));
}

/** A line without the texts of its pairs. */
function besideTexts(text: string): string {
  return text
    .replace(/\[\w[\w.-]* (?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\]\s]+)\]/g, " ")
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')
    .replace(/(?<![\w.-])[A-Za-z_][\w.-]*=(?:"(?:[^"\\]|\\.)*"|'[^']*'|<[^>]*>|[^\s,;]+)/g, " ");
}

/** May a part be missing in an expression of this kind, because its key is? */
export function isAnchoredOptional(pattern: string, group: string): boolean {
  const at = pattern.indexOf(`(?<${group}>`);
  if (at < 0 || !pattern.startsWith("^(?=")) return false;
  const start = pattern.lastIndexOf("(?=(?:(?!", at);
  const end = pattern.indexOf("|)", at);
  return (
    start >= 0 &&
    end >= 0 &&
    !pattern.slice(start + 3, at).includes("(?=.") &&
    !pattern.slice(at, end).includes("(?=(?:")
  );
}
