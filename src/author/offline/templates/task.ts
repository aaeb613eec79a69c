// What a line rule is built from: an example line, the hints of the page, and the lines of the log that it has to
// fit. Passed through the search for an expression as one value.

import type { FieldRule, Hint, Listed } from "../page/page.ts";
import type { Assignment } from "../parts/assign.ts";
import type { Span } from "../parts/spans.ts";

/** One example line and everything known about it. */
export interface LineTask {
  example: string;
  value: Hint | undefined;
  fields: readonly Hint[];
  lists: readonly Listed[];
  /** Constant fields, e.g. the label of the example. */
  constants: ReadonlyMap<string, string>;
  lines: readonly string[];
  /** Stems of the page's prose. */
  stems: ReadonlySet<string>;
  /** Stems of the sentences about what is wanted. */
  wantedStems?: ReadonlySet<string>;
  /** Words behind "only": lines without them are not wanted. */
  onlyWords?: ReadonlySet<string>;
  /** Codes and numbers in the page's words outside examples and descriptions of parts. */
  asked?: ReadonlySet<string>;
  /** Words that the page gives as alternatives of one another. */
  either?: ReadonlyMap<string, readonly string[]>;
  /** Does the page say that either of two words will do? */
  areEither?: (one: string, other: string) => boolean;
  /** Texts that the page quotes as alternatives of one another. */
  eitherTexts?: readonly (readonly string[])[];
  /** Stems of the kinds of records that the page names side by side: each is wanted. */
  kinds?: readonly (readonly string[])[];
  /** The page says that names may be written in capitals or not. */
  anyCase?: boolean;
  /** Every line is a record of its own, and the example is one of the page. */
  single?: boolean;
  /** What stands in the page's words as a piece of its own. */
  said?: ReadonlySet<string>;
  /** The example is a line of the log itself. */
  real: boolean;
  /** The page tells the example in words only: the log may have no line like it. */
  made?: boolean;
  /** Texts of lines that are not wanted. */
  unwanted?: readonly string[];
  /** Does the page speak of lines that are not wanted? */
  excludes?: boolean;
  /** Stems of words that only unwanted lines have. */
  unwantedStems?: ReadonlySet<string>;
  /** Conditions of the page on fields. */
  conditions?: readonly FieldRule[];
  /** Does the page rule the whole line out? */
  excluded?: (line: string) => boolean;
  /** Does the page set the line apart from the wanted ones by the way? */
  apart?: (line: string) => boolean;
  /** Collects lines that are not read since they are of another kind by one word; they stay a doubt. */
  refused?: Set<string>;
  /** Where the parts of the example are, when that is known already. */
  assignment?: Assignment;
  /** Offsets of tokens of the example that are known to vary. */
  loose?: ReadonlySet<number>;
  /** Words that the page calls words of the line: no part has them. */
  words?: readonly string[];
  varies?: (span: Span) => boolean | undefined;
}
