// Synthesis of line rules: from an example line of the page, or a line of the log taken as one, to the
// expression that the lines of the log really follow. Where page and log differ, the log wins.

import { formOf, tokenize } from "../logs/tokens.ts";
import { includedMark } from "../page/included-marks.ts";
import { fieldName, stem, wordsOf } from "../page/names.ts";
import type { Hint } from "../page/page.ts";
import type { Assignment } from "../parts/assign.ts";
import { assign } from "../parts/assign.ts";
import { withEchoes } from "../parts/echoes.ts";
import type { Span } from "../parts/evidence.ts";
import { headedColumns } from "../parts/heading-columns.ts";
import { kindEvidence } from "../parts/kinds.ts";
import { clearness } from "../parts/margins.ts";
import { isSettled } from "../parts/settled.ts";
import { sharedWith } from "../parts/shared.ts";
import type { LineAlternative, Projection, Source } from "../program/ir.ts";
import { moveBetween, nearest } from "../templates/align.ts";
import { variationIn } from "../templates/family.ts";
import { prefixHost } from "../templates/front.ts";
import { jsonAlternative } from "../templates/json-lines.ts";
import {
  allowed,
  isLeft,
  type LeftOut,
  RELATIVES,
  relatives,
  withoutChoices,
} from "../templates/left-out.ts";
import { explainedBy, nearLines } from "../templates/near.ts";
import { otherKinds } from "../templates/other-kinds.ts";
import { reducedForms } from "../templates/reduced.ts";
import { choiceClasses, STRICT, searchPattern } from "../templates/search.ts";
import type { LineTask } from "../templates/task.ts";
import { buildPattern, readsItself, type Slot, type TemplateOptions } from "../templates/template.ts";
import { variantsOf } from "../templates/variants.ts";

export interface LineCandidate {
  alternative: LineAlternative;
  /** Further lines of the same kind with more words in between. */
  variants: LineAlternative[];
  /** Expressions for lines that lack optional parts and that none of these reads. */
  shorter: (reads: readonly RegExp[]) => LineAlternative[];
  /** Indices of the observed lines that it matches. */
  hits: number[];
  /** Score of the assignment of hints to parts. */
  fit: number;
  /** Score of the value alone; undefined where it is the whole line. */
  valueFit: number | undefined;
  /** How clear the assignment is: the smallest margin over the hints that matter. */
  margin: number;
  /** The margin of the value alone. */
  valueMargin: number;
  /** The hint with the smallest margin. */
  unclear: string;
  missing: Hint[];
  /** What made it less than sure, in words. */
  doubts: string[];
  /** Those of the doubts that are about texts of another kind, without the lines that other expressions read before. */
  odd: (before: readonly RegExp[]) => string[];
  /** Lines much like its own that it does not read. */
  left: LeftOut[];
  notes: string[];
}

/** Fewer lines than this of those that are read change little, whatever they are. */
const FEW = 0.02;

/** No line is built as the page shows it, and the nearest one was taken: on the open pages that was never right. */
export const OTHER_LINES = "the log's lines differ from the page's example";

/** The best line rule for an example, or undefined when no observed line is like it. */
export function lineCandidate(task: LineTask): LineCandidate | undefined {
  const hints = task.fields.filter((hint) => !task.constants.has(hint.name));
  const varies = task.varies ?? variationIn(task.example, task.lines);
  const own = task.real ? undefined : sharedWith(task.example, task.lines);
  const headed = headedColumns(
    task.example,
    task.value === undefined ? hints : [task.value, ...hints],
    task.lines,
  );
  const shared =
    headed === undefined
      ? own
      : (span: Span, hint: Hint): number => (own?.(span, hint) ?? 0) + headed(span, hint);
  const assignment =
    task.assignment ?? assign(task.example, task.value, hints, task.lists, varies, task.words, shared);
  const direct = build(task, task.example, assignment, [], task.loose ?? new Set());
  if (direct !== undefined) return task.real ? direct : elsewhere(task, assignment, direct);
  if (task.real || task.made === true) return undefined;
  const near = nearest(task.example, assignment, task.lines);
  if (near === undefined) return undefined;
  const unwanted = task.unwanted?.find((text) => near.line.includes(text) && !task.example.includes(text));
  if (unwanted !== undefined) return unseen(task, assignment, near.line);
  const others = assignment.others.flatMap(({ name, span }) => {
    const place = near.move(span);
    return place === undefined ? [] : [{ name, span: place }];
  });
  const cells = assignment.cells?.flatMap((span) => near.move(span) ?? []) ?? [];
  const moved: Assignment = { ...assignment, placed: [], others, cells };
  for (const placed of assignment.placed) {
    const span = near.move(placed.span);
    if (span === undefined) moved.missing = [...moved.missing, placed.hint];
    else moved.placed.push({ ...placed, span });
  }
  const note = `The example line of the page does not stand like that in the log; the nearest line there is: ${near.line.trim()}`;
  const built = build(task, near.line, moved, [note], near.loose);
  if (built !== undefined) built.doubts.push(...(near.likeness < 0.8 ? [OTHER_LINES] : []));
  return built;
}

/** A text that the example has twice is read where more of the lines have it, as long as both places say the same. */
function elsewhere(task: LineTask, assignment: Assignment, direct: LineCandidate): LineCandidate {
  let best = direct;
  for (const moved of withEchoes(task.example, assignment)) {
    const tried = build(task, task.example, moved, [], task.loose ?? new Set());
    const more = tried !== undefined && tried.hits.length > best.hits.length;
    if (more && leavesSome(task, tried) && saysTheSame(task, best, tried)) best = tried;
  }
  return best;
}

/** Where the page rules lines out, does the reading leave any such line? Else it takes them. */
function leavesSome(task: LineTask, { alternative }: LineCandidate): boolean {
  const [texts, stems] = [task.unwanted ?? [], task.unwantedStems ?? new Set()];
  if (texts.length === 0 && stems.size === 0) return task.excludes !== true;
  const regex = new RegExp(alternative.pattern);
  return task.lines.some(
    (text) =>
      !regex.test(text) &&
      (texts.some((one) => text.includes(one)) || wordsOf(text).some((word) => stems.has(stem(word)))),
  );
}

/** Do both read the lines of the first one the same way? */
function saysTheSame(task: LineTask, one: LineCandidate, other: LineCandidate): boolean {
  const [a, b] = [new RegExp(one.alternative.pattern), new RegExp(other.alternative.pattern)];
  return one.hits.every((hit) => {
    const [own, also] = [a, b].map((regex) => regex.exec(task.lines[hit] ?? "")?.groups ?? {});
    return Object.entries(own ?? {}).every(([group, text]) => also?.[group] === text);
  });
}

/** Doubts about lines much like a candidate's that neither it nor the other expressions of the rule read. */
export function leftOutDoubts(left: readonly LeftOut[], patterns: readonly RegExp[]): string[] {
  return left.flatMap(({ lines, least, say }) => {
    const rest = lines.filter((line) => !patterns.some((regex) => regex.test(line)));
    return rest.length >= least ? [say(rest)] : [];
  });
}

/** The log has only the lines that are not wanted, in the same format: the example alone shows the wanted ones. */
function unseen(task: LineTask, assignment: Assignment, sibling: string): LineCandidate {
  const { slots, names } = slotsOf(task, task.example, assignment);
  const options: TemplateOptions = {
    ...STRICT,
    prefix: "word",
    classes: choiceClasses(slots, task.example),
    loose: new Set(prefixHost(task.example)),
  };
  return {
    alternative: {
      pattern: buildPattern(task.example, slots, options),
      projection: project(task, names, assignment),
      example: task.example,
    },
    variants: [],
    shorter: () => [],
    hits: [],
    fit: meanFit(assignment),
    valueFit: assignment.placed.find((one) => one.hint === task.value)?.score,
    ...clearness(assignment, task.value),
    missing: assignment.missing.filter((hint) => !hint.optional),
    odd: () => [],
    doubts: ["no wanted line was seen, only lines of the same format that are not wanted"],
    left: [],
    notes: [`The log has lines like this one, which are not wanted: ${sibling.trim()}`],
  };
}

function meanFit(assignment: Assignment): number {
  return assignment.placed.reduce((sum, one) => sum + one.score, 0) / Math.max(1, assignment.placed.length);
}

function slotsOf(
  task: LineTask,
  line: string,
  assignment: Assignment,
): { slots: Slot[]; names: Map<Hint, string> } {
  const slots: Slot[] = [];
  const names = new Map<Hint, string>();
  for (const { hint, span: placed } of assignment.placed) {
    // "the asterisk included where there is one".
    const mark = includedMark(hint);
    const more = mark !== undefined && line.startsWith(mark, placed.end) ? mark.length : 0;
    // The mark behind a letter is no part of it.
    const letter =
      hint.kind === "letter" && /^[A-Za-z][^A-Za-z\d\s]+$/.test(line.slice(placed.start, placed.end));
    const span = { start: placed.start, end: letter ? placed.start + 1 : placed.end + more };
    const same = slots.find((slot) => slot.span.start === span.start && slot.span.end === span.end);
    if (same !== undefined) {
      names.set(hint, same.group);
      continue;
    }
    const wish = (hint === task.value && !/^[a-z]\w*$/.test(hint.name) ? "value" : hint.name) || "value";
    let group = /^[A-Za-z]\w*$/.test(wish) ? wish : `${fieldName(wish)}` || "value";
    if (!/^[A-Za-z_]\w*$/.test(group)) group = `part_${slots.length + 1}`;
    while (slots.some((slot) => slot.group === group)) group += "_2";
    names.set(hint, group);
    const isCell = assignment.cells?.some((cell) => cell.start === span.start && cell.end === span.end);
    const border = isCell === true ? /^ *([;|\t,])/.exec(line.slice(span.end))?.[1] : undefined;
    slots.push({ group, hint, span, ...(border === undefined ? {} : { mark: border }) });
  }
  return { slots, names };
}

/** Does a line lack a word of the message that the page speaks of? */
function lacksSaid(task: LineTask, line: string, slots: readonly Slot[], text: string): boolean {
  const words = new Set(text.match(/[A-Za-z]+/g) ?? []);
  return tokenize(line).some(
    (token) =>
      token.kind === "word" &&
      token.text.length > 2 &&
      !words.has(token.text) &&
      !slots.some(({ span }) => token.start < span.end && token.end > span.start) &&
      task.stems.has(stem(token.text.toLowerCase())),
  );
}

/** No line has all parts of the example: the reading of those that lack the ones that may be missing. */
function withoutOptional(
  task: LineTask,
  line: string,
  assignment: Assignment,
  slots: readonly Slot[],
  differing: ReadonlySet<number>,
  notes: string[],
): LineCandidate | undefined {
  const [form] = reducedForms(task, line, slots, differing, undefined, []);
  if (form === undefined) return undefined;
  const place = (hint: Hint): Span | undefined => form.slots.find((slot) => slot.hint === hint)?.span;
  const placed = assignment.placed.flatMap((one) => {
    const span = place(one.hint);
    return span === undefined ? [] : [{ ...one, span }];
  });
  const gone = assignment.placed.filter(({ hint }) => place(hint) === undefined).map(({ hint }) => hint);
  const left = { ...assignment, placed, others: [], cells: [], missing: [...assignment.missing, ...gone] };
  return build({ ...task, example: form.line }, form.line, left, notes, form.differing);
}

function build(
  task: LineTask,
  line: string,
  assignment: Assignment,
  notes: string[],
  differing: ReadonlySet<number>,
): LineCandidate | undefined {
  const { slots, names } = slotsOf(task, line, assignment);
  const doubts: string[] = [];
  const left: LeftOut[] = [];
  const refused = new Set<string>();
  const best = searchPattern({ ...task, refused }, line, slots, differing, left, assignment.others);
  if (best === undefined) return withoutOptional(task, line, assignment, slots, differing, notes);
  const projection = project(task, names, assignment);
  // Lines that the page rules out are left out later, and say nothing of the others.
  const odd = (before: readonly RegExp[]): string[] => {
    const isOwn = (text: string): boolean =>
      !isLeft(task, text, line) && !before.some((regex) => regex.test(text));
    return oddTexts(
      line,
      slots,
      best.texts,
      best.hits.map((hit) => isOwn(task.lines[hit] ?? "")),
    );
  };
  doubts.push(...odd([]));
  if (!readsItself(best.pattern, line, slots))
    doubts.push(`${RELATIVES}: the rule reads other parts from its own example than it was made for`);
  const variants = variantsOf({
    value: task.value,
    line,
    slots,
    options: best.options,
    regex: new RegExp(best.pattern),
    projection,
    lines: task.lines,
    unwanted: task.unwanted ?? [],
    unwantedStems: task.unwantedStems ?? new Set(),
    move: moveBetween,
  });
  variants.push(...jsonAlternative(task, line, slots, best, projection));
  const explained = explainedBy(task, line, slots);
  left.push({
    lines: relatives(task, line, slots, best, variants).filter((text) => !explained(text)),
    least: Math.max(1, best.hits.length * 0.1),
    say: (lines) =>
      `${RELATIVES}: ${lines.length} lines are much like the wanted ones but are not taken, e.g. ${lines[0]?.trim() ?? ""}`,
  });
  left.push({
    lines: [...refused].filter((text) => allowed(task, text, line) && !lacksSaid(task, line, slots, text)),
    least: 1,
    say: (lines) =>
      `${RELATIVES}: ${lines.length} lines with another word in the message are not taken, e.g. ${lines[0]?.trim() ?? ""}`,
  });
  left.push({
    lines: nearLines(
      task,
      line,
      slots,
      [withoutChoices(best.pattern), ...variants.map((one) => new RegExp(one.pattern))],
      best.hits,
    ).map(({ text }) => text),
    least: Math.max(1, best.hits.length * FEW),
    say: (lines) =>
      `${RELATIVES}: ${lines.length} lines built like the wanted ones are not taken, e.g. ${lines[0]?.trim() ?? ""}`,
  });
  left.push({
    lines: otherKinds(task, line, slots, best.hits),
    least: 1,
    say: (lines) =>
      `${RELATIVES}: ${lines.length} lines of another kind that the page names are not taken, e.g. ${lines[0]?.trim() ?? ""}`,
  });
  return {
    alternative: { pattern: best.pattern, projection, example: task.lines[best.hits[0] ?? 0] ?? line },
    variants,
    shorter: (reads) =>
      reducedForms(task, line, slots, differing, best, reads).map(({ attempt }) => ({
        pattern: attempt.pattern,
        projection,
        example: task.lines[attempt.hits[0] ?? 0] ?? line,
      })),
    hits: best.hits,
    fit: meanFit(assignment),
    valueFit: assignment.placed.find((one) => one.hint === task.value)?.score,
    ...clearness(assignment, task.value, (hint, span, rival) =>
      isSettled(task.example, hint, span, rival, {
        texts: best.texts.get(names.get(hint) ?? "") ?? [],
        lines: best.hits.map((hit) => task.lines[hit] ?? ""),
      }),
    ),
    missing: assignment.missing.filter((hint) => !hint.optional),
    doubts,
    odd,
    left: left.map((one) => ({ ...one, lines: one.lines.filter((text) => task.apart?.(text) !== true) })),
    notes,
  };
}

/** Parts whose texts in the log are of another kind than the example's: then lines of other kinds match too. */
function oddTexts(
  line: string,
  slots: readonly Slot[],
  texts: ReadonlyMap<string, readonly string[]>,
  counts: readonly boolean[],
): string[] {
  return slots.flatMap(({ group, hint, span }) => {
    const shape = line.slice(span.start, span.end);
    if (/^[A-Za-z]+[/:]\d+(?:[.:]\d+)*$/.test(shape)) {
      // "HTTP/1.1", "eth:0": letters, a mark and digits are no chance.
      const all = texts.get(group) ?? [];
      const bare = all.filter((text) => text !== "" && !/\d/.test(text));
      if (bare.length > all.length * 0.2)
        return [`${RELATIVES}: the part ${hint.name} has no digit in some lines, e.g. ${bare[0] ?? ""}`];
    }
    if (hint.kind === undefined || ["text", "word", "letter"].includes(hint.kind)) return [];
    // "(9.9.9; other profiles have ids of another form)".
    if (
      /\b(?:(?:an)?other|different|several|various) (?:forms?|formats?|kinds?|shapes?|spellings?|layouts?)\b/i.test(
        hint.description,
      )
    )
      return [];
    if (kindScore(line.slice(span.start, span.end), hint) < 2) return [];
    // What a condition of the page leaves out later says nothing of the others.
    const seen = (texts.get(group) ?? []).filter((_, index) => counts[index] === true);
    // "The profile has ids of another form."
    if (/\b(?:an)?other (?:form|format|shape|kind|spelling)s?\b/i.test(hint.description)) return [];
    // "(`9.9.1`; the other profile has `V-240001`)": a form that the page shows is not odd.
    const forms = new Set(hint.literals.map(formOf));
    const odd = seen.filter(
      (text) => (text !== "" || !hint.optional) && kindScore(text, hint) <= 0 && !forms.has(formOf(text)),
    );
    if (odd.length <= seen.length * 0.2) return [];
    return [`${RELATIVES}: the part ${hint.name} is of another kind in some lines, e.g. ${odd[0] ?? ""}`];
  });
}

function kindScore(text: string, hint: Hint): number {
  let score = 0;
  kindEvidence(text, hint, false, (points) => {
    score += points;
  });
  return score;
}

function project(task: LineTask, names: ReadonlyMap<Hint, string>, assignment: Assignment): Projection {
  const sourceOf = (hint: Hint): Source | undefined => {
    const constant = task.constants.get(hint.name);
    if (constant !== undefined) return { from: "constant", text: constant };
    const group = names.get(hint);
    if (group === undefined) return undefined;
    return hint.basename ? { from: "group", group, op: "basename" } : { from: "group", group };
  };
  const value: Source =
    task.value === undefined || task.value.wholeLine
      ? { from: "line" }
      : (sourceOf(task.value) ?? { from: "line" });
  const fields = task.fields.flatMap((hint) => {
    const source = sourceOf(hint);
    return source === undefined || assignment.missing.includes(hint) ? [] : [{ name: hint.name, source }];
  });
  return { value, fields };
}
