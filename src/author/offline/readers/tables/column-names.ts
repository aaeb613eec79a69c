// How well the name of a column fits a part of the page: alike names, short forms, and what the page says of the column itself.

import { escapeRegex } from "../../escape.ts";
import { likeness, similarity, wordsOf } from "../../page/names.ts";
import type { Hint } from "../../page/page.ts";
import type { Column } from "./gaps.ts";

/** Evidence below this is none. */
const LEAST = 0.5;

/** How well the name of a column fits a part, and what the page says about it. */
export function ofName(hint: Hint, column: Column): number {
  if (column.name === "") return 0;
  if (column.name.trim() === "%") return /percent|_pct$|^pct$|share|ratio/i.test(hint.name) ? 1 : 0;
  const told = byDescription(hint, column);
  if (told !== undefined) return told;
  // "#faults" is the number of faults, "%used" the percentage used.
  const spelled = column.name
    .replace(/(^|\s)#\s?(?=[a-z])/gi, "$1number of ")
    .replace(/%/g, " percent ")
    .trim();
  // "Mounted on" is the mount point.
  const bare = column.name.replace(/ (?:on|at|in|by|from)$/i, "");
  let score = Math.max(
    likeness(hint, column.name),
    bare === column.name ? 0 : likeness(hint, bare),
    spelled === column.name ? 0 : 0.9 * likeness(hint, spelled),
  );
  if (/^(?:count|number|amount)$/.test(hint.name) && spelled.startsWith("number of "))
    score = Math.max(score, 0.8);
  // "sort of grain" is the sort.
  const head = /^(.+?) of /i.exec(column.name)?.[1];
  if (head !== undefined) score = Math.max(score, 0.9 * similarity(hint.name, head));
  // "port number" is the column "Port", and not "Num STP".
  const core = hint.name.replace(/_(?:number|no|name|id|code|type|value)$/, "");
  if (core !== hint.name && core !== "") {
    const own = likeness({ name: core, description: "" }, column.name);
    score = own >= 0.95 ? Math.max(score, 0.95) : own === 0 && score < 0.7 ? 0.5 * score : score;
  }
  score = Math.max(score, sideOf(hint, column), nameOf(hint, column));
  // "worst point" and a heading of two lines, "Worst" above "St/EnPt".
  if (score < LEAST)
    score = Math.max(score, ...(column.lines ?? []).map((line) => 0.9 * similarity(hint.name, line)));
  const own = wordsOf(column.name);
  const said = wordsOf(hint.description);
  if (score > 0.3 && own.length > 1) {
    // "mtu (the configured one)" and the columns "Cfg MTU" and "Oper MTU".
    const rest = own.filter((word) => similarity(hint.name, word) < 0.6);
    const told = rest.filter((word) => said.some((one) => abbreviates(word, one)));
    score += 0.25 * (rest.length === 0 ? 0 : told.length / rest.length);
  }
  return score;
}

/** "The name of the design" is the column "design_name" where there is one, not the column "design". */
function nameOf({ description }: Hint, column: Column): number {
  const noun = /\bnames? of (?:the |its |an? |each )?([a-z]+(?: [a-z]+)?)/i.exec(description)?.[1] ?? "";
  const own = wordsOf(column.name).join(" ");
  return noun !== "" && own === `${noun.toLowerCase()} name` ? 1.2 : 0;
}

/** What the page says of the column itself; undefined where it says nothing. */
function byDescription(hint: Hint, column: Column): number | undefined {
  const named = namedColumn(hint.description);
  const told = /\bcolumn ([\w.%#/-]+)/i.exec(hint.description)?.[1];
  const shown = hint.literals.some((text) => same(text, column.name)) && !isDenied(hint, column.name);
  if (named !== undefined && same(named, column.name)) return 1.4;
  if (shown || (told !== undefined && same(told, column.name))) return 1.3;
  if (spelledOut(hint.description, column.name)) return 1.25;
  return named === undefined ? undefined : 0.4 * likeness(hint, column.name);
}

/** "(not the path in `design`)": another column is meant. */
function isDenied({ description }: Hint, name: string): boolean {
  const own = escapeRegex(name);
  return new RegExp(`\\b(?:not|unlike|instead of|rather than)\\b[^,;]*[\`"]${own}[\`"]`, "i").test(
    description,
  );
}

/** "the local end" is the column "Local Address". */
function sideOf(hint: Hint, column: Column): number {
  const side = hint.name.replace(/_(?:end|side|one|part|partner)$/, "");
  return side === hint.name ? 0 : likeness({ name: side, description: "" }, column.name);
}

/** "column conn_state", "the column S", "(column `Mounted on`)". */
function namedColumn(description: string): string | undefined {
  const match =
    /\bcolumn(?:s| named| called| headed)? (?:`([^`]+)`|"([^"]+)"|([A-Z%#][\w%#./+-]*(?: [A-Z][\w%#./+-]*)*|\w+_\w+))/.exec(
      description,
    );
  return match?.[1] ?? match?.[2] ?? match?.[3];
}

/** "(%CPU)", "from %CPU, here 0.50", "under Cfg MTU": the heading as it is printed, where that is no plain word. */
function spelledOut(description: string, name: string): boolean {
  const heading = name.trim();
  if (!/[A-Z%#]|[A-Za-z][/_.-]/.test(heading) || heading.length < 2) return false;
  const text = description.replace(/[`"]/g, "");
  const from =
    /^\W*$|(?:^|[\s(])(?:from|under|below|headed|called|column|is|in|at|behind|=) (?:the )?(?:column )?$/i;
  for (let at = text.indexOf(heading); at >= 0; at = text.indexOf(heading, at + 1)) {
    const free =
      !/[\w%#/_-]/.test(text.charAt(at - 1)) && /^(?:$|[\s),;.:])/.test(text.slice(at + heading.length));
    const goesOn = /^ [A-Z%#]/.test(text.slice(at + heading.length));
    if (free && !goesOn && from.test(text.slice(0, at))) return true;
  }
  return false;
}

function same(a: string, b: string): boolean {
  const [one, two] = [a, b].map((text) => text.toLowerCase().replace(/\s+/g, " ").trim());
  return one === two;
}

/** "cfg" for "configured", "oper" for "operational", "designated" for itself. */
function abbreviates(short: string, long: string): boolean {
  if (short === long) return true;
  if (short.length < 2 || short.length >= long.length || short.charAt(0) !== long.charAt(0)) return false;
  if (long.startsWith(short)) return short.length >= 3;
  let at = 0;
  for (const char of long) if (char === short.charAt(at)) at += 1;
  return short.length >= 3 && at === short.length;
}
