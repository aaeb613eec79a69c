// The built executable reads documents in its role as parser, within a job.
import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { call, jobScript } from "../loops/agent/script.ts";
import { atomsmith } from "../support/executable.ts";
import { folders } from "../support/folder.ts";
import { startModelServer } from "../support/model-server.ts";

const folder = folders("e2e-documents");
const FIXTURES = join(import.meta.dir, "../../fixtures/documents");
const NAMES = ["checklist.pdf", "checklist.docx", "checklist.xlsx", "checklist.pptx"];

/** In the first phase, the model looks for the tool and takes the text out of one document per task. */
const server = startModelServer(
  jobScript({
    phases: [5],
    before(request, task) {
      const step = /^Phase 1 step (\d)$/.exec(task?.text ?? "")?.[1];
      const name = NAMES[Number(step ?? 0) - 1];
      const offered = (request.tools ?? []).map((tool) => tool.function.name);
      if (name === undefined || !offered.includes("todo_complete")) return undefined;
      const last = request.messages.at(-1)?.content ?? "";
      if (last.startsWith(`Written to documents/text/${name}.md`)) return undefined;
      if (!offered.includes("extract_document_text"))
        return call("search_tools", { query: "extract text of a document" });
      return call("extract_document_text", { path: `documents/${name}` });
    },
  }),
);
afterAll(() => server.stop(), 30_000);

test("an agent takes the text out of every format", async () => {
  const agent = {
    agent_id: "reader",
    display_name: "Reader",
    $extends: "researcher",
    tools: { documents: ["extract_document_text"] },
  };
  const cwd = folder({ "reader.json": JSON.stringify(agent) });
  const documents = NAMES.flatMap((name) => ["--document", join(FIXTURES, name)]);
  const settings = ["-c", `llm.agent.base_url=${server.url}`, "-c", "llm.agent.model=test-model"];
  const line = [
    "agent",
    "run",
    "--config",
    "reader.json",
    "--description",
    "Read",
    "--job-id",
    "r",
    ...documents,
  ];
  const { code, err } = await atomsmith([...line, ...settings], { cwd });
  expect({ code, err: code === 0 ? "" : err }).toEqual({ code: 0, err: "" });
  for (const name of NAMES) {
    const text = readFileSync(join(cwd, `workspace/job_r/documents/text/${name}.md`), "utf8");
    expect(text).toContain("REQ-1");
    expect(text).toMatch(/^--- (?:page|sheet|slide) 2(?:: Dates)? ---$/m);
  }
}, 90_000);
