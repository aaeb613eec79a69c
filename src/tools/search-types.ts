// The types of a search: arguments, compiled patterns, excerpts.
import type { Matcher, SearchHit } from "../logio/index.ts";

export interface SearchArguments {
  keywords: string[];
  /** Lines that contain one of these are not matches. Interpreted like the keywords. */
  exclude: string[];
  contextLines: number;
  maxMatches: number;
  /** The requested number of matches, if it is above the limit in `maxMatches`. */
  askedMatches: number | undefined;
  /** Keywords are regular expressions. */
  regex: boolean;
  caseSensitive: boolean;
  /** Milliseconds for the whole pass. */
  maxTime: number;
}

/** A range of lines around matches whose contexts overlap or touch. */
export interface Excerpt {
  from: number;
  to: number;
  hits: SearchHit[];
}

/** The compiled patterns of a search. */
export interface SearchPatterns {
  /** The patterns of the matcher: distinct, without invalid expressions. */
  keywords: string[];
  matcher: Matcher | undefined;
  excludes: ((line: string) => boolean) | undefined;
  bad: { pattern: string; message: string }[];
}

export interface ShownExcerpt extends Excerpt {
  lines: string[];
}
