// Short replies of the program within a conversation. Each loop has its own texts in a markdown file of its prompts:
// the heading is the name, the text below it is sent.
import { AtomsmithError } from "../core/errors.ts";
import { placeholdersIn, render } from "./prompts.ts";

export type NudgeValues = Readonly<Record<string, string | number>>;
/** The text of a nudge. Throws kind `internal` for an unknown name. */
export type Nudges = (name: string, values?: NudgeValues) => string;

/** The nudges that the task loop itself sends; a loop with tools needs texts for all of them. */
export const TASK_NUDGES = {
  /** The reply has neither text nor calls. */
  empty: "empty",
  /** The reply was cut off at its length limit. */
  cut: "cut",
  refused: "refused",
  /** A content filter of the server stopped it. */
  filtered: "filtered",
  /** Values: `problem`. */
  badArguments: "bad_arguments",
  /** Values: `name`, `tools`. */
  unknownTool: "unknown_tool",
  /** Values: `tool`, the submit tool. */
  noMoreCalls: "no_more_calls",
  /** Values: `count`. */
  sameCall: "same_call",
  /** Work was submitted together with calls whose results it cannot have used. */
  submitAfterResults: "submit_after_results",
} as const;

/** Parses the nudges of a loop. A text need not use every value; a placeholder without a value is a bug. */
export function readNudges(markdown: string): Nudges {
  const texts = new Map(
    markdown
      .split(/^## /m)
      .slice(1)
      .map((part): [string, string] => {
        const end = part.indexOf("\n");
        return [part.slice(0, end).trim(), part.slice(end + 1).trim()];
      }),
  );
  return (name, values = {}) => {
    const text = texts.get(name);
    if (text === undefined) throw new AtomsmithError("internal", `no nudge named ${name}`);
    const used = placeholdersIn(text);
    return render(text, Object.fromEntries(Object.entries(values).filter(([key]) => used.has(key))));
  };
}
