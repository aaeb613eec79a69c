// The matcher for keywords: the kernel proposes, the keyword decides.
import type { Fingerprint } from "./kernel.ts";
import { compileKeyword, type Keyword, loadKeywords } from "./keywords.ts";
import type { Matcher } from "./search.ts";
import type { TextWindow } from "./window.ts";

/** Few keywords are rare enough by two bytes. */
const FEW = 4;

/** A matcher for keywords without line ends, none of them empty; case does not matter. */
export function keywordMatcher(texts: string[]): Matcher {
  const size: Fingerprint = texts.length <= FEW ? 2 : 3;
  const keywords = texts.map((text) => compileKeyword(text, size));
  const numbers = new Map<Keyword, number>(keywords.map((keyword, i) => [keyword, i]));
  let wanted: Keyword[] = keywords;
  const scan: Matcher["scan"] = (window: TextWindow, from, to, report) => {
    // Another search may have used the kernel between two scans of this one.
    const buckets = loadKeywords(window.kernel, wanted, size);
    window.kernel.find(from, to, (offset, mask) => {
      for (let bucket = 0; bucket < buckets.length; bucket += 1) {
        if ((mask & (1 << bucket)) === 0) continue;
        for (const keyword of buckets[bucket] ?? []) {
          if (!keyword.matches(window.data, offset, window.end)) continue;
          if (!report(offset, numbers.get(keyword) ?? 0)) return false;
        }
      }
      return true;
    });
    return to;
  };
  return {
    count: keywords.length,
    overlap: 2 * Math.max(0, ...keywords.map((keyword) => keyword.maxBytes)) + 16,
    want: (things) => {
      wanted = things.flatMap((thing) => keywords[thing] ?? []);
    },
    scan,
  };
}
