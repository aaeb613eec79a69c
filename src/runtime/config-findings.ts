// L0: what reading a config collects, and the two small rules that both halves of it share.
import type { ConfigProblem } from "../contract/config.ts";
import { truncate } from "../core/limits.ts";
import type { NodeView } from "./yaml-map.ts";

/** generated: written by an author, a wrong count or an unknown key is an error; handwritten: a warning. */
export type ConfigMode = "generated" | "handwritten";

/** Problems and warnings found so far, with the mode that decides between them. */
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

  /** An error in a generated config, a warning in a hand-written one. */
  strict(path: string, message: string, line: number): void {
    if (this.mode === "generated") this.error(path, message, line);
    else this.warn(path, message, line);
  }
}

/** N/A is: key missing, null, or a string that is `N/A` after trimming. */
export function isNotApplicable(node: NodeView | undefined): boolean {
  if (node === undefined) return true;
  const view = node.view();
  if (view.kind !== "scalar") return false;
  return view.value === null || (typeof view.value === "string" && view.value.trim() === "N/A");
}

/** A value for a message: quoted, short. */
export function show(text: string): string {
  return JSON.stringify(truncate(text, 120).text);
}
