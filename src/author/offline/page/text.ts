// The text of a section as statements: one per paragraph or bullet, with its quoted spans, its code blocks and
// its sentences. Nothing is interpreted yet.

export interface Quoted {
  text: string;
  /** Offsets in the statement's text, the quotes included. */
  start: number;
  end: number;
  mark: "code" | "quote";
}

export interface Statement {
  /** One line, without bullet and bold marks. */
  text: string;
  depth: number;
  quoted: Quoted[];
  /** Code blocks that belong to it, one array of lines each. */
  blocks: string[][];
  sentences: Sentence[];
}

export interface Sentence {
  text: string;
  start: number;
}

const BULLET = /^(\s*)(?:[-*+•]|\d{1,2}[.)])\s+(.*)$/;
const FENCE = /^\s*(```+|~~~+)/;

/** Cuts a section into statements, in order. Headings become statements of their own. */
export function statementsOf(section: string): Statement[] {
  const drafts: { text: string; depth: number; blocks: string[][] }[] = [];
  let open: (typeof drafts)[number] | undefined;
  let fence: { mark: string; lines: string[]; indent: number } | undefined;
  for (const raw of section.replace(/\r\n?/g, "\n").split("\n")) {
    const mark = FENCE.exec(raw)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence.mark) === true) {
        if (drafts.length === 0) drafts.push({ text: "", depth: 0, blocks: [] });
        drafts.at(-1)?.blocks.push(fence.lines);
        fence = undefined;
      } else {
        fence.lines.push(dedent(raw, fence.indent));
      }
      continue;
    }
    const onBullet = /^(\s*[-*+•]\s+)(```+|~~~+)\w*\s*$/.exec(raw);
    if (onBullet !== null) {
      // A bullet that is nothing but a code block.
      drafts.push({ text: "", depth: 1, blocks: [] });
      fence = { mark: onBullet[2] ?? "```", lines: [], indent: (onBullet[1] ?? "").length };
      open = undefined;
      continue;
    }
    if (mark !== undefined) {
      fence = { mark, lines: [], indent: raw.search(/\S/) };
      continue;
    }
    if (raw.trim() === "") {
      open = undefined;
      continue;
    }
    const bullet = BULLET.exec(raw);
    const heading = /^\s*#{1,6}\s+(.*)$/.exec(raw);
    if (bullet !== null || heading !== null || open === undefined || /^\s*\|.*\|\s*$/.test(raw)) {
      const depth = bullet === null ? 0 : 1 + Math.floor((bullet[1] ?? "").replace(/\t/g, "  ").length / 2);
      open = { text: heading?.[1] ?? bullet?.[2] ?? raw.trim(), depth, blocks: [] };
      drafts.push(open);
      if (heading !== null) open = undefined;
    } else {
      open.text += ` ${raw.trim()}`;
    }
  }
  if (fence !== undefined) drafts.at(-1)?.blocks.push(fence.lines);
  return drafts.map(({ text, depth, blocks }) => {
    // Stars inside backticks are text of a log.
    const plain = text
      .replace(/(`+)(?!`).+?(?<!`)\1(?!`)|(\*\*|__)(?=\S)(.+?)(?<=\S)\2/g, (match, _code, _bold, inner) =>
        typeof inner === "string" ? inner : match,
      )
      .trim();
    const quoted = quotedIn(plain);
    return {
      text: plain,
      depth,
      quoted,
      blocks: blocks.filter((b) => b.length > 0),
      sentences: sentencesOf(plain, quoted),
    };
  });
}

/** The statement with other words in its sentences. */
export function restated(statement: Statement, texts: readonly string[]): Statement {
  const text = texts.join(" ");
  let start = 0;
  const sentences = texts.map((one) => {
    const own = { text: one, start };
    start += one.length + 1;
    return own;
  });
  return { ...statement, text, quoted: quotedIn(text), sentences };
}

function dedent(line: string, indent: number): string {
  let at = 0;
  while (at < indent && (line[at] === " " || line[at] === "\t")) at += 1;
  return line.slice(at);
}

/** Spans in backticks or in double quotes. A quote inside backticks is part of the code. */
export function quotedIn(text: string): Quoted[] {
  const spans: Quoted[] = [];
  const pattern = /(`+)(.+?)\1(?!`)|"([^"`]{2,}?)"(?!\w)|“([^”]+)”/g;
  for (const match of text.matchAll(pattern)) {
    const code = match[2];
    const inner = code ?? match[3] ?? match[4] ?? "";
    if (inner.trim() === "") continue;
    spans.push({
      text: code === undefined ? inner : inner.length > 2 && /^ .* $/.test(inner) ? inner.trim() : inner,
      start: match.index,
      end: match.index + match[0].length,
      mark: code === undefined ? "quote" : "code",
    });
  }
  return spans;
}

/** A text with its quoted spans as ‹number›, so that what is quoted is no word of the sentence. */
export function withoutQuoted(text: string): { text: string; quoted: string[] } {
  const quoted: string[] = [];
  let own = "";
  let at = 0;
  for (const span of quotedIn(text)) {
    own += `${text.slice(at, span.start)}‹${quoted.push(span.text) - 1}›`;
    at = span.end;
  }
  return { text: own + text.slice(at), quoted };
}

/** Is the offset inside a quoted span? */
export function insideQuoted(quoted: readonly Quoted[], at: number): boolean {
  return quoted.some((span) => at > span.start && at < span.end);
}

/** What the records that nobody asks for are called: "Granted accesses are logged, too; they are fine." */
const HARMLESS =
  "(?:all |quite |perfectly )?(?:fine|harmless|normal|expected|legitimate|acceptable|in order|another matter|elsewhere|covered|handled)";

/** "…; these are not wanted.", "Those are not findings.": said about what the sentence before speaks of. */
const ALSO_EXCLUDED = new RegExp(
  `^(?:(?:please |so |then |but |and )?(?:leave|drop|skip|ignore|omit|exclude) (?:it|them|this|these|those|such)\\b|(?:these|those|they|it|this|such(?: an?)?|both)(?: [a-z]+){0,2} (?:(?:are|is) (?:not (?:wanted|needed|of interest|an? |items?|counted|relevant|part|included|findings?|records?)|ignored|skipped|excluded|irrelevant|unwanted|left out|no (?:items?|records?|findings?|offen\\w*)|${HARMLESS})|(?:do|does) not (?:count|matter|belong))|(?:these|those|they) are (?:not|no) [a-z]+s[.;]?$|(?:these|those|they|it|this)\\b[^.;]*,? (?:and|but|so) (?:they|these|those|it) (?:are|is) (?:not|no) (?:an? )?[a-z]+s?[.;]?$)`,
  "i",
);

function sentencesOf(text: string, quoted: readonly Quoted[]): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  const push = (end: number): void => {
    const part = text.slice(start, end);
    const lead = part.length - part.trimStart().length;
    const last = sentences.at(-1);
    if (
      last !== undefined &&
      ALSO_EXCLUDED.test(part.trim()) &&
      !/^(?:the )?(?:value|fields?)\b/i.test(last.text)
    ) {
      last.text = text.slice(last.start, end).trimEnd();
    } else if (last !== undefined && goesOn(last.text, part.trim())) {
      last.text = text.slice(last.start, end).trimEnd();
    } else if (part.trim() !== "") sentences.push({ text: part.trim(), start: start + lead });
    start = end;
  };
  for (const match of text.matchAll(/[.!?;。；](?=\s|$)/g)) {
    const at = match.index;
    if (insideQuoted(quoted, at)) continue;
    if (/\b(?:e\.g|i\.e|etc|vs|cf|incl|approx)$/i.test(text.slice(0, at))) continue;
    // "The model N.A. and": an abbreviation in the middle of a sentence.
    if (/(?<![\w.])(?:[A-Za-z]\.)+[A-Za-z]$/.test(text.slice(0, at)) && /^\s+[a-z]/.test(text.slice(at + 1)))
      continue;
    // "No. 5", but not "yes or no. The".
    if (/\bno$/i.test(text.slice(0, at)) && /^\s+\d/.test(text.slice(at + 1))) continue;
    if (openParens(text.slice(start, at), quoted, start) > 0) continue;
    push(at + 1);
  }
  push(text.length);
  return sentences;
}

/** "Fields: pid; tty (optional); host, if given": a list with semicolons between the names. */
function goesOn(before: string, text: string): boolean {
  return (
    /^(?:the |its )?fields?(?:\s*:|\s+are\b)[^.]*;$/i.test(before) &&
    /^(?:and )?(?:`[^`]+`|[a-z]\w*)(?:\s*[(,:;.]|$)/.test(text) &&
    !/^(?:it|they|these|this|that|the|no|all|both|value|each)\b/i.test(text)
  );
}

function openParens(text: string, quoted: readonly Quoted[], offset: number): number {
  let open = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (insideQuoted(quoted, at + offset)) continue;
    if (text[at] === "(") open += 1;
    if (text[at] === ")") open -= 1;
  }
  return open;
}

/** Splits a list at commas, semicolons and the last "and", outside quotes and brackets. */
export function splitList(text: string): string[] {
  const quoted = quotedIn(text);
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  const cut = (end: number, next: number): void => {
    parts.push(text.slice(start, end));
    start = next;
  };
  for (let at = 0; at < text.length; at += 1) {
    const span = quoted.find((one) => one.start === at);
    if (span !== undefined) {
      at = span.end - 1;
      continue;
    }
    const char = text.charAt(at);
    if (char === "(" || char === "[") depth += 1;
    if (char === ")" || char === "]") depth -= 1;
    if (depth > 0) continue;
    const word = /^\s+(?:and|&|or|plus|und|as well as)\s+/.exec(text.slice(at));
    if (/[,;、，]/.test(char)) cut(at, at + 1);
    else if (word !== null && !joinsPlaces(text.slice(start, at), text.slice(at + word[0].length))) {
      cut(at, at + word[0].length);
      at += word[0].length - 1;
    }
  }
  parts.push(text.slice(start));
  return parts
    .map((part) => part.replace(/^\s*(?:and|or)\s+/, "").trim())
    .filter((part) => part !== "" && part !== ".");
}

/** "the numbers before and after the slash", "between the colon and the quote": one place. */
export function joinsPlaces(before: string, after: string): boolean {
  if (/\b(?:before|after|behind|in front of|left of|right of|above|below)$/i.test(before))
    return /^(?:directly |right )?(?:before|after|behind|in front of|left of|right of|above|below)\b/i.test(
      after,
    );
  const from = /\bbetween\s+(?!.*\band\b)(.+)$/i.exec(before)?.[1];
  return (
    from !== undefined &&
    !/(?:s|them|parens?)[.)]?$|\b(?:the two|both)\b/i.test(from.replace(/[`"].*[`"]/g, "x"))
  );
}

export const NEGATIVE = new RegExp(
  `\\b(?:not (?:wanted|needed|of interest|an? |items?|the |counted|relevant|part|included|include|to be)|are not(?!-)|is not(?!-)|isn't|aren't|ignor(?!es\\b)\\w*|skip(?!s\\b)\\w*|exclud(?!es\\b)\\w*|except|irrelevant|do not|don't|must not be (?:taken|read|counted)|never|no (?:item|record|verdict|offen\\w*)s?|unwanted|adds? nothing|of no (?:interest|use|concern)|(?:does|do) not (?:count|matter)|leave (?:\\w+ )?out|left (?:\\w+ )?out|left to(?! right)|rather than|other than the|none of|(?:is|are) ${HARMLESS}|no matter|stays? out|drop (?:them|it|these|those)|(?:has|have) nothing to do|say nothing|says nothing|no concern|(?:is|are) (?:mere |just |only )?noise|plays? no (?:role|part)|stays? out|belongs? elsewhere|no attention|pass(?:ed)? over|bother (?:with|about)|not asked for|else's (?:business|concern|matter)|(?:should|must|shall|may|can) ?not (?:appear|show up|turn up|begin|start|end|contain|be (?=‹))|takes? none|do without|out of scope)\\b`,
  "i",
);

/** Words of the log, or of what is wanted, that would exclude elsewhere: "after the word skipping", "extract the skipped
 * steps". */
const SPOKEN_OF =
  /\b(?:the words?|(?:the|all|every|each|any)(?= \w+ [a-z])) (?:skip\w*|ignor\w*|exclud\w*|never|except\w*)\b/gi;

/** "…, and leave out the rest": what is said in front of it is wanted. */
export const REST =
  /(?:^|,? (?:and|but) |[,;] )(?:please )?(?:(?:leave|leaving) (?:out )?(?:the |all )?(?:rest|others?|other ones|remaining(?: ones| lines| rows| entries)?|everything else|anything else|all else)(?: out| aside| away| alone)?|(?:ignore|ignoring|skip|skipping|drop|dropping|omit|omitting|discard|discarding|disregard|disregarding|exclude|excluding) (?:the |all |any )?(?:rest|others?|other ones|remaining(?: ones| lines| rows| entries)?|everything else|anything else|all else))\b.*$/i;

/** A sentence without its quoted texts. */
export function bare(text: string): string {
  let result = text;
  for (const span of quotedIn(text).reverse())
    result = `${result.slice(0, span.start)} ‹› ${result.slice(span.end)}`;
  return result.replace(REST, "").replace(SPOKEN_OF, (match) => match.replace(/\w+$/, "‹›"));
}
