// Finds a witness: a line that shows that a run was complete (docs/contract.md, section 7). It is the last line of a log
// if it follows all records, occurs at the end of every log with varying text generalized by its form, and nowhere else.
import type { WitnessProposal } from "../../witnesses.ts";
import type { LogText } from "./places.ts";

/** Lines at the end of the other logs that are compared with the last line of the first log. */
const MAX_END_LINES = 40;
/** Fixed letters that a witness must have. */
const MIN_LETTERS = 3;
/** A shorter plain text could occur in other lines and becomes an anchored expression. */
const MIN_PLAIN_LENGTH = 12;
/** Share of a log that is cut off at its end: a witness must not occur in the rest. */
const CUT_SHARE = 0.1;

/** Lines before the end that are compared with the witness. */
const MAX_COMPARED_LINES = 2_000;
/** If so many of them are similar to the witness, it is one of many messages and not an end. */
const MAX_SIMILAR_LINES = 3;

/** A log with the line numbers of its records, 0-based. */
export interface ExtractedLog extends LogText {
  records: ReadonlySet<number>;
}

interface TruncatedLog extends ExtractedLog {
  /** Its lines without the end. */
  truncated: readonly string[];
}

/** The witness of logs, or the reason why there is none. */
export function findWitness(extracted: readonly ExtractedLog[]): WitnessProposal {
  const logs = extracted.map((log) => ({ ...log, truncated: truncateEnd(log.lines) }));
  const [first, ...others] = logs;
  if (first === undefined) return { patterns: [], reason: "no log was read" };
  const [last] = endLines(first);
  const pattern = others.reduce<Piece[] | undefined>(
    (pieces, log) => pieces && bestMerge(pieces, endLines(log)),
    last === undefined ? undefined : piecesOf(last),
  );
  if (pattern !== undefined && isWitness(pattern, logs))
    return { patterns: [formatPattern(pattern)], reason: "" };
  const lastLine = JSON.stringify(first.lines.findLast((line) => line.trim() !== "")?.slice(0, 120) ?? "");
  const subject = logs.length === 1 ? "The log ends" : `All ${logs.length} logs end`;
  return {
    patterns: [],
    reason: `${subject} without a line that stands behind all records and nowhere else; the last line of ${first.path} is ${lastLine}`,
  };
}

/** A piece of a line: fixed text, or an expression for text that varies. */
type Piece = { kind: "text"; text: string } | { kind: "any"; source: string };

/** Forms of text that varies from run to run. */
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

/** An expression for the same number of words. */
function wordsLike(text: string): string {
  const gaps = text.trim().split(/ +/).length - 1;
  return gaps === 0 ? "\\S+" : `\\S+(?: +\\S+){${gaps}}`;
}

function numberLike(text: string): string {
  if (/^\d+$/.test(text)) return "[0-9]+";
  return /^[+-]?[\d.,]+$/.test(text) ? "[+-]?[0-9.,]+" : "[0-9:.,/TZ+-]+";
}

/** Splits a line into words, blanks, marks and text that varies. */
function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  for (let offset = 0; offset < line.length; ) {
    const variable = matchForm(line, offset);
    const [text = line[offset] ?? ""] = variable ?? /^(?:\p{L}+|\s+)/u.exec(line.slice(offset)) ?? [];
    pieces.push(variable ? { kind: "any", source: variable[1] } : { kind: "text", text });
    offset += text.length;
  }
  return pieces;
}

/** The varying text at an offset, and the expression for it. */
function matchForm(line: string, offset: number): readonly [text: string, source: string] | undefined {
  const inWord = /[\p{L}\d]/u.test(line[offset - 1] ?? " ");
  for (const { form, source } of inWord ? FORMS.slice(-1) : FORMS) {
    form.lastIndex = offset;
    const text = form.exec(line)?.[0];
    // Behind a word, a plus or minus is a hyphen and not the sign of a number.
    if (text !== undefined && !(inWord && /^[+-]/.test(text))) return [text, source(text)];
  }
  return undefined;
}

/** The pieces merged with the most similar of some lines. */
function bestMerge(pieces: readonly Piece[], lines: readonly string[]): Piece[] | undefined {
  const merged = lines
    .map((line) => mergePieces(pieces, piecesOf(line)))
    .filter((candidate) => candidate !== undefined);
  return merged.sort((a, b) => countLetters(b) - countLetters(a))[0];
}

/** Generalizes the words that differ; undefined if the lines have too little in common. */
function mergePieces(a: readonly Piece[], b: readonly Piece[]): Piece[] | undefined {
  if (a.length !== b.length) return undefined;
  const merged: Piece[] = [];
  for (const [i, piece] of a.entries()) {
    const other = b[i];
    if (other === undefined) return undefined;
    const isEqual =
      piece.kind === "text"
        ? other.kind === "text" && other.text === piece.text
        : other.kind === "any" && other.source === piece.source;
    if (isEqual) merged.push(piece);
    else if (piece.kind === "text" && piece.text.trim() === "") return undefined;
    else merged.push({ kind: "any", source: "\\S+" });
  }
  return countLetters(merged) >= MIN_LETTERS ? merged : undefined;
}

function truncateEnd(lines: readonly string[]): string[] {
  const text = lines.join("\n");
  return text.slice(0, Math.floor(text.length * (1 - CUT_SHARE))).split("\n");
}

/** Has a line the same form, with at least half of the letters in equal words? */
function isSimilar(pieces: readonly Piece[], line: string): boolean {
  const merged = mergePieces(pieces, piecesOf(line));
  return merged !== undefined && 2 * countLetters(merged) >= countLetters(pieces);
}

function countLetters(pieces: readonly Piece[]): number {
  return pieces.reduce(
    (sum, piece) => sum + (piece.kind === "text" ? piece.text.replace(/\P{L}/gu, "").length : 0),
    0,
  );
}

/** Does the pattern match a line behind the records of every log, no record, and nothing in the truncated logs? If a
 * truncated log has many similar lines, the pattern is a message of a single run. */
function isWitness(pieces: readonly Piece[], logs: readonly TruncatedLog[]): boolean {
  if (countLetters(pieces) < MIN_LETTERS) return false;
  const expression = new RegExp(sourceOf(pieces), "u");
  return logs.every(({ lines, records, truncated }) => {
    const lastMatch = lines.findLastIndex((line) => expression.test(line));
    if (lastMatch <= lastRecord(records)) return false;
    if (lines.some((line, i) => records.has(i) && expression.test(line))) return false;
    if (truncated.some((line) => expression.test(line))) return false;
    const similar = truncated.slice(-MAX_COMPARED_LINES).filter((line) => isSimilar(pieces, line));
    return similar.length < MAX_SIMILAR_LINES;
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

/** The pattern in the notation of configs: plain text if nothing varies, or an expression. */
function formatPattern(pieces: readonly Piece[]): string {
  const text = pieces.map((piece) => (piece.kind === "text" ? piece.text : "")).join("");
  if (pieces.every((piece) => piece.kind === "text") && text.length >= MIN_PLAIN_LENGTH) return text.trim();
  return `regex:${sourceOf(pieces)}`;
}

/** Lines with words behind the last record, the last one first. */
function endLines({ lines, records }: ExtractedLog): string[] {
  return lines
    .slice(lastRecord(records) + 1)
    .filter((line) => line.replace(/\P{L}/gu, "").length >= MIN_LETTERS)
    .reverse()
    .slice(0, MAX_END_LINES);
}

function lastRecord(records: ReadonlySet<number>): number {
  let last = -1;
  for (const line of records) if (line > last) last = line;
  return last;
}
