// The history of a job, read from its journal: one section per planning step, with its events. A job that was resumed
// after a crash writes some events again; each is counted once.
import { z } from "zod";
import { agentEventBodySchema } from "../../../contract/agent-events.ts";
import { eventBodySchema } from "../../../core/events.ts";
import type { JsonObject } from "../../../core/json.ts";

const eventSchema = z.union([agentEventBodySchema, eventBodySchema]);
type StoryEvent = z.infer<typeof eventSchema>;

/** Tokens of the layers of one request. */
export interface RequestSize {
  request: number;
  system: number;
  todos: number;
  tools: number;
  summary: number;
  conversation: number;
  total: number;
}

export interface Section {
  /** Number in the plan; null for phases without one. */
  number: number | null;
  name: string;
  /** Todos at its start; 0 when unknown. */
  todos: number;
  /** Texts of the finished todos by their ids. */
  finished: Map<string, string>;
  /** Numbers of its requests. */
  requests: Set<number>;
  /** Stuck warnings, rewinds, compactions, warnings, in order. */
  notes: { label: string; text: string }[];
  /** Why it was rewound. */
  rewound: string | undefined;
}

export interface Story {
  sections: Section[];
  sizes: RequestSize[];
}

/** The sections of a journal, oldest first. Lines that are not events of a job are skipped. */
export function readStory(journal: readonly JsonObject[]): Story {
  const sections = [newSection("Bootstrap")];
  const sizes = new Map<number, RequestSize>();
  for (const line of journal) {
    const read = eventSchema.safeParse(line);
    if (!read.success) continue;
    const event = read.data;
    const last = sections.at(-1) as Section;
    if (begins(event, last)) sections.push(newSection(event.type === "phase_started" ? event.name : ""));
    // A rewind is reported after the next planning has started, but belongs to the previous section.
    const about = event.type === "rewound" && last.name === "" ? sections.at(-2) : undefined;
    take(event, about ?? (sections.at(-1) as Section), sizes);
  }
  return { sections, sizes: [...sizes.values()].sort((a, b) => a.request - b.request) };
}

function newSection(name: string): Section {
  return {
    number: null,
    name,
    todos: 0,
    finished: new Map(),
    requests: new Set(),
    notes: [],
    rewound: undefined,
  };
}

/** A section starts with planning, or with a phase without planning. */
function begins(event: StoryEvent, last: Section): boolean {
  if (event.type === "node_started") return event.node === "examine_workspace" && last.name !== "";
  return event.type === "phase_started" && last.name !== "" && last.name !== event.name;
}

function take(event: StoryEvent, section: Section, sizes: Map<number, RequestSize>): void {
  switch (event.type) {
    case "phase_started":
      section.number = event.number;
      section.name = event.name;
      section.todos = event.todos;
      return;
    case "todo_finished":
      section.finished.set(event.id, event.text);
      section.todos = Math.max(section.todos, event.total);
      return;
    case "context":
      section.requests.add(event.request);
      sizes.set(event.request, {
        request: event.request,
        system: event.system_tokens,
        todos: event.todo_tokens,
        tools: event.tool_tokens,
        summary: event.summary_tokens,
        conversation: event.conversation_tokens,
        total: event.total_tokens,
      });
      return;
    default:
      takeNote(event, section);
  }
}

function takeNote(event: StoryEvent, section: Section): void {
  const add = (label: string, text: string): void => {
    if (!section.notes.some((note) => note.label === label && note.text === text))
      section.notes.push({ label, text });
  };
  if (event.type === "stuck") add("stuck", `${event.reason}; measure: ${event.measure}`);
  else if (event.type === "rewound") {
    section.rewound = event.issue;
    add(`rewound by the ${event.by}`, event.issue);
  } else if (event.type === "compaction")
    add("compaction", `${event.why}: ${event.tokens_before} tokens became ${event.tokens_after}`);
  else if (event.type === "retry") add("retry", `${event.what}: ${event.reason}`);
  else if (event.type === "log" && (event.level === "warning" || event.level === "error"))
    add(event.level, event.message);
}
