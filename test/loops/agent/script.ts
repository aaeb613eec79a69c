// A model for jobs of the agent loop: what it answers follows from the request alone, so that it can be asked by one
// process after the other. It works on the current task of the display: one file per task, then todo_complete().
import type { ScriptedReply, WireMessageIn, WireRequestIn } from "../../support/model-server.ts";

export interface JobScript {
  /** Todos of each phase of the plan. */
  phases: number[];
  confidence?: number;
  /** Looked at first; undefined: the usual answer. */
  before?(request: WireRequestIn, task: Task | undefined): ScriptedReply | undefined;
}

/** The current task as the display shows it. */
export interface Task {
  phase: string;
  number: number;
  text: string;
}

export function call(name: string, args: object = {}, content = ""): ScriptedReply {
  counter += 1;
  return { content, tool_calls: [{ name, arguments: args, id: `id_${counter}` }] };
}

let counter = 0;

export function lastText({ messages }: WireRequestIn): string {
  return messages.at(-1)?.content ?? "";
}

/** Which planning step a request is of. */
export function nodeOf(request: WireRequestIn): string {
  const said = lastText(request);
  const planning = ["update_memory", "update_plan", "create_todos"].find((node) => said.includes(node));
  return planning ?? ((request.tools ?? []).length === 0 ? "summary" : "process");
}

export function taskOf({ messages }: WireRequestIn): Task | undefined {
  const system = messages[0]?.content ?? "";
  const phase = /^Phase: (.*)$/m.exec(system)?.[1];
  const line = /^\[ \] (\d+)\. (.*) {6}← CURRENT$/m.exec(system);
  return phase === undefined || line === null
    ? undefined
    : { phase, number: Number(line[1]), text: line[2] ?? "" };
}

/** Answers of a whole job. */
export function jobScript(script: JobScript): (request: WireRequestIn) => ScriptedReply {
  return (request) => {
    const task = taskOf(request);
    const own = script.before?.(request, task);
    if (own !== undefined) return own;
    switch (nodeOf(request)) {
      case "update_memory":
        return {
          content: `# Memory\n\nFound so far: ${(lastText(request).match(/\[x\]/g) ?? []).length} steps.`,
        };
      case "update_plan":
        return { content: nextPlan(lastText(request), script.phases) };
      case "create_todos": {
        const phase = Number(
          /current phase, .*\((\d+) of \d+\)/.exec(request.messages[1]?.content ?? "")?.[1],
        );
        const count = script.phases[phase - 1] ?? 5;
        return call("todo_write", {
          todos: Array.from({ length: count }, (_, i) => `Phase ${phase} step ${i + 1}`),
        });
      }
      case "summary":
        return { content: "Summary: worked on the tasks." };
      default:
        return work(request, task, script);
    }
  };
}

function work(request: WireRequestIn, task: Task | undefined, script: JobScript): ScriptedReply {
  if (task === undefined) return { content: "no task" };
  if (task.phase === "Final review" && task.number === 3) {
    return call("job_complete", {
      summary: "All phases are done.",
      deliverables: ["output/report.md"],
      confidence: script.confidence ?? 0.9,
      notes: "",
    });
  }
  const last = request.messages.findLast((message) => message.role === "assistant");
  const worked = calledIn(last).some((name) => name !== "todo_complete" && name !== "todo_write");
  if (worked) return call("todo_complete");
  const action = BOOTSTRAP[`${task.phase} ${task.number}`];
  if (action !== undefined) return action(script);
  const path =
    task.phase === "Final review" ? "output/report.md" : `output/${task.text.replaceAll(" ", "_")}.md`;
  return call("write_file", { path, content: `# ${task.text}\n\nDone.\n` });
}

const BOOTSTRAP: Record<string, (script: JobScript) => ScriptedReply> = {
  "Bootstrap 1": () => call("generate_workspace_summary"),
  "Bootstrap 2": () => call("read_file", { path: "workspace_summary.md" }),
  "Bootstrap 3": () => call("read_file", { path: "instructions.md" }),
  "Bootstrap 4": ({ phases }) => call("write_file", { path: "main_plan.md", content: plan(phases, 0) }),
  "Bootstrap 5": () => call("todo_complete"),
};

function calledIn(message: WireMessageIn | undefined): string[] {
  return (message?.tool_calls ?? []).map((one) => one.function.name);
}

/** The plan with the first `done` phases complete and the next one current; 0: no marks yet. */
export function plan(phases: readonly number[], current: number): string {
  const lines = phases.map((_, index) => {
    const mark =
      current === 0 ? "" : index + 1 < current ? " ✓ COMPLETE" : index + 1 === current ? " ← CURRENT" : "";
    return `## Phase ${index + 1}: Part ${index + 1}${mark}\n- [ ] work`;
  });
  return `# Execution Plan\n\n## Overview\nIn parts.\n\n${lines.join("\n\n")}\n`;
}

/** What follows on the plan in the material of the step. */
function nextPlan(said: string, phases: readonly number[]): string {
  const current = Number(/^## Phase (\d+):.*← CURRENT$/m.exec(said)?.[1] ?? 0);
  const again = said.includes("issue: why the last todos were given up");
  return plan(phases, again ? current : current + 1);
}
