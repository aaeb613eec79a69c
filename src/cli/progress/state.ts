// State of the progress display, computed from events only.
import { count } from "../../core/words.ts";
import type { AnyEvent } from "../../loops/events.ts";

export type ItemState =
  | "running"
  | "skipped"
  | "accepted"
  | "human_required"
  | "error"
  | "interrupted"
  | "pass"
  | "fail";

export interface ItemProgress {
  state: ItemState;
  stage: string;
  iteration: number;
  startedAt: number;
  /** Latest activity: a tool, a gate, a model call. */
  detail: string;
}

const WRITES = "writes: …";
/** Most characters of a streamed model text in the display. */
const STREAMED_CHARS = 60;

/** Sums up events. Times are milliseconds since the epoch, passed by the caller. */
export class ProgressState {
  readonly items = new Map<string, ItemProgress>();
  /** Total number of items, if known. */
  total: number | null = null;
  calls = 0;
  inputTokens = 0;
  outputTokens = 0;
  /** null after a call with an unknown price. */
  costUsd: number | null = 0;
  readonly startedAt: number;

  constructor(startedAt: number) {
    this.startedAt = startedAt;
  }

  add(event: AnyEvent): void {
    if (event.type === "model_call_finished") this.bill(event);
    if (event.subject !== null) this.addForSubject(event, event.subject);
    else if (event.type === "progress" && event.what === "items") this.total = event.total;
  }

  private bill(event: AnyEvent & { type: "model_call_finished" }): void {
    this.calls += 1;
    this.inputTokens += event.input_tokens;
    this.outputTokens += event.output_tokens;
    this.costUsd = event.cost_usd === null || this.costUsd === null ? null : this.costUsd + event.cost_usd;
  }

  private addForSubject(event: AnyEvent, id: string): void {
    const now = Date.parse(event.at);
    switch (event.type) {
      case "item_started":
      case "item_skipped":
        this.items.set(id, {
          state: event.type === "item_started" ? "running" : "skipped",
          stage: "",
          iteration: 0,
          startedAt: now,
          detail: event.reason,
        });
        break;
      case "item_finished":
        this.update(id, now, { state: event.status, detail: event.message ?? "" });
        break;
      case "job_finished": {
        const ends = { completed: "accepted", waiting: "human_required", failed: "error" } as const;
        const state = event.status in ends ? ends[event.status as keyof typeof ends] : "interrupted";
        this.update(id, now, { state, detail: event.message });
        break;
      }
      case "todo_finished":
        this.update(id, now, { detail: `todo ${event.done} of ${event.total}: ${event.text}` });
        break;
      case "stuck":
        this.update(id, now, { detail: `stuck: ${event.reason}` });
        break;
      case "stage_started":
        this.update(id, now, { stage: event.stage, iteration: event.iteration, detail: "" });
        break;
      case "model_call_started":
        this.update(id, now, { detail: `calls ${event.model}` });
        break;
      case "model_call_finished":
        this.update(id, now, { detail: "" });
        break;
      case "model_delta":
        this.update(id, now, { detail: this.appendText(id, event.text) });
        break;
      case "tool_called":
        this.update(id, now, { detail: event.summary });
        break;
      case "gate_finished":
        this.update(id, now, { detail: event.gate });
        break;
      case "order_started":
        this.items.set(id, {
          state: "running",
          stage: "",
          iteration: 0,
          startedAt: now,
          detail: event.title,
        });
        break;
      case "order_finished":
        this.update(id, now, { state: event.status, detail: event.message });
        break;
      case "attempt_failed":
        this.update(id, now, { detail: `${event.stage}: ${event.reason}` });
        break;
      case "command_started":
        this.update(id, now, { detail: `runs ${event.command}` });
        break;
      case "command_finished":
        this.update(id, now, { detail: "" });
        break;
      case "retry":
        this.update(id, now, { detail: `waits: ${event.reason}` });
        break;
      case "progress": {
        const of = event.total === null ? "" : ` of ${event.total}`;
        this.update(id, now, { detail: `${event.what} ${event.done}${of}` });
        break;
      }
      default:
        break;
    }
  }

  /** Keeps the end of a streamed model text, as one line. */
  private appendText(id: string, text: string): string {
    const before = this.items.get(id)?.detail ?? "";
    const streamed = before.startsWith(WRITES) ? before.slice(WRITES.length) : "";
    return WRITES + `${streamed}${text}`.replace(/[\s\p{C}]+/gu, " ").slice(-STREAMED_CHARS);
  }

  count(...states: ItemState[]): number {
    let n = 0;
    for (const item of this.items.values()) if (states.includes(item.state)) n += 1;
    return n;
  }

  private update(id: string, now: number, change: Partial<ItemProgress>): void {
    const before = this.items.get(id) ?? {
      state: "running" as const,
      stage: "",
      iteration: 0,
      startedAt: now,
      detail: "",
    };
    this.items.set(id, { ...before, ...change });
  }
}

const SHOWN: readonly [ItemState, string][] = [
  ["running", "running"],
  ["accepted", "accepted"],
  ["pass", "passed"],
  ["fail", "failed"],
  ["human_required", "need review"],
  ["error", "error"],
  ["interrupted", "interrupted"],
  ["skipped", "unchanged"],
];

/** `2 of 12 done, about 40 s left` */
export function doneText(state: ProgressState, now: number): string {
  const done = state.items.size - state.count("running");
  const head = state.total === null ? `${done} done` : `${done} of ${state.total} done`;
  const left = timeLeft(state, now);
  return left === null ? head : `${head}, about ${duration(left)} left`;
}

/** `8 running, 2 accepted, 12 model calls, $0.12, 3 min 20 s so far` */
export function countsText(state: ProgressState, now: number): string {
  const parts = SHOWN.map(([name, text]) => [state.count(name), text] as const)
    .filter(([n]) => n > 0)
    .map(([n, text]) => `${n} ${text}`);
  if (state.calls > 0) {
    parts.push(count(state.calls, "model call"), costText(state));
  }
  return [...parts, `${duration(now - state.startedAt)} so far`].join(", ");
}

/** Cost in dollars, or that it is unknown. */
export function costText(state: ProgressState): string {
  return state.costUsd === null ? "cost unknown" : `$${state.costUsd.toFixed(2)}`;
}

/** Estimated milliseconds left at the current pace; null before the first item is done or without a total. */
export function timeLeft(state: ProgressState, now: number): number | null {
  const worked = state.items.size - state.count("running", "skipped");
  if (state.total === null || worked === 0) return null;
  const open = state.total - worked - state.count("skipped");
  return open <= 0 ? null : ((now - state.startedAt) / worked) * open;
}

/** `8 s`, `3 min 20 s`, `1 h 02 min`. */
export function duration(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${String(s % 60).padStart(2, "0")} s`;
  return `${Math.floor(s / 3600)} h ${String(Math.floor((s % 3600) / 60)).padStart(2, "0")} min`;
}
