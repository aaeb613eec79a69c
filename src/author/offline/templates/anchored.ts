// Lines whose parts are announced by what stands beside them: each part is found by its own key, wherever it stands in the
// line, and which lines are wanted is told by the words of the example that the page speaks of. The rest of the line is free:
// other pieces come and go, and stand in another order than in the example.

import { escapeRegex } from "../escape.ts";
import { tokenize } from "../logs/tokens.ts";
import { type Anatomy, anatomyOf, looksOf, NESTED } from "./anatomy.ts";
import { type Attempt, runPattern, stillNumbers } from "./attempt.ts";
import { isLeft, isNamed, turnsAgainst } from "./left-out.ts";
import type { Region } from "./regions.ts";
import type { LineTask } from "./task.ts";
import type { Slot, TemplateOptions } from "./template.ts";
import { conditionsOf, isSaid } from "./told-words.ts";
import { oddKinds } from "./wider.ts";

/** The reading by anchors, where it reads more lines than `best` and all of `best` the same way. */
export function anchoredChoice(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  base: TemplateOptions,
  best: Attempt | undefined,
): Attempt | undefined {
  const anatomy = anatomyOf(task, line, slots);
  if (anatomy === undefined) return;
  const options: TemplateOptions = { ...base, tail: false };
  const attempt = (ahead: string, looks: string): Attempt => {
    const whole = `^${ahead}${looks}`;
    return runPattern(whole, slots, { ...options, whole }, task.lines);
  };
  const looks = looksOf(task, anatomy, options, new Set());
  const open = attempt("", looks);
  let chosen: { tried: Attempt; ahead: string } | undefined;
  for (const { ahead } of conditionsOf(task, anatomy, best)) {
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
  if (tried.hits.length === 0) return false;
  const lost = before.filter((hit) => !hits.has(hit)).map((hit) => task.lines[hit] ?? "");
  if (!lost.every((text) => isOut(task, anatomy, text) || lacksCode(task, anatomy, text))) return false;
  if (best !== undefined && !sameTexts(task, anatomy, tried, best)) return false;
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
function sameTexts(task: LineTask, { keyed }: Anatomy, tried: Attempt, best: Attempt): boolean {
  const at = new Map(tried.hits.map((hit, index) => [hit, index]));
  return best.hits.every((hit, index) =>
    [...best.texts].every(([group, texts]) => {
      const other = at.get(hit);
      if (other === undefined) return true;
      const [text, own] = [texts[index] ?? "", tried.texts.get(group)?.[other] ?? ""];
      // What was read so far may have the mark behind the part in it, stand behind another key, or run over the next one.
      const line = task.lines[hit] ?? "";
      const lead = keyed.find(({ slots }) => slots.some((slot) => slot.group === group))?.region.lead;
      const isOthers =
        own !== "" && lead !== undefined && !new RegExp(`${lead}\\s*${escapeRegex(text)}`).test(line);
      const isOver = own !== "" && text.startsWith(own) && /\s[\w.-]+=/.test(text.slice(own.length));
      return text === "" || text.replace(/[;,]$/, "") === own || isOthers || isOver || NESTED.test(line);
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
  const [beside, example] = [messageOf(anatomy, text), messageOf(anatomy, anatomy.line)];
  return isNamed(task, beside, undefined) || turnsAgainst(beside, example);
}

/** What a line says beside its pairs, and in those that have more than a part in them (`msg="... by user 'ann'"`). */
function messageOf({ keyed, line }: Anatomy, text: string): string {
  const mixed = keyed.filter(({ region, slots }) => !slots.some((slot) => isAlone(line, region, slot)));
  const said = mixed.map(({ region }) => new RegExp(`${region.lead}(${region.body})`).exec(text)?.[1] ?? "");
  return [besideTexts(text), ...said].join(" ");
}

/** A line without the texts of its pairs, and without addresses. */
function besideTexts(text: string): string {
  return text
    .replace(/\d{1,3}(?:\.\d{1,3}){3}\S*/g, " ")
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
