// Records the two example jobs of fixtures/agent again: bun test/loops/agent/record.ts
// Their model is the script of the tests, so a change of prompts or tools needs no paid reply.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli } from "../../support/cli.ts";
import { startModelServer } from "../../support/model-server.ts";
import { jobScript } from "./script.ts";

const FIXTURES = join(import.meta.dir, "../../../fixtures/agent");

/** The recorded jobs: agent, todos of each phase. */
export const RECORDED = {
  researcher: [12, 12, 12],
  tidy: [5],
} as const;

/** The line that starts a recorded job. */
export function startLine(agent: keyof typeof RECORDED): string[] {
  const description = "Which limits hold in both years?";
  const documents = join(FIXTURES, "documents");
  return [
    "agent",
    "run",
    "--config",
    agent,
    "--description",
    description,
    "--document-dir",
    documents,
    "--job-id",
    agent,
  ];
}

if (import.meta.main) {
  for (const [agent, phases] of Object.entries(RECORDED)) {
    const server = startModelServer(jobScript({ phases: [...phases] }));
    const cwd = mkdtempSync(join(tmpdir(), "atomsmith-record-"));
    const cassettes = join(FIXTURES, "cassettes");
    rmSync(join(cassettes, `agent_${agent}.jsonl`), { force: true });
    const model = [
      "-c",
      `llm.agent.base_url=${server.url}`,
      "-c",
      "llm.agent.model=scripted",
      "--record",
      cassettes,
    ];
    const { code, stdout, stderr } = await cli([...startLine(agent as keyof typeof RECORDED), ...model], {
      cwd,
    });
    process.stdout.write(`${code} ${stdout}${stderr}`);
    await server.stop();
    rmSync(cwd, { recursive: true, force: true });
  }
}
