// The design loop: a conversation that edits a spec by approved patches and runs its pipeline up to a stage.
export { CHECKLIST, checklistPipeline } from "./checklist/index.ts";
export type { AuthoredItem, AuthorPaths, ChecklistServices, ItemAuthor } from "./checklist/services.ts";
export { createProject } from "./create.ts";
export { FULL, operationProblems } from "./directive.ts";
export { designEmit } from "./events.ts";
export { OWN_FOLDER, ProjectReader } from "./folder.ts";
export { turnGraph } from "./graph.ts";
export { valueAt } from "./patches.ts";
export { commandPipeline } from "./pipeline/commands.ts";
export { readPipelineFile } from "./pipeline/file.ts";
export type { Pipeline } from "./pipeline/types.ts";
export { DesignProject } from "./project.ts";
export { CANCEL_FILE, executeRun } from "./runs.ts";
export {
  type Operation,
  operationSchema,
  type ProjectState,
  type Run,
  type TurnDocument,
} from "./schemas.ts";
export { DESIGN_ROLE, proposalOf, runTurn } from "./turn.ts";
export { readConversation, readTurnMessages } from "./turn-log.ts";
export { ProjectView } from "./view.ts";
