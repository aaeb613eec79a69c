// How the tasks of authors end without an answer: the model asks the user, or the task loop gives up.
import type { Stopped, Task } from "../conversation/task-loop.ts";
import { nudge } from "./prompts.ts";
import { ASK_PERSON, askPersonArguments } from "./submit-tools.ts";
import type { GivenUp } from "./types.ts";

/** Members that all tasks of authors share. */
export const AUTHOR_TASK: Pick<Task<never, GivenUp>, "nudges" | "leave" | "giveUp"> = {
  nudges: nudge,
  giveUp,
  leave: {
    tool: ASK_PERSON,
    answer: "A person will be asked.",
    read: (args, stopped) => {
      const { reasons, questions } = askPersonArguments.parse(args);
      const stop = giveUp({ ...stopped, reason: "the model asks for help without a reason" });
      return { ...stop, reasons: reasons.length > 0 ? reasons : stop.reasons, questions };
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
        : [{ code: lastSource, note: "the last source of the model, which was not accepted" }],
    log_summary: "",
  };
}
