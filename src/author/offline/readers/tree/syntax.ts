// Which syntax of structured documents a text is written in, seen from its lines and the words of the page.
import type { Page } from "../../page/page.ts";
import { type Syntax, scan } from "../../program/tree/index.ts";

/** All syntaxes in which the lines can be read, the likeliest first. */
export function syntaxesOf(page: Page, lines: readonly string[]): Syntax[] {
  const filled = lines.filter((line) => line.trim() !== "");
  if (filled.length === 0) return [];
  const share = (pattern: RegExp): number =>
    filled.filter((line) => pattern.test(line)).length / filled.length;
  const [first = ""] = filled;
  const words = `${page.prose} ${page.files.map((file) => file.glob).join(" ")}`;
  const found: Syntax[] = [];
  const bare = /^\s*[[{]\s*$/.test(first) && share(/^\s*(?:"(?:[^"\\]|\\.)*"\s*[:,]?|[{}[\]])/) > 0.8;
  if (bare || share(/^\s*"(?:[^"\\]|\\.)*"\s*:/) > 0.3) found.push("json");
  else if (lines.some(endsWithObject)) found.push("json_lines");
  if (
    /^\s*(?:- )?<(?:\?xml|!DOCTYPE|!--|[A-Za-z_][\w:.-]*[\s/>])/.test(first) &&
    share(/^\s*(?:- )?<|>\s*$/) > 0.6
  )
    found.push("xml");
  if (share(/^\s*[()]/) > 0.6 && share(/\)\s*$/) > 0.4) found.push("parens");
  const isYaml = /\byaml\b|\.ya?ml\b/i.test(words);
  if (isYaml && share(/^\s*(?:- |-$)|^\s*[^\s:][^:]*:(?:\s|$)/) > 0.7) found.push("yaml");
  const closing = share(/^\s*\}[;,]?\s*$/);
  if (closing > 0.03 && share(/\{\s*$/) >= closing * 0.8 && !found.includes("json")) found.push("braces");
  if (
    /\bkey[ =-]*value|\blogfmt\b|\bpairs\b/i.test(page.prose) &&
    scan("pairs", lines).length > filled.length * 0.1
  )
    found.push("pairs");
  return found;
}

/** Is there a whole JSON object at the end of the line? */
export function endsWithObject(line: string): boolean {
  const start = line.indexOf("{");
  if (start < 0) return false;
  try {
    JSON.parse(line.slice(start));
    return true;
  } catch {
    return false;
  }
}
