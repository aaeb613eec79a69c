// Text that others wrote (logs, pages, code, findings) on its way into a prompt: marked off so that nothing in
// it can pass for the program's words.
import { sha256 } from "../core/hash.ts";

/** Marks off material with a fence that holds a hash of the material: no text can contain its own. */
export function fenceData(label: string, text: string): string {
  const mark = sha256(text).slice(0, 12);
  return `<<<DATA ${mark} ${label.replace(/\s+/g, " ")}\n${text}\n${mark} DATA>>>`;
}

/** Code in a markdown fence that is longer than any run of backticks in it. */
export function fenceCode(language: string, code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = "`".repeat(longest + 1);
  return `${mark}${language}\n${code.replace(/\n$/, "")}\n${mark}`;
}
