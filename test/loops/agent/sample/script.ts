// The model of the recorded sample: a script that plays creator and validator over the wire. What it answers follows
// from the request alone. It makes some mistakes on purpose, so that the recording shows what the program does about
// them: a page without citation, one with too few examples, a waiver that no checklist approves, an acceptance without
// proof.
import type { ScriptedReply, WireRequestIn } from "../../../support/model-server.ts";
import { call, jobScript, lastText, nodeOf, type Task } from "../script.ts";
import { pageOf, REQUIREMENTS, type Requirement } from "./requirements.ts";

type Step = (results: readonly string[]) => ScriptedReply;
interface Phase {
  name: string;
  todos: string[];
}

const PDF = "documents/checklist.pdf";
const TABLE = "documents/checklist.xlsx";
const REDO = "Correct the page that was sent back";
const DECIDE = "Decide the next ItemSpec";

const CREATOR: Phase[] = [
  {
    name: "Read the checklist",
    todos: [
      "Take out the text of checklist.pdf",
      "Take out the text of checklist.xlsx",
      "Take out the text of checklist.md",
      "Write notes/requirements.md",
      "List the logs in notes/logs.md",
    ],
  },
  { name: "Pages of CK-01 to CK-10", todos: pageTodos(0, 10) },
  { name: "Pages of CK-11 to CK-20", todos: pageTodos(10, 20) },
];
const CORRECTION: Phase[] = [
  {
    name: REDO,
    todos: [
      "Read the reasons",
      "Correct the page",
      "Prove the page",
      "Submit the page",
      "Look at its citations",
    ],
  },
];

function pageTodos(from: number, to: number): string[] {
  return REQUIREMENTS.slice(from, to).map(({ id }) => `Make the ItemSpec of ${id}`);
}

function decisions(...counts: number[]): Phase[] {
  return counts.map((count, at) => ({
    name: `Decisions ${at + 1}`,
    todos: Array<string>(count).fill(DECIDE),
  }));
}

/** Phases of the job that a request belongs to, from all that is said in it. */
function phasesOf({ messages }: WireRequestIn): Phase[] {
  const said = messages.map(({ content }) => content ?? "").join("\n");
  if (said.includes("You are Validator")) return decisions(10, 10);
  return said.includes("was sent back by the validator") || said.includes(REDO) ? CORRECTION : CREATOR;
}

function planText(phases: readonly Phase[], current: number): string {
  const lines = phases.map(({ name, todos }, index) => {
    const mark =
      current === 0 ? "" : index + 1 < current ? " ✓ COMPLETE" : index + 1 === current ? " ← CURRENT" : "";
    const box = index + 1 < current ? "[x]" : "[ ]";
    return `## Phase ${index + 1}: ${name}${mark}\n${todos.map((todo) => `- ${box} ${todo}`).join("\n")}`;
  });
  return `# Execution Plan\n\n## Overview\nOne page per requirement, one todo per page.\n\n${lines.join("\n\n")}\n`;
}

/** The model of all four jobs. */
export const sampleScript = jobScript({
  phases: [],
  before(request, task) {
    const phases = phasesOf(request);
    switch (nodeOf(request)) {
      case "update_plan": {
        const current = Number(/^## Phase (\d+):.*← CURRENT$/m.exec(lastText(request))?.[1] ?? 0);
        return { content: planText(phases, current + 1) };
      }
      case "create_todos": {
        const at = Number(/current phase, .*\((\d+) of \d+\)/.exec(request.messages[1]?.content ?? "")?.[1]);
        return call("todo_write", { todos: phases[at - 1]?.todos ?? [] });
      }
      case "process":
        return task === undefined ? undefined : work(request, task, phases);
      default:
        return undefined;
    }
  },
});

function work(request: WireRequestIn, task: Task, phases: readonly Phase[]): ScriptedReply | undefined {
  const steps = stepsOf(request, task, phases);
  if (steps === undefined) return undefined;
  const results = resultsOf(request);
  const wanted = steps[results.length]?.(results) ?? call("todo_complete");
  const name = wanted.tool_calls?.[0]?.name ?? "";
  const offered = (request.tools ?? []).map((tool) => tool.function.name);
  return offered.includes(name) ? wanted : call("search_tools", { query: name.replaceAll("_", " ") });
}

/** Results of this todo's calls, without those that looked for tools. */
function resultsOf({ messages }: WireRequestIn): string[] {
  const from = messages.findLastIndex((message) =>
    (message.tool_calls ?? []).some((one) => one.function.name === "todo_complete"),
  );
  return messages.slice(from + 1).flatMap((message, at, since) => {
    if (message.role !== "tool" || (at === 0 && from >= 0)) return [];
    const name = since.flatMap((one) => one.tool_calls ?? []).find((one) => one.id === message.tool_call_id)
      ?.function.name;
    return name === "search_tools" ? [] : [message.content ?? ""];
  });
}

function stepsOf(request: WireRequestIn, task: Task, phases: readonly Phase[]): Step[] | undefined {
  if (task.phase === "Bootstrap") {
    if (task.number !== 4) return undefined;
    return [() => call("write_file", { path: "main_plan.md", content: planText(phases, 0) })];
  }
  const creator = phases === CREATOR;
  if (task.phase === "Final review") return finalSteps(task.number, phases);
  const requirement = REQUIREMENTS.find(({ id }) => task.text === `Make the ItemSpec of ${id}`);
  if (requirement !== undefined) return pageSteps(requirement);
  if (task.text === DECIDE) return decisionSteps(resultsOf(request));
  return creator ? readSteps(task.number) : redoSteps(task.number);
}

function finalSteps(number: number, phases: readonly Phase[]): Step[] {
  const report = { path: "output/report.md" };
  if (number === 1) return [() => call("list_files", { path: "output" })];
  if (number === 2) {
    if (phases === CREATOR) return [() => call("write_file", { ...report, content: creatorReport() })];
    if (phases !== CORRECTION) return [() => call("read_file", report)];
    return [
      () => call("write_file", { ...report, content: "# Report\n\nCK-03: the waiver of nwell.4 is gone.\n" }),
    ];
  }
  const summary =
    phases === CREATOR
      ? "19 ItemSpecs are submitted; CK-20 has no log."
      : phases === CORRECTION
        ? "CK-03 is corrected and submitted."
        : "All submitted ItemSpecs are decided.";
  return [
    () => call("job_complete", { summary, deliverables: ["output/report.md"], confidence: 0.9, notes: "" }),
  ];
}

function creatorReport(): string {
  const lines = REQUIREMENTS.map(({ id, text, missing }) =>
    missing === undefined ? `- ${id}: submitted. ${text}` : `- ${id}: no page, ${missing}. ${text}`,
  );
  return `# Report\n\n${lines.join("\n")}\n`;
}

function readSteps(number: number): Step[] {
  const extract = (path: string): Step[] => [
    () => call("extract_document_text", { path }),
    () => call("read_file", { path: `documents/text/${path.replace("documents/", "")}.md` }),
  ];
  const table = REQUIREMENTS.map(({ id, text, log, waivers }) => `| ${id} | ${text} | ${log} | ${waivers} |`);
  const content = `# Requirements\n\n| id | asks | log | waivers |\n|---|---|---|---|\n${table.join("\n")}\n`;
  return (
    [
      extract(PDF),
      extract(TABLE),
      extract("documents/checklist.md"),
      [() => call("write_file", { path: "notes/requirements.md", content })],
      [
        () => call("list_available_files", { patterns: ["*"] }),
        (results: readonly string[]) =>
          call("write_file", { path: "notes/logs.md", content: `# Logs\n\n${results[0] ?? ""}\n` }),
      ],
    ][number - 1] ?? []
  );
}

function pagePath(id: string): string {
  return `output/${id}_ItemSpec.md`;
}

/** Page of the PDF that a requirement stands on. */
function pdfPage({ id }: Requirement): number {
  const number = Number(id.slice(3));
  return number < 8 ? 1 : number < 15 ? 2 : 3;
}

interface Source {
  path: string;
  page: number;
  quote: string;
  claim: string;
}

function sourcesOf(requirement: Requirement): Source[] {
  const { id, text, waivers } = requirement;
  const asked = { path: PDF, page: pdfPage(requirement), quote: text, claim: `${id} is asked for` };
  const waived = { path: TABLE, page: 1, quote: waivers, claim: `${id} has approved waivers` };
  return waivers === "" ? [asked] : [asked, waived];
}

function citationLine(id: string, { claim, path, page, quote }: Source): string {
  return `[${id}] ${claim} (${path}, ${page}: "${quote}")`;
}

/** The wrong waiver that the validator finds. */
function withWrongWaiver(page: string): string {
  return page
    .replace("  value: 2\n  waive_items", "  value: 3\n  waive_items")
    .replace('["density.*", li.3]', '["density.*", li.3, nwell.4]')
    .replace("below the PLL]", "below the PLL, taps are added later]");
}

function pageSteps(requirement: Requirement): Step[] {
  const { id, page, missing } = requirement;
  if (page === undefined) {
    const note = { path: "notes/gaps.md", content: `- ${id}: ${missing}\n` };
    return [
      () => call("list_available_files", { patterns: [requirement.log] }),
      () => call("append_file", note),
    ];
  }
  const sources = sourcesOf(requirement);
  const cited = (results: readonly string[]): string[] =>
    sources.map((source, at) =>
      citationLine(/Stored as (C\d+)/.exec(results[at] ?? "")?.[1] ?? "C0", source),
    );
  const path = pagePath(id);
  const write = (content: string): ScriptedReply => call("write_file", { path, content });
  const tried: Step = () => call("try_item", { path });
  const submitted: Step = () => call("submit_item_spec", { path });
  const whole: Step = (results) => {
    const text = pageOf(requirement, cited(results));
    return write(id === "CK-03" ? withWrongWaiver(text) : text);
  };
  const proved: Step[] = [whole, () => call("spec_lint", { path }), tried];
  const cite = sources.map(
    (source): Step =>
      () =>
        call("cite_document", source),
  );
  const fewer = { ...requirement, page: { ...page, examples: page.examples.slice(0, 2) } };
  switch (id) {
    case "CK-05":
      return [...cite, () => write(pageOf(requirement, [])), submitted, ...proved, submitted];
    case "CK-12":
      return [...cite, ...proved, () => call("find_similar_items", { path }), submitted];
    case "CK-14":
      return [...cite, (results) => write(pageOf(fewer, cited(results))), tried, ...proved, submitted];
    default:
      return [...cite, ...proved, submitted];
  }
}

function redoSteps(number: number): Step[] {
  const requirement = REQUIREMENTS.find(({ id }) => id === "CK-03");
  if (requirement === undefined) throw new Error("there is no CK-03");
  const path = pagePath(requirement.id);
  const lines = (listed: string): string[] =>
    listed.split("\n").filter((line) => line.startsWith("[C") && line.includes(`] ${requirement.id} `));
  const steps: Step[][] = [
    [() => call("read_file", { path: "instructions.md" })],
    [
      () => call("list_citations"),
      (results) => call("write_file", { path, content: pageOf(requirement, lines(results[0] ?? "")) }),
    ],
    [() => call("try_item", { path })],
    [() => call("submit_item_spec", { path })],
    [() => call("list_cited", { path })],
  ];
  return steps[number - 1] ?? [];
}

function decisionSteps(results: readonly string[]): Step[] {
  const [, submission = "", path = ""] =
    /Submission (S\d+) .*Its page is (\S+)\.$/m.exec(results[0] ?? "") ?? [];
  const next: Step = () => call("next_item_spec");
  if (results.length > 0 && submission === "") return [next];
  const item = /inbox\/(.*)_ItemSpec/.exec(path)?.[1] ?? "";
  const wrong = (results[1] ?? "").includes("nwell.4");
  const reasons = wrong
    ? "Section 2, check block: the waiver of nwell.4 is in no quote. The checklist waives density.* and li.3 only. Right would be value: 2 with these two."
    : "Names, direction and waivers of the check are those of the quotes; the records shown are the ones meant.";
  const decision = wrong ? "reject" : "accept";
  const decide: Step = () => call("decide_item_spec", { submission_id: submission, decision, reasons });
  const line = `- ${submission} ${item}: ${decision}\n`;
  return [
    next,
    () => call("read_file", { path }),
    ...(submission === "S1" ? [decide] : []),
    () => call("try_item", { path }),
    // Results older than five calls are gone, and the first one says which submission it is.
    ...(submission === "S1" ? [] : [(): ScriptedReply => call("find_similar_items", { path })]),
    decide,
    () => call("append_file", { path: "output/report.md", content: line }),
  ];
}
