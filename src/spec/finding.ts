// What the parser says of a page.

/** Something about a page that a person should repair (`error`: it is never run) or know (`warning`). */
export interface SpecFinding {
  severity: "error" | "warning";
  /** Stable machine name: `not_text`, `item_id`, `placeholder`, `missing_section`, … */
  code: string;
  message: string;
  line?: number;
}
