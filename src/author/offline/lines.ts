// Synthesis of line rules: from an example line of the page, or a line of the log taken as one, to the
// expression that the lines of the log really follow. Where page and log differ, the log wins.
import { moveBetween, nearest } from "./align.ts";
import type { Assignment } from "./assign.ts";
import { assign } from "./assign.ts";
import type { LineAlternative, Projection, Source } from "./ir.ts";
import { fieldName, stem, wordsOf } from "./names.ts";
import type { Hint, Listed } from "./page.ts";
import type { Span } from "./spans.ts";
import { buildPattern, learnClass, looseClass, type Slot, type TemplateOptions } from "./template.ts";
import { escapeRegex, tokenize } from "./tokens.ts";
import { variantsOf } from "./variants.ts";

export interface LineCandidate {
  alternative: LineAlternative;
  /** Further lines of the same kind with more words in between. */
  variants: LineAlternative[];
  /** Indices of the observed lines that it matches. */
  hits: number[];
  /** Score of the assignment of hints to parts. */
  fit: number;
  /** How clear the assignment is: the smallest margin over the hints that matter. */
  margin: number;
  /** The hint with the smallest margin. */
  unclear: string;
  missing: Hint[];
  /** What made it less than sure, in words. */
  doubts: string[];
  notes: string[];
}

export interface LineTask {
  example: string;
  value: Hint | undefined;
  fields: readonly Hint[];
  lists: readonly Listed[];
  /** Constant fields, e.g. the label of the example. */
  constants: ReadonlyMap<string, string>;
  lines: readonly string[];
  /** Stems of the page's prose. */
  stems: ReadonlySet<string>;
  /** The example is a line of the log itself. */
  real: boolean;
  /** Texts of lines that are not wanted. */
  unwanted?: readonly string[];
  /** Stems of words that only unwanted lines have. */
  unwantedStems?: ReadonlySet<string>;
  varies?: (span: Span) => boolean | undefined;
}

/** The best line rule for an example, or undefined when no observed line is like it. */
export function lineCandidate(task: LineTask): LineCandidate | undefined {
  const hints = task.fields.filter((hint) => !task.constants.has(hint.name));
  const assignment = assign(task.example, task.value, hints, task.lists, task.varies);
  const direct = build(task, task.example, assignment, [], new Set());
  if (direct !== undefined) return direct;
  if (task.real) return undefined;
  const near = nearest(task.example, assignment, task.lines);
  if (near === undefined) return undefined;
  const unwanted = task.unwanted?.find((text) => near.line.includes(text) && !task.example.includes(text));
  if (unwanted !== undefined) return unseen(task, assignment, near.line);
  const moved: Assignment = { ...assignment, placed: [] };
  for (const placed of assignment.placed) {
    const span = near.move(placed.span);
    if (span === undefined) moved.missing = [...moved.missing, placed.hint];
    else moved.placed.push({ ...placed, span });
  }
  const note = `The example line of the page does not stand like that in the log; the nearest line there is: ${near.line.trim()}`;
  const built = build(task, near.line, moved, [note], near.loose);
  if (built !== undefined)
    built.doubts.push(...(near.likeness < 0.8 ? ["the log's lines differ from the page's example"] : []));
  return built;
}

/** The log has only the lines that are not wanted, in the same format: the example alone shows the wanted ones. */
function unseen(task: LineTask, assignment: Assignment, sibling: string): LineCandidate {
  const { slots, names } = slotsOf(task, assignment);
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
    hits: [],
    fit: meanFit(assignment),
    ...clearness(assignment),
    missing: assignment.missing.filter((hint) => !hint.optional),
    doubts: ["no wanted line was seen, only lines of the same format that are not wanted"],
    notes: [`The log has lines like this one, which are not wanted: ${sibling.trim()}`],
  };
}

const STRICT: TemplateOptions = {
  tail: true,
  prefix: "all",
  pairs: true,
  codes: true,
  classes: new Map(),
  ellipsis: false,
  fixed: new Set(),
  loose: new Set(),
};

/** How clear the assignment is, by the required hint that is least clear. */
function clearness(assignment: Assignment): { margin: number; unclear: string } {
  let margin = 9;
  let unclear = "";
  for (const { hint } of assignment.placed) {
    const own = assignment.margins.get(hint.name) ?? 0;
    if (hint.optional || own >= margin) continue;
    margin = own;
    unclear = hint.name;
  }
  return { margin, unclear };
}

function meanFit(assignment: Assignment): number {
  return assignment.placed.reduce((sum, one) => sum + one.score, 0) / Math.max(1, assignment.placed.length);
}

/** A part that the page restricts to a few texts matches only those. */
function choiceClasses(slots: readonly Slot[], line: string): Map<string, string> {
  const classes = new Map<string, string>();
  for (const { group, hint, span } of slots) {
    if (hint.choices.includes(line.slice(span.start, span.end))) {
      classes.set(group, `(?:${hint.choices.map(escapeRegex).join("|")})`);
    }
  }
  return classes;
}

function slotsOf(task: LineTask, assignment: Assignment): { slots: Slot[]; names: Map<Hint, string> } {
  const slots: Slot[] = [];
  const names = new Map<Hint, string>();
  for (const { hint, span } of assignment.placed) {
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
    slots.push({ group, hint, span });
  }
  return { slots, names };
}

function build(
  task: LineTask,
  line: string,
  assignment: Assignment,
  notes: string[],
  differing: ReadonlySet<number>,
): LineCandidate | undefined {
  const { slots, names } = slotsOf(task, assignment);
  const fixed = fixedWords(line, task, slots);
  const base: TemplateOptions = {
    ...STRICT,
    classes: choiceClasses(slots, line),
    fixed,
    loose: new Set([...differing, ...prefixHost(line)]),
  };
  const doubts: string[] = [];
  const attempt = (options: TemplateOptions): Attempt => tryPattern(line, slots, options, task.lines);
  let best: Attempt | undefined;
  for (const classes of [base.classes, anyClasses(line, slots, base.classes)]) {
    for (const options of relaxations({ ...base, classes }, line)) {
      const tried = attempt(options);
      if (tried.hits.length === 0) continue;
      best = tried;
      break;
    }
    if (best !== undefined) break;
  }
  if (best === undefined) return undefined;
  const wider = attempt({ ...best.options, classes: anyClasses(line, slots, base.classes) });
  if (
    wider.hits.length > best.hits.length &&
    sameProjection(wider, best) &&
    stillNumbers(line, slots, wider)
  ) {
    best = wider;
  }
  // What may vary although the example shows one text of it.
  const free: Attempt[] = [best];
  for (const change of [{ pairs: false }, { codes: false }] as Partial<TemplateOptions>[]) {
    const tried = attempt({ ...best.options, ...change });
    if (tried.hits.length >= best.hits.length && sameProjection(tried, best)) {
      if (tried.hits.length > best.hits.length && "codes" in change && !codesMayVary(line, slots)) continue;
      if (tried.hits.length > best.hits.length || "pairs" in change) best = tried;
    }
  }
  best = tailChoice(task, line, slots, best, attempt, doubts);
  best = keyedChoice(task, line, slots, best, attempt);
  const cut = attempt({ ...best.options, prefix: "word" });
  if (cut.hits.length === best.hits.length && sameProjection(cut, best)) best = cut;
  best = refine(line, slots, best, attempt);
  free.push(best);
  const projection = project(task, names, assignment);
  return {
    alternative: { pattern: best.pattern, projection, example: task.lines[best.hits[0] ?? 0] ?? line },
    variants: variantsOf({
      line,
      slots,
      options: best.options,
      regex: new RegExp(best.pattern),
      projection,
      lines: task.lines,
      unwanted: task.unwanted ?? [],
      unwantedStems: task.unwantedStems ?? new Set(),
      move: moveBetween,
    }),
    hits: best.hits,
    fit: meanFit(assignment),
    ...clearness(assignment),
    missing: assignment.missing.filter((hint) => !hint.optional),
    doubts,
    notes,
  };
}

/** The host of a log prefix (time, host, program with colon) varies from line to line. */
function prefixHost(line: string): number[] {
  const tokens = tokenize(line).filter((token) => token.kind !== "space");
  let at = 0;
  while (
    ["date", "time", "number"].includes(tokens[at]?.kind ?? "") ||
    /^[<>[\]]$/.test(tokens[at]?.text ?? "")
  )
    at += 1;
  const host = tokens[at];
  if (
    at === 0 ||
    host === undefined ||
    !/^\s+[\w./-]+(?:\[\d+\]|\(\w+\))?:(?:\s|$)/.test(line.slice(host.end))
  )
    return [];
  return [host.start];
}

interface Attempt {
  pattern: string;
  options: TemplateOptions;
  hits: number[];
  /** Texts of each group over the hits. */
  texts: Map<string, string[]>;
}

function tryPattern(
  line: string,
  slots: readonly Slot[],
  options: TemplateOptions,
  lines: readonly string[],
): Attempt {
  const pattern = buildPattern(line, slots, options);
  const regex = new RegExp(pattern);
  const hits: number[] = [];
  const texts = new Map<string, string[]>(slots.map((slot) => [slot.group, []]));
  lines.forEach((text, index) => {
    const match = regex.exec(text);
    if (match === null) return;
    hits.push(index);
    for (const [group, list] of texts) list.push(match.groups?.[group] ?? "");
  });
  return { pattern, options, hits, texts };
}

/** Parts that are numbers in the example still have a digit, or say that there is none, wherever they match. */
function stillNumbers(line: string, slots: readonly Slot[], attempt: Attempt): boolean {
  return slots.every(({ group, span }) => {
    if (!/^[-+]?\d+(?:\.\d+)?$/.test(line.slice(span.start, span.end))) return true;
    return (attempt.texts.get(group) ?? []).every((text) =>
      /^[\w.+%-]*\d[\w.+%-]*$|^[-–]+$|^n\/?a$/i.test(text),
    );
  });
}

/** Numbers of the example may be other texts in the log, e.g. versions. */
function anyClasses(
  line: string,
  slots: readonly Slot[],
  known: ReadonlyMap<string, string>,
): Map<string, string> {
  const classes = new Map(known);
  for (const { group, span } of slots)
    if (!classes.has(group)) classes.set(group, looseClass(line, span, true));
  return classes;
}

/** From the strictest reading of the example to the loosest that is still its template. */
function* relaxations(base: TemplateOptions, line: string): Generator<TemplateOptions> {
  const ellipsis = /\.\.\.|…/.test(line);
  for (const dots of ellipsis ? [false, true] : [false]) {
    yield { ...base, ellipsis: dots };
    yield { ...base, ellipsis: dots, tail: false };
    yield { ...base, ellipsis: dots, codes: false };
    yield { ...base, ellipsis: dots, pairs: false };
    yield { ...base, ellipsis: dots, codes: false, pairs: false };
    yield { ...base, ellipsis: dots, codes: false, tail: false };
    yield { ...base, ellipsis: dots, pairs: false, tail: false };
    yield { ...base, ellipsis: dots, codes: false, pairs: false, tail: false };
    yield { ...base, ellipsis: dots, prefix: "word", tail: false };
    yield { ...base, ellipsis: dots, prefix: "word", codes: false, pairs: false };
    yield { ...base, ellipsis: dots, prefix: "word", codes: false, pairs: false, tail: false };
  }
}

/** Every line of the smaller set is read the same way by both. */
function sameProjection(a: Attempt, b: Attempt): boolean {
  const at = new Map(a.hits.map((hit, index) => [hit, index]));
  return b.hits.every((hit, index) => {
    const other = at.get(hit);
    return (
      other !== undefined &&
      [...b.texts].every(([group, texts]) => a.texts.get(group)?.[other] === texts[index])
    );
  });
}

/** A code in front of the message ("STA-0110") is part of the template; a host name in a prefix is not. */
function codesMayVary(line: string, slots: readonly Slot[]): boolean {
  const first = Math.min(...slots.map((slot) => slot.span.start), line.length);
  const mixed = tokenize(line).filter((token) => token.kind === "mixed" && token.end <= first);
  return mixed.every((token) => !/^[A-Z]{2,}[-_]?\d+$/.test(token.text));
}

/** Words of the example that the page's prose names: they are what tells the wanted lines. */
function fixedWords(line: string, task: LineTask, slots: readonly Slot[]): ReadonlySet<string> {
  const fixed = new Set<string>();
  for (const token of tokenize(line)) {
    if (token.kind !== "word" || slots.some(({ span }) => token.start >= span.start && token.end <= span.end))
      continue;
    const pairText = /[\w.-]=["']?$/.test(line.slice(0, token.start));
    if (pairText && task.stems.has(stem(token.text.toLowerCase()))) fixed.add(token.text.toLowerCase());
  }
  return fixed;
}

/** Keep the text behind the last part, or not? It stays when it tells wanted lines from others. */
function tailChoice(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  best: Attempt,
  attempt: (options: TemplateOptions) => Attempt,
  doubts: string[],
): Attempt {
  if (!best.options.tail) return best;
  const last = Math.max(0, ...slots.map((slot) => slot.span.end));
  const tail = line.slice(last);
  if (tail.trim() === "" || slots.length === 0) return best;
  const without = attempt({ ...best.options, tail: false });
  if (!sameProjection(without, best)) return best;
  const words = tokenize(tail).filter((token) => token.kind === "word" && token.text.length > 2);
  if (without.hits.length === best.hits.length) return words.length > 6 ? without : best;
  if (/^[^\w]*[\w.-]+=/.test(tail)) return without;
  if (task.real && !words.some((token) => task.stems.has(stem(token.text.toLowerCase())))) return without;
  const mentioned = words.some((token) => task.stems.has(stem(token.text.toLowerCase())));
  const tails = new Set(without.hits.map((hit) => tailShape(task.lines[hit] ?? "", last)));
  if (mentioned || tails.size <= 3) {
    if (!mentioned) doubts.push(`lines like the example but for "${tail.trim()}" are left out`);
    return best;
  }
  return without;
}

/** Where every part stands behind its own key, free text in between need not be as in the example. */
function keyedChoice(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  best: Attempt,
  attempt: (options: TemplateOptions) => Attempt,
): Attempt {
  if (slots.length < 2 || !slots.every(({ span }) => /[A-Za-z][\w-]*\s*[:=]\s*["'([<]?$/.test(line.slice(0, span.start)))) {
    return best;
  }
  const anchors = new Set<number>();
  for (const token of tokenize(line)) {
    const inSlot = slots.some(({ span }) => token.start >= span.start && token.end <= span.end);
    if (inSlot || token.kind !== "word" || token.text.length < 3) continue;
    if (task.stems.has(stem(token.text.toLowerCase()))) anchors.add(token.start);
  }
  const keyed = attempt({ ...best.options, anchors, tail: false });
  if (keyed.hits.length <= best.hits.length || !sameProjection(keyed, best)) return best;
  const extra = keyed.hits.filter((hit) => !best.hits.includes(hit)).map((hit) => task.lines[hit] ?? "");
  const clean = extra.every(
    (text) =>
      !(task.unwanted ?? []).some((one) => text.includes(one)) &&
      !wordsOf(text).some((word) => task.unwantedStems?.has(stem(word)) ?? false),
  );
  return clean && anchors.size > 0 ? keyed : best;
}

function tailShape(line: string, from: number): string {
  return line.slice(from).replace(/\d+/g, "9");
}

/** Narrows each part to what was seen in it, as long as the same lines match. */
function refine(
  line: string,
  slots: readonly Slot[],
  best: Attempt,
  attempt: (options: TemplateOptions) => Attempt,
): Attempt {
  const classes = new Map<string, string>(best.options.classes);
  for (const { group, hint, span } of slots) {
    if (/^\(\?:/.test(classes.get(group) ?? "")) continue;
    const loose = classes.get(group) ?? looseClass(line, span);
    const texts = [...(best.texts.get(group) ?? []), line.slice(span.start, span.end)];
    classes.set(group, learnClass(texts, loose, hint));
  }
  const narrowed = attempt({ ...best.options, classes });
  return narrowed.hits.length === best.hits.length && sameProjection(narrowed, best) ? narrowed : best;
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
