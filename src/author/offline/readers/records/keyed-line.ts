// The expression of a line of the page's block whose first part stands behind words of the line ("Serial number: x",
// "part number is x", "(INSTANCE x)"): the words in front stay, and what stands between and behind the parts is kept
// only as far as the lines of the log with the same words have it.

import { escapeClass, escapeRegex } from "../../escape.ts";
import { tokenize } from "../../logs/tokens.ts";
import { choiceClasses } from "../../templates/search.ts";
import { isCapitals, looseClass, type Slot } from "../../templates/template.ts";

export interface KeyedLine {
  pattern: string;
  hits: number[];
  /** Lines of the log with the same words in front that it does not match. */
  missed: string[];
}

type Between = "strict" | "digits" | "loose";

/** The expression, or undefined when no line of the log begins with these words. The text `tail` has to stand behind the
 * parts; a lead that is no word has to be `quoted` by the page. */
export function keyedLine(
  line: string,
  slots: readonly Slot[],
  lines: readonly string[],
  tail: string,
  quoted: (text: string) => boolean,
  anyLevel: boolean,
  anyCase = false,
): KeyedLine | undefined {
  const sorted = [...slots].sort((a, b) => a.span.start - b.span.start);
  const [first] = sorted;
  const lead = line.slice(0, first?.span.start ?? 0);
  // Letters among digits ("55d0e7fc-55d0e8aa") are no word.
  const isKey =
    /(?<!\w)(?:[A-Za-z]+[_-])*[A-Za-z]{2,}[_-]?\d{0,4}(?!\w*\d)/.test(lead) ||
    (lead.trim().length > 1 && quoted(lead.trim()));
  if (first === undefined || !isKey) return undefined;
  const own = withLead(lead, lines, quoted(lead.trim()), anyLevel, anyCase);
  if (own === undefined) return undefined;
  const best = firstOf(attempts(line, sorted, own.source, tail), own, lines);
  if (best === undefined) return undefined;
  const known = new Set(best.hits);
  // `NAME: "Slot 1"` and, in some lines, the same without quotes.
  const bare = /["']$/.test(lead)
    ? withLead(lead.slice(0, -1), lines, quoted(lead.trim()), anyLevel)
    : undefined;
  const hits = bare !== undefined && bare.hits.length > own.hits.length ? bare.hits : own.hits;
  return { ...best, missed: hits.filter((hit) => !known.has(hit)).map((hit) => lines[hit] ?? "") };
}

/** The strictest expression that reads nearly as many lines as any. */
function firstOf(
  patterns: readonly string[],
  own: { hits: number[] },
  lines: readonly string[],
): { pattern: string; hits: number[] } | undefined {
  const all = patterns.map((pattern) => ({ pattern, hits: hitsOf(pattern, own.hits, lines) }));
  const most = Math.max(...all.map(({ hits }) => hits.length));
  return all.find(({ hits }) => hits.length > 0 && hits.length >= most * 0.97);
}

/** The expression of a line with a number and its name behind it ("0.41 source latency"). */
export function numberLine(slot: Slot, label: string, lines: readonly string[]): KeyedLine | undefined {
  const pattern = `^\\s*(?<${slot.group}>[-+]?\\d[\\d.,]*)\\s+${flexible(label, false)}(?![\\w-])`;
  const hits = hitsOf(pattern, [...lines.keys()], lines);
  return hits.length === 0 ? undefined : { pattern, hits, missed: [] };
}

function hitsOf(pattern: string, among: readonly number[], lines: readonly string[]): number[] {
  const regex = new RegExp(pattern);
  return among.filter((hit) => regex.test(lines[hit] ?? ""));
}

/** A level in brackets, in an expression. */
const LEVEL =
  /(?<=\\[[(]|<)(?:debug|info|notice|warn|warning|err|error|crit|critical|alert|fatal)(?=\\[\])]|>)/g;

/** The lines that begin with the words in front of the first part; digits in them may be others, unless `exact`. */
function withLead(
  lead: string,
  lines: readonly string[],
  exact: boolean,
  anyLevel: boolean,
  anyCase = false,
): { source: string; hits: number[] } | undefined {
  const [strict, open] = [false, true].map((digits) => {
    const plain = flexible(lead.trimStart(), digits);
    const text = anyLevel && digits ? plain.replace(LEVEL, "[a-z]+") : plain;
    // "There are 2 ports", "There is 1 port".
    const spelled = anyCase ? eitherCase(text) : text;
    const source = `^\\s*${digits ? spelled.replace(/\b(?:is|are)\b(?=\\s\+\\d)/g, "(?:is|are)") : spelled}`;
    const regex = new RegExp(source);
    return { source, hits: lines.flatMap((line, index) => (regex.test(line) ? [index] : [])) };
  });
  if (strict === undefined || open === undefined) return undefined;
  const best = !exact && open.hits.length > strict.hits.length ? open : strict;
  if (best.hits.length === 0) return undefined;
  return exact ? best : (otherMiddle(lead, best, lines) ?? best);
}

/** "Hardware is Gigabit Ethernet, address is ": words in the middle may be others where more lines begin and end so. */
function otherMiddle(
  lead: string,
  known: { hits: number[] },
  lines: readonly string[],
): { source: string; hits: number[] } | undefined {
  const cut = /^(\s*[A-Za-z]\S* [a-z]+ )(\S.*[,;] )([a-z]+(?: [a-z]+)? )$/.exec(lead);
  const [first = "", , last = ""] = cut?.slice(1) ?? [];
  if (cut === null) return undefined;
  const source = `^\\s*${flexible(first.trimStart(), false)}\\S[^,;]*[,;]\\s+${flexible(last, false)}`;
  const regex = new RegExp(source);
  const hits = lines.flatMap((line, index) => (regex.test(line) ? [index] : []));
  // The same number of words in front of the part, elsewhere than in lines that were found.
  return hits.length > known.hits.length && known.hits.every((hit) => hits.includes(hit))
    ? { source, hits }
    : undefined;
}

/** Letters of either case, in an expression of plain words. */
export function eitherCase(source: string): string {
  return source.replace(/\\.|\[[^\]]*\]|[A-Za-z]/g, (piece) =>
    /^[A-Za-z]$/.test(piece) ? `[${piece.toUpperCase()}${piece.toLowerCase()}]` : piece,
  );
}

/** A text with any blanks between its words, and any digits where `digits` says so. */
export function flexible(text: string, digits: boolean): string {
  return text
    .split(/((?:\s*\.){3,}\s*|\s+)/)
    .map((piece) => {
      if (piece === "") return "";
      if (/^\s+$/.test(piece)) return "\\s+";
      if (/^[\s.]+$/.test(piece) && piece.length > 3) return "[\\s.]*";
      const escaped = escapeRegex(piece);
      // Digits inside a word are its spelling ("ipv4-address"), others count ("port 3", "slot7").
      return digits
        ? escaped.replace(/\b0x[\da-f]+\b|(?<![A-Za-z])\d+|\d+(?!-?[A-Za-z\d])/gi, (text) =>
            /x/i.test(text) ? "0[xX][\\da-fA-F]+" : "\\d+",
          )
        : escaped;
    })
    .join("")
    .replace(/\\s\+(?=[:=])/g, "\\s*")
    .replace(/(?<=[:=])\\s\+$/, "\\s*");
}

/** From the strictest expression to the loosest. */
function attempts(line: string, slots: readonly Slot[], lead: string, tail: string): string[] {
  const found: string[] = [];
  const ways: Between[] = slots.length > 1 ? ["strict", "digits", "loose"] : ["strict"];
  // What stands in front of a mark with a blank behind it may have such marks inside ("from fe80::1: seq=1").
  const shuts = tail === "" && slots.some((slot) => isShut(line, slot));
  for (const way of ways) {
    for (const closed of shuts && way !== "loose" ? [true, false] : [false]) {
      for (const anyText of [false, true]) {
        for (const wide of [false, true])
          found.push(build(line, slots, { lead, tail, way, anyText, wide, closed }));
      }
    }
  }
  return [...new Set(found)];
}

interface Choice {
  lead: string;
  tail: string;
  way: Between;
  /** Numbers of the example may be any text. */
  anyText: boolean;
  /** The last part goes on to the end of the line. */
  wide: boolean;
  /** Parts go on to the marks behind them that a blank or the end of the line follows. */
  closed: boolean;
}

function build(line: string, slots: readonly Slot[], choice: Choice): string {
  let out = choice.lead;
  for (const [index, slot] of slots.entries()) {
    const next = slots[index + 1];
    const end = line.trimEnd().length;
    const last = next === undefined;
    const whole = last && slot.span.end >= end && (choice.wide || slots.length === 1);
    const number = /^[-+]?\d+(?:\.\d+)?$/.test(line.slice(slot.span.start, slot.span.end));
    const shut = choice.closed && isShut(line, slot) && (!number || choice.anyText);
    const text = line.slice(slot.span.start, slot.span.end);
    const own = whole && (!number || choice.anyText) ? "\\S.*?" : partBody(line, slot, choice.anyText);
    // In front of any text a part has as many words as in the example.
    const counted =
      !last && choice.way === "loose" && own === "\\S.*?" && !/^[^\s\w]/.test(line.slice(slot.span.end));
    const body = counted ? `\\S+(?:\\s\\S+){${text.split(/\s+/).length - 1}}` : own;
    out += `(?<${slot.group}>${shut ? (/\s/.test(text) ? "\\S.*?" : "\\S+?") : body})`;
    if (last && shut)
      out += `${flexible(line.slice(slot.span.end).split(/\s/)[0] ?? "", false)}${/\s/.test(text) ? "\\s*$" : "(?=\\s|$)"}`;
    else
      out += last
        ? ending(line, slot, choice.tail)
        : between(line.slice(slot.span.end, next.span.start), choice.way);
  }
  return out;
}

/** Is a part set apart by marks with a blank, or the end of the line, behind them? */
function isShut(line: string, { span }: Slot): boolean {
  const rest = line.slice(span.end);
  const text = line.slice(span.start, span.end);
  return /^[^\s\w]+\s*$/.test(rest) || (/^[^\s\w([{"'`]+\s/.test(rest) && !/\s/.test(text));
}

/** What a part may be, up to the sign or blank that ends it in the example. */
export function partBody(line: string, slot: Slot, anyText: boolean): string {
  const text = line.slice(slot.span.start, slot.span.end);
  const rest = line.slice(slot.span.end);
  const next = rest.charAt(0);
  const choices = choiceClasses([slot], line).get(slot.group);
  if (choices !== undefined && !anyText) return choices;
  if (isCapitals(slot.hint) || (!anyText && /^[-+]?\d+(?:\.\d+)?$/.test(text)))
    return looseClass(line, slot.span, anyText, slot.hint);
  if (/[^\s\w]/.test(next) && !text.includes(next)) return `[^${escapeClass(next)}]+?`;
  if (/^\s{2,}/.test(rest)) return "\\S+(?: \\S+)*?";
  if (/\s/.test(text)) return "\\S.*?";
  return next !== "" && /\w/.test(next) ? "\\S+?" : "\\S+";
}

function ending(line: string, slot: Slot, tail: string): string {
  const rest = line.slice(slot.span.end);
  if (rest.trim() === "") return "\\s*$";
  if (tail !== "") return `.*?${flexible(tail, false)}`;
  // "Intel [8086]": a code in brackets at the end is none of the part.
  const [, open, close] = /^\s+([([])[^()[\]]*([)\]])\s*$/.exec(rest) ?? [];
  if (open !== undefined && close !== undefined) return `(?:\\s+\\${open}[^()\\[\\]]*\\${close})?\\s*$`;
  const sign = /^[^\s\w]/.exec(rest)?.[0];
  if (sign !== undefined) return escapeRegex(sign);
  if (/^\s{2,}/.test(rest)) return "(?=\\s{2,}|\\s*$)";
  const text = line.slice(slot.span.start, slot.span.end);
  return /^\s/.test(rest) && /^[-+]?\d|\s/.test(text) ? "(?=\\s|$)" : "";
}

/** What stands between two parts: as it is, with other digits, or only the sign behind the one and the last word in
 * front of the other. */
function between(text: string, way: Between): string {
  if (way !== "loose") return flexible(text, way === "digits");
  const tokens = tokenize(text).filter((token) => token.kind !== "space");
  const label = tokens.findLastIndex((token) => token.kind === "word" && token.text.length > 1);
  const sign = /^[^\s\w]/.exec(text)?.[0] ?? "";
  const from = label < 0 ? text.length : (tokens[label]?.start ?? 0);
  const glued = /[^\s\w]$/.exec(text)?.[0] ?? "";
  const word = label < 0 ? "" : `\\b${escapeRegex(tokens[label]?.text ?? "")}\\b`;
  const back = text.slice(label < 0 ? 0 : from + (tokens[label]?.text.length ?? 0));
  const closing = label < 0 ? (glued === "" ? "\\s+" : `.*?${escapeRegex(glued)}`) : looseBack(back);
  return `${escapeRegex(sign)}.*?${word}${closing}`;
}

/** What stands between a label and its part: signs stay, digits and blanks may be others. */
function looseBack(text: string): string {
  return flexible(text, true).replace(/\\s\+/g, "\\s*");
}
