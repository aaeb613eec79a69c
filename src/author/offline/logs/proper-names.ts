// Names of mail boxes, files and hosts in a line: whatever words they are made of, they are data.

/** What such names look like. */
const NAMES = [
  /(?<![\w.@-])[\w.+-]+@[\w-]+(?:\.[\w-]+)*/g,
  /(?<![\w./\\])(?:[A-Za-z]:)?(?:[/\\]|~\/|\.{1,2}\/)?[\w.+-]+(?:[/\\][\w.+-]+){2,}/g,
  /(?<![\w.-])(?:[\w-]+\.){2,}(?:[a-z]{2,3}|local|localdomain|home|corp|info|arpa|internal|example|test|invalid)(?![\w-]|\.\w)/g,
];

/** The text with blanks in place of them. */
export function withoutNames(text: string): string {
  return NAMES.reduce((rest, one) => rest.replace(one, " "), text);
}
