// The tools that a task lets a model call, as the task loop sees them.
import type { ToolSpec } from "../contract/tool-spec.ts";

/** What a tool answers. */
export interface ToolAnswer {
  text: string;
  /** The text comes from files, commands or a network and is put between data marks; else it is the program's own. */
  isData: boolean;
  /** Did the model learn something from it? Work that comes beside such a call was written without the answer. */
  isNew: boolean;
}

export interface ToolBox {
  /** What the model is told of the tools. */
  readonly specs: readonly ToolSpec[];
  /** Calls one of them with unchecked arguments: what is wrong with these is an answer, never thrown. */
  call(name: string, args: Record<string, unknown>): Promise<ToolAnswer>;
  /** Said below each answer: what is left of the budget. Undefined where there is none. */
  budgetLine(): string | undefined;
}
