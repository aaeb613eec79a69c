// Lines whose parts stand behind keys of their own (`user=x`, `mode: y`, `[id "z"]`): each part is found by its key,
// wherever it stands in the line, and those that the page calls optional may be missing.

import { escapeRegex } from "../escape.ts";
import { tokenize } from "../logs/tokens.ts";
import { stem, wordsOf } from "../page/names.ts";
import { type Attempt, only, runPattern, sameProjection } from "./attempt.ts";
import { allowed, ruledOut } from "./left-out.ts";
import type { LineTask } from "./task.ts";
import { buildPattern, type Slot, type TemplateOptions } from "./template.ts";

interface Keyed {
  slot: Slot;
  /** Expression of the key and what stands between it and the part. */
  lead: string;
  /** Expression of the part. */
  body: string;
  /** What ends the part, as a look-ahead. */
  end: string;
  keyStart: number;
}

const KEY = /(?:^|(?<=[\s,;|([{"'&?]))([A-Za-z_][\w.-]*(?: [A-Za-z][\w.-]*){0,2}?)(\s*[:=]\s*)(["'([<{]?)$/;
const BRACKETED = /\[([A-Za-z_][\w.-]*)(\s+)(["'])$/;
const CLOSERS: Record<string, string> = { '"': '"', "'": "'", "(": ")", "[": "]", "<": ">", "{": "}" };

/** The expression of such a line, or undefined when fewer than two parts stand behind keys. */
export function keyedPattern(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  options: TemplateOptions,
  quotes = false,
): { pattern: string; pairs: string[] } | undefined {
  const wide = /\S\s{2,}[A-Za-z_][\w.-]*\s*[:=]/.test(line);
  const keyed: Keyed[] = [];
  const plain: Slot[] = [];
  for (const slot of slots) {
    const one = keyOf(line, slot, wide, quotes);
    if (one === undefined) plain.push(slot);
    else keyed.push(one);
  }
  if (keyed.length < 2) return undefined;
  const first = Math.min(...keyed.map((one) => one.keyStart));
  // A part without a key has its place in front of the keys, or the order of the line matters after all.
  if (plain.some((slot) => slot.span.end > first)) return undefined;
  const head = plain.length === 0 ? "^" : headOf(line, plain, first, options);
  const anchors = anchorsOf(task, line, slots, plain.length === 0 ? 0 : first, options);
  const looks = keyed.map(({ slot, lead, body, end }) => {
    const found = `.*?${lead}(?<${slot.group}>${body})${end}`;
    return slot.hint.optional ? `(?=${found}|)` : `(?=${found})`;
  });
  return {
    pattern: head + anchors.map((one) => `(?=.*?${one.source})`).join("") + looks.join(""),
    pairs: anchors.filter((one) => one.isPair).map((one) => one.source),
  };
}

function headOf(line: string, plain: readonly Slot[], first: number, options: TemplateOptions): string {
  const head = line.slice(0, first).trimEnd();
  // Where the keys are set apart by a blank, so they are in every line.
  const border = head.length < first ? "(?=\\s)" : "";
  return buildPattern(head, plain, { ...options, tail: true }) + border;
}

function keyOf(line: string, slot: Slot, wide: boolean, quotes: boolean): Keyed | undefined {
  const before = line.slice(0, slot.span.start);
  const pair = BRACKETED.exec(before) ?? KEY.exec(before);
  const [whole, key, mark, open = ""] = pair ?? [];
  if (pair === null || whole === undefined || key === undefined || mark === undefined) return undefined;
  const bracketed = whole.startsWith("[");
  const opener = bracketed ? open : open;
  const close = CLOSERS[opener];
  const lead =
    (bracketed ? "\\[" : "(?<![\\w.-])") +
    escapeRegex(key).replace(/ /g, "\\s+") +
    (bracketed
      ? "\\s+"
      : escapeRegex(mark.trim()).replace(/^(.)$/, mark.startsWith(" ") ? "\\s*$1" : "$1") +
        (/\s$/.test(mark) ? "\\s*" : "")) +
    escapeRegex(opener);
  // Some lines have quotes around the texts, others have none.
  if (quotes && mark.trim() === "=" && /^["']?$/.test(opener)) {
    const bare = lead.replace(/["']$/, "");
    const start = pair.index + whole.length - whole.trimStart().length;
    return { slot, lead: `${bare}["']?`, body: "[^\\s,;\"']+", end: "", keyStart: start };
  }
  const keyStart = pair.index + (bracketed ? 0 : whole.length - whole.trimStart().length);
  if (close !== undefined && line.charAt(slot.span.end) === close) {
    return { slot, lead, body: `[^${/[\]^\\-]/.test(close) ? `\\${close}` : close}]*`, end: "", keyStart };
  }
  const text = line.slice(slot.span.start, slot.span.end);
  const after = line.slice(slot.span.end);
  if (wide) return { slot, lead, body: "\\S+(?: \\S+)*", end: "(?=\\s{2,}|\\s*$)", keyStart };
  if (/\s/.test(text)) return undefined;
  const stop = /^[,;|)\]]/.exec(after)?.[0];
  const separator = stop ?? /[,;|]\s*[A-Za-z_][\w.-]*\s*[:=]/.exec(line)?.[0].charAt(0) ?? "";
  const body = separator === "" ? "\\S+" : `[^\\s${escapeRegex(separator)}]+`;
  return { slot, lead, body, end: "", keyStart };
}

/** Words outside the parts that the page speaks of, and pairs whose text it names: they tell the wanted lines. */
function anchorsOf(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  from: number,
  options: TemplateOptions,
): { source: string; isPair: boolean }[] {
  const anchors = new Map<string, boolean>();
  const known = new Set(slots.flatMap(({ hint }) => wordsOf(hint.name).map(stem)));
  // A remark behind the last part ("(DUP!)") that the search has kept tells the wanted lines as well.
  const last = Math.max(...slots.map(({ span }) => span.end));
  const remark = options.tail && !/(?:^|\s)[\w.-]+\s*[:=]/.test(line.slice(last)) ? last : line.length;
  for (const token of tokenize(line)) {
    if (token.start < from || slots.some(({ span }) => token.start >= span.start && token.end <= span.end))
      continue;
    if (token.kind === "word") {
      const pair = /(?<![\w.-])[\w.-]+=["']?$/.exec(line.slice(0, token.start))?.[0];
      const isKey = /^\s*[:=]/.test(line.slice(token.end)) || /\[$/.test(line.slice(0, token.start));
      const own = stem(token.text.toLowerCase());
      if (token.start >= remark && token.text.length > 1 && /^[A-Z]/.test(token.text)) {
        anchors.set(`\\b${escapeRegex(token.text)}\\b`, false);
        continue;
      }
      if (!task.stems.has(own) || token.text.length < 4 || isKey || (known.has(own) && pair === undefined))
        continue;
      const lead = pair === undefined ? "\\b" : `(?<![\\w.-])${escapeRegex(pair)}`;
      anchors.set(`${lead}${escapeRegex(token.text)}\\b`, pair !== undefined);
    } else if (["number", "mixed"].includes(token.kind) && task.asked?.has(token.text)) {
      anchors.set(`(?<![\\w.])${escapeRegex(token.text)}(?![\\w.])`, true);
    }
  }
  return [...anchors].map(([source, isPair]) => ({ source, isPair }));
}

/** Parts found by their keys, where that reads more lines than the order of the example does. */
export function byKeys(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  options: TemplateOptions,
  best: Attempt | undefined,
): Attempt | undefined {
  const strict = readByKeys(task, line, slots, options, best, false);
  const known = strict ?? best;
  const quoted = [...(known?.texts.values() ?? [])].flat().some((text) => /^["']/.test(text));
  if (known !== undefined && quoted) {
    const found = keyedPattern(task, line, slots, options, true);
    const bare = found === undefined ? undefined : runPattern(found.pattern, slots, options, task.lines);
    const more =
      bare?.hits.filter((hit) => !known.hits.includes(hit)).map((hit) => task.lines[hit] ?? "") ?? [];
    const all = bare !== undefined && known.hits.every((hit) => bare.hits.includes(hit));
    if (all && !more.some((text) => ruledOut(task, text))) return bare;
  }
  const free = readByKeys(task, line, slots, options, strict ?? best, true);
  return (free?.hits.length ?? 0) > (strict?.hits.length ?? 0) ? free : strict;
}

function readByKeys(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  options: TemplateOptions,
  best: Attempt | undefined,
  quotes: boolean,
): Attempt | undefined {
  const found = keyedPattern(task, line, slots, options, quotes);
  if (found === undefined) return undefined;
  const keyed = runPattern(found.pattern, slots, options, task.lines);
  if (keyed.hits.length === 0) return undefined;
  const textsOf = (hits: readonly number[]): string[] => hits.map((hit) => task.lines[hit] ?? "");
  const extra = textsOf(keyed.hits.filter((hit) => best?.hits.includes(hit) !== true)).filter(
    (text) => !(task.unwanted ?? []).some((one) => text.includes(one)),
  );
  if (extra.some((text) => ruledOut(task, text))) return undefined;
  if (best === undefined) return extra.length === 0 ? undefined : keyed;
  const lost = best.hits.filter((hit) => !keyed.hits.includes(hit));
  if (extra.length === 0 && lost.length === 0) return fillsMore(keyed, best) ? keyed : undefined;
  // What it does not read has another text in a pair whose text the page names.
  const pairs = found.pairs.map((one) => new RegExp(one));
  if (!textsOf(lost).every((text) => pairs.some((pair) => !pair.test(text)))) return undefined;
  const common = best.hits.filter((hit) => keyed.hits.includes(hit));
  if (!sameProjection(keyed, { ...best, ...only(best, common) })) return undefined;
  return extra.every((text) => allowed(task, besidePairs(text), besidePairs(line))) ? keyed : undefined;
}

/** The same lines are read, and parts that one reading misses in some of them the other one finds by their keys. */
function fillsMore(keyed: Attempt, best: Attempt): boolean {
  const at = new Map(best.hits.map((hit, index) => [hit, index]));
  let more = false;
  for (const [group, texts] of keyed.texts) {
    for (const [index, text] of texts.entries()) {
      const before = best.texts.get(group)?.[at.get(keyed.hits[index] ?? -1) ?? -1] ?? "";
      if (before !== text && before !== "") return false;
      more ||= before !== text;
    }
  }
  return more;
}

/** A line without the texts of its pairs, which are different in every line. */
function besidePairs(line: string): string {
  return line
    .replace(/(?<![\w.-])[A-Za-z_][\w.-]*\s*[:=]\s*(?:"[^"]*"|[^\s,;]+)/g, " ")
    .replace(/\[\w+ "[^"]*"\]/g, " ");
}
