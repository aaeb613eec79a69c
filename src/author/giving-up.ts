// How those who write atoms stop without an answer: the model asks a person, or the task loop gives it up.
import type { Stopped, Task } from "../conversation/task-loop.ts";
import { nudge } from "./prompts.ts";
import { ASK_PERSON, askPersonArguments } from "./submit-tools.ts";
import type { GivenUp } from "./types.ts";

/** What all tasks of an author share: the words, and both ways to stop. */
export const AUTHOR_TASK: Pick<Task<never, GivenUp>, "nudges" | "leave" | "giveUp"> = {
  nudges: nudge,
  giveUp,
  leave: {
    tool: ASK_PERSON,
    answer: "A person will be asked.",
    read: (args, stopped) => {
      const { reasons, questions } = askPersonArguments.parse(args);
      const given = giveUp({ ...stopped, reason: "the model asks a person and gives no reason" });
      return { ...given, reasons: reasons.length > 0 ? reasons : given.reasons, questions };
    },
  },
};

function giveUp({ reason, lastSource }: Stopped): GivenUp {
  return {
    kind: "gave_up",
    reasons: [reason],
    questions: [],
    candidates:
      lastSource === ""
        ? []
        : [{ code: lastSource, note: "the last source the model sent; it was not accepted" }],
    log_summary: "",
  };
}
