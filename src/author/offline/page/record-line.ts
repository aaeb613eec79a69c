// Which line of a record the page counts it by: "Line number: the header line", "the item is reported at this line",
// "use the line with the user as the line of the item", "one record per `Node` line". Only the words are read here;
// which line of an example they mean is found where the lines are known.

import { bare, quotedIn, type Sentence, type Statement } from "./text.ts";

/** One place where the page says it. */
export interface RecordLine {
  /** What it calls the line, as far as it does: "the header line", "the line with the user"; quoted texts are as on the page. */
  told: string;
  /** The words only point to a line ("this line", "there"): what was said right before them, the nearest first. */
  points: string[] | undefined;
  /** The line that it tells it from: "the settings, not the headline". */
  except?: string;
  /** It stands where the page speaks of the value. */
  ofValue: boolean;
  /** The page may well mean something else by these words. */
  weak: boolean;
}

const RECORD =
  "(?:items?|records?|entry|entries|findings?|hits?|results?|match(?:es)?|violations?|occurrences?)";
const A_RECORD = `(?:(?:the|an?|each|every|its|such an?|our|one) )?(?:(?:line )?number of (?:the|an?|each|every) )?${RECORD}`;
const PLACED =
  "(?:reported|counted|numbered|found|placed|located|listed|recorded|taken|noted|given|filed|anchored|attributed|assigned|attached|pinned|put|booked|addressed)";
const PLACED_THERE = "(?:reported|counted|numbered|recorded|located|filed|anchored|attributed)";
/** A noun phrase up to the next mark or clause. */
const PHRASE =
  "((?!(?:written|printed|logged|put out|given|shown) (?:as|when|while|where|in the order)\\b)(?:[^,;:.‹]|‹\\d+›:?|\\.(?=\\w))+)";
const LINE = "(?:lines?|rows?|head(?:er|ing|line)?s?|titles?|captions?)";

/** Each with the words about the line in its only group, or with none when it only points. */
const STRONG: readonly RegExp[] = [
  // "The heading is the line to report", "its line is the line of the item", "that line is the one reported".
  new RegExp(
    `(?:^|[,;:(]\\s*|\\band )((?:the|this|that|its|whose)\\b(?:[^,;:.‹]|‹\\d+›:?)*?) (?:is|are|counts as|serves as|gives|makes|determines|sets|provides) (?:the )?(?:line(?: number)?|number|position|place|location|one) (?:of (?:the|an?|each|every|our|its) ${RECORD}|to (?:report|give|use|take|note|quote|count|number)|(?:that (?:is|we) )?(?:reported|given|wanted|counted|want|count|report|numbered))\\b`,
    "i",
  ),
  new RegExp(
    `(?:^|[,;:(]\\s*|\\band )((?:the|this|that|its|whose)\\b(?:[^,;:.‹]|‹\\d+›:?)*?) (?:is|counts as|serves as) the ${RECORD}'s (?:line|position|place)\\b`,
    "i",
  ),
  // "The second line is the record".
  new RegExp(
    `(?:^|[,;:(]\\s*|\\band )((?:the|this|that|its)\\b(?:[^,;:.‹]|‹\\d+›:?)*? line) (?:is|counts as|stands for|makes|gives) the (?:${RECORD})\\b(?!'s)`,
    "i",
  ),
  // "Line number: the header line", "the line number is that of the alias line", "The line given is the first one".
  new RegExp(
    `^(?:the )?(?:reported |record |item )?lines?(?: ?numbers?)?(?: to (?:report|give|use))?\\s*[:：=]\\s*${PHRASE}`,
    "i",
  ),
  new RegExp(
    `^(?:as |for )?(?:the |its )?line(?: number)?s?(?: given| reported| taken| wanted| to (?:report|give|use|take))?,? (?:is|are|of (?:the|an?|each|every) \\w+ is|comes from|we (?:take|use|want)(?: is)?)\\s+${PHRASE}`,
    "i",
  ),
  new RegExp(
    `\\b(?:line number|number of the line|line of (?:the|an?|each|every|its) ${RECORD}) (?:is|comes from|equals)\\s+${PHRASE}`,
    "i",
  ),
  new RegExp(
    `\\b(?:the |its |each |an? )?${RECORD}'s (?:line|position|place|location)(?: number)? (?:is|comes from|equals)\\s+${PHRASE}`,
    "i",
  ),
  // "The item is reported at this line", "a record sits on the `zone:` line", "the item has the number of this first line".
  new RegExp(
    `\\b${A_RECORD}(?:,? too,?)? (?:is|are|sits?|stands?|belongs?|lies|counts?|goes|go|points?|refers?|appears?)(?: ${PLACED})? (?:at|on|to|by|with|under|for|as)(?: the (?:line )?number of)? (${"(?:[^,;:.‹]|‹\\d+›:?|\\.(?=\\w))*"}\\b${LINE}\\b(?:[^,;:.‹]|‹\\d+›:?|\\.(?=\\w))*)`,
    "i",
  ),
  new RegExp(
    `\\b${A_RECORD} (?:has|have|gets?|carr(?:y|ies)|takes?|bears?) (?:the )?(?:line )?number of ${PHRASE}`,
    "i",
  ),
  new RegExp(
    `\\b(?:it|they|each|this) (?:is|are) ${PLACED} (?:at|on|by|with|under) (${"(?:[^,;:.‹]|‹\\d+›:?)*"}\\b(?:line|row|head(?:er|ing|line)?|title)\\b(?:[^,;:.‹]|‹\\d+›:?)*)`,
    "i",
  ),
  /\b(?:which |and |that )(?:gives|sets|provides|determines|makes) the line(?: number)?\b()/i,
  // "Use the line with the user as the line of the item", "report this line", "take the line number of the header".
  new RegExp(
    `\\b(?:use|take|count|report|give|note|record|quote|cite|consider|pick|choose|treat) (${"(?:[^,;:.‹]|‹\\d+›:?)*?"}) (?:as|for) (?:the |its |an? )?(?:line|line number|position|place|location|number)(?: of (?:the|an?|each|every) ${RECORD})?(?: number)?(?:$|[,;:.)])`,
    "i",
  ),
  new RegExp(
    `\\b(?:use|take|report|give|note|record|quote|cite|want|need) (?:the )?(?:line )?number of ${PHRASE}`,
    "i",
  ),
  // "Count each record by its Device line", "report the line of the heading `x`".
  new RegExp(
    `\\b(?:count|number|report|file|place|book|record) (?:each|every|all|the|an?) (?:${RECORD}|[a-z]+) (?:by|at|under|on|with) ((?:its|the|their) (?:[^,;:.‹]|‹\\d+›:?)*?\\bline\\b(?:[^,;:.‹]|‹\\d+›:?)*)`,
    "i",
  ),
  /^(?:please )?(?:use|take|report|give|note|quote|cite|want|need) the line of ((?:the|its|this|that) (?:[^,;:.‹]|‹\d+›:?)+)/i,
  /\b(?:use|take|report|give|note|record|quote|cite|count) ((?:this|that|its|the [\w-]+|the ‹\d+›) line)(?: number)?(?=$|[,;:.)])/i,
  // "The line of the error counts", "its line counts", "only its first line counts".
  /(?:^|[,;:(]\s*|\band |\bbut )((?:only )?(?:the|this|that|its|whose) (?:[^,;:.‹]|‹\d+›:?)*?\bline(?: (?:with|of|for|that|which|where|in|number)\b(?:[^,;:.‹]|‹\d+›:?)*?)?|(?:the|its) line number|the ‹\d+› line) counts(?=\s*$|\s*[,;:.)])/i,
  // "One record at the slack line of each", "one item for each `Node` line".
  new RegExp(
    `\\b(?:one|an?) ${RECORD} (?:at|on) (${"(?:[^,;:.‹]|‹\\d+›:?)*"}\\bline\\b(?:[^,;:.‹]|‹\\d+›:?)*)`,
    "i",
  ),
  new RegExp(
    `\\bone ${RECORD} (?:per|for each|for every|to each|a) (${"(?:[^,;:.‹]|‹\\d+›:?)+?"} line)\\b`,
    "i",
  ),
  new RegExp(
    `\\b(?:each|every) ((?!line\\b)(?:[^,;:.‹]|‹\\d+›:?)+? (?:line|row)|‹\\d+›)(?: (?:received|sent|printed|listed|found|below it|of it))? (?:is|counts as|makes|gives|stands for|becomes|means) (?:an?|one|its own|a separate) (?:own |separate |single )?${RECORD}\\b`,
    "i",
  ),
];

/** "At its line", "reported there": only pointers. */
const POINTERS: readonly RegExp[] = [
  new RegExp(`\\b(?:on|at|by) whose line (?:it|the ${RECORD}|an? ${RECORD})\\b`, "i"),
  /(?:^|[,;:(]\s*|\band )(?:(?:also |is |are |and )*(?:reported|counted|numbered|placed|located|recorded|filed|anchored) )?(?:at|on|by) (?:its|that|this|the same) line(?: number)?(?=$|[,;:.)])/i,
  new RegExp(`\\b(?:${PLACED_THERE}|stands|sits|lies|belongs) (?:there|here)\\b`, "i"),
  /\bline number of (?:that|this|its) line\b/i,
  /\b(?:this|that|its|whose) line (?:number )?(?:counts|is (?:the one )?(?:reported|counted|given|used|taken))\b/i,
];

const POINTING =
  /^(?:only )?(?:at |on |to )?(?:(?:this|that|its|whose|the same|their)(?: own)? (?:line|row|one)(?: number)?|(?:the line|the number)? ?(?:it|this|that)|here|there|its|this|that|line|the line|number of (?:that|this) line|(?:its|the|that) (?:line )?number|(?:the )?one to (?:report|give|use))$/i;

/** What the page says about the lines of its records, in order. */
export function recordLines(statements: readonly Statement[]): RecordLine[] {
  const found: RecordLine[] = [];
  statements.forEach((statement, index) => {
    const before = statements[index - 1]?.text ?? "";
    const ofValue = /^\W*(?:the )?values?\b/i.test(statement.text);
    statement.sentences.forEach((sentence, at) => {
      const one = inSentence(sentence, [...previous(statement, at), before]);
      if (one !== undefined) {
        const own = ofValue || /\bvalue\b/i.test(bare(sentence.text));
        found.push({ ...one, ofValue: own });
      }
    });
  });
  return found;
}

function previous({ sentences }: Statement, at: number): string[] {
  return sentences
    .slice(0, at)
    .map((one) => one.text)
    .reverse();
}

function inSentence(sentence: Sentence, before: readonly string[]): Omit<RecordLine, "ofValue"> | undefined {
  const { text, marks } = masked(sentence.text);
  if (
    /\b(?:not|never|nor|neither|no)\b/i.test(text.replace(/\([^)]*\)/g, " ")) &&
    !/\bnot (?:the|that|its|of)\b/i.test(text)
  )
    return undefined;
  // "Line: `...` - severity, place": an example.
  if (/^(?:the |an? )?(?:example |sample )?(?:lines?|rows?|record)\s*[:：=]\s*‹\d+›/i.test(text))
    return undefined;
  const open = (part: string): string => part.replace(/‹(\d+)›/g, (_, n: string) => marks[Number(n)] ?? "");
  for (const form of STRONG) {
    const match = form.exec(text);
    if (match === null) continue;
    const told = (match[1] ?? "").trim().replace(/^(?:at|on|that of|the number of|of|from) /i, "");
    if (
      /^(?:such|same|all|more than)\b|\b(?:end|start|beginning|middle|rest) of (?:the|a|its|that) line\b/i.test(
        told,
      )
    )
      continue;
    const points = told === "" || POINTING.test(told);
    const except = /^[,;]? (?:and )?not ([^,;:.]+)/i.exec(text.slice(match.index + match[0].length))?.[1];
    const near = open(text.slice(0, match.index));
    return {
      told: points ? "" : open(told),
      points:
        points || /^(?:this|that|its)\b/i.test(told)
          ? [near, ...before].filter((one) => one.trim() !== "")
          : undefined,
      ...(except === undefined ? {} : { except: open(except) }),
      weak: new RegExp(`^‹\\d+›$|\\b${RECORD}\\b`, "i").test(told),
    };
  }
  for (const form of POINTERS) {
    const match = form.exec(text);
    if (match === null) continue;
    return {
      told: "",
      points: [open(text.slice(0, match.index)), ...before].filter((one) => one.trim() !== ""),
      weak: true,
    };
  }
  return undefined;
}

/** The sentence with a mark for each quoted text, so that its own words alone are read. */
function masked(sentence: string): { text: string; marks: string[] } {
  const marks: string[] = [];
  let text = "";
  let from = 0;
  for (const span of quotedIn(sentence)) {
    text += `${sentence.slice(from, span.start)}‹${marks.length}›`;
    marks.push(sentence.slice(span.start, span.end));
    from = span.end;
  }
  return { text: (text + sentence.slice(from)).replace(/^[\s•*-]+/, ""), marks };
}
