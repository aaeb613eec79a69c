// One finding of `doctor`.
import type { ExitCode } from "../../core/errors.ts";

export interface Check {
  /** Subject of the check, e.g. `sandbox`, `output folder`. */
  name: string;
  status: "ok" | "warning" | "error";
  /** The finding. */
  message: string;
  /** How to fix it, if needed. */
  hint?: string;
  /** Exit code for this finding. */
  exit?: ExitCode;
}
