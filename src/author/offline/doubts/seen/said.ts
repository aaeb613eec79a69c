// What the page says in so many words of a part, held against the texts that were read: where it stands ("in parentheses"), which
// texts it may have ("Start or Finish"), what is no part of it ("without the words `x y`").

import { escapeRegex } from "../../escape.ts";
import { quotedIn } from "../../page/text.ts";
import { withoutMarks } from "../../parts/relations.ts";
import { type Part, placesOf, type Seen } from "./parts.ts";

/** Doubts about a part that is not what the page says it is. */
export function unlikeSaid(part: Part, seen: Seen): string[] {
  return [
    ...notShown(part, seen),
    ...offLine(part, seen),
    ...shorter(part, seen),
    ...leftOut(part),
    ...markLeft(part),
    ...someMarkLeft(part),
    ...markLacked(part),
    ...(seen.onLine ? [...notEnclosed(part), ...stillEnclosed(part)] : []),
    ...notListed(part),
    ...wholeElsewhere(part),
  ];
}

const WITHOUT =
  /\b(?:(?:without|leaving out|leave out|omitting|dropping|minus) (?:the |its |an? )?(?:[a-z-]+ ){0,2}|(?:not|excluding|except(?: for)?|less) (?:the |its |an? )?(?:(?:words?|text|literal|sign|mark|prefix|suffix|leading|trailing|final|closing) )*)$/i;

/** "Without the words `invalid user`": just these were read. */
function leftOut({ hint, name, texts }: Part): string[] {
  for (const span of quotedIn(hint.description)) {
    if (!WITHOUT.test(hint.description.slice(0, span.start))) continue;
    const bare = span.text.replace(/^[\s([<{]+|[\s)\]>}]+$/g, "");
    const hit = texts.find(
      ({ text }) =>
        bare !== "" &&
        (text === span.text.trim() || text === bare || (bare.length > 3 && text.includes(bare))),
    );
    if (hit !== undefined)
      return [`the page leaves ${span.text.trim()} out of the ${name}, and it reads: ${hit.text}`];
  }
  return [];
}

/** "Without the asterisk": some texts still end or begin with one. */
function markLeft({ hint, name, filled }: Part): string[] {
  for (const { source } of withoutMarks(hint.description)) {
    if (/[A-Za-z0-9]{2}/.test(source)) continue;
    const left = new RegExp(`^(?:${source})|(?:${source})$`);
    // "bus<3>" ends in a bracket of its own.
    const hit = filled.find(
      ({ text }) => left.test(text) && !/^[^<([{].*[<([{][^<>()[\]{}]*[>)\]}]$/.test(text),
    );
    if (hit !== undefined) return [`the page leaves a mark out of the ${name}, and it reads: ${hit.text}`];
  }
  return [];
}

const SOME_MARK =
  /\bwithout (?:the|its|an?|any|their) (?:(?:leading|trailing|final|first|last|special|extra|odd) )?(?:marks?|signs?|symbols?|special characters?)\b(?! (?:up|down|of|for|in)\b)/i;

/** "Without the mark behind it": whatever mark that is, some texts still end or begin with one. */
function someMarkLeft({ hint, name, filled }: Part): string[] {
  if (!SOME_MARK.test(hint.description)) return [];
  const hit = filled.find(({ text }) =>
    /^[*+!#~^@$&?<>%\u2020\u00b0\u2713\u2717](?=\w)|^[-+*!#~>=|.]+\s+(?=\w)|\w[*+!#~^@$&?<>%\u2020\u00b0]$/.test(
      text,
    ),
  );
  return hit === undefined ? [] : [`the page leaves a mark out of the ${name}, and it reads: ${hit.text}`];
}

const OWN_MARKS: [RegExp, RegExp][] = [
  [/^semicolon/i, /;/],
  [/^percent/i, /%/],
  [/^colon/i, /:/],
  [/^full stop/i, /\./],
  [/^paren/i, /[()]/],
  [/^brack/i, /[[\](){}<>]/],
  [/^brace/i, /[{}]/],
  [/^quot/i, /["'`]/],
];

/** "The statement, with its semicolon": no text has one. */
function markLacked({ hint, name, filled }: Part): string[] {
  const word =
    /\bwith (?:its|the|their) (?:\w+ )?(semicolons?|percent sign|colons?|full stop|parenthes[ei]s|brackets?|braces|quotes)\b(?! (?:in|if|around|where|when))/i.exec(
      hint.description,
    )?.[1];
  const mark = OWN_MARKS.find(([form]) => form.test(word ?? ""))?.[1];
  const [first] = filled;
  if (mark === undefined || first === undefined || filled.some(({ text }) => mark.test(text))) return [];
  return [`the page wants the ${name} with its ${word ?? "mark"}, and it reads: ${first.text}`];
}

const ENCLOSED =
  /\b(?:in|inside|within|between) (?:the |its |an? )?(?:(?:first|second|last|trailing|round|square|curly|angle|single|double|pair of) )*(parenthes[ei]s|brackets?|quotes|quotation marks|braces)/i;
/** Such words in front say that the brackets hold something else, or only sometimes the part. */
const ELSE =
  /\b(?:without|with|up to|until|from|to|before|after|behind|not|if|where|but|leaving|have|has|plus)\b/i;

const MARKS: [RegExp, string, string][] = [
  [/^paren/i, "(", ")"],
  [/^quot/i, "\"'`‘“", "\"'`’”"],
  [/^brace/i, "{", "}"],
  [/^brack/i, "([<{", ")]>}"],
];

/** "The text in parentheses": in most records it stands in none. */
function notEnclosed({ hint, name, texts }: Part): string[] {
  const said = ENCLOSED.exec(hint.description);
  if (said === null || ELSE.test(hint.description.slice(0, said.index))) return [];
  const [, open, close] = MARKS.find(([word]) => word.test(said[1] ?? "")) ?? [];
  if (open === undefined || close === undefined) return [];
  const quotes = open === MARKS[1]?.[1];
  const isIn = (text: string, host: string, at: number): boolean => {
    if (open.includes(text.charAt(0)) && close.includes(text.at(-1) ?? "")) return true;
    const before = host.slice(0, at);
    const last = Math.max(...[...open].map((char) => before.lastIndexOf(char)));
    if (last < 0 || (!quotes && [...close].some((char) => before.lastIndexOf(char) > last))) return false;
    return [...close].some((char) => host.slice(at + text.length).includes(char));
  };
  const found = texts.filter(({ text, host }) => host.includes(text));
  const odd = found.filter(({ text, host }) => !placesOf(text, host).some((at) => isIn(text, host, at)));
  return odd.length <= found.length * 0.5
    ? []
    : [
        `the page says that the ${name} stands in ${said[1] ?? "brackets"}, and it reads: ${odd[0]?.text ?? ""}`,
      ];
}

const BEHIND_ENCLOSED =
  /\b(?:after|behind|following)\b (?:the |its |an? )?(?:\w+ ){0,2}in (?:the |its )?(?:round |square |curly |angle )?(parenthes[ei]s|brackets?|quotes|braces)/i;

/** "The text after the identifier in brackets": it stands in the brackets itself. */
function stillEnclosed({ hint, name, texts }: Part): string[] {
  const said = BEHIND_ENCLOSED.exec(hint.description);
  const [, open = "", close = ""] = MARKS.find(([word]) => word.test(said?.[1] ?? "")) ?? [];
  if (said === null || open === "") return [];
  const odd = texts.filter(({ text, host }) => {
    return placesOf(text, host).some((at) => {
      const [before, after] = [host.charAt(at - 1), host.charAt(at + text.length)];
      return before !== "" && after !== "" && open.includes(before) && close.includes(after);
    });
  });
  return odd.length <= texts.length * 0.5
    ? []
    : [
        `the page says that the ${name} stands behind ${said[1] ?? "brackets"}, and it reads: ${odd[0]?.text ?? ""}`,
      ];
}

/** "(which of the two, Start or Finish)": the lines have these words, and the part is none of them. */
function notListed({ hint, name, texts }: Part): string[] {
  const list = /\(([^()`"]+)\)/.exec(hint.description)?.[1] ?? "";
  if (!/,| or /.test(list) || /^\s*(?:after|before|behind|from|between|without)\b/i.test(list)) return [];
  const words = list
    .split(/,\s*(?:or )?|\s+or\s+/)
    .map((one) => one.trim())
    .filter((one) => /^(?:[A-Z][\w-]*|\w+[_-]\w+)$/.test(one));
  if (words.length < 2) return [];
  const isWord = new RegExp(`(?<![\\w-])(?:${words.map(escapeRegex).join("|")})(?![\\w-])`, "i");
  const elsewhere = texts.filter(({ text, host }) => isWord.test(host) && !isWord.test(text));
  return elsewhere.length < texts.length * 0.5 || elsewhere.length === 0
    ? []
    : [`the page lists ${words.join(", ")} for the ${name}, and it reads: ${elsewhere[0]?.text ?? ""}`];
}

/** A text that the page shows for the part stands in its example, and something else is read there. */
function notShown(part: Part, { parts, examples, onLine, lines, records }: Seen): string[] {
  const { hint, name, shown } = part;
  // Lines have a doubt of their own about a single text (doubts/consistency.ts).
  if ((onLine && hint.literals.length < 2) || shown.length === 0) return [];
  // What the log has again and again is a label, not the text of the example.
  const literals = hint.literals
    .map((one) => one.trim())
    .filter((one) => one.length > 1 && examples.some((line) => line.includes(one)))
    .filter((one) => lines.filter((line) => line.includes(one)).length < records * 0.5)
    // One remark may be about two parts and show the text of the other.
    .filter((one) => !parts.some((other) => other !== part && other.shown.some(({ text }) => text === one)));
  const [first] = literals;
  if (first === undefined) return [];
  // "On the `Bus` line, 0e0f:0008": the text stands in the description without a mark.
  const agrees = shown.some(
    ({ text }) =>
      literals.some((one) => text.includes(one) || one.includes(text)) ||
      (/\d/.test(text) && text.length > 3 && hint.description.includes(text)),
  );
  return agrees
    ? []
    : [`the page shows ${first} for the ${name}, and reads in its example: ${shown[0]?.text ?? ""}`];
}

/** Only a piece of the text that the page shows for the part is read in its example. */
function shorter({ hint, name, shown }: Part, { examples }: Seen): string[] {
  const [literal, ...more] = hint.literals.map((one) => one.trim());
  if (literal === undefined || more.length > 0 || !/\s/.test(literal)) return [];
  const piece = shown.find(
    ({ text, host }) => host.includes(literal) && literal !== text && literal.includes(text),
  );
  return piece === undefined || !examples.some((line) => line.includes(literal))
    ? []
    : [`the page shows ${literal} for the ${name}, and only a piece of it is read: ${piece.text}`];
}

/** The page shows the value in its one line, and it is read from another line than the record's. */
function offLine({ hint, name, isValue, isAbove, texts }: Part, { examples, onLine, parts }: Seen): string[] {
  const [line, ...more] = examples.filter((one) => hint.literals.some((text) => one.includes(text.trim())));
  if (!onLine || !isValue || line === undefined || more.length > 0) return [];
  // A line above the one of the record, in the page's own example as well.
  const read = new Set(parts.flatMap((part) => part.shown.map(({ host }) => host)));
  if (isAbove && read.size > 0 && !read.has(line)) return [];
  const off = texts.filter(({ text, host }) => !host.includes(text));
  return off.length <= texts.length * 0.5
    ? []
    : [
        `the page shows the ${name} on the line of the record, and it is read elsewhere: ${off[0]?.text ?? ""}`,
      ];
}

/** A text that the page shows is a cell of the line by itself, and was read with more in front of it. */
function wholeElsewhere({ hint, name, texts }: Part): string[] {
  const shown = hint.literals.map((one) => one.trim()).filter((one) => /^[\w.-]{3,}$/.test(one));
  for (const one of shown) {
    if (texts.some(({ text }) => text === one)) continue;
    // "As in `Test`" names the key in front of the part.
    const cell = new RegExp(`(?<![\\w./:-])${escapeRegex(one)}(?![\\w./:-])(?!["']?\\s*[:=])`);
    const longer = new RegExp(
      `[\\w./:-]${escapeRegex(one)}(?![\\w-])|(?<![\\w-])${escapeRegex(one)}[\\w./:-]`,
    );
    const hit = texts.find(({ text, host }) => longer.test(text) && !/\s/.test(text) && cell.test(host));
    if (hit !== undefined)
      return [`the page shows ${one} for the ${name}, which stands by itself, and it reads: ${hit.text}`];
  }
  return [];
}
