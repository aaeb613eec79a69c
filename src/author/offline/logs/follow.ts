// References: a log that names another file which the page wants read as well.
import type { FileTools } from "../../../tools/types.ts";
import type { Page } from "../page/page.ts";
import { allLines, type Observation, observeMore } from "./observe.ts";

const ASKS =
  /\b(?:refer(?:s|red|ence[ds]?|ring)?|follow(?:s|ed|ing)?|points? (?:to|at)|named (?:there|in)|names? (?:a|another|the)|mention(?:s|ed))\b/i;
const REFUSES = /\b(?:do not|don't|not|never)\b[^.]{0,40}\b(?:open|follow|read|fail|part of)\b/i;
const MAX_FOLLOWED = 3;

/** Does the page ask to read files that the logs name? */
export function asksToFollow(page: Page): boolean {
  const text = page.prose;
  return ASKS.test(text) && /\b(?:report|file|log)s?\b/i.test(text) && !REFUSES.test(text);
}

/** Reads the files that the logs mention in lines like the page's examples. Returns how many were found. */
export async function follow(
  tools: FileTools,
  page: Page,
  observation: Observation,
  keywords: readonly string[],
): Promise<string[]> {
  const words = new Set(
    page.groups.flatMap((group) =>
      group.examples.flatMap((one) => one.lines.flatMap((line) => line.match(/[A-Za-z]{4,}/g) ?? [])),
    ),
  );
  const names = new Map<string, number>();
  for (const line of allLines(observation.files)) {
    const shared = (line.match(/[A-Za-z]{4,}/g) ?? []).filter((word) => words.has(word)).length;
    if (shared < 3) continue;
    for (const path of line.match(/[\w.@+~/-]*\w\.[A-Za-z]\w{0,5}\b/g) ?? []) {
      const name = path.slice(path.lastIndexOf("/") + 1);
      names.set(name, Math.max(names.get(name) ?? 0, shared));
    }
  }
  const ranked = [...names].sort((a, b) => b[1] - a[1]).slice(0, 12);
  const found: string[] = [];
  for (const [name] of ranked) {
    if (found.length >= MAX_FOLLOWED) break;
    if (await observeMore(tools, observation, name, keywords)) found.push(name);
  }
  return found;
}
