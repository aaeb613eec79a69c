// Lists of names, conditions on fields and files, as the sentences of a page give them.
import { readConditions } from "./conditions.ts";
import { wordsOf } from "./names.ts";
import type { FieldRule, FilePattern, Listed } from "./page.ts";
import { bare, NEGATIVE, type Quoted, quotedIn, type Sentence, type Statement, splitList } from "./text.ts";

const LIST_LEAD =
  /^.*\b(?:columns?|parts?|cells?|order|fields?|comes?|contains?|consists? of|shows?|gives?|has|have|with|holds?|lists?|prints?|states?|carr(?:y|ies)|by|then|followed by|starts? with|header|headings?)\b:?\s+(?=\S)/i;

/** Ordered lists of three or more short names: the columns of a table or the parts of a line. */
export function readLists(sentence: Sentence): Listed[] {
  const text = sentence.text.replace(/[.。]\s*$/, "");
  const lists: Listed[] = [];
  // A description of the value lists what it has or has not, not the parts of a line.
  if (/^(?:the )?(?:value|值)\b\s*[:：=–-]/i.test(text)) return lists;
  const spans = quotedIn(text);
  const plain = spans.length === 0 ? [text] : [text, bare(text)];
  for (const candidate of plain) {
    for (const piece of candidate.split(/[:：]\s|\s[-–]\s|‹›|\bare\b|\(|\)/)) {
      const parts = splitList(piece);
      if (parts.length < 3) continue;
      // The first part may carry the lead words of the sentence in front of its name.
      const first = (parts[0] ?? "")
        .replace(/\bfor (?:each|every)(?: \w+){1,2}?(?= the\b| an?\b|$)/i, "")
        .replace(LIST_LEAD, "")
        .trim();
      const names = [first === "" ? (parts[0] ?? "") : first, ...parts.slice(1)].map((part) =>
        part
          .replace(/\(.*\)|\bin columns?\b.*|\bfor each\b.*/g, "")
          .replace(/^(?:the|an?|its|then|each)\s+/i, "")
          .replace(/[`"]/g, "")
          .replace(/\s+(?:in|within|inside|between|after|before|behind|from|at the)\s.*$/, "")
          .trim(),
      );
      if (names.every((name) => name !== "" && wordsOf(name).length <= 5 && wordsOf(name).length > 0)) {
        const at = text.indexOf(names[0] ?? "");
        const shown = spans.some((span) => span.text.length >= 15 && span.end <= at && at - span.end <= 12);
        if (!lists.some((one) => one.names.join() === names.join()))
          lists.push({ names, context: sentence.text, ...(shown ? { shown } : {}) });
      }
    }
  }
  return lists;
}

/** "whose load state is not-found", "with a count other than 0". */
export function readRules(sentence: Sentence): FieldRule[] {
  const rules: FieldRule[] = [];
  const text = sentence.text;
  const push = (name: string, equals: string[], negate: boolean): void => {
    if (wordsOf(name).length > 3 || /\d/.test(name)) return;
    rules.push({ name, equals: equals.map((one) => one.replace(/[.,]$/, "")), negate });
  };
  const negated =
    /\b(?:whose|with|where)\s+(?:an?\s+|the\s+|its\s+)?([\w -]{2,30}?)\s+(?:is |are |being )?(?:other than|different from|not equal to|unequal to|not(?!-))\s+[`"]?([\w.%-]+)[`"]?/gi;
  for (const match of text.matchAll(negated)) {
    push(match[1] ?? "", [match[2] ?? ""], true);
  }
  // "rules with count 0 are clean and not wanted": the sentence says on which side they are.
  for (const match of text.matchAll(
    /\bwith\s+(?:an?\s+|the\s+)?([a-z][\w-]*(?: [a-z][\w-]*)?)\s+(\d+)(?=\s)/gi,
  )) {
    push(match[1] ?? "", [match[2] ?? ""], NEGATIVE.test(text));
  }
  for (const rule of readConditions(sentence)) {
    if (!rules.some((one) => one.name === rule.name && one.negate)) rules.push(rule);
  }
  return rules;
}

const EXTENSION =
  /\.(?:log|rpt|txt|out|csv|tsv|json|jsonl|xml|spef|vg?|gz|cef|leef|ya?ml|lst|sum|summary|report|err|stderr|stdout|html?|info|conf|cfg|ini|dat|def|lef|sdc|lib|lvs|drc|erc|messages|syslog|trace|dump|md|\d)\b/i;

export function isGlob(text: string): boolean {
  return (
    !/\s/.test(text) &&
    /^[\w.*?[\]{}/@+$,-]+$/.test(text) &&
    !/[=:;]/.test(text) &&
    (EXTENSION.test(text) || (/[*?]/.test(text) && /[./]/.test(text))) &&
    !/^\d+(?:\.\d+)*$/.test(text)
  );
}

/** File names and globs, those of negative sentences as not wanted. */
export function readFiles(source: readonly Statement[], others: readonly Statement[]): FilePattern[] {
  const named = filesIn(source, true);
  // Section 4.1 says what is read; what section 1 shows in backticks are samples, unless nothing else names a file.
  if (named.some((file) => file.wanted)) return named;
  return [...named, ...filesIn(others, false).filter((one) => !named.some((file) => file.glob === one.glob))];
}

function filesIn(statements: readonly Statement[], isSource: boolean): FilePattern[] {
  const files: FilePattern[] = [];
  for (const statement of statements) {
    for (const sentence of statement.sentences.flatMap(clausesOf)) {
      const excludes =
        NEGATIVE.test(bare(sentence.text)) || /\bnot (?:be )?read\b/i.test(bare(sentence.text));
      const spans = quotedIn(sentence.text).filter(
        (span) =>
          isGlob(span.text) ||
          (excludes && /^\.\w+$/.test(span.text)) ||
          (isSource && isFileWord(span, sentence.text)),
      );
      const words =
        bare(sentence.text).match(
          /(?<![\w/*.])[\w*?./-]*\.(?:log|rpt|txt|out|csv|json|jsonl|gz|report|lst)\b/g,
        ) ?? [];
      const wanted = !excludes || /\bstart with\b/i.test(sentence.text);
      for (const glob of [...spans.map((span) => span.text), ...words]) {
        const text = glob
          .replace(/^\.?\//, "")
          .replace(/\$\{\w+\}\/?/g, "")
          .replace(excludes ? /^\.(?=\w)/ : /^\.(?=\w+\.)/, "*.");
        if (!files.some((one) => one.glob === text)) files.push({ glob: text, wanted });
      }
    }
  }
  return files;
}

/** "`a.log`, the `.old` copies are not read": a later clause with a subject of its own speaks for itself. */
function clausesOf(sentence: Sentence): Sentence[] {
  let start = sentence.start;
  return sentence.text
    .split(/(?<=[,;])\s+(?=(?:but|not|the|its|while|whereas|without|except|excluding)\b)/i)
    .map((text) => {
      const clause = { text, start };
      start += text.length + 1;
      return clause;
    });
}

function isFileWord(span: Quoted, sentence: string): boolean {
  if (/\s|[=:;"'()|]/.test(span.text)) return false;
  // The first thing that section 4.1 names is the file.
  if (span.start === 0 && /^[\w.-]+$/.test(span.text)) return true;
  const around = sentence.slice(Math.max(0, span.start - 25), span.end + 25);
  return (
    /\bfiles?\b|\blogs?\b|\breports?\b|\bdump\b|\blisting\b/i.test(around.replace(span.text, "")) &&
    /[a-z]/i.test(span.text)
  );
}
