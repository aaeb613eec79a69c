// The matcher for keywords: the kernel finds candidates, which are then compared with the keyword.
import type { Fingerprint } from "./kernel-memory.ts";
import { BytePairs, compileKeyword, type Keyword, loadKeywords } from "./keywords.ts";
import type { Matcher, Report } from "./search.ts";
import type { TextWindow } from "./window.ts";

/** Up to this many keywords, a fingerprint of two bytes is selective enough. */
const FEW = 4;

/** Size of the sample for choosing the fingerprints; a larger sample pays off for large files. */
const SAMPLE = { large: 64 * 1024, small: 2 * 1024 } as const;
const LARGE_FILE = 16 * 2 ** 20;

/** A matcher for non-empty keywords without line ends, case-insensitive by default. */
export function keywordMatcher(texts: string[], options: { caseSensitive?: boolean } = {}): Matcher {
  return new KeywordMatcher(texts, options.caseSensitive ?? false);
}

class KeywordMatcher implements Matcher {
  readonly count: number;
  readonly overlap: number;
  private readonly texts: string[];
  private readonly size: Fingerprint;
  private readonly caseSensitive: boolean;
  private keywords: Keyword[] | undefined;

  constructor(texts: string[], caseSensitive: boolean) {
    this.caseSensitive = caseSensitive;
    this.texts = texts;
    this.count = texts.length;
    this.size = texts.length <= FEW ? 2 : 3;
    // A character has at most 4 bytes in any of its cases.
    this.overlap = 8 * Math.max(0, ...texts.map((text) => text.length)) + 16;
  }

  scan(window: TextWindow, from: number, to: number, report: Report): number {
    const keywords = this.compiled(window);
    // Another search may have used the kernel between two scans of this one.
    const buckets = loadKeywords(window.kernel, keywords, this.size);
    const numbers = buckets.map((members) => members.map((keyword) => keywords.indexOf(keyword)));
    window.kernel.find(from, to, (offset, mask) => {
      for (let bucket = 0; bucket < buckets.length; bucket += 1) {
        if ((mask & (1 << bucket)) === 0) continue;
        const members = buckets[bucket] ?? [];
        for (let i = 0; i < members.length; i += 1) {
          if (!members[i]?.matches(window.data, offset, window.end)) continue;
          if (!report(offset, numbers[bucket]?.[i] ?? 0)) return false;
        }
      }
      return true;
    });
    return to;
  }

  private compiled(window: TextWindow): Keyword[] {
    if (this.keywords === undefined) {
      const sample = window.file.identity.size >= LARGE_FILE ? SAMPLE.large : SAMPLE.small;
      const pairs = new BytePairs(window.data.subarray(0, Math.min(sample, window.end)));
      this.keywords = this.texts.map((text) => compileKeyword(text, this.size, pairs, this.caseSensitive));
    }
    return this.keywords;
  }
}
