// `design --create NAME`: creates a project for the checklist or for a pipeline file, which is copied into it.
import { mkdirSync, realpathSync } from "node:fs";
import { relative } from "node:path";
import { AtomsmithError, EXIT, type ExitCode } from "../../core/errors.ts";
import {
  CHECKLIST,
  checklistPipeline,
  createProject,
  ProjectReader,
  readPipelineFile,
} from "../../loops/design/index.ts";
import { storeError } from "../../store/index.ts";
import type { CommandContext } from "../context.ts";
import type { DesignArgs } from "./args.ts";
import { stateText } from "./render.ts";
import { checklistServices, fromFile } from "./services.ts";
import { userNameOf } from "./user-name.ts";

const PIPELINE_COPY = "pipeline.yaml";

/** @param tell print the state as the result of the command */
export async function createFromArgs(
  dir: string,
  args: DesignArgs,
  context: CommandContext,
  tell: boolean,
): Promise<ExitCode> {
  const name = args.create ?? "";
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) {
    throw new AtomsmithError(
      "usage",
      `${JSON.stringify(name)} is not a valid project name: use letters, digits, and . _ - between them`,
    );
  }
  const services = { now: () => new Date(), userName: await userNameOf(context.env, context.cwd) };
  if ((args.pipeline ?? CHECKLIST) === CHECKLIST) {
    makeFolder(dir);
    const pipeline = checklistPipeline(dir, checklistServices(dir, context), () => new ProjectReader(dir));
    await createProject(dir, { name, pipeline: CHECKLIST }, pipeline, services);
  } else {
    const from = context.resolve(args.pipeline ?? "");
    const read = readPipelineFile(from);
    const pipeline = fromFile(from, read.dir, context, args["no-jail"]);
    makeFolder(dir);
    const project = { name, pipeline: PIPELINE_COPY, pipeline_dir: placeOf(read.dir, dir) };
    await createProject(dir, project, pipeline, services, [{ path: PIPELINE_COPY, text: read.text }]);
  }
  if (tell) {
    const { state } = new ProjectReader(dir);
    context.output.result(
      state,
      (style) =>
        `created project ${name} in ${relative(context.cwd, dir) || "."}\n${stateText(state, style, `--project-dir ${args["project-dir"]}`)}`,
    );
  }
  return EXIT.ok;
}

function makeFolder(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true });
  } catch (error) {
    throw storeError(error, dir);
  }
}

/** Relative if it is inside the project, so that the project can be moved. */
function placeOf(pipelineDir: string, projectDir: string): string {
  const [from, to] = [realpathSync(projectDir), realpathSync(pipelineDir)];
  const relativePath = relative(from, to);
  return relativePath === "" || !(relativePath.startsWith("..") || relativePath.startsWith("/"))
    ? relativePath || "."
    : to;
}
