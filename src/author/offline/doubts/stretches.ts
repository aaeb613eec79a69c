// The expressions of a rule for lines with one piece let go: a part of several words, a part that is not there, another text or
// none in the place of fixed words, a piece of data or a label more.

import { stem, stemsOf } from "../page/names.ts";
import type { Page } from "../page/page.ts";
import { bare } from "../page/text.ts";
import type { LineAlternative } from "../program/ir.ts";
import { isExpression, type Unit, unitsOf, withoutAhead } from "./units.ts";

/** Expressions with more pieces are not looked at. */
const PIECES = 80;

/** What was let go: several words of a part, a part, a part with what leads up to it, a word or a text beside the parts, several such in a row, a remark in brackets, their text
 * (another one stands there), nothing (a piece of data more), the start of the line (a label more). */
export type Kind = "words" | "part" | "lead" | "piece" | "run" | "remark" | "text" | "more" | "front";

export interface Stretched {
  kind: Kind;
  /** What was let go, as the doubt says it. */
  what: string;
  pattern: string;
  /** The group that may have several words, or that is not there. */
  part?: string;
  /** Nothing is read behind it. */
  last: boolean;
  /** It is the host behind the time in front of a message. */
  host: boolean;
  /** No fixed word is left that tells the lines: their marks have to. */
  byMarks: boolean;
  /** Fixed words that were let go, and how many are left. */
  gone: number;
  left: number;
}

/** What stands in the place of a text that was let go, as a group of the expression. */
export const GAP = "gap__";

interface Let {
  kind: Kind;
  what: string;
  by: readonly Unit[];
  part?: string;
  last?: boolean;
  host?: boolean;
  byMarks?: boolean;
}

/** The expressions of an alternative with one piece let go. */
export function stretchedFrom({ pattern, projection }: LineAlternative, page: Page): Stretched[] {
  const { rest } = withoutAhead(pattern);
  const ahead = rest === pattern ? "" : pattern.slice(0, pattern.length - rest.length + 1);
  const units = unitsOf(rest);
  if (units === undefined || units.length > PIECES) return [];
  const words = units.filter(isWord).length;
  const marks = units.filter(({ kind, text }) => kind === "literal" && !/[\p{L}\p{N}]/u.test(text)).length;
  if (words === 0 && marks < 2) return [];
  const value = projection.value.from === "group" ? projection.value.group : undefined;
  const fixed = { words, marks };
  const found: Let[] = [
    ...units.flatMap((unit, at) =>
      unit.kind === "group" ? partLet(units, at, value, words) : pieceLet(units, at, page, fixed),
    ),
    ...runsLet(units, page, fixed),
    ...leadsLet(units, value),
    ...textsLet(units, page, fixed),
    ...remarksLet(units, page),
    ...moreLet(units),
    ...frontLet(units),
  ];
  return found
    .map(({ kind, what, part, by, last = false, host = false, byMarks = false }) => {
      const text = by.map(({ raw }) => raw).join("");
      const own = ahead === "" ? text : `${ahead}${text.replace(/^\^/, "")}`;
      const left = by.filter(isWord).length;
      return {
        kind,
        what,
        pattern: own,
        last,
        host,
        byMarks,
        left,
        gone: words - left,
        ...(part === undefined ? {} : { part }),
      };
    })
    .filter((one) => one.pattern !== pattern && isExpression(one.pattern));
}

/** A part with several words, or left out with what encloses it. */
function partLet(units: readonly Unit[], at: number, value: string | undefined, words: number): Let[] {
  const unit = units[at];
  const name = groupOf(unit);
  if (unit === undefined || name === undefined) return [];
  const result: Let[] = [];
  if (/^(?:\\S|\[\^\\s[^\]]*\])\+\??$/.test(unit.raw.slice(name.length + 4, -1))) {
    const raw = `(?<${name}>[^\\s:,;=]+(?: [^\\s:,;=]+)+?)`;
    const by = units.with(at, { ...unit, raw });
    result.push({ kind: "words", what: `the words of ${name}`, by, part: name });
    // "Filler: count: 12": the mark behind the part stands in it as well.
    const mark = units[at + 1];
    if (mark?.kind === "literal" && /^[:,;]$/.test(mark.text)) {
      const more = `(?<${name}>\\S+(?: \\S+){1,3})`;
      result.push({
        kind: "words",
        what: `the words of ${name}`,
        by: units.with(at, { ...unit, raw: more }),
        part: name,
      });
    }
  }
  if (name !== value && words > 0) {
    const [from, to] = around(units, at);
    const by = [...units.slice(0, from), ...units.slice(to)];
    const last = !units.slice(to).some((one) => one.kind === "group" || isWord(one));
    result.push({ kind: "part", what: `a ${name}`, by, part: name, last });
  }
  return result;
}

/** So many pieces in front of a part go with it at most. */
const LEAD = 5;

/** A part left out with the mark and the words in front of it that lead up to it: ", line 5". */
function leadsLet(units: readonly Unit[], value: string | undefined): Let[] {
  return units.flatMap((unit, at) => {
    const name = groupOf(unit);
    if (unit.kind !== "group" || name === undefined || name === value) return [];
    const result: Let[] = [];
    for (let from = at - 1; from >= Math.max(1, at - LEAD); from -= 1) {
      const lead = units.slice(from, at);
      const first = lead[0];
      if (first === undefined || first.kind === "group" || first.kind === "look") break;
      if (lead.filter(isWord).length > 2) break;
      if (first.kind !== "space" && !/^[,;(@-]$/.test(first.text)) continue;
      if (!lead.some(isWord) || lead.some(({ raw }) => /^\.[*+]/.test(raw))) continue;
      // Something has to be read behind it.
      if (!units.slice(at + 1).some((one) => one.kind === "group" || isWord(one))) break;
      result.push({
        kind: "lead",
        what: `a ${name}`,
        part: name,
        by: [...units.slice(0, from), ...units.slice(at + 1)],
      });
    }
    return result;
  });
}

/** A fixed word that goes on: "DENIED_ONCE" for "DENIED". */
function longer(units: readonly Unit[], at: number): Let[] {
  const unit = units[at];
  if (unit?.kind !== "literal" || !/^[A-Za-z]\w*_\w+$/.test(unit.text)) return [];
  const by = units.with(at, { ...unit, raw: `${unit.raw}[\\w.-]+` });
  return [{ kind: "piece", what: `more of ${unit.text}`, by }];
}

/** A time and blanks. */
const TIMED = /\\d\{2\}(?:\(\?:\[\.,\]\\d\+\)\?)?\\s\+$/;

/** A text between the parts left out, or a word of which the page says nothing left out or another one. */
function pieceLet(
  units: readonly Unit[],
  at: number,
  page: Page,
  { words, marks }: { words: number; marks: number },
): Let[] {
  const unit = units[at];
  if (unit === undefined) return [];
  if (/^\\s\{\d+,\d*\}$|^\[ \\t\]\{\d+,?\}$/.test(unit.raw))
    return [{ kind: "piece", what: "wide blanks", by: units.with(at, { ...unit, raw: "\\s+" }) }];
  const isFree = unit.kind === "other" && /^\\[Sw]|^\[\^/.test(unit.raw);
  const isOwn = isWord(unit) && !page.stems.has(stem(unit.text.toLowerCase()));
  const before = units[at - 1]?.kind === "space";
  if (!(before || units[at + 1]?.kind === "space") || !(isFree ? words > 1 || marks > 1 : isOwn && words > 2))
    return longer(units, at);
  const from = before ? at - 1 : at;
  const what = isOwn ? `the word ${unit.text}` : "a text between the parts";
  const by = [...units.slice(0, from), ...units.slice(before ? at + 1 : at + 2)];
  const host = TIMED.test(
    units
      .slice(0, at)
      .map(({ raw }) => raw)
      .join(""),
  );
  const without: Let = { kind: isOwn ? "run" : "piece", what, by, host };
  if (!isOwn) return [without];
  return [
    without,
    {
      kind: "text",
      what,
      host,
      by: units.with(at, { ...unit, kind: "other", raw: `(?<${GAP}>[A-Za-z]{3,})` }),
    },
  ];
}

/** Runs of pieces that may be left out together: at most so many pieces long. */
const RUN = 8;
const RUNS = 60;

/** Several pieces in a row left out, none of them a part or a word that the page speaks of. */
function runsLet(
  units: readonly Unit[],
  page: Page,
  { words, marks }: { words: number; marks: number },
): Let[] {
  const result: Let[] = [];
  units.forEach((unit, from) => {
    if (unit.kind !== "space" || result.length >= RUNS) return;
    for (let to = from + 3; to <= Math.min(units.length, from + RUN); to += 1) {
      const run = units.slice(from, to);
      if (run.some(({ kind }) => kind === "group" || kind === "look")) break;
      if (units[to]?.kind !== "space" && !/^[,;:]$/.test(units[to]?.text ?? "")) continue;
      const own = run.filter(isWord);
      if (own.some(({ text }) => page.stems.has(stem(text.toLowerCase())))) break;
      if (words - own.length < 1 || (own.length === 0 && marks < 3)) continue;
      const what = run.map(({ kind, text }) => (kind === "literal" ? text : " ")).join("");
      result.push({
        kind: "run",
        what: what.replace(/\s+/g, " ").trim(),
        by: [...units.slice(0, from), ...units.slice(to)],
      });
    }
  });
  return result;
}

/** Words that every sentence has. */
const COMMON = /^(?:the|and|for|with|from|its?|that|this|into|has|have|was|were|are|been)$/i;

/** A remark in brackets that the page does not speak of is another one or is not there. */
function remarksLet(units: readonly Unit[], page: Page): Let[] {
  return units.flatMap((unit, at) => {
    if (unit.text !== "(" || unit.kind !== "literal" || units[at - 1]?.kind !== "space") return [];
    const end = units.findIndex((one, index) => index > at && one.kind === "literal" && one.text === ")");
    const inside = units.slice(at + 1, end);
    const own = inside.filter(isWord);
    if (end < 0 || inside.some(({ kind }) => kind === "group" || kind === "look")) return [];
    if (own.some(({ text }) => page.stems.has(stem(text.toLowerCase())) || /^[A-Z]+$/.test(text))) return [];
    const gap: Unit = { kind: "other", text: "", raw: "(?:\\s+\\([^()]*\\))?" };
    const by = [...units.slice(0, at - 1), gap, ...units.slice(end + 1)];
    return [{ kind: "remark" as const, what: "a remark in brackets", by }];
  });
}

/** Texts of so many pieces may be others. */
const TEXT = 44;
/** So many marks tell lines of which no word does. */
const LEAST_MARKS = 4;

/** The fixed text between two parts, or between marks, is another one: two words at least, none of which the page speaks of
 * but where it says what the parts are. */
function textsLet(
  units: readonly Unit[],
  page: Page,
  { words, marks }: { words: number; marks: number },
): Let[] {
  const told = toldStems(page);
  const result: (Let & { length: number })[] = [];
  units.forEach((unit, from) => {
    if (unit.kind !== "space" || from < 2 || result.length >= RUNS) return;
    for (let to = from + 4; to <= Math.min(units.length - 1, from + TEXT); to += 1) {
      const run = units.slice(from, to);
      const last = run.at(-1);
      if (run.some(({ kind }) => kind === "group" || kind === "look")) break;
      if (units[to]?.kind !== "space" || last?.kind === "space") continue;
      const own = run.filter(isWord);
      if (own.some(({ text }) => !COMMON.test(text) && told.has(stem(text.toLowerCase())))) break;
      const rest = marks - run.filter(isMark).length;
      if (own.length < 2 || (words - own.length < 2 && rest < LEAST_MARKS)) continue;
      const gap: Unit = { kind: "other", text: "", raw: `\\s+(?<${GAP}>\\S.*?)` };
      const what = `the text "${run.map(({ kind, text }) => (kind === "literal" ? text : " ")).join("")}"`;
      result.push({
        kind: "text",
        what: what.replace(/\s+/g, " ").replace('" ', '"'),
        by: [...units.slice(0, from), gap, ...units.slice(to)],
        byMarks: words - own.length < 2,
        length: run.length,
      });
    }
  });
  return result.sort((a, b) => a.length - b.length);
}

function isMark({ kind, text }: Unit): boolean {
  return kind === "literal" && !/[\p{L}\p{N}]/u.test(text);
}

/** Stems of what the page says besides the descriptions of the parts and what stands beside its examples. */
function toldStems(page: Page): ReadonlySet<string> {
  const examples = page.groups.flatMap((group) => group.examples.flatMap(({ lines }) => lines));
  const texts = [...page.statements, ...page.sourceStatements].flatMap(({ text, sentences }) => {
    const isShown = examples.some((line) => text.includes(line.trim()));
    return sentences
      .map((one) => bare(one.text))
      .filter(
        (one) => /\bonly\b/i.test(one) || (!isShown && !/^\W*(?:the )?(?:values?|fields?)\b/i.test(one)),
      );
  });
  return stemsOf(texts.join(" "));
}

/** A piece of data more between two pieces: something with a digit behind a mark, or a remark in brackets. */
function moreLet(units: readonly Unit[]): Let[] {
  const more = "(?:[^\\s\\w]\\S*\\d\\S*|\\([^()]*\\)|\\[[^[\\]]*\\])\\s+";
  return units.flatMap((unit, at) =>
    unit.kind === "space" && at > 1 && at < units.length - 1
      ? [
          {
            kind: "more" as const,
            what: "a piece more",
            by: [
              ...units.slice(0, at + 1),
              { kind: "other" as const, text: "", raw: more },
              ...units.slice(at + 1),
            ],
          },
        ]
      : [],
  );
}

/** A label in front of the first part. */
function frontLet(units: readonly Unit[]): Let[] {
  const [start, blank, first] = units;
  if (start?.raw !== "^" || blank?.kind !== "space" || first?.kind !== "group") return [];
  const label: Unit = { kind: "other", text: "", raw: `(?<${GAP}>[A-Za-z][\\w .-]{0,30}:)\\s+` };
  return [{ kind: "front", what: "a label in front", by: [start, blank, label, ...units.slice(2)] }];
}

export function isWord({ kind, text }: Unit): boolean {
  return kind === "literal" && /^[A-Za-z]{3,}$/.test(text);
}

function groupOf(unit: Unit | undefined): string | undefined {
  return /^\(\?<(\w+)>/.exec(unit?.raw ?? "")?.[1];
}

/** The place of a part with the brackets or quotes around it, and the blanks in front of it. */
function around(units: readonly Unit[], at: number): [number, number] {
  let [from, to] = [at, at + 1];
  const pairs = ["()", "[]", "<>", "{}", '""', "''"];
  if (pairs.includes(`${units[at - 1]?.text ?? ""}${units[at + 1]?.text ?? ""}`))
    [from, to] = [at - 1, at + 2];
  if (units[from - 1]?.kind === "space") from -= 1;
  return [from, to];
}
