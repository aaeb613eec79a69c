// Records the sample of fixtures/creator again: bun test/loops/agent/sample/record.ts
// Its model is the script beside this file, so a change of prompts or tools needs no paid reply. The lines are those of
// fixtures/creator/replay.sh.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli } from "../../../support/cli.ts";
import { startModelServer } from "../../../support/model-server.ts";
import { sampleScript } from "./script.ts";

const ROOT = join(import.meta.dir, "../../../../fixtures");
const CASSETTES = join(ROOT, "creator/cassettes");
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

const CHECK_LINE = ["check", "output", "--search-root", LOGS];
/** Whoever writes the atoms: the offline author. */
const OFFLINE = ["agent_a", "agent_b", "reflect"].flatMap((role) => ["-c", `llm.${role}.provider=offline`]);

if (import.meta.main) {
  const server = startModelServer(sampleScript);
  const cwd = mkdtempSync(join(tmpdir(), "atomsmith-sample-"));
  rmSync(CASSETTES, { recursive: true, force: true });
  const model = [
    "-c",
    `llm.agent.base_url=${server.url}`,
    "-c",
    "llm.agent.model=scripted",
    "--record",
    CASSETTES,
  ];
  for (const line of AGENT_LINES) {
    const { code, stdout, stderr } = await cli([...line, ...OFFLINE, ...model], { cwd });
    process.stdout.write(`${code} ${stdout}${stderr.split("\n").slice(-5).join("\n")}\n`);
  }
  const { code, stdout, stderr } = await cli(CHECK_LINE, { cwd });
  process.stdout.write(`${code} ${stdout}${stderr}\nin ${cwd}\n`);
  await server.stop();
}
