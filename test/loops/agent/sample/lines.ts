// The command lines of the sample, in order: the same when it is recorded, replayed in a test, and in
// fixtures/creator/replay.sh.
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../../../../fixtures");
export const CASSETTES = join(ROOT, "creator/cassettes");
const LOGS = join(ROOT, "project");

const DESCRIPTION = "Make an ItemSpec of each requirement of the checklist.";

/** From the checklist to the decision about every page. */
export const AGENT_LINES: readonly string[][] = [
  [
    ...["agent", "run", "--config", "creator", "--description", DESCRIPTION, "--job-id", "sample"],
    ...["--document-dir", join(ROOT, "creator/documents"), "--search-root", LOGS],
  ],
  ["agent", "poll", "--config", "validator", "--once"],
  ["agent", "poll", "--config", "creator", "--once"],
  ["agent", "poll", "--config", "validator", "--once"],
];

export const CHECK_LINE = ["check", "output", "--search-root", LOGS];
export const BATCH_LINE = ["batch", "item_specs", "--search-root", LOGS, "--provider", "offline"];
/** Whoever writes the atoms: the offline author. */
export const OFFLINE = ["agent_a", "agent_b", "reflect"].flatMap((role) => [
  "-c",
  `llm.${role}.provider=offline`,
]);
