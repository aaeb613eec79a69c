// A line cut at what announces its parts: `SRC=192.0.2.1`, `[id "930120"]`, `user=<ann>,`, `TTY=pts/0 ;`. Each such region
// is known by its key wherever it stands; what lies between them, and in front of the first one, is free text.

import { escapeRegex } from "../escape.ts";
import { mayHaveBlanks } from "../parts/fit.ts";
import { eitherCase } from "../readers/records/keyed-line.ts";
import type { Slot } from "./template.ts";

interface Around {
  slots: readonly Slot[];
  lines: readonly string[];
}

export interface Region {
  key: string;
  /** Expression of the key with the marks up to its text. */
  lead: string;
  /** Where the key begins, where its text begins and ends, and where the next piece begins. */
  start: number;
  open: number;
  close: number;
  end: number;
  /** What ends the text: its own closing mark, the mark that parts the pairs, or the next blank. */
  by: "closer" | "separator" | "blank";
  /** Expression of one text of the region, and what has to follow it. */
  body: string;
  stop: string;
}

const CLOSERS: Record<string, string> = { '"': '"', "'": "'", "(": ")", "[": "]", "<": ">", "{": "}" };
const BRACKETED = /\[([A-Za-z_][\w.-]*)(\s+)(["'])/y;
const BRACKETED_BARE = /\[([A-Za-z_][\w.-]*)(\s+)(?=[^\]\s"'])/y;
const PAIR = /([A-Za-z_][\w.-]*)( ?[=:] ?)(["'([<{]*)/y;

/** The regions of a line in their order; a colon makes a key only where a part stands right behind it. */
export function regionsOf(
  line: string,
  slots: readonly Slot[],
  lines: readonly string[],
  anyCase = false,
): Region[] {
  const regions: Region[] = [];
  const separator = separatorOf(line);
  for (let at = 0; at < line.length; ) {
    const found = atPlace(line, at, { slots, lines }, separator);
    const region = found !== undefined && anyCase ? { ...found, lead: eitherCase(found.lead) } : found;
    // A key stands in the log as well, data does not.
    if (region === undefined || !isSeen(region, lines)) at += 1;
    else {
      regions.push(region);
      at = Math.max(at + 1, region.end);
    }
  }
  return regions;
}

function isSeen({ lead }: Region, lines: readonly string[]): boolean {
  const regex = new RegExp(lead);
  return lines.some((text) => regex.test(text));
}

function atPlace(line: string, at: number, around: Around, separator: string): Region | undefined {
  const { slots } = around;
  if (line.charAt(at) === "[") return bracketed(line, at, slots);
  if (!/[A-Za-z_]/.test(line.charAt(at)) || /[\w.-]$/.test(line.slice(Math.max(0, at - 1), at))) return;
  PAIR.lastIndex = at;
  const [whole, key = "", mark = "", marks = ""] = PAIR.exec(line) ?? [];
  if (whole === undefined) return;
  const bare = at + key.length + mark.length;
  const opened = bare + marks.length;
  const has = slots.some(({ span }) => span.start === bare || span.start === opened);
  // "kernel: [" and "at 12:30" are no pairs.
  if (!has && (mark !== "=" || /^\s/.test(line.slice(bare)))) return;
  const lead = `(?<![\\w.-])${escapeRegex(key)}${markSource(mark)}`;
  const slot = slots.find(({ span }) => span.start === opened || span.start === bare);
  // A part keeps the bracket that it begins with.
  const inside = marks === "" || slot?.span.start === bare ? "" : marks;
  const base = { key, start: at, open: bare + inside.length, lead: lead + escapeRegex(inside) };
  const close = CLOSERS[inside.at(-1) ?? ""];
  const closing = close === undefined ? -1 : closingOf(line, base.open, close);
  if (close !== undefined && closing >= 0) {
    // `users:(("nginx",pid=812`: further keys stand in the outer brackets.
    const end = inside.length > 1 ? closing + 1 : closing + inside.length;
    return { ...base, close: closing, end, by: "closer", ...closed(close) };
  }
  if (inside !== "" && slot === undefined) return;
  return plain(line, base, separator, mark, around);
}

function bracketed(line: string, at: number, slots: readonly Slot[]): Region | undefined {
  BRACKETED.lastIndex = at;
  const quoted = BRACKETED.exec(line);
  if (quoted !== null) {
    const [whole, key = "", , quote = ""] = quoted;
    const open = at + whole.length;
    const close = closingOf(line, open, quote);
    if (close < 0 || line.charAt(close + 1) !== "]") return;
    const lead = `\\[${escapeRegex(key)}\\s+${quote}`;
    return { key, lead, start: at, open, close, end: close + 2, by: "closer", ...closed(quote) };
  }
  BRACKETED_BARE.lastIndex = at;
  const [whole, key = ""] = BRACKETED_BARE.exec(line) ?? [];
  if (whole === undefined) return;
  const open = at + whole.length;
  const close = line.indexOf("]", open);
  if (close < 0 || !slots.some(({ span }) => span.start >= open && span.end <= close)) return;
  const lead = `\\[${escapeRegex(key)}\\s+`;
  return { key, lead, start: at, open, close, end: close + 1, by: "closer", ...closed("]") };
}

function closed(close: string): Pick<Region, "body" | "stop"> {
  const quote = close === '"' || close === "'";
  // Quotes inside a quoted text are escaped.
  const body = quote ? `(?:[^${close}\\\\]|\\\\.)*` : `[^${close === "]" ? "\\]" : close}]*`;
  return { body, stop: escapeRegex(close) };
}

/** Where a text ends that a mark closes, escaped ones and inner brackets aside. */
function closingOf(line: string, from: number, close: string): number {
  for (let at = from; at < line.length; at += 1) {
    if (line.charAt(at) === "\\") at += 1;
    else if (line.charAt(at) === close) return at;
  }
  return -1;
}

function plain(
  line: string,
  base: Pick<Region, "key" | "start" | "open" | "lead">,
  separator: string,
  mark: string,
  { slots, lines }: Around,
): Region | undefined {
  const rest = line.slice(base.open);
  const isPart = (place: number): boolean => slots.some(({ span }) => span.start === place);
  if (separator !== "") {
    const parted = new RegExp(`${separator}(?=[A-Za-z_])|\\s*$`).exec(rest);
    const close = base.open + (parted?.index ?? rest.length);
    // "dovecot: imap-login: Disconnected: user=<ann>, ..." is no text of the first label.
    const pairs = [...line.slice(base.open, close).matchAll(/[A-Za-z_][\w.-]*=["'([<{]*/g)];
    if (mark !== "=" && pairs.some(({ index, 0: pair }) => isPart(base.open + index + pair.length))) return;
    const end = close + (parted?.[0].length ?? 0);
    // An address has no blanks: a remark may stand behind it.
    const own = slots.find(({ span }) => span.start === base.open);
    const isAddress = own?.hint.kind === "address" && !/\s/.test(line.slice(base.open, close));
    if (isAddress && own.span.end === close)
      return { ...base, close, end: Math.max(end, close), by: "separator", body: "[^\\s,;]+", stop: "" };
    const stop = `(?=${separator}|\\s*$)`;
    // Behind a key without a text comes the mark.
    const parts = /\\s\+(\\?[,;|&])/.exec(separator)?.[1];
    const body = parts === undefined ? "\\S.*?" : `[^\\s${parts}].*?`;
    return { ...base, close, end: Math.max(end, close), by: "separator", body, stop };
  }
  const wide = withBlanks(line, base, { slots, lines });
  if (mark === "=" && wide !== undefined) return wide;
  // A blank behind the mark may be followed by more blanks, as in columns.
  const text = /^[^\s,;|)\]]+/.exec(rest)?.[0] ?? "";
  const next = /^\s*[A-Za-z_][\w.-]*=/.test(rest) ? "" : text;
  if (next === "" && mark !== "=") return;
  const close = base.open + next.length;
  const follow = /^[,;|)\]]/.exec(line.slice(close))?.[0] ?? "";
  const body = follow === "" ? "\\S+" : `[^\\s${escapeRegex(follow)}]+`;
  return { ...base, close, end: close, by: "blank", body, stop: "" };
}

/** `fname=invoice 2024.doc msg=Worm found act=block`: a text without quotes goes on to the next key, where the part does, the
 * page says so or some line shows it. */
function withBlanks(
  line: string,
  base: Pick<Region, "key" | "start" | "open" | "lead">,
  { slots, lines }: Around,
): Region | undefined {
  const slot = slots.find(({ span }) => span.start === base.open);
  if (slot === undefined) return;
  const rest = line.slice(base.open);
  const close = base.open + rest.search(/(?:\s*(?:\.{3}|…))?(?:\s+(?=[A-Za-z_][\w.-]*=)|\s*$)/);
  const stop = "(?=\\s+[A-Za-z_][\\w.-]*=|\\s*$)";
  const end = Math.max(close, slot.span.end);
  const region: Region = { ...base, close: end, end, by: "blank", body: "\\S.*?", stop };
  if (slot.span.end < close || /[^\s.…]/.test(line.slice(close, slot.span.end))) return;
  const isWide = /\s/.test(line.slice(base.open, close)) || mayHaveBlanks(slot.hint);
  if (isWide) return region;
  const shown = new RegExp(`${base.lead}[^\\s="']+(?: [^\\s="']+)+ [A-Za-z_][\\w.-]*=`);
  return /^\s+[A-Za-z_]/.test(line.slice(close)) && lines.some((text) => shown.test(text))
    ? region
    : undefined;
}

const NEXT_KEY = "[A-Za-z_][\\w.-]*(?: [A-Za-z][\\w.-]*)? ?[=:]";

/** The mark that parts the pairs of a line, with the blanks around it; nothing where blanks do. */
function separatorOf(line: string): string {
  const counts = new Map<string, number>();
  for (const [, before = "", mark = "", after = ""] of line.matchAll(
    /[^\s=](\s*)([,;|&])(\s*)(?=[A-Za-z_][\w.-]*(?: [A-Za-z][\w.-]*)? ?[=:])/g,
  )) {
    const own = escapeRegex(mark);
    // Where blanks pad a text up to its mark, a text that fills its column has none.
    const source =
      before === ""
        ? `\\s*${own}${after === "" ? "" : "\\s*"}`
        : `(?:\\s+${own}\\s*|${own}\\s+(?=${NEXT_KEY}))`;
    counts.set(source, (counts.get(source) ?? 0) + 1);
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1]);
  // Where further keys stand behind blanks, the marks part pieces of a text.
  const first = line.search(/[,;|&]\s*[A-Za-z_][\w.-]*=/);
  if (/[^\s,;|&]\s+[A-Za-z_][\w.-]*(?:=|:\d)/.test(line.slice(Math.max(0, first)))) return "";
  return best !== undefined && best[1] > 1 ? best[0] : "";
}

function markSource(mark: string): string {
  const [before, after] = [/^\s/.test(mark), /\s$/.test(mark)];
  return `${before ? "\\s*" : ""}${escapeRegex(mark.trim())}${after ? "\\s*" : ""}`;
}
