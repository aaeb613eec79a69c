// Which files section 4.1 wants read and which not: names and globs, and the clauses about them with what they say of
// folders ("`a.log` in mx1; the one in mx2 is not used"). Which words are folders is known when the tree is listed.

import type { FileClause, FilePattern } from "./page.ts";
import { bare, NEGATIVE, type Quoted, quotedIn, type Sentence, type Statement } from "./text.ts";

const EXTENSION =
  /\.(?:log|rpt|txt|out|csv|tsv|json|jsonl|xml|spef|vg?|gz|cef|leef|ya?ml|lst|sum|summary|report|err|stderr|stdout|html?|info|conf|cfg|ini|dat|def|lef|sdc|lib|lvs|drc|erc|messages|syslog|trace|dump|md|\d)\b/i;

export function isGlob(text: string): boolean {
  return (
    !/\s/.test(text) &&
    /^[\w.*?[\]{}/@+$,-]+$/.test(text) &&
    !/[=:;]/.test(text) &&
    // A row of cells between commas is no file; alternatives in braces are.
    (/[{}]/.test(text) || (text.match(/,/g) ?? []).length < 2) &&
    (EXTENSION.test(text) || (/[*?]/.test(text) && /[./]/.test(text))) &&
    !/^\d+(?:\.\d+)*$/.test(text)
  );
}

/** File names and globs, those of negative sentences as not wanted, and the clauses that say so. */
export function readFiles(
  source: readonly Statement[],
  others: readonly Statement[],
): { files: FilePattern[]; clauses: FileClause[] } {
  const own = filesIn(source, true);
  // Section 4.1 says what is read; what section 1 shows in backticks are samples, unless nothing else names a file.
  if (own.files.some((file) => file.wanted)) return own;
  const further = filesIn(others, false).files.filter(
    (one) => !own.files.some((file) => file.glob === one.glob),
  );
  return { files: [...own.files, ...further], clauses: own.clauses };
}

function filesIn(
  statements: readonly Statement[],
  isSource: boolean,
): { files: FilePattern[]; clauses: FileClause[] } {
  const files: FilePattern[] = [];
  const clauses: FileClause[] = [];
  for (const statement of statements) {
    const own = statement.sentences.flatMap(clausesOf);
    for (const [index, { text }] of own.entries()) {
      const excludes =
        isNegative(text, files.length > 0) || (files.length > 0 && isAboutBefore(own[index + 1]?.text ?? ""));
      const found = namedIn(text, excludes, isSource, files.length === 0);
      const wanted = !excludes || /\bstart with\b/i.test(text);
      for (const glob of found) if (!files.some((one) => one.glob === glob)) files.push({ glob, wanted });
      clauses.push({ text: text.replace(/[`"]/g, ""), wanted, globs: found });
    }
  }
  return { files, clauses };
}

/** The names and globs of files in a clause. */
function namedIn(text: string, excludes: boolean, isSource: boolean, isFirst: boolean): string[] {
  const spans = quotedIn(text).filter(
    (span) =>
      isGlob(span.text) ||
      (excludes && /^\.\w+$/.test(span.text)) ||
      (isSource && isFileWord(span, text, isFirst)),
  );
  const words =
    bare(text).match(/(?<![\w/*.])[\w*?./-]*\.(?:log|rpt|txt|out|csv|json|jsonl|gz|report|lst)\b/g) ?? [];
  const globs = [...spans.map((span) => span.text), ...words].map((glob) =>
    glob
      .replace(/^\.?\//, "")
      .replace(/\$\{\w+\}\/?/g, "")
      // "The `.sdc` file of each block": what the names end in.
      .replace(excludes || /^\.\w+$/.test(glob) ? /^\.(?=\w)/ : /^\.(?=\w+\.)/, "*."),
  );
  return [...new Set(globs)];
}

/** Does a clause say that what it names is not read? "The scanner's `b.log` is checked elsewhere" speaks so of a file
 * beside the one that is. */
function isNegative(text: string, isFurther: boolean): boolean {
  // "The table Ignored Assignments" is a name.
  const plain = bare(text).replace(/(?<=[\w,›]\s)[A-Z][a-z]+/g, " ");
  return (
    NEGATIVE.test(plain) ||
    /\bnot (?:be )?(?:read|used|opened|parsed|scanned|considered|looked at)\b/i.test(plain) ||
    /\bleave\b[^.;]*\balone\b/i.test(plain) ||
    (isFurther && (/^(?:but |and )?not\b/i.test(plain) || ELSEWHERE.test(plain)))
  );
}

const ELSEWHERE =
  /\b(?:checked|read|covered|handled|judged|evaluated|treated|looked at|dealt with) (?:elsewhere|separately|by an|in an|on (?:its|their) own)|\b(?:of|for|in|by|to) (?:another|a different) (?:item|check|page|checklist|team)\b|\bout of scope\b|\b(?:given up|abandoned|aborted)\b|\b(?:is|are|holds?|contains?) (?:only )?(?:an?|the) (?:backups?|cop(?:y|ies)|older|old|previous|earlier)\b|\b(?:comes?|stems?|dates?|is|are) (?:from )?(?:an? |the )?(?:older|old|previous|earlier|former)\b/i;

/** "...; that file is not read", "do not read that", "leave it alone": said of the file named before. */
function isAboutBefore(text: string): boolean {
  const plain = bare(text).trim();
  const speaks =
    /^(?:(?:please|so|but|and|then|also)\s+)*(?:(?:do not|don't|never) (?:read|use|take|open|look at|parse|scan)|leave|skip|ignore|drop|omit) (?:it|that|them|this|these|those|the latter)\b/i;
  const subject =
    /^(?:(?:please|so|but|and|then|also)\s+)*(?:it|that|this|they|these|those|the latter|which)(?: [a-z]+)? (?:is|are|was|were|does|do|has|have|failed|comes?|stems?|dates?|counts?)\b/i;
  return speaks.test(plain) || (subject.test(plain) && isNegative(text, true));
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

function isFileWord(span: Quoted, sentence: string, isFirst: boolean): boolean {
  // A folder is no file.
  if (/\s|[=:;"'()|]|\/$/.test(span.text)) return false;
  // The first thing that section 4.1 names is the file.
  if (isFirst && span.start === 0 && /^[\w./-]+$/.test(span.text)) return true;
  // "host2 has `log.daemon`".
  if (
    /^[A-Za-z][\w-]*\.[A-Za-z][\w-]*$/.test(span.text) &&
    /(?:^|'s|,|\b(?:has|have|of|is|and|read|from|the))\s+$/i.test(sentence.slice(0, span.start))
  )
    return true;
  if (/\b(?:in|below|under|inside)\s+$/i.test(sentence.slice(0, span.start)) && !span.text.includes("."))
    return false;
  const around =
    bare(sentence.slice(Math.max(0, span.start - 25), span.start)) +
    bare(sentence.slice(span.end, span.end + 25));
  return /\bfiles?\b|\blogs?\b|\breports?\b|\bdump\b|\blisting\b/i.test(around) && /[a-z]/i.test(span.text);
}
