// Line rules for one kind of record: one candidate per example of the page, joined into a rule with alternatives.

import { withAhead } from "../conditions/ahead.ts";
import { ruledOutLines, wordIn } from "../conditions/exclusions.ts";
import { escapeRegex } from "../escape.ts";
import { filterOf, holds } from "../page/conditions.ts";
import { eitherOr, eitherTexts, titleKinds } from "../page/either-or.ts";
import { similarity } from "../page/names.ts";
import type { Example, FieldRule, Group, Hint, Page } from "../page/page.ts";
import { bare, NEGATIVE, quotedIn } from "../page/text.ts";
import { onlyWords, wantedStems } from "../page/wanted-stems.ts";
import { namesParts } from "../parts/heading-columns.ts";
import { interpretRule } from "../program/interpret.ts";
import type { GroupFilter, LineAlternative, LineRule, Projection } from "../program/ir.ts";
import { type LeftOut, RELATIVES } from "../templates/left-out.ts";
import { askedCodes, insteadOf } from "./asked.ts";
import { beginningFilters } from "./beginnings.ts";
import { counterFilters } from "./counters.ts";
import { fullerFirst } from "./fuller.ts";
import { type LineCandidate, leftOutDoubts, lineCandidate, OTHER_LINES } from "./lines.ts";
import { type Shown, withListed, withMade } from "./made-examples.ts";
import { anyCase } from "./records/spoken-words.ts";
import { lineScope } from "./sections.ts";
import { spelledAnyway } from "./spellings.ts";
import { isHeadingRow } from "./tables/headers.ts";
import { toldApart } from "./told-apart.ts";

export interface RuleCandidate {
  rule: LineRule;
  /** 0 to 1: how sure it is that this is what the page means. */
  confidence: number;
  reasons: string[];
  doubts: string[];
  notes: string[];
  /** Lines much like the wanted ones that the examples' own expressions do not read. */
  left?: LeftOut[];
}

/** Examples that may be single lines of a log. */
function singleLines(examples: readonly Example[]): { line: string; label: string }[] {
  const whole = examples.flatMap((example) => example.lines);
  return examples.flatMap((example) => {
    // A piece of another example is what the lines have in common, not a line of its own.
    const lines = example.lines.filter(
      (line) => line.trim() !== "" && !whole.some((other) => other !== line && other.includes(line.trim())),
    );
    // A block of lines of different shape is a record of several lines, which other rules read.
    if (lines.length > 1 && example.mark === "block") return lines.map((line) => ({ line, label: "" }));
    return lines.map((line) => ({ line, label: example.label }));
  });
}

/** A part that may be missing and whose text the page shows stands in another example, and not in this one. */
function isOfAnother(hint: Hint, line: string, examples: readonly Shown[]): boolean {
  const has = (other: string): boolean => hint.literals.some((text) => wordIn(text).test(other));
  return hint.optional && !has(line) && examples.some((one) => has(one.line));
}

/** What each example gives by itself. */
function readExamples(
  examples: readonly Shown[],
  group: Group,
  page: Page,
  lines: readonly string[],
): { found: { candidate: LineCandidate; example: string }[]; unmatched: string[] } {
  const hints = [...(group.value === undefined ? [] : [group.value]), ...group.fields];
  const excluded = ruledOutLines(page, group);
  const told = toldApart(page, group);
  // A heading row of the log that names the parts is no record, however like one it is.
  const apart = (line: string): boolean => told(line) || namesParts(line, hints);
  const constantsOf = labelConstants(group, examples);
  const found: { candidate: LineCandidate; example: string }[] = [];
  const unmatched: string[] = [];
  const only = group.only.filter((text) => examples.some(({ line }) => line !== text && shows(line, text)));
  for (const { line, label, made } of examples) {
    if (only.length > 0 && !only.some((text) => line !== text && shows(line, text))) continue;
    if (isHeadingRow(line, hints)) continue;
    const candidate = lineCandidate({
      example: line,
      value: group.value,
      fields: group.fields.filter((hint) => !isOfAnother(hint, line, examples)),
      lists: page.lists,
      constants: constantsOf(label),
      lines,
      stems: new Set([...page.stems, ...onlyWords(page)]),
      wantedStems: wantedStems(page),
      onlyWords: onlyWords(page),
      asked: askedCodes(page),
      single: true,
      either: insteadOf(page),
      areEither: eitherOr(page.statements),
      eitherTexts: eitherTexts(page.statements),
      kinds: titleKinds(page.statements),
      anyCase: anyCase(page),
      said: new Set(page.prose.split(/\s+/).map((piece) => piece.replace(/^[("]+|[).,;:"]+$/g, ""))),
      real: false,
      unwanted: page.unwanted,
      unwantedStems: page.unwantedStems,
      excludes: page.statements.some((one) => one.sentences.some(({ text }) => NEGATIVE.test(bare(text)))),
      conditions: page.rules,
      excluded,
      apart,
      ...(made === true ? { made } : {}),
    });
    // A line whose "value" would be a mark is no record: a heading beside the examples.
    const noText = candidate?.alternative.projection.value.from === "group" && !hasText(candidate, lines);
    if (noText) continue;
    if (candidate === undefined && made === true) continue;
    if (candidate === undefined) unmatched.push(line);
    else found.push({ candidate, example: line });
  }
  return { found, unmatched };
}

export function lineGroup(told: Group, whole: Page, lines: readonly string[]): RuleCandidate | undefined {
  const page = spelledAnyway(whole, lines);
  const examples = withMade(singleLines(told.examples), page, lines);
  const group = { ...told, fields: withListed(told.fields, examples, page) };
  const { found, unmatched } = readExamples(examples, group, page, lines);
  const best = Math.max(...found.map(({ candidate }) => quality(candidate)), Number.NEGATIVE_INFINITY);
  const clearest = Math.max(...found.map(({ candidate }) => candidate.valueFit ?? 0));
  const kept = found.filter(
    ({ candidate }) =>
      (quality(candidate) >= best - 3 - Math.abs(best) * 0.4 || isOtherForm(candidate, found, examples)) &&
      // A heading that the page shows beside a record has nothing like the value.
      ((candidate.valueFit ?? 0) >= 0 || clearest - (candidate.valueFit ?? 0) < 4),
  );
  if (kept.length === 0) return undefined;
  const alternatives: LineAlternative[] = [];
  for (const { candidate } of kept) {
    const known = alternatives.some(
      (one) =>
        one.pattern === candidate.alternative.pattern &&
        JSON.stringify(one.projection) === JSON.stringify(candidate.alternative.projection),
    );
    if (!known) alternatives.push(candidate.alternative);
  }
  for (const { candidate } of kept) alternatives.push(...candidate.variants);
  for (const { candidate } of kept)
    alternatives.push(...candidate.shorter(alternatives.map((one) => new RegExp(one.pattern))));
  alternatives.splice(0, alternatives.length, ...fullerFirst(alternatives, lines));
  // What one example leaves out another one may read.
  const reads = alternatives.map((one) => new RegExp(one.pattern));
  for (const { candidate } of kept) {
    candidate.doubts.push(...leftOutDoubts(candidate.left, reads));
    ownDoubts(candidate, reads.slice(0, Math.max(0, alternatives.indexOf(candidate.alternative))));
  }
  for (const one of alternatives) {
    one.pattern = conditioned(
      one.pattern,
      page,
      examples.map(({ line }) => line),
    );
  }
  const required = requiredTexts(
    page,
    examples.map(({ line }) => line),
  );
  const words = [...onlyWords(page)].filter((word) => examples.every(({ line }) => wordIn(word).test(line)));
  for (const one of alternatives) {
    const strict = requiringWords(requiring(one.pattern, required), words);
    const regex = new RegExp(strict);
    // Where no line would be left, the text stands elsewhere.
    if (lines.some((line) => regex.test(line))) one.pattern = strict;
  }
  const rule: LineRule = {
    kind: "line",
    alternatives,
    unless: unlessTexts(
      found.map((one) => one.candidate),
      page,
      lines,
    ),
    filters: [],
  };
  rule.filters.push(
    ...filtersOf(rule, page, lines, group.value?.name),
    ...beginningFilters(
      rule,
      page,
      examples.map(({ line }) => line),
    ),
  );
  rule.filters.push(...counterFilters(rule, group, page, lines));
  rule.unless = rule.unless.filter((text) => standsIn({ ...rule, unless: [] }, text, lines));
  const scoped = lineScope(page, lines, [...new Set(kept.flatMap(({ candidate }) => candidate.hits))]);
  if (scoped?.scope !== undefined) rule.scope = scoped.scope;
  // "(`policy deny:`, `default-deny:`)": what stands in lines that are read is a piece of them, no line of its own.
  const read = unmatched.length === 0 ? [] : interpretRule(rule, lines).map(({ content }) => content);
  return judge(
    rule,
    kept.map((one) => one.candidate),
    unmatched.filter((line) => !read.some((text) => text.includes(line.trim()))),
    group,
  );
}

/** Texts of another kind in lines that an expression in front reads are no doubt. */
function ownDoubts(candidate: LineCandidate, before: readonly RegExp[]): void {
  const alone = candidate.odd([]);
  if (alone.length === 0 || before.length === 0) return;
  candidate.doubts = [...candidate.doubts.filter((one) => !alone.includes(one)), ...candidate.odd(before)];
}

/** Has the value of one of the first lines that the candidate takes a letter or digit in it? */
function hasText(candidate: LineCandidate, lines: readonly string[]): boolean {
  const { pattern, projection, example } = candidate.alternative;
  const source = projection.value;
  if (source.from !== "group") return true;
  const regex = new RegExp(pattern);
  const taken = [example, ...candidate.hits.slice(0, 20).map((hit) => lines[hit] ?? "")];
  return taken.some((line) => /[\p{L}\p{N}]/u.test(regex.exec(line)?.groups?.[source.group] ?? "x"));
}

/** The page's conditions on the fields of the lines, where the expressions themselves do not keep them. */
function filtersOf(
  rule: LineRule,
  page: Page,
  lines: readonly string[],
  value: string | undefined,
): GroupFilter[] {
  const taken = interpretRule(rule, lines);
  return page.rules.flatMap((condition) => {
    const ofValue = valueFilter(rule, condition, value);
    if (ofValue !== undefined) return [ofValue];
    const groups = new Set(rule.alternatives.map(({ projection }) => groupOf(projection, condition.name)));
    const [group] = groups;
    if (groups.size !== 1 || group === undefined) return [];
    const [name] = rule.alternatives.flatMap(({ projection }) =>
      projection.fields.filter(({ source }) => source.from === "group" && source.group === group),
    );
    const kept = taken.every((one) => holds(condition, one.fields[name?.name ?? ""] ?? ""));
    return kept && !condition.negate ? [] : [filterOf(condition, group)];
  });
}

/** "Only commands that begin with `x`", where the command is the value. */
function valueFilter(
  rule: LineRule,
  condition: FieldRule,
  value: string | undefined,
): GroupFilter | undefined {
  if (value === undefined || condition.name === "" || similarity(condition.name, value) < 0.9)
    return undefined;
  const groups = new Set(
    rule.alternatives.map(({ projection }) =>
      projection.value.from === "group" ? projection.value.group : undefined,
    ),
  );
  const [group] = groups;
  return groups.size === 1 && group !== undefined ? filterOf(condition, group) : undefined;
}

function groupOf(projection: Projection, name: string): string | undefined {
  const ranked = projection.fields
    .flatMap((field) =>
      field.source.from === "group"
        ? [{ like: similarity(name, field.name), group: field.source.group }]
        : [],
    )
    .sort((a, b) => b.like - a.like);
  return (ranked[0]?.like ?? 0) >= 0.7 ? ranked[0]?.group : undefined;
}

/** The expression with the page's conditions on pairs of the line that are no part of it: `action="deny"`. */
function conditioned(pattern: string, page: Page, examples: readonly string[]): string {
  let ahead = "";
  for (const condition of page.rules) {
    if (condition.name === "" || condition.match !== undefined || /\s/.test(condition.name)) continue;
    if (new RegExp(`\\(\\?<${escapeRegex(condition.name)}>`).test(pattern)) continue;
    const key = escapeRegex(condition.name);
    const shown = examples
      .map((line) => new RegExp(`(?:^|[\\s,;|{(])${key}([=:] ?)(["']?)[\\w.-]`).exec(line))
      .find(Boolean);
    if (shown === undefined || shown === null) continue;
    const [, mark = "", quote = ""] = shown;
    const texts = condition.equals.map(escapeRegex).join("|");
    const open = quote === "" && mark.trim() !== "=" ? "" : "[\"']?";
    // The key itself, not the same words in a message behind it.
    const first = `(?:(?!(?:^|(?<=[\\s,;|{(]))${key}${mark}).)*`;
    ahead += `(?${condition.negate ? "!" : "="}${first}(?:^|(?<=[\\s,;|{(]))${key}${mark}${open}(?:${texts})${open}(?:[\\s,;|})]|$))`;
  }
  if (ahead === "") return pattern;
  return pattern.startsWith("^")
    ? `^${ahead}${pattern.slice(1)}`
    : `^${ahead}.*?${pattern.replace(/^\\b\.\*\?/, "")}`;
}

/** "Only the reason "user does not exist"": the texts that a wanted line has beside its parts, one list for each such
 * sentence. */
function requiredTexts(page: Page, examples: readonly string[]): string[][] {
  return page.statements.flatMap(({ sentences }) =>
    sentences.flatMap(({ text }) => {
      const plain = bare(text);
      if (!/\bonly\b/i.test(plain) || NEGATIVE.test(plain) || /\bvalue\b|\bfields?\b/i.test(plain)) return [];
      const texts = quotedIn(text)
        .map((span) => span.text.trim())
        .filter((one) => one.length > 2 && !examples.includes(one) && !/\.{3}|…/.test(one));
      const shown = examples.filter((line) => !texts.includes(line.trim()));
      const fits = shown.length > 0 && shown.every((line) => texts.some((one) => line.includes(one)));
      return fits ? [texts] : [];
    }),
  );
}

/** The expression for lines that have one of each list of texts. */
function requiring(pattern: string, required: readonly string[][]): string {
  const ahead = required
    .filter((texts) => !texts.some((one) => pattern.includes(escapeRegex(one).replace(/ /g, "\\s+"))))
    .map((texts) => `(?=.*(?:${texts.map(escapeRegex).join("|")}))`)
    .join("");
  if (ahead === "") return pattern;
  return pattern.startsWith("^") ? `^${ahead}${pattern.slice(1)}` : `^${ahead}.*?${pattern}`;
}

/** "Only su": the expression for lines that have the words as well, where it lets them vary. */
function requiringWords(pattern: string, words: readonly string[]): string {
  const ahead = words
    .filter((word) => !new RegExp(`(?<![A-Za-z])${escapeRegex(word)}(?![A-Za-z])`).test(pattern))
    .map((word) => `(?=.*${wordIn(word).source})`)
    .join("");
  return ahead === "" ? pattern : withAhead(pattern, ahead);
}

/** Is the text in the line? "..." in it stands for anything. */
function shows(line: string, text: string): boolean {
  let at = 0;
  for (const part of text.split(/\.\.\.|…/)) {
    const found = line.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

/** Texts that the page calls not wanted and that stand in lines which would be taken. */
function unlessTexts(candidates: readonly LineCandidate[], page: Page, lines: readonly string[]): string[] {
  const taken = candidates.flatMap((one) => one.hits.map((hit) => lines[hit] ?? ""));
  const examples = candidates.map((one) => one.alternative.example);
  return page.unwanted.filter(
    (text) =>
      text.trim().length > 1 &&
      taken.some((line) => line.includes(text)) &&
      !examples.every((line) => line.includes(text)) &&
      !taken.every((line) => line.includes(text)),
  );
}

/** Does the text stand in what would be taken otherwise, as a word of its own when it is short? */
function standsIn(rule: LineRule, text: string, lines: readonly string[]): boolean {
  const body = escapeRegex(text);
  const regex = new RegExp(text.length > 3 ? body : `(?<![\\w/])${body}(?![a-z])`);
  return interpretRule(rule, lines).some((one) => regex.test(one.content));
}

function quality(candidate: LineCandidate): number {
  return candidate.fit - 4 * candidate.missing.length;
}

/** A form of its own: its value is clear, it has a field that the others lack, and they have those that it lacks. */
function isOtherForm(
  candidate: LineCandidate,
  found: readonly { candidate: LineCandidate; example: string }[],
  examples: readonly Shown[],
): boolean {
  const others = found.filter((one) => one.candidate !== candidate);
  const own = candidate.alternative.projection.fields.map(({ name }) => name);
  const has = (one: LineCandidate, name: string): boolean =>
    one.alternative.projection.fields.some((field) => field.name === name);
  return (
    examples.length === found.length &&
    candidate.valueMargin >= 0.8 &&
    own.some((name) => others.every((one) => !has(one.candidate, name))) &&
    candidate.missing.every((hint) => others.every((one) => !one.candidate.missing.includes(hint)))
  );
}

/** Constant fields by the label of the example: "DRC: `...`" with a field of the choices DRC, LVS. */
function labelConstants(group: Group, examples: readonly { line: string; label: string }[]) {
  const field = group.fields.find((hint) => hint.choices.length > 1);
  const choiceOf = (label: string): string | undefined =>
    label === "" ? undefined : field?.choices.find((choice) => similarity(choice, label) >= 0.9);
  const inLine =
    field !== undefined &&
    examples.every(({ line }) => field.choices.some((choice) => line.includes(choice)));
  const labelled = examples.filter(({ label }) => choiceOf(label) !== undefined);
  const use = field !== undefined && !inLine && labelled.length >= 2;
  return (label: string): Map<string, string> => {
    const choice = choiceOf(label);
    return use && choice !== undefined ? new Map([[field.name, choice]]) : new Map<string, string>();
  };
}

/** What a doubt about lines like the wanted ones costs. */
export const A_RELATIVE = 0.42;

function judge(
  rule: LineRule,
  candidates: readonly LineCandidate[],
  unmatched: readonly string[],
  group: Group,
): RuleCandidate {
  const doubts = candidates.flatMap((one) => one.doubts);
  const notes = candidates.flatMap((one) => one.notes);
  const reasons: string[] = [];
  let confidence = 1;
  const lower = (by: number, doubt: string): void => {
    confidence -= by;
    doubts.push(doubt);
  };
  for (const doubt of new Set(candidates.flatMap((one) => one.doubts))) {
    const weighty = doubt.startsWith(RELATIVES) || doubt === OTHER_LINES;
    confidence -= weighty ? A_RELATIVE : 0.15;
    reasons.push(doubt);
  }
  if (group.value === undefined) lower(0.4, "the page does not say what the value is");
  const missing = new Set(candidates.flatMap((one) => one.missing.map((hint) => hint.name)));
  // A field that only some of several examples have is no gap.
  for (const name of missing) {
    const everywhere = candidates.every((one) => one.missing.some((hint) => hint.name === name));
    lower(everywhere ? 0.5 : 0.1, `no part of the lines could be taken for the field ${name}`);
  }
  const margin = Math.min(...candidates.map((one) => one.margin));
  const unclear = candidates.find((one) => one.margin === margin)?.unclear ?? "";
  // On fresh pages fewer than half of the values that were no clearer than this were right.
  if (margin >= 0.25 && Math.min(...candidates.map((one) => one.valueMargin)) < 0.8 - 1e-6) {
    lower(0.42, "another part of the line could be the value nearly as well");
  }
  if (margin < 0.25) lower(0.45, `two readings of the example fit the page equally well (${unclear})`);
  else if (margin < 0.5) lower(0.3, `another reading of the example fits the page as well (${unclear})`);
  else if (margin < 0.8)
    lower(0.15, `another reading of the example fits the page nearly as well (${unclear})`);
  const fit = Math.min(...candidates.map((one) => one.fit));
  if (fit < 0.5 && group.value?.wholeLine !== true)
    lower(0.2, "the page says little about which part of the line is which");
  for (const line of unmatched) lower(0.3, `no line like this example was seen: ${line.trim()}`);
  const hits = candidates.reduce((sum, one) => sum + one.hits.length, 0);
  reasons.push(
    `${hits} observed lines follow ${rule.alternatives.length === 1 ? "the example of the page" : "the examples of the page"}`,
  );
  return { rule, confidence, reasons, doubts, notes, left: candidates.flatMap((one) => one.left) };
}
