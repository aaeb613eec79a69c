// Anchor lines: the lines whose numbers records report.
import type { Fit } from "../examples/matcher.ts";
import type { Span } from "../examples/spans.ts";

/** A line that may be the anchor of a record. */
export interface Anchor {
  line: number;
  fit: Fit;
  /** Spans of its parts, if they are known without the template. */
  spans: ReadonlyMap<string, Span> | undefined;
}
