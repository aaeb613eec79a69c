// What a search is asked for, looks for and shows.
import type { Matcher, SearchHit } from "../logio/index.ts";

export interface SearchArguments {
  keywords: string[];
  /** Lines that contain one of these are not matches. Interpreted like the keywords. */
  exclude: string[];
  contextLines: number;
  maxMatches: number;
  /** What was asked for instead of `maxMatches`, where that is lower. */
  askedMatches: number | undefined;
  /** Keywords are regular expressions. */
  regex: boolean;
  caseSensitive: boolean;
  /** Milliseconds for the whole pass. */
  maxTime: number;
}

/** Lines that belong together because the contexts of their matches touch. */
export interface Excerpt {
  from: number;
  to: number;
  hits: SearchHit[];
}

/** What a search looks for. */
export interface Wanted {
  /** Each once, unusable expressions left out: the patterns of the matcher. */
  keywords: string[];
  matcher: Matcher | undefined;
  excludes: ((line: string) => boolean) | undefined;
  bad: { pattern: string; message: string }[];
}

export interface ShownExcerpt extends Excerpt {
  lines: string[];
}
