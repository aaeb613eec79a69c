// Marks of a log that a page names in words ("entries with the asterisk") or shows without quotes ("findings marked ✖").

const NAMES: [RegExp, string][] = [
  [/asterisk|star/i, "*"],
  [/plus/i, "+"],
  [/minus/i, "-"],
  [/hash|number sign/i, "#"],
  [/exclamation/i, "!"],
  [/question/i, "?"],
  [/tilde/i, "~"],
  [/caret|circumflex/i, "^"],
  [/at sign/i, "@"],
  [/check ?mark|tick/i, "✓"],
];
const WORDS =
  "(?:asterisk|star|plus sign|minus sign|hash sign|number sign|hash|exclamation mark|question mark|tilde|caret|circumflex|at sign)";
/** "With the asterisk", "a star in front": said of a record, with nothing behind it that makes it another noun. */
const NAMED = new RegExp(
  `(?<!\\bor without )\\b(?:an?|the|its|their) (?<name>${WORDS})(?=$|[.,;)]|\\s\\(|\\s(?:in|at|on|behind|before|after|are|is|do|does|has|have|count|counts|and|or|here|there|as|stands?|means?|marks?|only|that|which|sign)\\b)`,
  "gi",
);
/** Signs that are neither letters nor the marks of a sentence; arrows join words. */
const SHOWN = /(?<![\w`‹])(?![→⇒➜←↔–—…•“”‘’€£°×])(?<sign>\p{So}|[✓✔✗✘✖●○◦■□▲▼])\uFE0F?(?![\w`›])/gu;

/** The text with such marks as quoted texts ‹number›, behind those that are quoted already. */
export function withMarks(text: string, quoted: readonly string[]): { text: string; quoted: string[] } {
  const all = [...quoted];
  const add = (mark: string): string => `‹${all.push(mark) - 1}›`;
  const shown = text.replace(SHOWN, (sign: string) => add(sign.replace(/\uFE0F/g, "")));
  const named = shown.replace(NAMED, (phrase: string, name: string) => {
    const mark = NAMES.find(([words]) => words.test(name))?.[1];
    return mark === undefined ? phrase : add(mark);
  });
  return { text: named, quoted: all };
}

/** A text that is nothing but such a mark. */
export function isMark(text: string): boolean {
  return /^(?:[^\w\s"'`()[\]{}]|\p{So})$/u.test(text);
}
