// Short answers of the program inside a conversation. Their words belong to a loop: a markdown file of its prompts,
// each heading a name, the text below it what is sent.
import { AtomsmithError } from "../core/errors.ts";
import { placesIn, render } from "./prompts.ts";

export type NudgeValues = Readonly<Record<string, string | number>>;
/** The text of a nudge. Throws kind `internal` for a name the loop has no words for. */
export type Nudges = (name: string, values?: NudgeValues) => string;

/** The nudges that the task loop itself sends; a loop with tools needs words for all of them. */
export const TASK_NUDGES = {
  /** The reply has neither text nor calls. */
  empty: "empty",
  /** It was cut off at its length limit. */
  cut: "cut",
  refused: "refused",
  /** A content filter of the server stopped it. */
  filtered: "filtered",
  /** Values: `problem`. */
  badArguments: "bad_arguments",
  /** Values: `name`, `tools`. */
  unknownTool: "unknown_tool",
  /** Values: `tool`, the tool that hands in the work. */
  noMoreCalls: "no_more_calls",
  /** Values: `count`. */
  sameCall: "same_call",
  /** Work came beside calls whose results it cannot have used. */
  submitAfterResults: "submit_after_results",
} as const;

/** Reads the nudges of a loop. A text need not use every value it is offered; a place that has no value is a bug. */
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
    if (text === undefined) throw new AtomsmithError("internal", `no nudge is called ${name}`);
    const wanted = placesIn(text);
    return render(text, Object.fromEntries(Object.entries(values).filter(([key]) => wanted.has(key))));
  };
}
