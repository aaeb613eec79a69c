// The actions of `design` that work without a model.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { AtomsmithError, EXIT, type ExitCode } from "../../core/errors.ts";
import {
  CANCEL_FILE,
  executeRun,
  FULL,
  type Operation,
  OWN_FOLDER,
  operationProblems,
  operationSchema,
  ProjectReader,
} from "../../loops/design/index.ts";
import { RunReader, storeError } from "../../store/index.ts";
import type { CommandContext } from "../context.ts";
import type { Session } from "./session.ts";

export async function approve(session: Session, id: string, reason: string | null): Promise<ExitCode> {
  const { project } = session;
  if (id === "run") {
    const { run_until } = project.approvableRun();
    return session.printRun(await executeRun(project, run_until, { approved: true, reason }));
  }
  const patch = await project.approvePatch(id, reason);
  return session.printState(`approved patch ${patch.patch_id}`, decided(session, patch.patch_id));
}

export async function reject(session: Session, id: string, reason: string | null): Promise<ExitCode> {
  const { project } = session;
  if (id === "run") {
    await project.rejectRun(reason);
    return session.printState("rejected the run");
  }
  const patch = await project.rejectPatch(id, reason);
  return session.printState(`rejected patch ${patch.patch_id}`, { patch_id: patch.patch_id });
}

export async function run(session: Session, until: string | undefined): Promise<ExitCode> {
  return session.printRun(
    await executeRun(session.project, until ?? FULL, { approved: false, reason: null }),
  );
}

export async function undo(session: Session, reason: string | null): Promise<ExitCode> {
  const version = await session.project.undo(reason);
  const text = `undid patch ${version.undoes}: the spec is now version ${version.version}`;
  return session.printState(text, { version: version.version, undoes: version.undoes });
}

/** A patch from a file, or from standard input with `-`. */
export async function patchFromFile(
  session: Session,
  name: string,
  reason: string | null,
): Promise<ExitCode> {
  const { context, project } = session;
  const where = name === "-" ? "standard input" : context.resolve(name);
  const operations = readOperations(await textOf(name, where, context), where);
  const patch = await project.patch(operations, `patch from ${name === "-" ? where : name}`, reason);
  return session.printState(`applied patch ${patch.patch_id}`, decided(session, patch.patch_id));
}

function decided({ project }: Session, patch_id: string): object {
  return { patch_id, version: project.reader.latestVersion().version };
}

async function textOf(name: string, where: string, { io }: CommandContext): Promise<string> {
  try {
    return new TextDecoder().decode(name === "-" ? await io.readStdin() : await Bun.file(where).bytes());
  } catch (error) {
    throw new AtomsmithError("usage", `cannot read the patch: ${(error as Error).message}`, {
      where,
      cause: error,
    });
  }
}

/** Parses operations from a JSON array. Throws kind `usage`. */
function readOperations(text: string, where: string): Operation[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new AtomsmithError("usage", `the patch is not valid JSON: ${(error as Error).message}`, { where });
  }
  const read = z.array(operationSchema).min(1).safeParse(value);
  const problems = read.success
    ? operationProblems({ proposed_patches: read.data })
    : read.error.issues.map(({ path, message }) => `${path.join(".") || "the patch"}: ${message}`);
  if (read.success && problems.length === 0) return read.data;
  throw new AtomsmithError(
    "usage",
    `the patch is not an array of RFC 6902 operations: ${problems.slice(0, 5).join("; ")}`,
    { where },
  );
}

/** Time for another process to end its run after it was told to, milliseconds. */
const CANCEL_MS = 60_000;
const POLL_MS = 50;

/** Cancels the run of the process that holds the project; acquires no lock. */
export async function cancel(dir: string, context: CommandContext): Promise<ExitCode> {
  const reader = new ProjectReader(dir);
  const store = new RunReader(join(dir, OWN_FOLDER), { loop: "design", id: "project" });
  const last = reader.lastRun();
  if (last?.status !== "running" || !(await store.isLocked())) {
    throw new AtomsmithError("usage", `no run is active in ${dir}`, { where: dir });
  }
  const file = reader.path("runs", last.run_id, CANCEL_FILE);
  try {
    writeFileSync(file, "");
  } catch (error) {
    throw storeError(error, file);
  }
  const deadline = performance.now() + CANCEL_MS;
  for (;;) {
    context.signal.throwIfAborted();
    const run = new ProjectReader(dir).run(last.run_id);
    if (run.status !== "running") {
      context.output.result(new ProjectReader(dir).state, () => `${run.run_id}: ${run.status}`);
      return EXIT.ok;
    }
    if (performance.now() > deadline) {
      throw new AtomsmithError("limit", `${last.run_id} did not stop within ${CANCEL_MS / 1000} s`);
    }
    await Bun.sleep(POLL_MS);
  }
}
