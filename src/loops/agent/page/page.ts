// One job as an HTML page: results, cost, request sizes, and each phase with its todos and requests. Pure function
// from plain data to the page's data.

import { truncate } from "../../../core/limits.ts";
import { count } from "../../../core/words.ts";
import type { AgentTurn } from "../../../llm/turns.ts";
import type { PageBlock, PageData, PageEntry, Tone } from "../../../report/index.ts";
import type { PlanPhase } from "../plan.ts";
import type { AgentState, JobDocument } from "../schemas.ts";
import type { StoredCall } from "../tools/call-log.ts";
import { type Exchange, exchangeBlock, exchanges, toolUse } from "./exchange.ts";
import type { RequestSize, Section, Story } from "./story.ts";

/** Maximum bytes of a result and of the plan, and requests per phase. */
const SHOWN = { fileBytes: 64 * 1024, requests: 500 };

export interface JobPage {
  document: JobDocument;
  agent: string;
  description: string;
  createdAt: string;
  endedAt: string | null;
  story: Story;
  turns: AgentTurn[];
  calls: StoredCall[];
  state: AgentState;
  plan: { text: string; phases: PlanPhase[] };
  memory: string;
  /** Results with their text; undefined when a file is missing or not text. */
  deliverables: { path: string; bytes: number | null; text: string | undefined }[];
  version: string;
}

const STATUS_TONES: Readonly<Record<JobDocument["status"], Tone>> = {
  created: "quiet",
  processing: "quiet",
  completed: "good",
  failed: "bad",
  cancelled: "quiet",
  waiting: "warn",
};

/** The page's data. */
export function jobPage(page: JobPage): PageData {
  const { document, story } = page;
  const all = exchanges(page.turns, page.calls);
  const bySection = requestsBySection(story.sections, all);
  return {
    title: `Job ${document.job_id}: ${document.status}`,
    facts: facts(page),
    statuses: [
      { key: "done", label: "finished", badge: "DONE", tone: "good" },
      { key: "rewound", label: "given up", badge: "REWOUND", tone: "warn" },
      { key: "current", label: "in progress", badge: "NOW", tone: "quiet" },
      { key: "open", label: "open", badge: "OPEN", tone: "quiet" },
    ],
    notices: notices(page),
    overview: overview(page, all),
    entries: [
      ...story.sections.map((section, at) => sectionEntry(section, at, bySection[at] ?? [], page)),
      ...openEntries(page),
    ].filter((entry): entry is PageEntry => entry !== undefined),
    noun: { one: "phase", many: "phases" },
  };
}

function facts({ document, agent, createdAt, endedAt, story, version }: JobPage): PageData["facts"] {
  const { usage, phase, todos } = document;
  const largest = Math.max(0, ...story.sizes.map(({ total }) => total));
  return [
    ["Agent", agent],
    ["Phase", phase.total === null ? phase.name : `${phase.name} (${phase.number} of ${phase.total})`],
    ["Todos of the phase", `${todos.done} of ${todos.total}`],
    ["Requests", String(usage.requests)],
    ["Tokens", `${usage.input_tokens} in, ${usage.output_tokens} out`],
    ["Cost", usage.cost_usd === null ? "price unknown" : `${usage.cost_usd.toFixed(4)} USD`],
    ["Largest request", `${largest} tokens`],
    ["Confidence", document.confidence === null ? "not stated" : String(document.confidence)],
    ["Created", time(createdAt)],
    ...(endedAt === null ? [] : ([["Completed", time(endedAt)]] as PageData["facts"])),
    ["Program", `atomsmith ${version}`],
  ];
}

function notices({ document, story }: JobPage): PageData["notices"] {
  const stuck = story.sections.flatMap(({ notes, name }) =>
    notes.filter(({ label }) => label === "stuck").map(({ text }) => `Stuck in ${name}: ${text}.`),
  );
  const first = document.summary.trim();
  return [
    ...(first === "" ? [] : [{ tone: STATUS_TONES[document.status], text: truncate(first, 2_000).text }]),
    ...(document.waiting === null
      ? []
      : [
          {
            tone: "warn" as const,
            text: `Waits for the user (${document.waiting.reason}): ${document.waiting.text}`,
          },
        ]),
    ...(document.error === undefined ? [] : [{ tone: "bad" as const, text: document.error.message }]),
    ...stuck.slice(0, 20).map((text) => ({ tone: "warn" as const, text })),
  ];
}

function overview(page: JobPage, all: readonly Exchange[]): PageBlock[] {
  const blocks: PageBlock[] = [
    textBlock("Task", "", page.description),
    ...resultBlocks(page),
    sizePlot(page.story),
  ];
  const uses = toolUse(all);
  if (uses.length > 0) {
    blocks.push({
      kind: "table",
      title: "Tools",
      header: ["tool", "calls", "refused"],
      rows: uses.map(({ tool, calls, refused }) => [
        tool,
        String(calls),
        refused === 0 ? "" : String(refused),
      ]),
    });
  }
  if (page.plan.text !== "") blocks.push(textBlock("Plan", "main_plan.md", page.plan.text));
  if (page.memory !== "") blocks.push(textBlock("Memory", "workspace.md", page.memory));
  return blocks;
}

function resultBlocks({ deliverables }: JobPage): PageBlock[] {
  if (deliverables.length === 0) return [];
  const rows = deliverables.map(({ path, bytes }) => [path, bytes === null ? "missing" : `${bytes} bytes`]);
  return [
    { kind: "table", title: "Results", header: ["file", "size"], rows },
    ...deliverables.flatMap(({ path, text }) => (text === undefined ? [] : [textBlock(path, "", text)])),
  ];
}

function textBlock(title: string, note: string, text: string): PageBlock {
  const lines = truncate(text.trimEnd(), SHOWN.fileBytes).text.split("\n");
  return {
    kind: "code",
    title,
    note: note === "" ? count(lines.length, "line") : note,
    lines: lines.map((line) => ({ text: line, change: "same" as const })),
  };
}

function sizePlot({ sizes, sections }: Story): PageBlock {
  const firsts = new Set(sections.map(({ requests }) => Math.min(...requests)));
  return {
    kind: "plot",
    title: "Size of each request",
    note: "Tokens of each layer of a request, counted before it was sent. A dashed line marks the planning of a phase.",
    unit: "tokens",
    bar: "request",
    series: ["system prompt and memory", "todo list", "tools", "summary", "conversation"],
    bars: sizes.map((size) => ({
      label: String(size.request),
      parts: partsOf(size),
      mark: firsts.has(size.request),
    })),
  };
}

function partsOf({ system, todos, tools, summary, conversation }: RequestSize): number[] {
  return [system, todos, tools, summary, conversation];
}

/** Requests whose line in the journal was lost belong to the section of the request before. */
function requestsBySection(sections: readonly Section[], all: readonly Exchange[]): Exchange[][] {
  const lists = sections.map((): Exchange[] => []);
  let at = 0;
  for (const exchange of all) {
    const own = sections.findLastIndex(({ requests }) => requests.has(exchange.request));
    if (own >= 0) at = own;
    lists[at]?.push(exchange);
  }
  return lists;
}

function sectionEntry(
  section: Section,
  at: number,
  requests: readonly Exchange[],
  page: JobPage,
): PageEntry | undefined {
  const isLast = at === page.story.sections.length - 1;
  if (section.name === "" && requests.length === 0) return undefined;
  const isOpen = isLast && page.document.status !== "completed";
  const status = section.rewound !== undefined ? "rewound" : isOpen ? "current" : "done";
  const input = requests.reduce((sum, { turn }) => sum + turn.reply.usage.input_tokens, 0);
  const output = requests.reduce((sum, { turn }) => sum + turn.reply.usage.output_tokens, 0);
  const sizes = page.story.sizes.filter(({ request }) => section.requests.has(request));
  const largest = Math.max(0, ...sizes.map(({ total }) => total));
  const name = section.name === "" ? "Planning" : section.name;
  return {
    id: section.number === null ? name : `Phase ${section.number}: ${name}`,
    status,
    kind: count(requests.length, "request"),
    headline: `${section.finished.size} of ${section.todos} todos, ${input} + ${output} tokens, largest request ${largest} tokens`,
    description: "",
    tags: section.notes.some(({ label }) => label === "stuck") ? [{ text: "stuck", tone: "warn" }] : [],
    durationMs: spanOf(requests),
    blocks: [
      ...noteBlock(section),
      ...todoBlock(section, isLast, page.state),
      ...requests.slice(-SHOWN.requests).map(exchangeBlock),
      ...(requests.length > SHOWN.requests ? [leftOut(requests.length)] : []),
    ],
  };
}

function leftOut(count: number): PageBlock {
  const text = `Only the last ${SHOWN.requests} of ${count} requests are shown; agent show JOB --turns has all.`;
  return { kind: "list", title: "Left out", items: [text], code: false };
}

/** Unusual facts first, then the usual ones. */
function noteBlock({ notes }: Section): PageBlock[] {
  const isUsual = ({ label }: { label: string }): boolean => label === "compaction" || label === "retry";
  const groups = [
    { title: "Warnings", tone: "warn" as const, list: notes.filter((note) => !isUsual(note)) },
    { title: "Remarks", tone: "quiet" as const, list: notes.filter(isUsual) },
  ];
  return groups
    .filter(({ list }) => list.length > 0)
    .map(({ title, tone, list }) => {
      const messages = list.slice(-100).map(({ label, text }) => ({ label, text, place: "" }));
      return { kind: "messages", title, tone, messages };
    });
}

function todoBlock(section: Section, isLast: boolean, state: AgentState): PageBlock[] {
  const listed = isLast && state.todos.length > 0;
  const items = listed
    ? state.todos.map(({ text, status }) => `[${status === "done" ? "x" : " "}] ${text}`)
    : [...section.finished.values()].map((text) => `[x] ${text}`);
  const open = listed ? 0 : section.todos - section.finished.size;
  if (open > 0) items.push(`${open} unfinished todos are in the archive of the phase`);
  return items.length === 0 ? [] : [{ kind: "list", title: "Todos", items, code: false }];
}

/** From the start of the first request to the end of the last. */
function spanOf(requests: readonly Exchange[]): number | null {
  const [first, last] = [requests[0]?.turn, requests.at(-1)?.turn];
  if (first === undefined || last === undefined) return null;
  const ms = Date.parse(last.at) - Date.parse(first.at) + first.duration_ms;
  return Number.isFinite(ms) && ms >= 0 ? ms : null;
}

/** Phases of the plan that the job has not reached. */
function openEntries({ plan, document }: JobPage): PageEntry[] {
  if (document.status === "completed") return [];
  return plan.phases
    .filter(({ state }) => state === "open")
    .map(({ number, name }) => ({
      id: `Phase ${number}: ${name}`,
      status: "open",
      kind: "",
      headline: "not started",
      description: "",
      tags: [],
      durationMs: null,
      blocks: [],
    }));
}

function time(iso: string): string {
  return `${iso.slice(0, 19).replace("T", " ")} UTC`;
}
