// The interface between the task loop and the tools of a task.
import type { ToolSpec } from "../contract/tool-spec.ts";

/** The result of a tool call. */
export interface ToolAnswer {
  text: string;
  /** The text comes from files, commands or a network and must be fenced as data; otherwise it is the program's own. */
  isData: boolean;
  /** Whether the result was new to the model. Work submitted together with such a call was written without it. */
  isNew: boolean;
}

export interface ToolBox {
  /** The tool specifications for the model. */
  readonly specs: readonly ToolSpec[];
  /** Calls a tool with unchecked arguments. Invalid arguments are reported in the answer, not thrown. */
  call(name: string, args: Record<string, unknown>): Promise<ToolAnswer>;
  /** The remaining budget, appended to each answer. Undefined without a budget. */
  budgetLine(): string | undefined;
}
