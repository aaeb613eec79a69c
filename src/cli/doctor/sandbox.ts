// Tests the sandbox: runs an atom in it, and one that tries to escape.
import { createSandbox } from "../../../sandbox/index.ts";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { Config } from "../../config/schema.ts";
import { AtomsmithError, EXIT } from "../../core/errors.ts";
import type { Emit } from "../../core/events.ts";
import type { Check } from "./types.ts";

const GOOD = `function extract_context(text, source_file) {
  return text.split("\\n").map((line, i) => ({ value: re.search("v(?P<n>\\\\d+)", line).group("n"), line_number: i + 1 }));
}`;
const LOOP = "function extract_context() { for (;;) {} }";
const REACH =
  "function extract_context() { return [typeof process, typeof require, typeof fetch, typeof setTimeout]; }";

/** Starts the configured sandbox and runs atoms in it. */
export async function checkSandbox(config: Config["sandbox"], emit: Emit): Promise<Check[]> {
  let sandbox: Sandbox;
  try {
    sandbox = await createSandbox({ require: config.require, children: 1 }, emit);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const hint = error instanceof AtomsmithError ? error.details.hint : undefined;
    return [{ name: "sandbox", status: "error", message, ...(hint ? { hint } : {}), exit: EXIT.sandbox }];
  }
  try {
    return [levelCheck(sandbox), await runCheck(sandbox), await containmentCheck(sandbox)];
  } finally {
    await sandbox.close();
  }
}

function levelCheck({ info }: Sandbox): Check {
  const name = "sandbox level";
  const text = `${info.level} (${info.node})`;
  if (info.missing.length === 0) return { name, status: "ok", message: text };
  return {
    name,
    status: "warning",
    message: `${text}; missing: ${info.missing.join("; ")}`,
    hint: "atoms still run in a separate process and isolate; set sandbox.require to enforce a level",
  };
}

async function runCheck(sandbox: Sandbox): Promise<Check> {
  const name = "sandbox runs an atom";
  const session = await sandbox.open({ name: "doctor.js", source: GOOD });
  const outcome = await session.call("extract_context", ["v1\nv22", "x.log"]);
  await session.close();
  const expected = JSON.stringify([
    { value: "1", line_number: 1 },
    { value: "22", line_number: 2 },
  ]);
  if (outcome.ok && JSON.stringify(outcome.value) === expected) {
    return { name, status: "ok", message: `in ${outcome.ms.toFixed(1)} ms` };
  }
  const message = outcome.ok ? `it returned ${JSON.stringify(outcome.value)}` : outcome.error.message;
  return { name, status: "error", message, exit: EXIT.sandbox };
}

async function containmentCheck(sandbox: Sandbox): Promise<Check> {
  const name = "sandbox holds";
  const reach = await sandbox.open({ name: "reach.js", source: REACH });
  const seen = await reach.call("extract_context", ["", ""]);
  await reach.close();
  if (!seen.ok || JSON.stringify(seen.value) !== JSON.stringify(Array(4).fill("undefined"))) {
    const message = seen.ok ? `an atom can reach ${JSON.stringify(seen.value)}` : seen.error.message;
    return { name, status: "error", message, exit: EXIT.sandbox };
  }
  const loop = await sandbox.open({ name: "loop.js", source: LOOP });
  const stopped = await loop.call("extract_context", ["", ""], { limits: { timeoutMs: 200 } });
  await loop.close();
  if (!stopped.ok && stopped.error.kind === "timeout") {
    return { name, status: "ok", message: "found no way to escape, and an endless loop was stopped" };
  }
  return { name, status: "error", message: "an endless loop was not stopped", exit: EXIT.sandbox };
}
