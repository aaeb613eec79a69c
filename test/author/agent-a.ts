// Agent A in conversation with a scripted model: its replies, and one run per test.
import type { AtomADraft, GivenUp } from "../../src/author/types.ts";
import {
  type Bench,
  type BenchOptions,
  benchPerTest,
  GOOD_A,
  NO_MEMORY,
  PARSING,
} from "../support/author.ts";
import type { ScriptedReply, WireRequestIn } from "../support/model-server.ts";
import { listedPaths, type StepScript, scriptedAuthor } from "../support/scripted-author.ts";

export const SUBMISSION = {
  code: GOOD_A,
  input_files: ["*.log"],
  log_summary: "One line per path.",
  memory: NO_MEMORY,
  witnesses: ["done"],
  notes: "by line",
};
export const LIST: ScriptedReply = {
  tool_calls: [{ name: "list_available_files", arguments: { patterns: ["*.log"] } }],
};
export const READ = (request: WireRequestIn): ScriptedReply => ({
  tool_calls: [{ name: "read_file_header", arguments: { file_path: listedPaths(request)[0] } }],
});
export const SUBMIT: ScriptedReply = {
  tool_calls: [{ name: "submit_extract_context", arguments: SUBMISSION }],
};
export const FENCED: ScriptedReply = { content: `\`\`\`js\n${GOOD_A}\`\`\`` };

/** Runs Agent A, once or more per test. `bench` and `lastMessages` describe the last run. */
export function agentARuns() {
  const startBench = benchPerTest();
  let bench: Bench | undefined;
  return {
    agentA: (
      steps: StepScript,
      options: BenchOptions & { files?: Record<string, string> } = {},
    ): Promise<AtomADraft | GivenUp> => {
      bench = startBench(scriptedAuthor({ agent_a: steps }), options.files, options);
      return bench.author.agentA(PARSING, bench.context);
    },
    bench: (): Bench => {
      if (bench === undefined) throw new Error("no run of Agent A in this test");
      return bench;
    },
    /** Messages of the last request, as the server received them. */
    lastMessages: (): WireRequestIn["messages"] => bench?.server.requests.at(-1)?.body.messages ?? [],
  };
}

/** The draft of a run; throws when Agent A gave up. */
export function draft(end: AtomADraft | GivenUp): AtomADraft {
  if (end.kind !== "draft") throw new Error(`gave up: ${end.reasons.join("; ")}`);
  return end;
}

/** The result of a run that gave up; throws when it ended with a draft. */
export function gaveUp(end: AtomADraft | GivenUp): GivenUp {
  if (end.kind !== "gave_up") throw new Error("did not give up");
  return end;
}
