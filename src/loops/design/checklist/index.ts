// The checklist pipeline: lint, discover, author, gates, check, report. The spec is the sign-off of one project.
import { join } from "node:path";
import type { JsonValue } from "../../../core/json.ts";
import type { ProjectReader } from "../folder.ts";
import { tokensOf } from "../patches.ts";
import type { Pipeline } from "../pipeline/types.ts";
import { authorStage, gatesStage } from "./author.ts";
import { type CheckHistory, checkStage } from "./check.ts";
import { discoverStage, lintStage } from "./prepare.ts";
import { previewChange } from "./preview.ts";
import { reportStage } from "./report.ts";
import { Checklist, type ChecklistServices } from "./services.ts";
import { SPEC_NOTES, specProblems } from "./spec.ts";
import { jsonFile } from "./stage-files.ts";

export const CHECKLIST = "checklist";

/** @param read returns the current project; undefined while it is being created */
export function checklistPipeline(
  dir: string,
  services: ChecklistServices,
  read: () => ProjectReader,
): Pipeline {
  const checklist = new Checklist(dir, services);
  const checkFolders = (): string[] => {
    const reader = read();
    const judged = reader.runIds().filter((id) => reader.run(id).stages.some(({ name }) => name === "check"));
    return judged.reverse().map((id) => reader.path("runs", id, "check"));
  };
  const history: CheckHistory = {
    versions: () =>
      read()
        .versions()
        .map((number) => read().version(number)),
    earlier: checkFolders,
  };
  return {
    name: CHECKLIST,
    stages: [
      lintStage(checklist),
      discoverStage(checklist),
      authorStage(checklist),
      gatesStage(checklist),
      checkStage(checklist, history),
      reportStage(checklist),
    ],
    specNotes: SPEC_NOTES,
    validityStage: "check",
    continuesOnFailure: true,
    firstSpec: (name) => ({ schema: 1, name, search_root: ".", variables: {}, items: {} }),
    problems: specProblems,
    titleOf: (_spec: JsonValue, pointer) => {
      const [top, id] = tokensOf(pointer);
      return top === "items" && id !== undefined ? titleFrom(read(), id) : undefined;
    },
    preview: (before, after, changes, signal) =>
      previewChange(checklist, before, after, changes, checkFolders()[0], signal, (id) =>
        titleFrom(read(), id),
      ),
  };
}

/** Title of an item's page, from the last lint. */
function titleFrom(reader: ProjectReader, id: string): string | undefined {
  const run = reader
    .runIds()
    .findLast((runId) => reader.run(runId).stages.some(({ name }) => name === "lint"));
  if (run === undefined) return undefined;
  const file = jsonFile<{ pages: { item: string; title: string }[] }>(
    join(reader.path("runs", run, "lint"), "pages.json"),
  );
  return file?.pages.find(({ item }) => item === id)?.title;
}
