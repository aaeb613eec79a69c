// The model author: Atom A and the logic are written in separate conversations, which share a session. The loop of a
// conversation is src/conversation/task-loop.ts; its texts are in requests.ts and prompts/item/.
import { LogicAuthor } from "./logic-author.ts";
import { type ModelAuthorOptions, ModelSession } from "./model-session.ts";
import { ParsingAuthor } from "./parsing-author.ts";
import type { Author } from "./types.ts";

/** Creates the author of one item that is a model. */
export function createModelAuthor(options: ModelAuthorOptions): Author {
  const session = new ModelSession(options);
  const parsing = new ParsingAuthor(session);
  const logic = new LogicAuthor(session);
  return {
    name: "model",
    settings: options.settings,
    agentA: (...args) => parsing.agentA(...args),
    reflectA: (...args) => parsing.reflectA(...args),
    secondLookA: (...args) => parsing.secondLookA(...args),
    agentB: (...args) => logic.agentB(...args),
    reflectB: (...args) => logic.reflectB(...args),
    secondLook: (...args) => logic.secondLook(...args),
    usage: () => session.usage(),
  };
}
