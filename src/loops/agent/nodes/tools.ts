// tools: runs the calls of the last reply, one after the other; each is stored before it takes effect.
import type { NodeTime } from "../../../engine/index.ts";
import type { AgentState } from "../schemas.ts";
import type { AgentServices } from "../services.ts";
import { runCall } from "../tools/calls.ts";
import { afterCalls, guarded, type Seen } from "../watch.ts";
import { saveTodos } from "./todo-file.ts";

/** Maximum number of calls of one reply. */
const MAX_CALLS = 16;

export async function tools(state: AgentState, services: AgentServices, time: NodeTime): Promise<AgentState> {
  let now = state;
  let stop: string | undefined;
  const results: Seen[] = [];
  for (const [index, call] of state.pending.entries()) {
    services.check();
    if (index >= MAX_CALLS) stop ??= services.say("not_run_too_many", { count: MAX_CALLS });
    const {
      state: next,
      outcome,
      shown,
      interrupted,
    } = await runCall(now, call, services, time.signal, stop);
    now = { ...next, messages: [...next.messages, { role: "tool", tool_call_id: call.id, content: shown }] };
    results.push({ name: call.name, arguments: call.arguments, text: outcome.text, ok: outcome.ok });
    stop ??= interrupted
      ? services.say("not_run_after_crash")
      : reasonToStop(call.name, outcome.ok, now, services);
  }
  if (now.todos !== state.todos) await saveTodos(now, services);
  const watched = { ...now, pending: [], watch: afterCalls(now.watch, results) };
  return guarded(watched, services);
}

/** Why the calls after this one are skipped. */
function reasonToStop(
  name: string,
  ok: boolean,
  state: AgentState,
  services: AgentServices,
): string | undefined {
  if (state.rewind !== null || state.reset !== null || state.waiting !== null || state.completion !== null) {
    return services.say("not_run_after_end");
  }
  return name === "todo_complete" && ok ? services.say("not_run_after_complete") : undefined;
}
