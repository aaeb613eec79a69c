// PO: runs the global verification, then checks postconditions and acceptance commands in order, until one fails.
import type { NodeTime } from "../../engine/index.ts";
import { Artifacts } from "./artifacts.ts";
import { placeOf } from "./paths.ts";
import { failureBrief, lastChars } from "./prompt.ts";
import { type CmdResult, type Condition, type FailureBrief, MAX_EXCERPT_CHARS } from "./schemas.ts";
import type { FactoryServices } from "./services.ts";
import { splitWords } from "./shell-words.ts";
import { type FactoryState, failed, withRecord } from "./state.ts";

/** Exit code of pytest without tests. */
const NO_TESTS = 5;

/** The verification of the repository, the same for every order. */
export async function verify(
  state: FactoryState,
  services: FactoryServices,
  { signal }: NodeTime,
): Promise<FactoryState> {
  const { verification, artifacts } = services;
  const passes = (result: CmdResult): boolean =>
    result.exit_code === 0 ||
    (verification.allowsNoTests && result.exit_code === NO_TESTS && result.command.includes("pytest"));
  const { results, failure } = await runAll(
    { argvs: verification.commands, stage: "verify_failed", name: "verify", passes },
    state,
    services,
    signal,
  );
  await artifacts.json(Artifacts.inAttempt(state.attempt, "verify_result.json"), results);
  const after = { ...withRecord(state, { verify: results }), jail: services.commands.level };
  return failure ? failed(after, failure) : after;
}

/** Checks the order's own postconditions and acceptance commands. */
export async function judge(
  state: FactoryState,
  services: FactoryServices,
  { signal }: NodeTime,
): Promise<FactoryState> {
  const { order, repository, artifacts } = services;
  const broken = brokenConditions(repository.root, order.postconditions ?? []);
  const argvs = order.acceptance_commands.map((text) => {
    const words = splitWords(text);
    return words.ok ? words.words : [];
  });
  const { results, failure } =
    broken.length > 0
      ? { results: [], failure: failureBrief("acceptance_failed", broken.join("\n")) }
      : await runAll(
          {
            argvs,
            stage: "acceptance_failed",
            name: "acceptance",
            passes: ({ exit_code }) => exit_code === 0,
          },
          state,
          services,
          signal,
        );
  await artifacts.json(Artifacts.inAttempt(state.attempt, "acceptance_result.json"), results);
  const after = { ...withRecord(state, { acceptance: results }), jail: services.commands.level };
  return failure ? failed(after, failure) : after;
}

/** Conditions that do not hold, one sentence each. */
export function brokenConditions(root: string, conditions: readonly Condition[]): string[] {
  return conditions.flatMap(({ kind, path }) => {
    const place = placeOf(root, path);
    const exists = place.ok && place.exists;
    if (kind === "file_exists") return exists ? [] : [`${path} does not exist`];
    return place.ok && !exists ? [] : [`${path} exists`];
  });
}

interface Series {
  argvs: readonly string[][];
  stage: "verify_failed" | "acceptance_failed";
  name: string;
  passes(result: CmdResult): boolean;
}

async function runAll(
  { argvs, stage, name, passes }: Series,
  { attempt }: FactoryState,
  services: FactoryServices,
  signal: AbortSignal,
): Promise<{ results: CmdResult[]; failure: FailureBrief | null }> {
  const results: CmdResult[] = [];
  for (const [index, argv] of argvs.entries()) {
    const result = await services.commands.run(argv, attempt, `${name}_${index + 1}`, signal);
    results.push(result);
    const changed = await services.transaction.restoreGitFolder();
    const about = { command: result.command.join(" "), exitCode: result.exit_code };
    if (changed.length > 0) {
      const excerpt = `the command changed the git folder, which was restored: ${changed.join(", ")}`;
      return { results, failure: failureBrief(stage, excerpt, about) };
    }
    if (!passes(result)) return { results, failure: failureBrief(stage, excerptOf(result), about) };
  }
  return { results, failure: null };
}

/** The end of a command's stderr, then as much of stdout as fits. */
function excerptOf({ stdout_trunc, stderr_trunc, exit_code }: CmdResult): string {
  const errors = lastChars(stderr_trunc.trim(), MAX_EXCERPT_CHARS);
  const room = MAX_EXCERPT_CHARS - errors.length - 1;
  const output = room > 0 ? lastChars(stdout_trunc.trim(), room) : "";
  const excerpt = [errors, output].filter((text) => text !== "").join("\n");
  return excerpt === "" ? `the command printed nothing and exited with ${exit_code}` : excerpt;
}
