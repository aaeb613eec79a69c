// The sentences of a page that restrict what is wanted ("Only records with action deny"), as conditions on a field
// or on the words of a record. What was read here must be realised by a rule, or the rule is not accepted.
import type { GroupFilter, Match } from "../program/ir.ts";
import type { FieldRule } from "./page.ts";
import { saysUnwanted } from "./polarity.ts";
import { bare, NEGATIVE, type Sentence } from "./text.ts";

const WORD = '(?:`[^`]+`|"[^"]+"|[\\w%+-][\\w.%+/:-]*)';
/** "with Z or with D". */
const LIST = `${WORD}(?:(?:\\s*,\\s*(?:with )?${WORD})*\\s*,?\\s+or\\s+(?:with )?${WORD})?`;
const ANDS = `${WORD}(?:(?:\\s*,\\s*${WORD})*\\s*,?\\s+(?:or|and)\\s+${WORD})*`;
const NAME = "([A-Za-z][\\w.-]*(?: [\\w.-]+){0,2}?)";
const OWNER = "(?:whose|where(?: the| its)?|with(?: an?| the)?|having(?: an?| the)?|their|its)";

/** Words that no condition compares with. */
const NO_WORD =
  /^(?:not|so|too|very|such|other|the|an?|in|on|of|at|by|one|never|is|are|was|be|and|or|that|which|with|from|for|to|as|it|its|they|their|these|those|this|what|whatever|count|counts|wanted|taken|read|exactly|just|simply|merely|also|only|set|given|shown|printed|marked|listed|described|anything|something|none|no|any|all|each|every|more|less|at least|above|below|greater|smaller|empty|blank|there|here|where|when|if|line|lines|record|records|row|rows|entry|entries|field|fields|value|values|column|columns|table|section|block|blocks|name|names)$/i;

/** Words in capitals are texts of the log even when they are plain words otherwise ("is NOT SET"). */
function isPlain(word: string): boolean {
  return !/^[A-Z][A-Z_-]+$/.test(word) && NO_WORD.test(word);
}

/** Nouns of records, not of fields. */
const RECORD_NOUN =
  /^(?:line|record|row|entry|entrie|item|message|one|those|block|file|section|table|report|log|path|port|container|rule|test|package|finding|job|job|point|pool|drive|node|host|user)s?$/i;

/** All conditions of a sentence. */
export function readConditions(sentence: Sentence): FieldRule[] {
  const rules: FieldRule[] = [];
  // A name in backticks behind "whose" is a name like any other.
  // A line that is shown compares nothing.
  const own = sentence.text.replace(/`[^`]*`/g, (span) => (/\S+\s+\S+\s+\S+\s+\S+/.test(span) ? "…" : span));
  const text = own.replace(/\b(whose|where(?: the)?|with(?: an?| the)?)\s+`([A-Za-z][\w.-]*)`/gi, "$1 $2");
  const restricts = /\bonly\b/i.test(bare(text));
  const push: Push = (name, list, more = {}) => {
    const equals = wordsIn(list);
    const trimmed = name.replace(/^(?:the|an?|its|their)\s+/i, "").trim();
    if (
      /\b(?:not|do|does|an?|the|its|their|no|exactly|one|two|more|less|least|most|any|both|only|(?:begin|start|end|contain)(?:s|ing)?)\b/i.test(
        trimmed,
      )
    )
      return;
    // "And where it is mounted" says what else there is.
    if (/^(?:it|they|this|that|these|those|each|he|she|one)$/i.test(trimmed)) return;
    // "Entries with the asterisk are active": a mark is no part.
    if (/^(?:asterisk|star|tilde|hash|caret|(?:plus|minus|hash|number) sign)\b/i.test(trimmed)) return;
    // "A table whose column titles are spread over three lines" says nothing about a record.
    if (/^(?:columns?|headings?|headers?|lines?|rows?|tables?)\b/i.test(trimmed)) return;
    // "lines with a module in brackets" compares nothing.
    if (/\s(?:in|on|of|by|from|to|at|inside|behind|after|before)$/i.test(trimmed)) return;
    if (equals.length === 0 || trimmed.split(/\s+/).length > 3 || /\d/.test(trimmed)) return;
    if (rules.some((one) => one.name === trimmed && (one.negate || more.match !== undefined))) return;
    const rule: FieldRule = { name: trimmed, equals, negate: false, ...more };
    if (!rules.some((one) => JSON.stringify(one) === JSON.stringify(rule))) rules.push(rule);
  };
  readAffixes(text, restricts, push);
  readLacks(text, push);
  readWords(text, push);
  readClasses(text, restricts, push);
  const other = new RegExp(
    `\\b${OWNER.replace("whose", "(?:whose|where)")}\\s+${NAME}\\s+(?:is |are |being )?anything (?:but|other than|else than|except)\\s+(?:an?\\s+|the\\s+)?(${WORD})`,
    "gi",
  );
  const dash = /\banything (?:but|other than|else than|except)\s+(?:an?\s+)?(?:dash|hyphen)\b/i.test(text);
  // "Whose connection state (column conn_state) is anything else than SF".
  const inOne = text.replace(/\s*\([^()]*\)/g, "");
  for (const match of inOne.replace(/\bwhere\s+(?=[A-Z])/g, "where the ").matchAll(other))
    push(match[1] ?? "", dash ? "`-`" : (match[2] ?? ""), { negate: true });
  const plain = new RegExp(
    `\\b(?:(?:whose|where(?: the)?)\\s+${NAME}\\s+(?:is|are|equals|equal to|reads|says|=)|with(?: an?| the)?\\s+${NAME}\\s+(?:equals|equal to|=|of))\\s+(?:(?:exactly|either|just|simply|merely|only)\\s+)*(${LIST})`,
    "gi",
  );
  const negate = NEGATIVE.test(bare(text)) && !restricts;
  for (const match of text.matchAll(plain)) {
    // "with the numbers of changed files" compares nothing.
    if (
      /^(?:numbers?|counts?|amounts?|lists?|names?|kinds?|sets?|pairs?|sums?|lines?)$/i.test(match[2] ?? "")
    )
      continue;
    // "With a head of three lines": so many of something.
    const isOf = /\sof\s+(?:(?:exactly|either|just)\s+)*$/i.test(
      match[0].slice(0, match[0].lastIndexOf(match[3] ?? "")),
    );
    if (isOf && /^[a-z][a-z-]*$/.test(match[3] ?? "")) continue;
    const [first, second] = wordsIn(match[3] ?? "", true);
    if (first === undefined || (isPlain(first) && second === undefined)) continue;
    push(match[1] ?? match[2] ?? "", match[3] ?? "", { negate });
  }
  if (restricts) readOnly(text, push);
  if (!negate) readKinds(text, push);
  if (!negate && SELECTS.test(bare(text))) readTexts(text, push);
  return rules;
}

/** "Whose name begins with `x`"; "members whose name begins with `x` are not wanted". */
function readAffixes(text: string, restricts: boolean, push: Push): void {
  const isOut = saysUnwanted(bare(text)) && !restricts;
  const affix = new RegExp(
    `\\b${OWNER}\\s+${NAME}\\s+(begins?|starts?|starting|beginning|ends?|contains?|includes?)(?:\\s+with)?\\s+(?:the (?:word|text) )?(${LIST})(?=[\\s.,;)]|$)`,
    "gi",
  );
  for (const match of text.matchAll(affix)) {
    const verb = (match[2] ?? "").toLowerCase();
    const how = /^(?:b|s)/.test(verb) ? "prefix" : verb.startsWith("e") ? "suffix" : "contains";
    push(match[1] ?? "", match[3] ?? "", { match: how, ...(isOut ? { negate: true } : {}) });
  }
}

/** "Whose options do not include nosuid". */
function readLacks(text: string, push: Push): void {
  const lacks = new RegExp(
    `\\b(?:whose|where the|where)\\s+${NAME}\\s+(?:do|does) not\\s+(?:include|contain|have|list|name|mention|carry)s?\\s+(?:the (?:word|text|flag|option) )?(${LIST})(?=[\\s.,;)]|$)`,
    "gi",
  );
  for (const match of text.matchAll(lacks))
    push(match[1] ?? "", match[2] ?? "", { match: "contains", negate: true });
}

/** "Members that have the word faulty or the word spare in their state". */
function readWords(text: string, push: Push): void {
  const match =
    /\b(?:have|has|with|contain(?:ing|s)?) (?:the )?words? ((?:`[^`]+`|"[^"]+"|[\w-]+)(?:(?:,| or|, or) (?:the )?(?:word )?(?:`[^`]+`|"[^"]+"|[\w-]+))*) in (?:their|its|the) ([a-z][\w]*)\b/i.exec(
      text,
    );
  if (match === null || NEGATIVE.test(bare(text))) return;
  push(match[2] ?? "", (match[1] ?? "").replace(/\b(?:the|word) /gi, ""), { match: "contains" });
}

/** "Only status 5xx": the texts begin with the digit. */
function readClasses(text: string, restricts: boolean, push: Push): void {
  const classes = /\b([a-z]+)s?\s+`?([1-9])xx`?(?:\s+(?:or|and)\s+`?([1-9])xx`?)?/i.exec(text);
  if (classes === null || NEGATIVE.test(bare(text)) || !(restricts || /\bwith\b|\bwhose\b/i.test(text)))
    return;
  const digits = [classes[2], classes[3]].filter((digit) => digit !== undefined);
  push(classes[1] ?? "", digits.map((digit) => `\`${digit}\``).join(" or "), { match: "prefix" });
}

type Push = (name: string, list: string, more?: Partial<FieldRule>) => void;

/** "Extract the records of type A", "events of level ERROR". */
function readKinds(text: string, push: Push): void {
  const found =
    /\b(?:extract|take|keep|want|wanted|need|are|only)\b[^.;]*?\b(?:records?|lines?|entries|rows?|events?|messages?|objects?|ones|those) (?:of|with)(?: the| an?)? (type|class|kind|level|severity|state|status|category|action) ([A-Z][A-Z0-9_-]*|`[^`]+`)(?=[\s.,;)]|$)/.exec(
      text.replace(/^[A-Z]/, (letter) => letter.toLowerCase()),
    );
  if (found !== null) push(found[1] ?? "", `\`${(found[2] ?? "").replace(/`/g, "")}\``);
}

const SELECTS = /\b(?:take|keep|only|extract|count|report|wanted|of interest|want)\b/i;

/** "with state CRITICAL and state type HARD": lower-case names in front of texts in capitals. */
function readTexts(text: string, push: Push): void {
  const with_ =
    /\b(?:with|whose|having)\s+((?:(?:an?|the)\s+)?(?:[a-z][\w-]*\s+){1,3}[A-Z][A-Z_-]+\b.*)/.exec(text)?.[1];
  if (with_ === undefined) return;
  const pair =
    /^(?:(?:an?|the|and|,)\s+)*((?:[a-z][\w-]*\s+){1,3}?)([A-Z][A-Z_-]+)\b(?:\s*(?:,|and)\s+|(?=[.;,)]|$))/;
  for (let rest = with_; ; ) {
    const match = pair.exec(rest);
    if (match === null) return;
    const name = (match[1] ?? "").trim();
    if (
      !RECORD_NOUN.test(name) &&
      !/\b(?:columns?|fields?|parts?|keys?|words?|headings?|is|are|was|of)\b/.test(name)
    )
      push(name, match[2] ?? "");
    rest = rest.slice(match[0].length);
  }
}

/** The forms that "only" has without a verb. */
function readOnly(text: string, push: Push): void {
  // "Only records with action deny", "Only blocks of severity Violation".
  const direct = new RegExp(
    `\\bonly\\s+(?:the\\s+)?(?:[\\w-]+\\s+){1,2}?(?:with|of|having|in)\\s+(?:an?\\s+|the\\s+)?([a-z][\\w-]*(?: [a-z][\\w-]*){0,2}?)\\s+(${ANDS})(?=\\s*(?:[.,;()]|$|(?:are|is|count|matter|not|and|or|whose|with|that|which)\\b))`,
    "gi",
  );
  for (const match of text.matchAll(direct)) {
    // "Only messages of refused moorings": such a word names nothing.
    if (/(?:ed|ing)$/.test(match[1] ?? "") && !/[`"]/.test(match[2] ?? "")) continue;
    if (!RECORD_NOUN.test(match[1] ?? "")) push(match[1] ?? "", match[2] ?? "");
  }
  // "Levels ERROR and FATAL only".
  const behind = new RegExp(
    `(?:^|[:;,]\\s+)(?:the\\s+)?([A-Za-z][\\w-]*s)\\s+(${ANDS})\\s+only\\b`,
    "i",
  ).exec(text);
  if (behind !== null && !RECORD_NOUN.test(behind[1] ?? "")) push(behind[1] ?? "", behind[2] ?? "");
  // "Only events `job_finished`", "only level ERROR".
  const named =
    /\bonly\s+(?:the\s+)?([a-z]+)\s+((?:`[^`]+`|[A-Z]{2,}\b)(?:(?:,\s*|\s+(?:or|and)\s+)(?:`[^`]+`|[A-Z]{2,}\b))*)/.exec(
      text.replace(/^Only/, "only"),
    );
  if (named !== null && !RECORD_NOUN.test(named[1] ?? "")) push(named[1] ?? "", named[2] ?? "");
  // "Only FAILED and ERROR lines": words of the record, of no field.
  const bareWords =
    /\bonly\s+(?:the\s+)?((?:`[^`]+`|[A-Z]{2,}\b)(?:(?:,\s*|\s+(?:or|and)\s+)(?:`[^`]+`|[A-Z]{2,}\b))*)\s+(?:lines?|records?|rows?|entries|messages?|events?|tests?|blocks?)\b/.exec(
      text.replace(/^Only/, "only"),
    );
  if (bareWords !== null) push("", bareWords[1] ?? "");
}

function wordsIn(list: string, all = false): string[] {
  const quoted = /[`"]/.test(list);
  const words = [...list.matchAll(/`([^`]+)`|"([^"]+)"|[^\s,]+/g)].map((match) => ({
    text: match[1] ?? match[2] ?? match[0].replace(/[.,;:]+$/, ""),
    marked: match[1] !== undefined || match[2] !== undefined,
  }));
  const kept = words.filter((one) => one.marked || (!quoted && !/^(?:or|and)$/i.test(one.text)));
  // "yes or no": a list of plain words is one of texts.
  const either = kept.length >= 2 && kept.some((one) => /^(?:yes|on|true|enabled)$/i.test(one.text));
  if (all || either) return kept.map((one) => one.text);
  return kept.filter((one) => one.marked || !isPlain(one.text)).map((one) => one.text);
}

/** Does a text fulfil a condition? */
export function holds(
  condition: Pick<FieldRule, "equals" | "negate" | "match"> & Pick<GroupFilter, "fold" | "cut">,
  text: string,
): boolean {
  const whole = condition.fold === true ? text.trim().toLowerCase() : text.trim();
  const own =
    condition.cut === undefined ? whole : (new RegExp(condition.cut, "u").exec(whole)?.groups?.["cut"] ?? "");
  const { match } = condition;
  if (match === "letters") return (/[A-Za-z]/.test(own) && !/\d/.test(own)) !== condition.negate;
  const hit = condition.equals.some((one) => {
    if (match === "prefix") return own.startsWith(one);
    if (match === "suffix") return own.endsWith(one);
    if (match === "contains") return own.includes(one);
    if (match === "like") return new RegExp(one, "u").test(own);
    if (match === "before") return order(own, one) < 0;
    if (match === "until") return order(own, one) <= 0;
    if (match === "since") return order(own, one) >= 0;
    if (match === "after") return order(own, one) > 0;
    if (match !== undefined) return compares(match, amountOf(own), amountOf(one));
    return own === one;
  });
  return hit !== condition.negate;
}

/** How the numbers of two texts follow each other, one after the other; NaN where a text has none. */
function order(own: string, other: string): number {
  const [a, b] = [own, other].map((text) => (text.match(/\d+/g) ?? []).map(Number));
  if (a === undefined || b === undefined || a.length === 0 || b.length === 0) return Number.NaN;
  const at = a.concat(b).findIndex((_, index) => (a[index] ?? 0) !== (b[index] ?? 0));
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

const AMOUNT = /^[-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[-+]?\d+)?/i;

/** The number in front of a text; NaN when there is none. */
function amountOf(text: string): number {
  return Number((AMOUNT.exec(text)?.[0] ?? "x").replace(/,/g, ""));
}

function compares(match: Match, own: number, other: number): boolean {
  if (match === "above") return own > other;
  if (match === "least") return own >= other;
  if (match === "below") return own < other;
  return match === "most" ? own <= other : own === other;
}

/** The condition as a filter on a group of a rule. */
export function filterOf(rule: FieldRule, group: string): GroupFilter {
  return {
    group,
    equals: rule.equals,
    ...(rule.negate ? { negate: true } : {}),
    ...(rule.match === undefined ? {} : { match: rule.match }),
  };
}
