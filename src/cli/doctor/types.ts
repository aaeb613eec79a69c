// One finding of `doctor`.
import type { ExitCode } from "../../core/errors.ts";

export interface Check {
  /** What was looked at, e.g. `sandbox`, `output folder`. */
  name: string;
  status: "ok" | "warning" | "error";
  /** What was found. */
  message: string;
  /** What to do, when there is something to do. */
  hint?: string;
  /** Exit code that this finding asks for. */
  exit?: ExitCode;
}
