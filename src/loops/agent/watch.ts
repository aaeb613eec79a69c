// Detects a phase without progress and takes measures: first a forced checkpoint with advice, then a rewind by the
// program, then the job waits for the user.
import { hashJson } from "../../core/hash.ts";
import type { AgentState, Watch } from "./schemas.ts";
import { FRESH_WATCH } from "./schemas.ts";
import type { AgentServices } from "./services.ts";
import { plainText } from "./todo/display.ts";
import { currentTodo } from "./todo/todos.ts";

/** Number of identical calls or texts in a row that count as stuck. */
const SAME = 3;
/** Number of remembered results. */
const MAX_SEEN = 200;

export interface Seen {
  name: string;
  arguments: string;
  text: string;
  ok: boolean;
}

/** Updates the watch after the calls of one reply. */
export function afterCalls(watch: Watch, results: readonly Seen[]): Watch {
  const hashes = results.map(({ name, arguments: args, text }) => hashJson([name, args, text]).slice(0, 16));
  const isNew = results.some(({ ok }, index) => ok && !watch.seen.includes(hashes[index] ?? ""));
  const hash = hashJson(hashes).slice(0, 16);
  return {
    ...watch,
    quiet: isNew ? 0 : watch.quiet + 1,
    seen: [...new Set([...watch.seen, ...hashes])].slice(-MAX_SEEN),
    call: { hash, times: hash === watch.call.hash ? watch.call.times + 1 : 1 },
    text: { hash: "", times: 0 },
  };
}

/** Updates the watch after a reply without calls. */
export function afterText(watch: Watch, text: string): Watch {
  const hash = hashJson(text.trim()).slice(0, 16);
  return {
    ...watch,
    quiet: watch.quiet + 1,
    call: { hash: "", times: 0 },
    text: { hash, times: hash === watch.text.hash ? watch.text.times + 1 : 1 },
  };
}

/** Why the phase is stuck, or undefined. */
export function stuckReason(watch: Watch, maxQuiet: number): string | undefined {
  if (watch.refused_todos > 0) return "the phase has more todos than a list may have";
  if (watch.call.times >= SAME) return `the same call had the same result ${watch.call.times} times in a row`;
  if (watch.text.times >= SAME) return `the same text was returned ${watch.text.times} times in a row`;
  if (watch.quiet >= maxQuiet) return `${watch.quiet} steps without a new result`;
  return undefined;
}

/** Takes the next measure when a phase is stuck. */
export async function guarded(state: AgentState, services: AgentServices): Promise<AgentState> {
  if (state.waiting !== null || state.completion !== null || state.reset !== null) return state;
  const { limits } = services.agent;
  if (state.rewind?.by === "model" && state.rewinds > limits.max_rewinds) {
    return waits(
      state,
      services,
      `the model rewound ${state.rewinds} times; the limit is ${limits.max_rewinds}`,
      "examine_workspace",
    );
  }
  const reason = stuckReason(state.watch, limits.max_stuck_steps);
  if (reason === undefined || state.rewind !== null) return state;
  const { level } = state.watch;
  const watch = { ...FRESH_WATCH, seen: state.watch.seen };
  if (level === 0) {
    services.emit({ type: "stuck", reason, measure: "checkpoint" });
    const advice = services.say("checkpoint", { reason, confidence: services.minConfidence });
    return {
      ...state,
      watch: { ...watch, level: 1 },
      messages: withUserText(state.messages, advice),
    };
  }
  if (level === 1) {
    services.emit({ type: "stuck", reason, measure: "rewind" });
    return {
      ...state,
      watch: { ...watch, level: 2 },
      rewind: { by: "program", issue: issueOf(state, reason) },
    };
  }
  return waits(state, services, reason, state.phase.kind === "bootstrap" ? "bootstrap" : "execute");
}

/** Adds a message of the program; consecutive user messages are merged. */
export function withUserText(messages: AgentState["messages"], text: string): AgentState["messages"] {
  const last = messages.at(-1);
  if (last?.role !== "user") return [...messages, { role: "user", content: text }];
  return [...messages.slice(0, -1), { role: "user", content: `${last.content}\n\n${text}` }];
}

function issueOf(state: AgentState, reason: string): string {
  const current = currentTodo(state.todos);
  const where = current === undefined ? "" : ` at task ${current.number} '${plainText(current.todo.text)}'`;
  return `The phase made no progress${where}: ${reason}.`;
}

async function waits(
  state: AgentState,
  services: AgentServices,
  reason: string,
  node: string,
): Promise<AgentState> {
  services.emit({ type: "stuck", reason, measure: "wait" });
  const text = issueOf(state, reason);
  await services.workspace.apply({ op: "write", path: "stuck_report.md", text: report(state, text) });
  return { ...state, waiting: { reason: "stuck", text, node } };
}

function report(state: AgentState, text: string): string {
  const lastReplies = state.messages.filter((message) => message.role === "assistant").slice(-3);
  return `${[
    "# The job is stuck",
    "",
    text,
    "",
    `- Phase: ${plainText(state.phase.name)}`,
    `- Requests: ${state.requests}, rewinds by the model: ${state.rewinds}`,
    "",
    "## Todos",
    ...state.todos.map((todo) => `- [${todo.status === "done" ? "x" : " "}] ${plainText(todo.text)}`),
    "",
    "## What the model said last",
    ...lastReplies.map((message) => {
      const calls = "tool_calls" in message ? (message.tool_calls ?? []) : [];
      const names = calls.map((call) => `${call.name}(${call.arguments.slice(0, 200)})`).join(", ");
      return `- ${plainText(`${message.content.slice(0, 500)} ${names}`)}`;
    }),
    "",
    "## What to do",
    `- answer to continue the job: atomsmith agent approve ${state.job_id} --answer TEXT`,
    `- or end it as it is: atomsmith agent approve ${state.job_id}`,
  ].join("\n")}\n`;
}
