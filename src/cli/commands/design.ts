// `design`: a conversation that edits a spec and runs its pipeline. The actions are implemented in src/cli/design/.
import { AtomsmithError, type ExitCode } from "../../core/errors.ts";
import { defineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { approve, cancel, patchFromFile, reject, run, undo } from "../design/actions.ts";
import { type ACTIONS, DESIGN_ARGS, type DesignArgs } from "../design/args.ts";
import { createFromArgs } from "../design/create.ts";
import { Session } from "../design/session.ts";
import { show } from "../design/show.ts";
import { atTerminal, isTerminal } from "../design/talk.ts";

export const designCommand = defineCommand({
  name: "design",
  summary: "edit a spec in conversation and run its pipeline; every change needs approval",
  details:
    "You describe a change; a model answers with text, questions, patches of the spec, or a request for a run. " +
    "Nothing changes or runs before you approve it. A proposal shows what it changes in the spec " +
    "and, for a checklist, in the verdicts. All actions work without a model. The state is on disk: each command " +
    "continues where the previous one ended.",
  args: DESIGN_ARGS,
  examples: [
    {
      command: "atomsmith design --project-dir signoff --create soc_top",
      does: "create a checklist project",
    },
    {
      command: 'atomsmith design --project-dir signoff --message "waive m1.6 in DRC-04, ticket 4711"',
      does: "run one turn of the conversation: the model proposes a patch",
    },
    { command: "atomsmith design approve 0001 --project-dir signoff", does: "apply the patch" },
    {
      command: "atomsmith design run --until check --project-dir signoff",
      does: "run the pipeline to see the effect on the results",
    },
    { command: "atomsmith design --project-dir signoff", does: "start the conversation on a terminal" },
  ],
  exits: {
    0: "done",
    2: "wrong usage, an invalid spec, or the project is locked by another process",
    3: "a patch, a run or a question is pending",
    4: "the turn failed: the model was not reachable, or its answer was not usable",
    7: "the requested run failed",
    130: "interrupted or cancelled",
  },
  run: runDesign,
});

async function runDesign(args: DesignArgs, context: CommandContext): Promise<ExitCode> {
  const dir = context.resolve(args["project-dir"]);
  checkWords(args);
  switch (args.action) {
    case "show":
      return show(dir, args.words, context);
    case "cancel":
      return cancel(dir, context);
    case undefined:
      return converse(dir, args, context);
    default:
      return Session.use(dir, args, context, (session) => act(session, args));
  }
}

function act(session: Session, args: DesignArgs): Promise<ExitCode> {
  const reason = args.reason ?? null;
  const [word = ""] = args.words;
  switch (args.action) {
    case "approve":
      return approve(session, word, reason);
    case "reject":
      return reject(session, word, reason);
    case "run":
      return run(session, args.until);
    case "patch":
      return patchFromFile(session, word, reason);
    default:
      return undo(session, reason);
  }
}

async function converse(dir: string, args: DesignArgs, context: CommandContext): Promise<ExitCode> {
  const terminal = args.message === undefined && isTerminal(context);
  if (args.create !== undefined) {
    const code = await createFromArgs(dir, args, context, args.message === undefined && !terminal);
    if (args.message === undefined && !terminal) return code;
  } else if (args.pipeline !== undefined) {
    throw new AtomsmithError("usage", "--pipeline requires --create NAME");
  } else if (args.message === undefined && !terminal) {
    throw new AtomsmithError("usage", "the conversation requires a terminal", {
      hint: "in scripts, use --message TEXT or an action (atomsmith design --help)",
    });
  }
  return Session.use(dir, args, context, (session) =>
    args.message === undefined ? atTerminal(session) : session.turn(args.message ?? ""),
  );
}

const WORDS: Record<(typeof ACTIONS)[number], { least: number; most: number; usage: string }> = {
  approve: { least: 1, most: 1, usage: "approve ID|run" },
  reject: { least: 1, most: 1, usage: "reject ID|run" },
  run: { least: 0, most: 0, usage: "run [--until STAGE]" },
  patch: { least: 1, most: 1, usage: "patch FILE|-" },
  cancel: { least: 0, most: 0, usage: "cancel" },
  undo: { least: 0, most: 0, usage: "undo" },
  show: { least: 1, most: 2, usage: "show spec|patches|runs|artifacts|history|state [ID]" },
};

function checkWords({ action, words, until, message, create }: DesignArgs): void {
  if (action === undefined) {
    if (until === undefined) return;
    throw new AtomsmithError("usage", "--until is an option of design run only");
  }
  const { least, most, usage } = WORDS[action];
  if (words.length < least || words.length > most)
    throw new AtomsmithError("usage", `use: design ${usage} --project-dir DIR`);
  if (until !== undefined && action !== "run")
    throw new AtomsmithError("usage", "--until is an option of design run only");
  if (message === undefined && create === undefined) return;
  throw new AtomsmithError("usage", `design ${action} cannot be combined with --message or --create`);
}
