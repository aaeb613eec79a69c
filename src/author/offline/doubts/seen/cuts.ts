// Parts that begin or end where no reader would cut: inside a word or a number, inside a time, an address or a name with an at
// sign. Where the page speaks of a piece ("before the dot", "without its unit") it may be meant.

import { tokenize } from "../../logs/tokens.ts";
import { quotedIn } from "../../page/text.ts";
import { type Part, placesOf, type Seen, type Sign, type Text } from "./parts.ts";

/** Words by which a page asks for a piece of a longer text. */
const PIECE =
  /\b(?:between|piece|part of|digits?|letters?|characters?|half|at sign|only|alone|without|bare|local part)\b|@/i;
/** The same for where the piece begins, and for where it ends. */
const BEGINS = /\b(?:after|behind|from|second|third|fourth|last|suffix|ends? (?:in|with))\b/i;
const ENDS = /\b(?:before|in front of|up to|until|first|prefix)\b/i;

const ATOMS = new Set(["time", "ip", "mac", "uuid", "number", "url"]);

/** Doubts about the borders of a part. */
export function cuts(part: Part, { parts, hosted }: Seen): Sign[] {
  // Elsewhere than on the line of the record a part of that text may stand as a whole.
  if ((!hosted && !part.isValue) || part.isAbove) return [];
  // The first character of a line may be a part of its own.
  const isBehindMark = ({ text, host, record }: Text): boolean =>
    host.trimStart().indexOf(text) === 1 && besides(part, parts, record).includes(host.trimStart().charAt(0));
  const found = part.texts.filter(
    (one) => one.elsewhere !== true && one.host.includes(one.text) && !isBehindMark(one),
  );
  const inWord = found.filter(({ text, host }) => placesOf(text, host).every((at) => splits(text, host, at)));
  const [first] = inWord.filter(({ text, host }) => !isBesideDropped(text, host, part.hint.description));
  if (first !== undefined && inWord.length > found.length * 0.5)
    return [{ part, says: `the ${part.name} is cut inside a word: ${first.text}` }];
  const said = part.hint.description;
  if (PIECE.test(said)) return [];
  // The page shows a text that stands behind the same mark in its own example.
  const isShownSo = ({ text, host }: Text): boolean =>
    part.shown.some(
      (one) =>
        part.hint.literals.includes(one.text) &&
        /[^\w\s]/.test(before(one.text, one.host)) &&
        before(one.text, one.host) === before(text, host),
    );
  const sides = { begin: !BEGINS.test(said), end: !ENDS.test(said) };
  const torn = found
    .filter((one) => !isShownSo(one))
    .filter((one) =>
      placesOf(one.text, one.host).every(
        (at) => splits(one.text, one.host, at) || isTorn(one, at, sides, besides(part, parts, one.record)),
      ),
    );
  const [atom] = torn;
  if (atom === undefined) return [];
  const says = `the ${part.name} is cut out of a longer text: ${atom.text}, in ${atom.host.trim().slice(0, 120)}`;
  return [{ part, says, some: torn.length <= found.length * 0.5 }];
}

/** The character in front of a text. */
function before(text: string, host: string): string {
  return host.charAt(host.indexOf(text) - 1);
}

/** Does a text that the page drops ("without `cmd_`") stand right beside the part? */
function isBesideDropped(text: string, host: string, said: string): boolean {
  const dropped = quotedIn(said)
    .filter(({ start }) =>
      /\b(?:without|after|behind|before|in front of|prefix|suffix)\b[^`"]*$/i.test(said.slice(0, start)),
    )
    .map((span) => span.text);
  return placesOf(text, host).some((at) =>
    dropped.some((one) => host.slice(0, at).endsWith(one) || host.slice(at + text.length).startsWith(one)),
  );
}

/** A number ends the lines that the page shows, and in many lines of the log further numbers stand behind it. */
export function longer({ name, texts, shown, hint }: Part): string[] {
  const ends = shown.length > 0 && shown.every(({ text, host }) => host.trimEnd().endsWith(text));
  if (!ends || ENDS.test(hint.description) || /\bfirst\b/i.test(hint.description)) return [];
  const more = texts.filter(
    ({ text, host }) =>
      /\d$/.test(text) &&
      host.includes(text) &&
      /^[\s,;x(]+[-+]?\d[\d.,\s()x+-]*$/.test(host.slice(host.lastIndexOf(text) + text.length)),
  );
  const [first] = more;
  return first === undefined || more.length < texts.length * 0.2
    ? []
    : [`the ${name} ends the page's example, and lines have further numbers behind it: ${first.host.trim()}`];
}

/** The texts of the other parts of a record. */
function besides(part: Part, parts: readonly Part[], record: number): string[] {
  return parts.flatMap((one) =>
    one === part ? [] : one.texts.filter((text) => text.record === record).map(({ text }) => text),
  );
}

/** Does a border of the text at this place stand between two letters or two digits, or behind its own underscore? */
function splits(text: string, host: string, at: number): boolean {
  const pairs = [
    [host.charAt(at - 1), text.charAt(0)],
    [text.at(-1) ?? "", host.charAt(at + text.length)],
  ] as const;
  return pairs.some(
    ([left, right]) =>
      (/\d/.test(left) && /\d/.test(right)) ||
      (/[A-Za-z]/.test(left) && /[A-Za-z]/.test(right)) ||
      (left === "_" && /\w/.test(right)),
  );
}

/** Is the text at this place a piece of a time, an address, a number, or of a name with an at sign, whose rest is no part? */
function isTorn(
  { text, host }: Text,
  at: number,
  sides: { begin: boolean; end: boolean },
  others: readonly string[],
): boolean {
  const end = at + text.length;
  const isOther = (rest: string, side: "begin" | "end"): boolean =>
    others.some((one) => (side === "end" ? rest.startsWith(one) : rest.endsWith(one)));
  const tokens = tokenize(host).filter(
    (token) =>
      ATOMS.has(token.kind) &&
      token.start < end &&
      token.end > at &&
      // `::1:631` is an address and its port.
      !(token.kind === "ip" && /:\d{2,5}$/.test(token.text)),
  );
  const begun =
    tokens.some((token) => token.start < at) || (host.charAt(at - 1) === "@" && /^[\w.-]+$/.test(text));
  const unended =
    tokens.some((token) => token.end > end) || (host.charAt(end) === "@" && /^[\w.+-]+$/.test(text));
  return (
    (sides.begin && begun && !isOther(host.slice(0, at).replace(/\W+$/, ""), "begin")) ||
    (sides.end && unended && !isOther(host.slice(end).replace(/^\W+/, ""), "end"))
  );
}
