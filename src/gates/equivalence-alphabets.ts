// Alphabets of the calls that gate2_equivalence generates: words, marks, shell patterns and pieces of expressions.

export const WORDS = [
  "a",
  "b",
  "ab",
  "abc",
  "B",
  "A1",
  "x_y",
  "v2.1",
  "é",
  "ß",
  "İ",
  "日本",
  "😀",
  "0",
  "12",
  "2025",
];
export const GLUE = [
  "",
  " ",
  "  ",
  "\t",
  "\n",
  "-",
  ".",
  ":",
  "/",
  "[",
  "]",
  "!",
  "*",
  "?",
  "|",
  "\\",
  "regex:",
  "^",
  "$",
  "(",
];
export const GLOBS = [
  "*",
  "?",
  "[ab]",
  "[!ab]",
  "[a-c]",
  "[",
  "]",
  "[]",
  "[!]",
  "[]a]",
  "**",
  "[z-a]",
  "[0-9]",
  "[!0-9]*",
];
/** Pieces of expressions with the same meaning in all dialects. */
export const REGEX_PIECES = [
  "a",
  "b",
  ".",
  "a*",
  "b+",
  "[ab]",
  "[^a]",
  "(a)",
  "(?:ab)",
  "^",
  "$",
  "\\d",
  "\\w",
  "\\s",
  "\\.",
  "x?",
  "a{2}",
  "\\b",
];
/** Expressions in Python's notation, which existing configs use. */
export const PYTHON_PIECES = ["(?i)A", "(?i)ABC", "(?P<n>a)b", "(?s)a.b", "(?i)x_Y"];
export const BROKEN = ["[", "(", "*", "a)", "(?P<n", "[z-a]", "a{2,1}", "+", "(?:"];
/** Ranges of characters of many scripts. */
export const SCRIPTS: readonly (readonly [number, number])[] = [
  [0x20, 0x7e],
  [0x20, 0x7e],
  [0xa1, 0x24f],
  [0x370, 0x3ff],
  [0x400, 0x4ff],
  [0x5d0, 0x5ea],
  [0x620, 0x64a],
  [0x904, 0x939],
  [0x3041, 0x30ff],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0x1f300, 0x1f64f],
];
/** Grapheme clusters: one character for a reader, several for JavaScript. */
export const CLUSTERS = ["e\u0301", "a\u030a", "👩‍👩‍👧", "🇩🇪", "👍🏽", "न्त", "\u1112\u1161\u11ab"];
