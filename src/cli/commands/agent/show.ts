// `agent show JOB`: shows a job; with --turns its conversation, with --html as a page.
import { EXIT } from "../../../core/errors.ts";
import { transcript } from "../../../llm/transcript.ts";
import { agentTurnSchema } from "../../../llm/turns.ts";
import {
  jobDocument,
  jobOrThrow,
  storedState,
  storeFolder,
  writeJobPage,
} from "../../../loops/agent/index.ts";
import { readLines } from "../../../store/index.ts";
import { reportFile } from "../../check-reports.ts";
import { defineCommand } from "../../command.ts";
import { JOB_ARG, jobsOf, jobText } from "./shared.ts";

const SHORT_MESSAGE = 1500;

export const showCommand = defineCommand({
  name: "show",
  summary: "show a job: phase, todos, results, turns",
  args: {
    job: JOB_ARG,
    turns: { type: "boolean", description: "also print the stored conversation with the model" },
    html: {
      type: "string",
      valueHint: "FILE",
      description: "write one self-contained HTML page; the job may be running",
    },
  },
  examples: [
    { command: "atomsmith agent show JOB --turns", does: "the conversation with its tool calls" },
    {
      command: "atomsmith agent show JOB --html job.html",
      does: "a page with phases, cost and the size of each request",
    },
  ],
  run: async ({ job: id, turns: wanted, html }, context) => {
    const { workspace } = context.config.loops.agent;
    const job = jobOrThrow(jobsOf(context), id);
    const target = await reportFile(html, "--html", context);
    if (target !== undefined) await writeJobPage(job, workspace, target);
    const document = jobDocument(job, await storedState(workspace, id), workspace);
    const lines = wanted ? (await readLines(`${storeFolder(workspace, id)}/agent_turns.jsonl`)).values : [];
    const turns = lines.flatMap((line) => {
      const parsed = agentTurnSchema.safeParse(line);
      return parsed.success ? [parsed.data] : [];
    });
    context.output.result(wanted ? { ...document, turns } : document, (style) => {
      const todos = document.todos.list.map(
        ({ text, status }) => `  [${status === "done" ? "x" : " "}] ${text}`,
      );
      const head = [jobText(document, style, context.cwd), ...todos].join("\n");
      return wanted
        ? `${head}\n\n${transcript(turns, [], { messageBytes: SHORT_MESSAGE, paint: style })}`
        : head;
    });
    return EXIT.ok;
  },
});
