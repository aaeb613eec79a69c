// Texts as parts of regular expressions.

/** Escapes a text for use in a JavaScript regular expression literal. */
export function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** Escapes a character for use in a class. */
export function escapeClass(char: string): string {
  return char.replace(/[\\\]^-]/g, "\\$&");
}
