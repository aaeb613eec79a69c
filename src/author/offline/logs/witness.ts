// Which line shows that a run was complete? The last one of a log, if it is behind all records and has its like in
// every log, with what varies generalised by its form alone. What stands before other text shows no end. Contract,
// section 7.
import type { WitnessProposal } from "../../witnesses.ts";
import type { LogText } from "./places.ts";

/** Lines from the end of the other logs that the last one of the first log is compared with. */
const TRIED = 40;
/** Letters that a witness must have as they are. */
const LETTERS = 3;
/** Characters from which a text stands for itself. */
const PLAIN = 12;
/** Part of a log, from its end, that is cut off to see whether the witness goes with it. */
const CUT = 0.1;

/** Lines before the end that are compared with a line by their form. */
const ALIKE = 2_000;
/** So many lines of the same form are messages of a kind, of which one happens to be the last. */
const MANY_ALIKE = 3;

/** A log with the lines of its records, 0-based. */
export interface ReadLog extends LogText {
  records: ReadonlySet<number>;
}

interface CutLog extends ReadLog {
  /** Its lines without the end. */
  cut: readonly string[];
}

/** The witness of some logs, or the reason why there is none. */
export function findWitness(read: readonly ReadLog[]): WitnessProposal {
  const logs = read.map((log) => ({ ...log, cut: withoutEnd(log.lines) }));
  const [first, ...others] = logs;
  if (first === undefined) return { patterns: [], reason: "no log was read" };
  const [last] = endLines(first);
  const pattern = others.reduce<Piece[] | undefined>(
    (pieces, log) => pieces && bestMerge(pieces, endLines(log)),
    last === undefined ? undefined : piecesOf(last),
  );
  if (pattern !== undefined && isWitness(pattern, logs)) return { patterns: [written(pattern)], reason: "" };
  const shown = JSON.stringify(first.lines.findLast((line) => line.trim() !== "")?.slice(0, 120) ?? "");
  const all = logs.length === 1 ? "The log ends" : `All ${logs.length} logs end`;
  return {
    patterns: [],
    reason: `${all} without a line that stands behind all records and nowhere else; the last line of ${first.path} is ${shown}`,
  };
}

/** A piece of a line: a text as it stands, or an expression for what varies. */
type Piece = { kind: "text"; text: string } | { kind: "any"; source: string };

/** What varies from run to run, by its form alone. */
const FORMS: readonly { form: RegExp; source: (text: string) => string }[] = [
  // Words around a time of day, and a word between numbers: dates in any language.
  {
    form: /(?:\p{L}{2,}\.?,? +){1,2}\d{1,2},? +(?:\d{4} +)?\d{1,2}:\d\d(?::\d\d)?(?: +\p{Lu}{2,5}(?= +\d{4}))?(?: +\d{4})?/uy,
    source: wordsLike,
  },
  { form: /\d{1,4}([-/. ])\p{L}{3,}\1\d{2,4}(?!\d)/uy, source: wordsLike },
  // Long hexadecimal numbers, paths, numbers with dates and times among them.
  { form: /(?=[a-f]*\d)(?:0x)?[0-9a-f]{6,}(?![\p{L}\d])/iuy, source: () => "[0-9a-fA-Fx]+" },
  { form: /(?:\.{0,2}|~)\/[^\s"'()<>,;]+/uy, source: () => "\\S+" },
  { form: /[+-]?\d(?:[\d:.,/-]*\d)?(?:T[\d:.,]*\d)?(?:Z|[+-]\d\d:?\d\d)?/uy, source: numberLike },
];

/** As many words as the text has. */
function wordsLike(text: string): string {
  const gaps = text.trim().split(/ +/).length - 1;
  return gaps === 0 ? "\\S+" : `\\S+(?: +\\S+){${gaps}}`;
}

function numberLike(text: string): string {
  if (/^\d+$/.test(text)) return "[0-9]+";
  return /^[+-]?[\d.,]+$/.test(text) ? "[+-]?[0-9.,]+" : "[0-9:.,/TZ+-]+";
}

/** Cuts a line into words, gaps, signs and what varies. */
function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < line.length; ) {
    const found = formAt(line, at);
    const [text = line[at] ?? ""] = found ?? /^(?:\p{L}+|\s+)/u.exec(line.slice(at)) ?? [];
    pieces.push(found ? { kind: "any", source: found[1] } : { kind: "text", text });
    at += text.length;
  }
  return pieces;
}

/** What varies at a position, and the expression for it. */
function formAt(line: string, at: number): readonly [text: string, source: string] | undefined {
  const inWord = /[\p{L}\d]/u.test(line[at - 1] ?? " ");
  for (const { form, source } of inWord ? FORMS.slice(-1) : FORMS) {
    form.lastIndex = at;
    const text = form.exec(line)?.[0];
    // A sign behind a word joins it with a number.
    if (text !== undefined && !(inWord && /^[+-]/.test(text))) return [text, source(text)];
  }
  return undefined;
}

/** The pieces with the words generalised in which the most similar of some lines differs. */
function bestMerge(pieces: readonly Piece[], lines: readonly string[]): Piece[] | undefined {
  const merged = lines
    .map((line) => merge(pieces, piecesOf(line)))
    .filter((one): one is Piece[] => one !== undefined);
  return merged.sort((a, b) => lettersOf(b) - lettersOf(a))[0];
}

function merge(a: readonly Piece[], b: readonly Piece[]): Piece[] | undefined {
  if (a.length !== b.length) return undefined;
  const merged: Piece[] = [];
  for (const [i, piece] of a.entries()) {
    const other = b[i];
    if (other === undefined) return undefined;
    const same =
      piece.kind === "text"
        ? other.kind === "text" && other.text === piece.text
        : other.kind === "any" && other.source === piece.source;
    if (same) merged.push(piece);
    else if (piece.kind === "text" && piece.text.trim() === "") return undefined;
    else merged.push({ kind: "any", source: "\\S+" });
  }
  return lettersOf(merged) >= LETTERS ? merged : undefined;
}

function withoutEnd(lines: readonly string[]): string[] {
  const text = lines.join("\n");
  return text.slice(0, Math.floor(text.length * (1 - CUT))).split("\n");
}

/** Does a line differ in less than half of the letters, by its words only? */
function isAlike(pieces: readonly Piece[], line: string): boolean {
  const merged = merge(pieces, piecesOf(line));
  return merged !== undefined && 2 * lettersOf(merged) >= lettersOf(pieces);
}

function lettersOf(pieces: readonly Piece[]): number {
  return pieces.reduce(
    (sum, piece) => sum + (piece.kind === "text" ? piece.text.replace(/\P{L}/gu, "").length : 0),
    0,
  );
}

/** Is it in every log behind the records, in no record, and gone with the end of each log? Where many lines
 * of the same form stand elsewhere, its words are those of one run. */
function isWitness(pieces: readonly Piece[], logs: readonly CutLog[]): boolean {
  if (lettersOf(pieces) < LETTERS) return false;
  const expression = new RegExp(sourceOf(pieces), "u");
  return logs.every(({ lines, records, cut }) => {
    const last = lines.findLastIndex((line) => expression.test(line));
    if (last <= lastOf(records) || lines.some((line, i) => records.has(i) && expression.test(line)))
      return false;
    if (cut.some((line) => expression.test(line))) return false;
    return cut.slice(-ALIKE).filter((line) => isAlike(pieces, line)).length < MANY_ALIKE;
  });
}

function sourceOf(pieces: readonly Piece[]): string {
  const inner = pieces
    .map((piece) =>
      piece.kind === "any" ? piece.source : piece.text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"),
    )
    .join("");
  return `^${inner}$`;
}

/** Plain text where nothing varies. A short one stands in other lines, too, and is anchored. */
function written(pieces: readonly Piece[]): string {
  const text = pieces.map((piece) => (piece.kind === "text" ? piece.text : "")).join("");
  if (pieces.every((piece) => piece.kind === "text") && text.length >= PLAIN) return text.trim();
  return `regex:${sourceOf(pieces)}`;
}

/** Lines with words behind the last record, the last one first. */
function endLines({ lines, records }: ReadLog): string[] {
  return lines
    .slice(lastOf(records) + 1)
    .filter((line) => line.replace(/\P{L}/gu, "").length >= LETTERS)
    .reverse()
    .slice(0, TRIED);
}

function lastOf(records: ReadonlySet<number>): number {
  let last = -1;
  for (const line of records) if (line > last) last = line;
  return last;
}
