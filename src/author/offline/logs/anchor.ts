// A line that may be the one that counts of a record.
import type { Fit } from "../examples/matcher.ts";
import type { Span } from "../examples/spans.ts";

/** A line that may be the one that counts, or a row of the table that it surely is. */
export interface Anchor {
  line: number;
  fit: Fit;
  spans: ReadonlyMap<string, Span> | undefined;
}
