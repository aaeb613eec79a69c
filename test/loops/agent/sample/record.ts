// Records the sample of fixtures/creator again: bun test/loops/agent/sample/record.ts
// Its model is the script beside this file, so a change of prompts or tools needs no paid reply.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli } from "../../../support/cli.ts";
import { startModelServer } from "../../../support/model-server.ts";
import { AGENT_LINES, CASSETTES, CHECK_LINE, OFFLINE } from "./lines.ts";
import { sampleScript } from "./script.ts";

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
