// "regex:^(root|admin)$": in a configuration a bar makes a pattern a list of plain texts, so an expression with a choice
// is written as one expression for each of its branches.

/** The expressions that together match what the expression matches; the pattern itself where it has no choice, or one
 * that is not plain enough to be taken apart. */
export function branches(pattern: string): string[] {
  const source = /^regex:(.*)$/s.exec(pattern)?.[1];
  if (source === undefined || !source.includes("|")) return [pattern];
  const group =
    /^((?:\\.|[^\\()|[\]])*)\((?:\?:)?((?:\\.|[^\\()[\]])*)\)(?![*+?{])((?:\\.|[^\\()|[\]])*)$/s.exec(source);
  if (group !== null) {
    const [, before = "", choice = "", after = ""] = group;
    return splitAtBars(choice).map((one) => `regex:${before}${one}${after}`);
  }
  return /[()[\]]/.test(source.replace(/\\./g, ""))
    ? [pattern]
    : splitAtBars(source).map((one) => `regex:${one}`);
}

function splitAtBars(text: string): string[] {
  const parts = [""];
  for (const [piece] of text.matchAll(/\\.|[^\\]/gs)) {
    if (piece === "|") parts.push("");
    // A bar that stands for itself is written without one.
    else parts[parts.length - 1] += piece === "\\|" ? "\\x7c" : piece;
  }
  return parts;
}
