// Selects the commands that verify a repository, independent of the order. Selected once at preflight, never by a model.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { AtomsmithError } from "../../core/errors.ts";
import type { Baseline, Repository } from "./repo/repository.ts";
import type { Verification } from "./services.ts";
import { splitWords } from "./shell-words.ts";

const SCRIPT = "scripts/verify.sh";

/** The verification of this repository. Throws kind `usage` if there is none.
 * @param chosen commands of the user (`--verify`, `loops.factory.verify`); they take precedence */
export function chooseVerification(
  repository: Repository,
  baseline: Baseline,
  chosen: readonly string[],
  allowed: readonly string[],
): Verification {
  const rule = (commands: string[][], source: string, allowsNoTests = false): Verification => ({
    commands,
    source,
    allowsNoTests,
  });
  if (chosen.length > 0) return rule(chosen.map(parse), "--verify or loops.factory.verify");
  const hint = "set the commands with --verify CMD or loops.factory.verify";
  if (allowed.includes(SCRIPT)) {
    throw new AtomsmithError("usage", `the order may change ${SCRIPT}, which would verify it`, {
      hint,
    });
  }
  if (existsSync(join(repository.root, SCRIPT))) return rule([["bash", SCRIPT]], SCRIPT);
  if ([...baseline.tracked].some((path) => path.endsWith(".py"))) {
    const python = Bun.which("python") === null && Bun.which("python3") !== null ? "python3" : "python";
    return rule(
      [
        [python, "-m", "compileall", "-q", "."],
        [python, "-m", "pip", "--version"],
        [python, "-m", "pytest", "-q"],
      ],
      "Python files",
      true,
    );
  }
  throw new AtomsmithError("usage", `no verification found for ${repository.root}`, {
    where: repository.root,
    hint: `${hint}, or add ${SCRIPT}`,
  });
}

function parse(command: string): string[] {
  const words = splitWords(command);
  if (words.ok && words.words.length > 0) return words.words;
  const problem = words.ok ? "it is empty" : words.problem;
  throw new AtomsmithError(
    "usage",
    `the verification command ${JSON.stringify(command)} cannot be parsed: ${problem}`,
  );
}
