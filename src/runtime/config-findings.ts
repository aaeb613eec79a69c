// L0: the findings of reading a config, and two helpers of its parts.
import type { ConfigProblem } from "../contract/config.ts";
import { truncate } from "../core/limits.ts";
import type { NodeView } from "./yaml-map.ts";

/** In a generated config, a wrong count or an unknown key is an error; in a handwritten one, a warning. */
export type ConfigMode = "generated" | "handwritten";

/** Collects problems and warnings. */
export class ConfigFindings {
  readonly problems: ConfigProblem[] = [];
  readonly warnings: ConfigProblem[] = [];
  readonly mode: ConfigMode;

  constructor(mode: ConfigMode) {
    this.mode = mode;
  }

  error(path: string, message: string, line: number): void {
    this.problems.push({ path, message, line });
  }

  warn(path: string, message: string, line: number): void {
    this.warnings.push({ path, message, line });
  }

  /** An error in a generated config, a warning in a handwritten one. */
  strict(path: string, message: string, line: number): void {
    if (this.mode === "generated") this.error(path, message, line);
    else this.warn(path, message, line);
  }
}

/** Whether a value is N/A: the key is missing, null, or a string that is `N/A` after trimming. */
export function isNotApplicable(node: NodeView | undefined): boolean {
  if (node === undefined) return true;
  const view = node.view();
  if (view.kind !== "scalar") return false;
  return view.value === null || (typeof view.value === "string" && view.value.trim() === "N/A");
}

/** A value for a message: quoted and truncated. */
export function show(text: string): string {
  return JSON.stringify(truncate(text, 120).text);
}
