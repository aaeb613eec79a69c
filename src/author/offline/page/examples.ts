// Which of the quoted texts and code blocks of a page are example lines, which are texts that a wanted line has, and
// which are texts of lines that are not wanted.

import { isAside, isFrame, rulesOut } from "./facts.ts";
import { isGlob } from "./files.ts";
import type { Group } from "./page.ts";
import { bare, NEGATIVE, type Quoted, quotedIn, type Sentence, type Statement } from "./text.ts";

/** Examples, wanted and unwanted texts of the sentences that speak of neither value nor fields; `isTold` where an example,
 * the value and the fields are known by then. */
export function readRest(
  statement: Statement,
  sentences: readonly Sentence[],
  unwanted: string[],
  isTold = false,
) {
  const rest: Pick<Group, "examples" | "wanted" | "only"> = {
    examples: statement.blocks.flatMap((lines) => examplesIn(lines, statement.text)),
    wanted: [],
    only: [],
  };
  for (const sentence of sentences) readRestSentence(sentence, rest, unwanted, isTold);
  return rest;
}

const SEVERAL =
  /\b(?:examples|samples|(?:example|sample|typical) (?:lines|rows|records|entries|messages))\b/i;

/** A block is one example; "two examples, with and without a reason:" has one on each line. */
function examplesIn(lines: string[], said: string): Group["examples"] {
  const depths = new Set(lines.map((line) => line.search(/\S/)));
  const each = lines.length > 1 && lines.length <= 6 && depths.size === 1 && !depths.has(-1);
  return each && SEVERAL.test(bare(said))
    ? lines.map((line) => ({ lines: [line], label: "", mark: "code" }))
    : [{ lines, label: "", mark: "block" }];
}

const SELECTS =
  /\bonly\b|\bexactly\b|\bmust (?:contain|start|begin)\b|\bstart(?:s|ing)? with\b|\bmarked\b|\bcontain/i;
const ONLY_LINES = /\bonly\b[^.]*\b(?:lines?|entries|records|messages|rows|ones|those|events?|levels?)\b/i;

/** "A pass starts with its number and its name: `...`" names parts; what stands behind the colon is an example of them. */
const OPENS_WITH_PARTS =
  /\b(?:start|begin|open)(?:s|ing)? with (?:its|their|the|an?|one|two)\b[^`"]*[:：]\s*[`"]?$/i;

function readRestSentence(
  sentence: Sentence,
  rest: Pick<Group, "examples" | "wanted" | "only">,
  unwanted: string[],
  isTold: boolean,
): void {
  const plain = bare(sentence.text);
  const selects = SELECTS.test(plain);
  // "Whatever else is said about `x` is ignored" rules nothing out that has x.
  if (/^(?:whatever|anything|everything|all) else\b/i.test(plain) && NEGATIVE.test(plain)) return;
  const aside = isAside(plain) || (isTold && isFrame(plain));
  const excludes = aside || (rulesOut(plain) && !selects);
  const spans = quotedIn(sentence.text);
  readNames(plain, rest, unwanted);
  for (const [index, span] of spans.entries()) {
    if (isGlob(span.text)) continue;
    // "have the heading `Ports:` instead of `Port:`": the other one is what is wanted.
    const contrast = /\b(?:instead of|rather than|in place of|unlike|but not|other than)\s+$/i.test(
      sentence.text.slice(0, span.start),
    );
    if (excludes && contrast) continue;
    // What is only named by the way is neither.
    if (aside && !isLine(span, sentence.text)) continue;
    const isOut = excludes || isDenied(span, sentence.text);
    const isText = isMention(span, sentence.text);
    if (!isOut && !isText && isLine(span, sentence.text)) {
      rest.examples.push({
        lines: [span.text],
        label: labelBefore(sentence.text, spans, index),
        mark: span.mark,
      });
      if (selects && !OPENS_WITH_PARTS.test(sentence.text.slice(0, span.start))) rest.wanted.push(span.text);
    } else if (isText || !isPlaceholder(span.text)) {
      // Words for what stands on lines are neither a line nor a text of one.
      addText(span.text, isOut, rest, unwanted);
    }
    rest.only.push(...onlyOf(span, sentence.text));
  }
}

function addText(text: string, isOut: boolean, rest: Pick<Group, "wanted">, unwanted: string[]): void {
  if (isOut) unwanted.push(beginningOf(text));
  else rest.wanted.push(text);
}

function onlyOf(span: Quoted, sentence: string): string[] {
  return ONLY_LINES.test(sentence.slice(0, span.start)) && !isDenied(span, sentence) ? [span.text] : [];
}

const DENIED_BEFORE =
  /(?:^|[\s,;:(])(?:no|not|nor|never|nothing (?:like|such as)|neither)\s+(?:(?:the|an?|any|mere|plain|lines?|rows?|messages?|entries|those|ones|like|such as|with|of)\s+){0,3}$/i;
const DENIED_BEHIND =
  /^(?: alone| itself| by itself| lines?)? (?:(?:does|do|will|would|can) not (?:qualify|suffice|do|make|be enough|belong)|(?:is|are) (?:not enough|none(?: of (?:them|these|those))?)|(?:names?|calls?|makes?) (?:none|no [a-z]+)|[a-z]+ (?:an? |the )?[a-z]+ and (?:no|not an?) [a-z]+)\b/i;

/** "Only passes, so no frontend and no "Executing x"", "`x` alone will not do": the text is of lines that are not wanted. */
function isDenied({ text, start, end }: Quoted, sentence: string): boolean {
  if (!/[A-Za-z]{3}/.test(text)) return false;
  const behind = sentence.slice(end);
  // "Not `x` but `y` is the name", "not `x` itself, its number".
  const before =
    DENIED_BEFORE.test(sentence.slice(0, start)) && !/^,? (?:but|itself|as|in front|yet)\b/i.test(behind);
  return before || DENIED_BEHIND.test(behind);
}

/** Words named as such, and names in brackets of what is not wanted. */
function readNames(plain: string, rest: Pick<Group, "wanted">, unwanted: string[]): void {
  for (const match of plain.matchAll(/\bthe words? ([A-Z][\w-]*(?: [A-Z][\w-]*)*)/g))
    rest.wanted.push(match[1] ?? "");
  if (rulesOut(plain)) {
    for (const match of plain.matchAll(/\(([^()‹›]{4,60})\)/g)) unwanted.push(...listedIn(match[1] ?? ""));
  }
}

/** "MSB..." stands for all that begins so. */
function beginningOf(text: string): string {
  return text.replace(/(?<=\w{2})\s*(?:\.{3}|…)$/, "");
}

/** "(OPEN, CWD and so on)": each of the names; of any other remark its beginning. */
function listedIn(remark: string): string[] {
  const names = remark
    .split(/\s*,\s*|\s+(?:and|or)\s+/)
    .filter((one) => !/^(?:so on|others|etc\.?)$/.test(one));
  const areNames = names.length > 1 && names.every((one) => /^[A-Z][A-Z0-9_-]{2,}[=:]?$/.test(one));
  return areNames ? names : [beginningOf(remark)];
}

const PLACEHOLDER =
  /^(?:(?:key|value|name|text|label|title|field|attribute|setting|number|description|word)s?(?:\s*[:=.,|-]+\s*|\s+|$)){2,}$/i;

/** "`Key: Value` lines": words for what stands on lines, not a line. */
export function isPlaceholder(line: string): boolean {
  return PLACEHOLDER.test(line.trim());
}

/** Long enough, or with enough structure, to be a line rather than a word. */
export function isExampleLike(span: Quoted): boolean {
  const text = span.text.trim();
  const words = text.split(/\s+/).length;
  if (isPlaceholder(text)) return false;
  // Two cells of a row.
  if (words >= 2 && /\S {3,}\S|\S\t+\S/.test(text)) return true;
  return words >= 3 || (words >= 2 && /[:="'([<\d]/.test(text)) || (text.match(/[:|;,=]/g) ?? []).length >= 2;
}

function isLine(span: Quoted, sentence: string): boolean {
  return isExampleLike(span) || isShortLine(span, sentence) || isLabelled(span, sentence);
}

/** "One option per line: `keepalive yes`": two words are a line where the page says so. */
function isShortLine({ text, mark, start, end }: Quoted, sentence: string): boolean {
  if (mark !== "code" || text.trim().split(/\s+/).length !== 2 || isPlaceholder(text)) return false;
  const cue =
    /\b(?:(?:per|a|an|each|every|one|example|sample) (?:line|row|entry)|(?:lines|rows|entries) (?:like|such as))\b[^.;`]{0,20}:?\s*$/i;
  const isAlone = /^\W*$/.test(sentence.slice(end));
  return isAlone && (cue.test(sentence.slice(0, start)) || /^\W*$/.test(sentence.slice(0, start)));
}

/** "Short form: `@weekly /opt/x`": a label says as well that it is a line. */
function isLabelled(span: Quoted, sentence: string): boolean {
  const label = /\b(?:form|variant|line|example|sample|row|entry|style|syntax|layout)\s*[:：]\s*$/i;
  return /\S\s+\S/.test(span.text) && label.test(sentence.slice(0, span.start));
}

/** A title or a few words of a line, named in the middle of a sentence: no line of its own. */
function isMention(span: Quoted, sentence: string): boolean {
  const before = sentence.slice(0, span.start);
  const text = span.text.trim();
  const isTitle =
    /\b(?:section|table|heading|headline|title|titled|headed|panel|banner|caption|called|named|block|chapter|column)s?\b[^.;,"`]{0,12}\(?$/i;
  if (isTitle.test(before)) return !/[=|]/.test(text) && (span.mark === "quote" || !/\d/.test(text));
  const isLine = /\bthe line\s+$/i.test(before);
  if (isLine && /^[A-Za-z][\w ]*:$/.test(text)) return true;
  const around = /\p{L}/u.test(before) && /\p{L}/u.test(sentence.slice(span.end));
  return span.mark === "quote" && around && text.split(/\s+/).length <= 4 && /^[A-Za-z .…-]+$/.test(text);
}

function labelBefore(text: string, spans: readonly Quoted[], index: number): string {
  const span = spans[index];
  if (span === undefined) return "";
  // Several examples behind one label ("Antenna: `a` and `b`") share it.
  for (let at = index; at >= 0; at -= 1) {
    const from = at === 0 ? 0 : (spans[at - 1]?.end ?? 0);
    const before = text.slice(from, spans[at]?.start ?? 0).trim();
    const label = /([\p{L}\p{N}][\p{L}\p{N} _/-]*?)\s*[:：–-]$/u.exec(before)?.[1];
    if (label !== undefined) return label;
    if (!/^(?:and|or|,)?$/i.test(before)) return "";
  }
  return "";
}
