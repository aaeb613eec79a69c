// Delimits untrusted text (logs, pages, code, findings) in a prompt, so that nothing in it can pass for instructions of
// the program.
import { sha256 } from "../core/hash.ts";

/** Delimits a text with its own hash, which the text cannot contain. */
export function fenceData(label: string, text: string): string {
  const mark = sha256(text).slice(0, 12);
  return `<<<DATA ${mark} ${label.replace(/\s+/g, " ")}\n${text}\n${mark} DATA>>>`;
}

/** Code in a markdown fence longer than any run of backticks in the code. */
export function fenceCode(language: string, code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = "`".repeat(longest + 1);
  return `${mark}${language}\n${code.replace(/\n$/, "")}\n${mark}`;
}
