// From the page and the observed logs to ranked programs: every kind of reader proposes, what it proposes is run
// on the observed text, and the best is taken when it is clearly the best.

import { openPage } from "./conditions/open-page.ts";
import { realise } from "./conditions/realise.ts";
import { doubtsOf } from "./doubts/index.ts";
import { leftRows } from "./doubts/left-rows.ts";
import { widened } from "./doubts/relaxed/index.ts";
import { signsOf } from "./doubts/seen/index.ts";
import { allLines, type Observation } from "./logs/observe.ts";
import { isOneTable } from "./logs/one-table.ts";
import type { Example, Group, Page } from "./page/page.ts";
import { isColoured, withoutColours } from "./program/colours.ts";
import { interpret, interpretRule } from "./program/interpret.ts";
import type { Extracted, Program, Rule } from "./program/ir.ts";
import { blockGroup } from "./readers/blocks.ts";
import { cellGroup } from "./readers/cells/index.ts";
import { listGroup } from "./readers/delimited.ts";
import { describedGroup } from "./readers/described.ts";
import { type FrontMark, frontMark, withFrontMark } from "./readers/front-mark.ts";
import { placedAbove, withHeads } from "./readers/headed.ts";
import { lineGroupListed } from "./readers/listed-conditions.ts";
import { nestBrackets } from "./readers/nested.ts";
import { withoutFixed } from "./readers/records/fixed-lines.ts";
import { recordGroup } from "./readers/records/index.ts";
import { withoutWrong } from "./readers/second-look.ts";
import { stretched, withoutRead } from "./readers/stretched.ts";
import { tableGroups } from "./readers/tables/tables.ts";
import { titledTable } from "./readers/tables/titles.ts";
import { titledRows } from "./readers/titled-rows.ts";
import {
  asksLeftEdge,
  atLeftEdge,
  type ToldScope,
  toldScope,
  withHeading,
  within,
} from "./readers/told-scope.ts";
import { treeGroup } from "./readers/tree/index.ts";
import { addWished, unwished } from "./readers/wished.ts";
import { isProse, wordedGroup } from "./readers/worded/worded.ts";
import { restrain } from "./restrict/index.ts";
import type { LeftOut } from "./templates/left-out.ts";

export interface Candidate {
  program: Program;
  /** 0 to 1. */
  confidence: number;
  reasons: string[];
  doubts: string[];
  notes: string[];
  /** Records on the observed text, by file. */
  records: Map<string, Extracted[]>;
}

interface Proposal {
  rule: Rule;
  /** Further rules for the same kind of record, e.g. for another layout of a table. */
  also?: Rule[];
  confidence: number;
  reasons: string[];
  doubts: string[];
  notes?: string[];
  /** Lines much like those of a rule for lines that it leaves out. */
  left?: LeftOut[];
  /** What it was read from, where that is only a part of the file and of the examples. */
  read?: { group: Group; lines: readonly string[] };
}

/** How many programs are offered at most. */
const MAX_CANDIDATES = 4;

/** Candidates, the most likely first. */
export function synthesize(page: Page, observation: Observation): Candidate[] {
  const printed = allLines(observation.files);
  const coloured = isColoured(printed);
  const lines = coloured ? printed.map(withoutColours) : printed;
  const perGroup = page.groups.map((group) => propose(group, page, lines));
  if (perGroup.some((proposals) => proposals.length === 0)) return [];
  const candidates: Candidate[] = [];
  for (let rank = 0; rank < MAX_CANDIDATES; rank += 1) {
    // Candidate `rank` takes the next proposal of the kind of record that has one; the others keep their best.
    const picks = perGroup.map((proposals) => proposals[Math.min(rank, proposals.length - 1)]);
    const rules = picks.filter((one): one is Proposal => one !== undefined);
    const program: Program = {
      title: titleOf(page),
      rules: rules.flatMap(rulesOf),
      ...(coloured ? { coloured } : {}),
    };
    if (candidates.some((one) => JSON.stringify(one.program) === JSON.stringify(program))) break;
    candidates.push({
      program,
      confidence: Math.max(0, Math.min(...rules.map((one) => one.confidence))),
      reasons: rules.flatMap((one) => one.reasons),
      doubts: rules.flatMap((one) => one.doubts),
      notes: [...observation.notes, ...rules.flatMap((one) => one.notes ?? [])],
      records: runOn(program, observation),
    });
  }
  return candidates;
}

/** What each kind of reader makes of one kind of record, the most likely first. */
function propose(whole: Group, page: Page, lines: readonly string[]): Proposal[] {
  const mark = frontMark(whole, page, lines);
  const group = mark?.whole ?? whole;
  const proposals: Proposal[] = [];
  const add = (proposal: Proposal | undefined): void => {
    if (proposal !== undefined) proposals.push(proposal);
  };
  const trees = treeGroup(group, page, lines);
  for (const one of trees) add(one);
  // What is nested for sure is not read line by line as well.
  const nested = trees.some((one) => one.confidence >= 0.9 && /^(?:json|xml)/.test(one.rule.syntax));
  const headed = nested ? { proposals: [], told: [] } : withHeads(group, page, lines);
  if (!nested) proposals.push(...marked(mark, group, page, lines, headed.proposals));
  const raw = proposals.map((one) => ({ ...one, rule: structuredClone(one.rule), doubts: [...one.doubts] }));
  for (const one of proposals) weigh(one, one.read?.group ?? group, page, one.read?.lines ?? lines);
  proposals.unshift(...stretchedOf(raw, proposals, group, page, lines));
  for (const one of nested ? [] : readAgain(group, page, lines, proposals)) add(one);
  for (const one of proposals.filter((proposal) => !headed.proposals.includes(proposal)))
    placedAbove(one, headed.told);
  const [table] = proposals
    .filter((one) => one.rule.kind === "table" && one.confidence >= 0.4)
    .sort((a, b) => b.confidence - a.confidence);
  for (const one of table === undefined ? [] : proposals) {
    const doubts = leftRows(rulesOf(one), rulesOf(table ?? one), lines);
    one.doubts.push(...doubts);
    one.confidence -= 0.45 * doubts.length;
  }
  for (const one of fromProse(group, page, lines, proposals)) add(one);
  for (const one of trees) shareDoubts(one, proposals, lines);
  shareWithRows(proposals, lines);
  const signatures = new Map(proposals.map((one) => [one, signature(rulesOf(one), lines)]));
  for (const one of proposals) {
    for (const other of proposals) {
      if (one === other || other.confidence < 0.6) continue;
      // Two independent readings that extract the same are worth more than one; different ones less.
      if (signatures.get(one) === signatures.get(other)) one.confidence += 0.05;
    }
  }
  return proposals.sort((a, b) => b.confidence - a.confidence || kindRank(a.rule) - kindRank(b.rule));
}

/** What the readers of lines make of it, where a first character that is a part of its own is read apart. */
function marked(
  mark: FrontMark | undefined,
  group: Group,
  page: Page,
  lines: readonly string[],
  headed: readonly Proposal[],
): Proposal[] {
  const inner = mark === undefined ? [] : fromParts(mark.group, page, mark.lines, headed);
  const found = inner.flatMap((one) => {
    const rules = mark === undefined ? [] : rulesOf(one).map((rule) => withFrontMark(rule, mark));
    const [rule, ...also] = rules;
    if (rule === undefined || also.some((other) => other === undefined)) return [];
    return [{ ...one, rule, also: also.filter((other) => other !== undefined) }];
  });
  return found.length > 0 ? found : fromParts(group, page, lines, headed);
}

/** Rules for lines without the pieces that alone keep lines out. */
function stretchedOf(
  raw: readonly Proposal[],
  weighed: readonly Proposal[],
  group: Group,
  page: Page,
  lines: readonly string[],
): Proposal[] {
  return raw.flatMap((one, index) => {
    if (one.rule.kind !== "line" || one.also !== undefined) return [];
    if ((weighed[index]?.confidence ?? 1) >= SURE) return [];
    const [own, text] = [one.read?.group ?? group, one.read?.lines ?? lines];
    const wider = stretched(one.rule, own, page, text);
    if (wider === undefined) return [];
    const proposal = {
      ...one,
      ...withoutRead({ ...one, rule: one.rule }, wider.rule),
      rule: wider.rule,
      notes: [...(one.notes ?? []), ...wider.notes],
    };
    weigh(proposal, own, page, text);
    return [proposal];
  });
}

/** How often a reading with parts that cannot be what they were taken for is made once more. */
const SECOND_LOOKS = 2;

/** Further readings without the parts that looked wrong in the records of the best one. */
function readAgain(
  group: Group,
  page: Page,
  lines: readonly string[],
  found: readonly Proposal[],
): Proposal[] {
  let own = group;
  let proposals = found;
  for (let look = 0; look < SECOND_LOOKS; look += 1) {
    const [best] = [...proposals].sort((a, b) => b.confidence - a.confidence);
    if (best === undefined || proposals.some((one) => one.confidence >= SURE)) return [];
    if (best.rule.kind === "table" || best.rule.kind === "tree" || best.read !== undefined) return [];
    const refused = withoutWrong(own, signsOf(rulesOf(best), own, lines));
    if (refused === undefined) return [];
    own = refused;
    const again = fromLines(own, page, lines, []);
    for (const one of again) weigh(one, own, page, lines);
    const better = again.filter(
      (one) => signsOf(rulesOf(one), own, lines).length === 0 && hasAll(one, best, lines),
    );
    if (better.length > 0) {
      for (const one of better)
        one.notes = [...(one.notes ?? []), "Read once more without parts that looked wrong"];
      return better;
    }
    proposals = again;
  }
  return [];
}

/** Does a reading have all parts that another one has? */
function hasAll(one: Proposal, other: Proposal, lines: readonly string[]): boolean {
  const partsOf = (proposal: Proposal): Set<string> =>
    new Set(
      rulesOf(proposal)
        .flatMap((rule) => interpretRule(rule, lines))
        .flatMap((record) => Object.keys(record.fields)),
    );
  const own = partsOf(one);
  return [...partsOf(other)].every((name) => own.has(name));
}

/** Lines of JSON read as plain lines are no surer than read as objects, where both give the same records. */
function shareDoubts(tree: Proposal, proposals: readonly Proposal[], lines: readonly string[]): void {
  const { rule } = tree;
  if (rule.kind !== "tree" || !rule.syntax.startsWith("json") || tree.doubts.length === 0) return;
  const linesOf = (one: Proposal): string =>
    rulesOf(one)
      .flatMap((own) => interpretRule(own, lines))
      .map((record) => `${record.line}:${record.value}`)
      .join("\n");
  const own = linesOf(tree);
  for (const one of proposals) {
    if (one.rule.kind === "tree" || one.confidence <= tree.confidence || linesOf(one) !== own) continue;
    one.confidence = tree.confidence;
    one.doubts.push(...tree.doubts);
  }
}

/** Rows without a heading are no surer than the same lines read one by one, where both give the same records. */
function shareWithRows(proposals: readonly Proposal[], lines: readonly string[]): void {
  for (const table of proposals) {
    if (table.rule.kind !== "table" || table.rule.headless !== true) continue;
    const own = signature(rulesOf(table), lines);
    for (const one of proposals) {
      if (one.rule.kind !== "line" || one.confidence >= table.confidence) continue;
      if (signature(rulesOf(one), lines) !== own) continue;
      table.confidence = one.confidence;
      table.doubts.push(...one.doubts.filter((doubt) => !table.doubts.includes(doubt)));
    }
  }
}

/** What the readers of lines, tables and records of several lines make of it. */
function fromLines(
  group: Group,
  page: Page,
  lines: readonly string[],
  headed: readonly Proposal[],
): Proposal[] {
  const isRecord = group.examples.some((one) => one.mark === "block" && one.lines.length > 2);
  const record = recordGroup(group, page, lines);
  const line =
    !isRecord && record === undefined ? lineGroupListed(withoutFixed(group, lines), page, lines) : undefined;
  const found: (Proposal | undefined)[] = [
    record,
    line,
    ...tableGroups(group, page, lines, isUndivided(line) ? line?.rule : undefined),
    ...headed,
    titledTable(group, page, lines),
    blockGroup(group, page, lines),
    listGroup(group, page, lines),
    cellGroup(group, page, lines),
  ];
  return found.filter((one) => one !== undefined);
}

/** Is it clear which part of the line is which? */
function isUndivided(line: { doubts: readonly string[] } | undefined): boolean {
  return line?.doubts.every((one) => !/\breadings? of the (?:line|example)\b/.test(one)) === true;
}

/** The same for the whole file, and for the part that the page names, where it names one. */
function fromParts(
  group: Group,
  page: Page,
  lines: readonly string[],
  headed: readonly Proposal[],
): Proposal[] {
  const told = toldScope(page, lines);
  const plain = fromLines(group, page, lines, headed);
  const titled = titledRows(group, lines);
  if (titled !== undefined) plain.push(...inScope(titled.group, page, lines, titled.told));
  if (told === undefined) return plain;
  for (const one of plain) outsideOf(one, told, lines);
  return [...inScope(group, page, lines, told), ...plain];
}

/** Lines that are read in the part of the file that the page names, and what is learned from this part alone. */
function inScope(group: Group, page: Page, lines: readonly string[], told: ToldScope): Proposal[] {
  // Indented lines are as if they were not there, where the page wants only the others.
  const shut = asksLeftEdge(page);
  const inside = within(told, lines).map((text) => (shut && /^\s/.test(text) ? "" : text));
  const own = {
    ...group,
    examples: group.examples.filter((one) => !told.texts.includes(one.lines.join("\n"))),
  };
  own.examples = own.examples.flatMap((one) => exampleInside(one, told));
  const isRecord = own.examples.some((one) => one.mark === "block" && one.lines.length > 1);
  const line = isRecord ? recordGroup(own, page, inside) : lineGroupListed(own, page, inside);
  if (line === undefined || line.rule.kind !== "line") return [];
  const edge = atLeftEdge(page, line.rule, inside);
  const heads = (edge.above ?? []).map(({ pattern }) => pattern);
  const isHead = edge.scope !== undefined && heads.includes(edge.scope.open);
  const rule = { ...edge, scope: isHead ? told.scope : (edge.scope ?? told.scope) };
  const reasons = [...line.reasons, `Only in the part that the page names: ${told.name}`];
  return [{ ...line, rule, reasons, read: { group: own, lines: withHeading(told, lines, inside) } }];
}

/** A block without the heading of the part and those of other parts; lines of one form are examples of their own. */
function exampleInside(example: Example, told: ToldScope): Example[] {
  if (example.mark !== "block") return [example];
  const [open, close] = [new RegExp(told.scope.open), new RegExp(told.scope.close)];
  const lines = example.lines.filter((line) => !open.test(line) && (line.trim() === "" || !close.test(line)));
  if (lines.length === example.lines.length || lines.length === 0) return [example];
  const forms = new Set(
    lines.map((line) => line.trim().replace(/\S+/g, (word) => (/^\d+$/.test(word) ? "9" : "w"))),
  );
  return forms.size === 1
    ? lines.map((line) => ({ lines: [line], label: "", mark: "code" }))
    : [{ ...example, lines }];
}

/** Records from elsewhere than the part of the file that the page names. */
function outsideOf(one: Proposal, told: ToldScope, lines: readonly string[]): void {
  if (one.rule.kind !== "line") return;
  const out = interpretRule(one.rule, lines).find((record) => told.inside[record.line - 1] !== true);
  if (out === undefined) return;
  one.confidence -= 0.45;
  one.doubts.push(
    `the page names the part "${told.name}", and a record is taken from elsewhere: ${out.content.trim()}`,
  );
}

/** Where another reader is as sure as that, prose is not asked. */
const SURE = 0.8;

/** Without an example the description decides, unless a heading row or keys do: by its words, then by the forms of
 * the lines. */
function fromProse(
  group: Group,
  page: Page,
  lines: readonly string[],
  others: readonly Proposal[],
): Proposal[] {
  const proposals: Proposal[] = [];
  if (isProse(group, lines) && others.every((one) => one.confidence < SURE)) {
    const worded: Proposal | undefined = wordedGroup(group, page, lines);
    if (worded !== undefined) weigh(worded, group, page, lines);
    if (worded !== undefined) proposals.push(worded);
  }
  const all = [...others, ...proposals];
  const prose = group.examples.length === 0;
  if (all.length > 0 && !(prose && all.every((one) => one.confidence < 0.75))) return proposals;
  const shape: Proposal | undefined = describedGroup(group, page, lines);
  if (shape === undefined) return proposals;
  if (!prose) {
    shape.confidence -= 0.3;
    shape.doubts.push("the page shows examples, but no line of the logs is like them");
  }
  weigh(shape, group, page, lines);
  return [...proposals, shape];
}

/** Adds the doubts that the records themselves give reason to, when what the page says about which are wanted is done. */
function weigh(one: Proposal, group: Group, whole: Page, lines: readonly string[]): void {
  for (const rule of rulesOf(one)) nestBrackets(rule, lines);
  const realised = realise(rulesOf(one), group, whole, lines);
  const restrained = restrain(realised.rules, group, whole, lines, realised.settled);
  const notes = [...realised.notes, ...restrained.notes];
  const [first, ...also] = restrained.rules;
  if (first !== undefined && notes.length > 0) {
    one.rule = first;
    if (also.length > 0) one.also = also;
    one.notes = [...(one.notes ?? []), ...notes];
  }
  const page = openPage(whole, new Set([...realised.settled, ...restrained.settled]));
  const rules = rulesOf(one);
  const open = rules.flatMap((rule) => addWished(rule, group, page, lines));
  // What a claim could not bind may have been bound by the second reading.
  const isOpen = (doubt: string): boolean =>
    ![...restrained.settled].some((said) => doubt.endsWith(`: ${said}`));
  const doubts = [
    ...new Set([
      ...realised.doubts.filter(isOpen),
      ...restrained.doubts,
      ...doubtsOf(rules, { group, page, whole, lines }),
      ...unwished(rules, open, page, lines),
    ]),
  ];
  const { rule } = one;
  if (rule.kind === "line" && rule.filters.length > 0 && interpretRule(rule, lines).length === 0) {
    doubts.push("no line that was read fulfils the conditions of the page as they were read");
  }
  const judged = { group, page, whole, lines };
  const wider = widened(rules, doubts, judged);
  const [wide, ...others] = wider ?? [];
  if (wide !== undefined && doubtsOf([wide, ...others], judged).length === 0) {
    one.rule = wide;
    if (others.length > 0) one.also = others;
    one.notes = [...(one.notes ?? []), "Lines that differ in one place only were taken as well"];
    return;
  }
  one.doubts.push(...doubts);
  one.confidence -= 0.45 * doubts.length;
}

/** Among equals the more specific reader: a heading row or record structure says more than a line's shape. */
function kindRank(rule: Rule): number {
  return { table: 0, block: 1, tree: 2, line: 3 }[rule.kind];
}

function rulesOf(proposal: Proposal): Rule[] {
  return [proposal.rule, ...(proposal.also ?? [])];
}

function signature(rules: readonly Rule[], lines: readonly string[]): string {
  return rules
    .flatMap((rule) => interpretRule(rule, lines))
    .map((one) => `${one.line}:${one.value}:${JSON.stringify(one.fields)}`)
    .join("\n");
}

/** Runs a program on everything that was seen, file by file. */
export function runOn(program: Program, observation: Observation): Map<string, Extracted[]> {
  const records = new Map<string, Extracted[]>();
  for (const file of observation.files) {
    if (isOneTable(file)) {
      const at = file.segments.flatMap(({ startLine, lines }) => lines.map((_, index) => startLine + index));
      const text = file.segments.flatMap(({ lines }) => lines).join("\n");
      const rows = interpret(program, text).map((one) => ({ ...one, line: at[one.line - 1] ?? one.line }));
      records.set(file.real ?? file.path, rows);
      continue;
    }
    const found = file.segments.flatMap((segment) =>
      interpret(program, segment.lines.join("\n")).map((one) => ({
        ...one,
        line: one.line + segment.startLine - 1,
      })),
    );
    records.set(file.real ?? file.path, found);
  }
  return records;
}

function titleOf(page: Page): string {
  const first = page.statements.find((one) => one.depth === 0)?.sentences[0]?.text ?? "records of the logs";
  return first.replace(/[`*]/g, "").slice(0, 120);
}
