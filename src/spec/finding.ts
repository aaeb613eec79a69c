// Findings of the parser about a page.

/** A problem of a page: with an `error` it is never run. */
export interface SpecFinding {
  severity: "error" | "warning";
  /** Stable machine name: `not_text`, `item_id`, `placeholder`, `missing_section`, … */
  code: string;
  message: string;
  line?: number;
}
