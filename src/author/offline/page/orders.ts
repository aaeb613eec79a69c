// Lists that name the parts of a line one after the other: right behind an example line, in front of it, or in a
// sentence about the columns. Read with the marks between the parts, how many parts one name stands for, and whether
// the list is cut off.

import { escapeRegex } from "../escape.ts";
import { blockOrders } from "./block-orders.ts";
import { isExampleLike } from "./examples.ts";
import { markNamed } from "./marks.ts";
import { numberWord, wordsOf } from "./names.ts";
import { bare, NEGATIVE, quotedIn, type Statement, splitList } from "./text.ts";

/** A part of a line as the list names it. */
export interface OrderItem {
  name: string;
  /** All that the list says of it. */
  text: string;
  /** Several parts under one name: perhaps ("devices"), or surely ("size columns"). */
  many: boolean | "surely";
  optional: boolean;
  /** A mark that the list names in front of it, as an expression. */
  mark?: string;
  /** Parts without a name may stand in front of it ("..., the last one is the time"). */
  apart?: boolean;
}

/** The parts of a line in their order. */
export interface Order {
  items: OrderItem[];
  /** Further parts follow that the list does not name. */
  open: boolean;
  /** The example that it stands beside; undefined for a sentence about the lines. */
  line: string | undefined;
}

const MOST_ITEMS = 24;
const LEAST_ITEMS = 2;

/** The orders of a page: at most one for each example and sentence. */
export function readOrders(statements: readonly Statement[]): Order[] {
  return statements.flatMap((statement) => {
    const beside = besideExamples(statement);
    const told = statement.sentences.flatMap(({ text }, index) =>
      // "Fields: `a`, `b`, in this order behind it" starts in the middle of the line.
      (/\b(?:in (?:this|that) order|behind it|after it|in front of it)\b/i.test(text)
        ? []
        : toldIn(text)
      ).map((order) => ({
        ...order,
        open: order.open || OPEN.test(statement.sentences[index + 1]?.text.replace(/[.]$/, "") ?? ""),
      })),
    );
    // A block below the sentence that names its parts.
    const block = statement.blocks.length === 1 ? statement.blocks[0] : undefined;
    const line = block?.length === 1 ? block[0] : undefined;
    const ahead = line === undefined || told.length > 0 ? [] : orderOf(inFront(statement.text), line, false);
    const own = told.map((order) => (line === undefined ? order : { ...order, line }));
    const ofLines =
      (block?.length ?? 0) > 1
        ? statement.sentences.flatMap(({ text }) =>
            NEGATIVE.test(bare(text)) ? [] : blockOrders(text, (list) => orderOf(list, undefined, false)),
          )
        : [];
    return [...beside, ...own, ...ahead, ...ofLines];
  });
}

const BEHIND =
  /^\s*(?:[:：]|[-–—]|,?\s*\(|,? (?:i\.e\.|that is,?|namely|meaning|with|means|stands for|gives|shows|has|holds|contains|is made of|consists of|(?:the )?(?:[a-z]+ )?(?:columns|cells) (?:are|being))\b:?|,)\s*(?=\S)/i;

/** Lists right behind an example in the text of its statement, or right in front of it. */
function besideExamples(statement: Statement): Order[] {
  const shown = statement.quoted.filter((span) => span.mark === "code" && isExampleLike(span));
  return shown.flatMap((span) => {
    const sentence = statement.sentences.find(
      ({ start, text }) => span.start >= start && span.start < start + text.length,
    );
    if (sentence === undefined) return [];
    const rest = statement.text.slice(span.end, sentence.start + sentence.text.length);
    const lead = BEHIND.exec(rest)?.[0];
    const strong = lead !== undefined && /[:：(–—-]/.test(lead);
    const behind =
      lead === undefined ? [] : orderOf(uptoClose(rest.slice(lead.length), lead), span.text, strong);
    const next =
      statement.sentences[statement.sentences.indexOf(sentence) + 1]?.text.replace(/[.]$/, "") ?? "";
    if (behind.length > 0) return behind.map((order) => ({ ...order, open: order.open || OPEN.test(next) }));
    const ahead = statement.text.slice(sentence.start, span.start);
    return /[:：]\s*$|\blike\s*$|\bis\s*$/.test(ahead) ? orderOf(inFront(ahead), span.text, false) : [];
  });
}

/** A remark in brackets ends with them. */
function uptoClose(text: string, lead: string): string {
  if (!lead.includes("(")) return text;
  let depth = 1;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (depth === 0) return text.slice(0, at);
  }
  return text;
}

const VERB =
  /^.*?\b(?:has|have|gives?|shows?|holds?|contains?|consists? of|made (?:up )?of|lists?|prints?|carr(?:y|ies)|names?|with|(?:starts?|begins?|opens?) with|are|is|comes?|come(?=\s))\b:?\s+(?=\S)/i;

/** What a sentence says in front of its example. */
function inFront(text: string): string {
  const plain = text.replace(/[:：]\s*$/, "").trim();
  const at = plain.search(/[:：]\s(?=[^:：]*$)/);
  return at >= 0 ? plain.slice(at + 1) : plain.replace(VERB, "");
}

const COLUMNS =
  /^(?:(?:the|its|their|these|those|all|each|a|every|then|there) )*(?:[\w-]+ ){0,2}?(?:columns?|parts?|cells?|pieces|entries|elements|tokens|layout|format|order|lines?|rows?|records?)\b/i;
const IN_ORDER =
  /\b(?:from left to right|in (?:this|that|the following|the given) order|in order|one after (?:the other|another)|(?:separated|divided|delimited|set apart|split|parted) by|(?:tab|comma|semicolon|colon|pipe|bar|slash|blank|space)-separated)\b/i;
const FIELDS = /^(?:the |its |other |further |additional )*(?:fields?|values?|值|字段)\b/i;

const LEFT_TO_RIGHT = /,?\s*\b(?:read )?from (?:the )?left to (?:the )?right\b,?/i;

/** "a, b and c are the columns" as "columns: a, b and c". */
function atEnd(text: string): string {
  const list = /^([^:：]+,[^:：]+?) are (?:the|its|their) (?:[a-z]+ )?(?:columns|cells|parts) ?[^,]*$/i.exec(
    text.replace(/[.]$/, ""),
  )?.[1];
  return list === undefined ? text : `columns: ${list}`;
}

/** "Columns: a, b, c", "The parts are a, b and c", "A line has a, b, c", "First comes a, then b, then c". */
function toldIn(text: string): Order[] {
  if (quotedIn(text).some((span) => span.mark === "code" && isExampleLike(span))) return [];
  const whole = text.replace(/`/g, "");
  const ordered = IN_ORDER.test(whole);
  const plain = atEnd(whole.replace(LEFT_TO_RIGHT, ""));
  if (NEGATIVE.test(bare(text).replace(LEFT_TO_RIGHT, "")) || (FIELDS.test(plain) && !ordered)) return [];
  if (/^\W*first(?:ly)? (?:comes?|stands?|there (?:is|are))\b/i.test(plain))
    return orderOf(
      plain.replace(/^\W*first(?:ly)? (?:comes?|stands?|there (?:is|are))\s+/i, ""),
      undefined,
      false,
    );
  if (!COLUMNS.test(plain) && !ordered) return [];
  const colon = /[:：]\s+(?=\S)(?![^:：]*[:：]\s)/.exec(plain);
  const body = colon === null ? plain.replace(VERB, "") : plain.slice(colon.index + colon[0].length);
  if (colon === null && body === plain) return [];
  const begins = /\b(?:starts?|begins?|opens?|first (?:\w+ )?(?:columns?|parts?|cells?))\b/i.test(plain);
  const orders = orderOf(body, undefined, true).filter(({ items }) => items.length >= 3);
  return orders.map((order) => ({
    ...order,
    open: order.open || (begins && order.items.at(-1)?.apart !== true),
  }));
}

const OPEN =
  /^(?:(?:the )?(?:(?:rest|remainder)\b(?! of the line\b)(?!.*\b(?:is|as) (?:the|an?)\b).*|others?(?: (?:do|does|are|is|follow)\b.*)?)|\.{3}|…|etc\.?|so on|and so on|(?:and )?(?:some |a few |many |several )?(?:more|further|other)(?: (?:columns?|parts?|fields?|cells?|things?|details?|figures?|numbers?|counters?|values?|data|entries))?(?: (?:follow|come|stand)\b.*)?|(?:what|whatever) (?:follows|comes)\b.*)$/i;
/** "the last one is the uptime", "in the last column the name". */
const LAST =
  /^(?:and )?(?:(?:the )?(?:last|final)(?: one| columns?| parts?| cells?)? (?:is|has|gives|holds|shows) |in the last (?:column|part|cell) (?=the|an?\b))(.+)$/i;
const CONDITION =
  /[, ]+\(?(?:if|when|where|unless|for (?:some|a few)|in (?:some|a few)|which (?:may|can|is (?:not|only|sometimes))|that (?:may|can)|may|can|sometimes|perhaps|possibly|optional\w*)\b.*$/i;
const LEAD =
  /^(?:(?:(?:and|or|then|followed by|after (?:that|it|them)|behind (?:that|it)|finally|lastly|at the end|comes?|(?:next|now|last|first|in front)(?=,|:| comes?\b| the\b| an?\b))[,:]?|(?:the |its |their )?(?:fixed |following |first |\w+ )?(?:columns|parts|fields)(?::| are| being)?(?= [A-Za-z])|being(?= [a-z])|(?:after|behind) [^,]* comes?)\s+)+/i;
const AFTER_MARK = /^(?:after|behind|following) (?:an?|the|another) ((?:[a-z-]+ )?[a-z-]+),? (?=\w)/i;
const BEHIND_MARK = /\s+(?:after|behind|following) (?:an?|the|another) ((?:[a-z-]+ )?[a-z-]+)$/i;

/** "the words SERVICE ALERT", "the word `on`": words of the line between its parts. */
function wordsNamed(said: string): string | undefined {
  const words =
    /^(?:the |an? )?(?:literal |fixed )?(?:words?|texts?|keyword|prefix|string|tag) [`"“]?(\S.*?)[`"”]?$/.exec(
      said,
    )?.[1];
  if (
    words === undefined ||
    !/^[`"“]|^[^a-z]+$|^\S+$/.test(said.replace(/^.*?(?:words?|texts?|keyword|prefix|string|tag) /, ""))
  )
    return undefined;
  return escapeRegex(words.trim()).replace(/\s+/g, "\\s+");
}

/** "file, line and message, indented": behind "and" the list is at its end. */
const BEHIND_AND =
  /^([^()]*,[^()]* and [^,;()]+), (?!(?:and|or|then|the|an?|its|last|lastly|finally|followed|after|behind|next|optionally|possibly|perhaps|sometimes|if|which|that|rest|others?|more)\b|\.{3}|…)[a-z][^,;()‹`"]*$/;

/** A list of names as an order; none when it is no such list. */
function orderOf(list: string, line: string | undefined, strong: boolean): Order[] {
  const draft: Draft = { items: [], open: false, mark: undefined, place: "", apart: false };
  const named = list
    .replace(/[.。;:\s]+$/, "")
    .replace(BEHIND_AND, "$1")
    // "type and, last, the function".
    .replace(/,? and,? (last|lastly|finally|at the end),\s+/i, ", $1 ")
    // "The function or source line" is one part.
    .replace(/(?<=[a-z]) or (?=[a-z])/g, " \u0001or\u0001 ");
  const parts = splitList(named).flatMap((one) => {
    const part = one.replace(/\u0001/g, "");
    return part.split(/,?\s+(?:and )?(?:then(?: comes?| the| an?)?|followed by)\s+/i);
  });
  for (const part of parts) {
    if (addPart(draft, part)) continue;
    // A clause of its own ends the list.
    if (draft.items.length < LEAST_ITEMS) return [];
    draft.open = true;
    break;
  }
  const { items, open } = draft;
  const short = items.every(({ name }) => wordsOf(name).length <= (strong ? 7 : 4));
  if (items.length < LEAST_ITEMS || items.length > MOST_ITEMS || !short) return [];
  return [{ items, open, line }];
}

/** A list as far as it is read, and what was said of the name that comes next. */
interface Draft {
  items: OrderItem[];
  open: boolean;
  mark: string | undefined;
  place: string;
  apart: boolean;
}

/** Adds a part of the list: a name, or what is said beside the names. False for a clause that is neither. */
function addPart(draft: Draft, part: string): boolean {
  const last = LAST.exec(part)?.[1];
  const said = (last ?? part)
    .replace(LEAD, "")
    .replace(/\s+(?:and )?then$|^then$/i, "")
    .trim();
  if (said === "" || SEPARATED.test(said) || MANNER.test(said)) return true;
  if (OPEN.test(said)) {
    draft.open = true;
    draft.apart = true;
    return true;
  }
  if (last !== undefined) draft.apart = true;
  if (PLACE.test(said)) {
    draft.place = said;
    return true;
  }
  if (addRemark(draft, said)) return true;
  // "Table "Signals", first columns ...": a title is no part.
  if (draft.items.length === 0 && /["“][^"”]+["”]/.test(said)) return true;
  if (/^(?:the )?first (?:columns|parts|fields)\b/i.test(part)) draft.open = true;
  const read = itemOf(said);
  if (read === undefined) return false;
  const { item, count } = read;
  if (draft.place !== "") item.text += ` ${draft.place}`;
  if (draft.mark !== undefined) item.mark ??= draft.mark;
  if (draft.apart) {
    item.apart = true;
    draft.open = false;
  }
  for (let turn = 0; turn < count; turn += 1) draft.items.push(turn === 0 ? item : { ...item });
  Object.assign(draft, { mark: undefined, place: "", apart: false });
  return true;
}

/** What is said of the name before ("which may be missing"), and marks and words of the line between the names. */
function addRemark(draft: Draft, said: string): boolean {
  const previous = draft.items.at(-1);
  if (previous !== undefined && /^(?:which|that|whose|both|each|all) /.test(said)) {
    previous.text += `, ${said}`;
    previous.optional ||=
      CONDITION.test(` ${said}`) && /\b(?:missing|absent|optional|empty|blank)\b/.test(said);
    return true;
  }
  const own = markNamed(said) ?? wordsNamed(said);
  if (own === undefined) return false;
  draft.mark = draft.mark === undefined ? own : `${draft.mark}\\s*${own}`;
  return true;
}

const CLAUSE =
  /^(?:only|not|no|without|(?:columns|lines|rows|records)(?= )|separated|which|that|whose|but|here|so|as|with)\b|\s(?:is|are|was|were|be|been|follows?|stands?|belongs?|begins?|starts?|means|says|describes?|wanted|needed|differs?|has|have|do|does|only|not|no)\b/i;
/** "what is opened", "who has called it" are names. */
const WHAT = /^(?:what|who|where|when) (?:is|was|has been|were|are) [a-z]+$/i;
/** "in the last parentheses": where the next part stands. */
const PLACE =
  /^(?:in|within|inside|between) (?:the )?(?:[a-z]+ )*(?:brackets?|parenthes[ie]s|quotes|braces|quotation marks)$/i;
const SURELY = /\b(?:columns|parts|numbers|values|counters|counts|figures|sizes|times|cells|fields)$/i;
const SEPARATED =
  /^(?:all |each |both )?(?:separated|divided|delimited|set apart|parted|joined|split) (?:by|with|from)\b/i;

/** "file, line and message, indented" */
const MANNER =
  /^(?:(?:all|each|both|always|mostly|sometimes) )?(?:indented|(?:left|right)[- ]aligned|aligned|padded|sorted|quoted|unquoted|capitalised|capitalized|abbreviated|truncated|wrapped|printed in columns|in columns|in capitals|on one line|in one line)(?: (?:by|with|to) .*)?$/i;

/** "a counter for each of the two processors": the name, and how many parts it stands for. */
function itemOf(said: string): { item: OrderItem; count: number } | undefined {
  const optional = CONDITION.test(said);
  const plain = said.replace(CONDITION, "").trim();
  const behind = AFTER_MARK.exec(plain) ?? BEHIND_MARK.exec(plain);
  const mark = behind === null ? undefined : markNamed(behind[1] ?? "");
  const text = mark === undefined ? plain : plain.replace(behind?.[0] ?? "", " ").trim();
  const ordered = text.replace(/\s+in (?:this|that|the given) order$/i, "");
  const rest =
    /^the (?:rest|remainder)(?: of the (?:line|row))? (?:is|as|being) (.+)$/i.exec(ordered)?.[1] ?? ordered;
  // "two state letters" are one part.
  const counted =
    /^(?:the )?(two|three|four|five|six|\d) (?!spaces|blanks)(?!(?:[a-z]+ )?(?:letters|characters|digits)\b)(?=\w)/i.exec(
      rest,
    );
  const each = /\bfor (?:each|every|both|all) (?:of )?(?:the |its )?(two|three|four|five|six|\d)\b/i.exec(
    rest,
  );
  const both = /\bfor both\b/i.test(rest) ? 2 : undefined;
  const count = numberWord((counted ?? each)?.[1] ?? "") ?? both ?? 1;
  const name = rest
    .replace(/\([^()]*\)/g, " ")
    .replace(/^(?:the |an? |its |their |each |every )+/i, "")
    .replace(/^(?:two|three|four|five|six|\d) (?=\w)/i, "")
    .replace(/\s(?:joined|separated|divided|parted) by\b.*$/i, "")
    .replace(/[`"“”]/g, "")
    .replace(
      /\s+(?:in|within|inside|between) (?:the |its |an? )?(?:[a-z]+ )?(?:brackets?|parenthes[ie]s|quotes|braces|quotation marks)\b.*$/i,
      "",
    )
    .trim();
  const words = wordsOf(name);
  const isClause = CLAUSE.test(name) && !WHAT.test(name);
  if (words.length === 0 || words.length > 9 || isClause) return undefined;
  const many =
    count === 1 && /[^su]s$/.test(words.filter((one) => !/^(?:of|in|for|the)$/.test(one)).at(-1) ?? "");
  return {
    item: {
      name,
      text: said,
      many: many && SURELY.test(name) ? "surely" : many,
      optional,
      ...(mark === undefined ? {} : { mark }),
    },
    count: Math.min(6, count),
  };
}
