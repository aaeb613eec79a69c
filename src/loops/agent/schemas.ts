// The state of a job in checkpoints: plain JSON of bounded size, sufficient to resume after any interruption.
import { z } from "zod";
import { messageSchema } from "../../llm/turns.ts";

/** Name of the loop in events, checkpoints and the folder of its store. */
export const AGENT_LOOP = "agent";

export const todoSchema = z.object({
  id: z.string(),
  text: z.string(),
  status: z.enum(["pending", "in_progress", "done"]),
  priority: z.number(),
  notes: z.string(),
});
export type Todo = z.infer<typeof todoSchema>;

/** `bootstrap` and `final` are phases without a number in the plan; in names of files and tags, they have 0 and the
 * number after the last. */
export const phaseSchema = z.object({
  kind: z.enum(["bootstrap", "plan", "final"]),
  number: z.number().int(),
  name: z.string(),
  total: z.number().int(),
});
export type Phase = z.infer<typeof phaseSchema>;

const callSchema = z.object({ id: z.string(), name: z.string(), arguments: z.string() });

/** Arguments of the call that ended the job. */
export const completionSchema = z.object({
  summary: z.string(),
  deliverables: z.array(z.string()),
  confidence: z.number().min(0).max(1),
  notes: z.string(),
});
export type Completion = z.infer<typeof completionSchema>;

const usageSchema = z.object({
  calls: z.number().int(),
  input_tokens: z.number().int(),
  cached_tokens: z.number().int(),
  output_tokens: z.number().int(),
  cost_usd: z.number().nullable(),
  known_cost_usd: z.number(),
  estimated: z.boolean().exactOptional(),
});

/** Signs that a phase makes no progress. */
export const watchSchema = z.object({
  /** Steps since the last new result. */
  quiet: z.number().int(),
  /** Hashes of the latest results, oldest first. */
  seen: z.array(z.string()),
  call: z.object({ hash: z.string(), times: z.number().int() }),
  text: z.object({ hash: z.string(), times: z.number().int() }),
  /** Todos rejected because the list was full. */
  refused_todos: z.number().int(),
  /** Measures taken in this phase: none, a forced checkpoint, a rewind. */
  level: z.number().int().min(0).max(2),
});
export type Watch = z.infer<typeof watchSchema>;

export const stateSchema = z.object({
  format: z.literal(1),
  job_id: z.string(),
  phase: phaseSchema,
  todos: z.array(todoSchema),
  next_todo: z.number().int(),
  /** Ids of finished todos that are already in progress.md and the git history. */
  recorded_todos: z.array(z.string()),
  /** Lines of progress.md. */
  finished: z.number().int(),
  /** Layer 4: summary of what happened before the conversation. */
  summary: z.string(),
  /** Layer 5. */
  messages: z.array(messageSchema),
  /** Calls of the last reply that wait to be run. */
  pending: z.array(callSchema),
  /** Number of requests and calls so far; they number both for the whole job. */
  requests: z.number().int(),
  calls: z.number().int(),
  usage: usageSchema,
  /** Requests of this phase. */
  phase_steps: z.number().int(),
  /** Token count of the server divided by the local count; at least 1. */
  token_ratio: z.number(),
  watch: watchSchema,
  /** Deferred tools loaded by a search. */
  loaded: z.array(z.string()),
  /** Set when plan and todos must be redone: who requested it, and why. */
  rewind: z.object({ by: z.enum(["model", "program"]), issue: z.string() }).nullable(),
  /** Number of rewinds by the model in the whole job. */
  rewinds: z.number().int(),
  /** `archive_and_reset` was called: name of the phase, may be empty. */
  reset: z.string().nullable(),
  /** The issue of the last rewind, until there are new todos. */
  issue: z.string(),
  completion: completionSchema.nullable(),
  /** Set when the job waits for the user; it resumes at `node`. */
  waiting: z
    .object({
      reason: z.enum(["question", "stuck", "confidence", "unusable"]),
      text: z.string(),
      node: z.string(),
    })
    .nullable(),
  answers: z.array(z.object({ question: z.string(), answer: z.string() })),
  accomplishments: z.array(z.string()),
  notes: z.array(z.string()),
  /** When the last phase ended, for the names of its archive. */
  phase_ended_at: z.string(),
  /** Quota and memory of the log tools. */
  logs: z.record(z.string(), z.json()).nullable(),
});
export type AgentState = z.infer<typeof stateSchema>;

export const FRESH_WATCH: Watch = {
  quiet: 0,
  seen: [],
  call: { hash: "", times: 0 },
  text: { hash: "", times: 0 },
  refused_todos: 0,
  level: 0,
};

/** The initial state of a job. */
export function firstState(jobId: string): AgentState {
  return {
    format: 1,
    job_id: jobId,
    phase: { kind: "bootstrap", number: 0, name: "Bootstrap", total: 0 },
    todos: [],
    next_todo: 1,
    recorded_todos: [],
    finished: 0,
    summary: "",
    messages: [],
    pending: [],
    requests: 0,
    calls: 0,
    usage: { calls: 0, input_tokens: 0, cached_tokens: 0, output_tokens: 0, cost_usd: 0, known_cost_usd: 0 },
    phase_steps: 0,
    token_ratio: 1,
    watch: FRESH_WATCH,
    loaded: [],
    rewind: null,
    rewinds: 0,
    reset: null,
    issue: "",
    completion: null,
    waiting: null,
    answers: [],
    accomplishments: [],
    notes: [],
    phase_ended_at: "",
    logs: null,
  };
}

/** Document of `agent run --json` and the other commands that show a job. */
export const jobDocumentSchema = z.object({
  job_id: z.string(),
  status: z.enum(["created", "processing", "completed", "failed", "cancelled", "waiting"]),
  phase: z.object({
    number: z.number().int().nullable(),
    name: z.string(),
    total: z.number().int().nullable(),
  }),
  todos: z.object({
    done: z.number().int(),
    total: z.number().int(),
    list: z.array(z.object({ id: z.string(), text: z.string(), status: todoSchema.shape.status })),
  }),
  deliverables: z.array(z.string()),
  confidence: z.number().nullable(),
  summary: z.string(),
  usage: z.object({
    requests: z.number().int(),
    input_tokens: z.number().int(),
    output_tokens: z.number().int(),
    cost_usd: z.number().nullable(),
  }),
  workspace: z.string(),
  waiting: z.object({ reason: z.string(), text: z.string() }).nullable(),
  error: z.object({ kind: z.string(), message: z.string(), hint: z.string().optional() }).optional(),
});
export type JobDocument = z.infer<typeof jobDocumentSchema>;
