// All tools, and those of one agent: named by its configuration, and required by the graph.
import MiniSearch from "minisearch";
import { AtomsmithError } from "../../../core/errors.ts";
import { didYouMean } from "../../../core/suggest.ts";
import { type AgentConfig, CATEGORIES } from "../config/schema.ts";
import type { AgentState } from "../schemas.ts";
import { citeDocument } from "./citations/cite-document.ts";
import { citeWeb } from "./citations/cite-web.ts";
import { getCitation } from "./citations/get-citation.ts";
import { listCitations } from "./citations/list-citations.ts";
import { askPerson } from "./completion/ask-person.ts";
import { jobComplete } from "./completion/job-complete.ts";
import { markComplete } from "./completion/mark-complete.ts";
import { executeCypherQuery } from "./data/execute-cypher-query.ts";
import { getDatabaseSchema } from "./data/get-database-schema.ts";
import { sqlQuery } from "./data/sql-query.ts";
import { sqlSchema } from "./data/sql-schema.ts";
import { chunkDocument } from "./documents/chunk-document.ts";
import { extractDocumentText } from "./documents/extract-document-text.ts";
import { getDocumentInfo } from "./documents/get-document-info.ts";
import { gitDiff } from "./git/git-diff.ts";
import { gitLog } from "./git/git-log.ts";
import { gitShow } from "./git/git-show.ts";
import { gitStatus } from "./git/git-status.ts";
import { gitTags } from "./git/git-tags.ts";
import { decideItemSpec } from "./items/decide-item-spec.ts";
import { findSimilarItems } from "./items/find-similar-items.ts";
import { listCited } from "./items/list-cited.ts";
import { nextItemSpec } from "./items/next-item-spec.ts";
import { specLint } from "./items/spec-lint.ts";
import { submitItemSpec } from "./items/submit-item-spec.ts";
import { tryItem } from "./items/try-item.ts";
import { listAvailableFiles } from "./logs/list-available-files.ts";
import { readFileHeader } from "./logs/read-file-header.ts";
import { readFileRange } from "./logs/read-file-range.ts";
import { searchInFile } from "./logs/search-in-file.ts";
import { getVectorIndexStats } from "./search/get-vector-index-stats.ts";
import { indexFileForSearch } from "./search/index-file-for-search.ts";
import { semanticSearch } from "./search/semantic-search.ts";
import { searchTools } from "./search-tools.ts";
import { addTodo } from "./todo/add-todo.ts";
import { archiveAndReset } from "./todo/archive-and-reset.ts";
import { completeTodo } from "./todo/complete-todo.ts";
import { getNextTodo } from "./todo/get-next-todo.ts";
import { getProgress } from "./todo/get-progress.ts";
import { listTodos } from "./todo/list-todos.ts";
import { startTodo } from "./todo/start-todo.ts";
import { todoComplete } from "./todo/todo-complete.ts";
import { todoRewind } from "./todo/todo-rewind.ts";
import { todoWrite } from "./todo/todo-write.ts";
import type { Tool, ToolSet } from "./types.ts";
import { fetchWebPage } from "./web/fetch-web-page.ts";
import { webSearch } from "./web/web-search.ts";
import { addAccomplishment } from "./workspace/add-accomplishment.ts";
import { addNote } from "./workspace/add-note.ts";
import { appendFile } from "./workspace/append-file.ts";
import { copyFile } from "./workspace/copy-file.ts";
import { deleteFile } from "./workspace/delete-file.ts";
import { editFile } from "./workspace/edit-file.ts";
import { fileExists } from "./workspace/file-exists.ts";
import { generateWorkspaceSummary } from "./workspace/generate-workspace-summary.ts";
import { getWorkspaceSummary } from "./workspace/get-workspace-summary.ts";
import { listFiles } from "./workspace/list-files.ts";
import { moveFile } from "./workspace/move-file.ts";
import { readFile } from "./workspace/read-file.ts";
import { searchFiles } from "./workspace/search-files.ts";
import { writeFile } from "./workspace/write-file.ts";

/** All tools. To add one, write its file and add a line here. */
export const TOOLS: readonly Tool[] = [
  readFile,
  writeFile,
  appendFile,
  editFile,
  listFiles,
  deleteFile,
  moveFile,
  copyFile,
  searchFiles,
  fileExists,
  getWorkspaceSummary,
  generateWorkspaceSummary,
  addAccomplishment,
  addNote,
  todoWrite,
  addTodo,
  startTodo,
  completeTodo,
  todoComplete,
  todoRewind,
  listTodos,
  getNextTodo,
  getProgress,
  archiveAndReset,
  markComplete,
  jobComplete,
  askPerson,
  listAvailableFiles,
  readFileHeader,
  searchInFile,
  readFileRange,
  extractDocumentText,
  chunkDocument,
  getDocumentInfo,
  semanticSearch,
  indexFileForSearch,
  getVectorIndexStats,
  webSearch,
  fetchWebPage,
  citeDocument,
  citeWeb,
  listCitations,
  getCitation,
  specLint,
  listCited,
  tryItem,
  findSimilarItems,
  submitItemSpec,
  nextItemSpec,
  decideItemSpec,
  gitLog,
  gitShow,
  gitDiff,
  gitStatus,
  gitTags,
  sqlQuery,
  sqlSchema,
  executeCypherQuery,
  getDatabaseSchema,
  searchTools,
];

/** Required by the graph. */
const NEEDED = new Set(["todo_complete", "todo_rewind", "job_complete"]);
/** Offered at the end, and to give up after a forced checkpoint. */
const ENDING = new Set(["job_complete", "mark_complete"]);

/** The tools of a configuration. Throws kind `config` for an unknown name in a category. */
export function toolSet(agent: AgentConfig, tools: readonly Tool[] = TOOLS): ToolSet {
  const chosen = new Set(NEEDED);
  for (const category of CATEGORIES)
    for (const name of agent.tools[category] ?? []) chosen.add(known(name, category, tools));
  const deferred = tools.filter((tool) => chosen.has(tool.name) && !tool.core);
  if (deferred.length > 0) chosen.add(searchTools.name);
  const all = tools.filter((tool) => chosen.has(tool.name));
  const index = indexOf(deferred);
  return {
    all,
    find: (name) => all.find((tool) => tool.name === name),
    offered: (state) => all.filter((tool) => isOffered(tool, state)),
    search: (query) => index.search(query, { combineWith: "OR" }).map(({ id }) => String(id)),
  };
}

function isOffered(tool: Tool, state: AgentState): boolean {
  if (ENDING.has(tool.name)) return state.phase.kind === "final" || state.watch.level > 0;
  return tool.phases.includes(state.phase.kind) && (tool.core || state.loaded.includes(tool.name));
}

/** BM25 over names, descriptions and pages. */
function indexOf(tools: readonly Tool[]): MiniSearch {
  const index = new MiniSearch({
    fields: ["name", "description", "page"],
    searchOptions: { boost: { name: 3, description: 2 }, prefix: true, fuzzy: 0.2 },
  });
  index.addAll(
    tools.map(({ name, spec, page }) => ({
      id: name,
      name: name.replaceAll("_", " "),
      description: spec.description,
      page,
    })),
  );
  return index;
}

function known(name: string, category: string, tools: readonly Tool[]): string {
  const names = tools.filter((tool) => tool.category === category).map((tool) => tool.name);
  if (names.includes(name)) return name;
  throw new AtomsmithError("config", `tools.${category}: unknown tool ${name}${didYouMean(name, names)}`, {
    where: `tools.${category}`,
    hint: names.length === 0 ? `this category has no tools` : `its tools are ${names.join(", ")}`,
  });
}
