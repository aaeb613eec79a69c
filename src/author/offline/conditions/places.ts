// Where records stand: the lines below the title that the page names, up to the next title of its kind. Lines below a title
// that the page rules out are left out.

import { escapeRegex } from "../escape.ts";
import { wordsOf } from "../page/names.ts";
import type { Group } from "../page/page.ts";
import type { PlaceClaim } from "../page/place-claims.ts";
import { interpretRule } from "../program/interpret.ts";
import type { BlockRule, LineRule, Rule, Scope, TableRule } from "../program/ir.ts";
import { partOf } from "../program/part-of.ts";

export interface Placed {
  rules: Rule[];
  /** Sentences that are done. */
  settled: string[];
  notes: string[];
  doubts: string[];
}

/** The rules, restricted to the places that the page names, where other places have lines like the records. */
export function place(
  rules: readonly Rule[],
  claims: readonly PlaceClaim[],
  group: Group,
  lines: readonly string[],
): Placed {
  const result: Placed = { rules: [...rules], settled: [], notes: [], doubts: [] };
  if (!rules.every(isOpen)) return result;
  // What is wanted decides first; what is not wanted only matters beside it.
  for (const claim of [...claims].sort((a, b) => Number(b.wanted) - Number(a.wanted))) {
    const current = result.rules;
    if (!current.every(isOpen)) break;
    const taken = new Set(
      current.flatMap((rule) => interpretRule({ ...rule, filters: [] }, lines)).map((one) => one.line - 1),
    );
    const own = current.some((rule) => rule.kind === "block") && isInRecord(claim.title, group);
    const titles = own ? [] : titleLines(claim, lines, taken);
    const [first] = titles;
    if (first === undefined || taken.size === 0) continue;
    const scope = scopes(claim, titles, lines, taken).find((one) => {
      const kept = inside(current, one, lines);
      return kept > 0 && kept < taken.size;
    });
    if (scope === undefined) {
      const all = scopes(claim, titles, lines, taken).some(
        (one) => inside(current, one, lines) === taken.size,
      );
      if (all && claim.wanted) result.settled.push(claim.said);
      continue;
    }
    result.rules = current.map((rule) => ({ ...rule, scope }));
    result.settled.push(claim.said);
    if (claim.wanted) result.doubts.push(...unreadIn(result.rules, scope, lines));
    result.notes.push(`${claim.wanted ? "Only below" : "Not below"}: ${scope.openExample.trim()}`);
  }
  return result;
}

/** Is it a line of the record that the page shows? Then it is the place of a part. */
function isInRecord(title: string, group: Group): boolean {
  const wanted = wordsOf(title).join(" ");
  return group.examples.some(
    (one) => one.lines.length > 1 && one.lines.some((line) => wordsOf(line).join(" ") === wanted),
  );
}

/** Lines of the part that have as many words as the records, where these are the fewer. */
function unreadIn(rules: readonly Rule[], scope: Scope, lines: readonly string[]): string[] {
  if (rules.some((rule) => rule.kind !== "line" || rule.filters.length > 0 || rule.unless.length > 0))
    return [];
  const records = rules.flatMap((rule) => interpretRule(rule, lines));
  const taken = new Set(records.map((one) => one.line - 1));
  const countOf = (line: string): number => line.trim().split(/\s+/).length;
  const counts = new Set(records.map((one) => countOf(one.content)));
  const left = partOf(lines, scope).filter(
    (line, index) => line.trim() !== "" && !taken.has(index) && counts.has(countOf(line)),
  );
  return left.length < records.length
    ? []
    : [`${left.length} lines of the part that the page names are not read, e.g. ${left[0]?.trim() ?? ""}`];
}

type OpenRule = LineRule | TableRule | BlockRule;

/** Rules that keep to no part of the file yet. */
function isOpen(rule: Rule): rule is OpenRule {
  if (rule.kind === "tree" || rule.scope !== undefined) return false;
  return rule.kind !== "table" || (rule.sections === undefined && rule.only === undefined);
}

function inside(rules: readonly OpenRule[], scope: Scope, lines: readonly string[]): number {
  return rules.flatMap((rule) => interpretRule({ ...rule, filters: [], scope }, lines)).length;
}

/** Lines that are the title: nothing else but marks, else with few words more. */
function titleLines(
  { title, plain }: Pick<PlaceClaim, "title" | "plain">,
  lines: readonly string[],
  taken: ReadonlySet<number>,
): number[] {
  const wanted = wordsOf(title).join(" ");
  if (wanted === "") return [];
  const found = lines.flatMap((line, index) => {
    if (taken.has(index) || line.length > 160) return [];
    const own = wordsOf(line).join(" ");
    if (!` ${own} `.includes(` ${wanted} `)) return [];
    if (plain === true && (!own.startsWith(wanted) || own.slice(wanted.length).split(" ").length > 3))
      return [];
    return [{ index, more: own.length - wanted.length, exact: line.includes(title) }];
  });
  const least = Math.min(...found.map((one) => one.more));
  const close = found.filter((one) => one.more === least);
  const exact = close.filter((one) => one.exact);
  return (exact.length > 0 ? exact : close).map((one) => one.index);
}

/** The marks around the words of a line, as an expression for titles of its kind; undefined when it has none. */
function styleOf(line: string): string | undefined {
  const lead = /^[^\p{L}\p{N}]*/u.exec(line)?.[0] ?? "";
  const tail = /[^\p{L}\p{N})\s]*\s*$/u.exec(line)?.[0].trim() ?? "";
  const marks = lead.trim().replace(/(.)\1+/g, "$1");
  if (marks === "" && tail === "") return undefined;
  if (marks === "" && tail.length === 1 && tail !== ":") return undefined;
  const front = lead.replace(/\s+$/, "");
  const open = `^${escapeRegex(front)}${/\s$/.test(lead) && front !== "" ? "\\s+" : ""}`;
  return `${open}[\\p{L}\\p{N}].*${escapeRegex(tail)}\\s*$`.replaceAll("\\p{L}\\p{N}", "A-Za-z0-9");
}

/** Scopes that the claim may mean, the most likely first. */
function scopes(
  claim: PlaceClaim,
  titles: readonly number[],
  lines: readonly string[],
  taken: ReadonlySet<number>,
): Scope[] {
  const first = lines[titles[0] ?? 0] ?? "";
  const own = exactly(titles.map((index) => lines[index] ?? ""));
  const style = styleOf(first);
  const all: Scope[] = [];
  const add = (close: string): void => {
    const never = "(?!)";
    all.push(
      claim.wanted
        ? { open: own, close, openExample: first }
        : {
            open: close === never ? never : `^(?!${own.slice(1)})${close.replace(/^\^/, "")}`,
            close: own,
            openExample: first,
            begins: true,
          },
    );
  };
  if (claim.upTo !== undefined) {
    const ends = titleLines({ title: claim.upTo }, lines, taken).map((index) => lines[index] ?? "");
    if (ends.length > 0) add(exactly(ends));
    return all;
  }
  const isFree = (source: string): boolean => {
    const regex = new RegExp(source);
    return ![...taken].some((index) => regex.test(lines[index] ?? ""));
  };
  if (claim.toEnd === true) {
    add("(?!)");
    return all;
  }
  if (style !== undefined && isFree(style)) add(style);
  if (claim.wanted) add("^\\s*$");
  add("(?!)");
  return all;
}

/** The expression for these very lines, numbers in them being any. */
function exactly(texts: readonly string[]): string {
  const bodies = new Set(
    texts.map((text) => escapeRegex(text.trim()).replace(/\d+/g, "\\d+").replace(/\s+/g, "\\s+")),
  );
  const [only = ""] = bodies;
  return `^\\s*${bodies.size === 1 ? only : `(?:${[...bodies].join("|")})`}\\s*$`;
}
