// Replies of the model that are refused before or while they are written.
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import {
  EMPTY_SHA,
  GOOD,
  git,
  KEY,
  order,
  reply,
  replyingServers,
  run,
  sha,
  stateOf,
  workspaces,
} from "./support.ts";

const makeWorkspace = workspaces("replies");
const serve = replyingServers();

const FAILURES: [string, string, ReturnType<typeof reply>][] = [
  ["a reply that is no JSON", "llm_output_invalid", { content: "I changed it." }],
  ["prose beside the object", "llm_output_invalid", { content: `Here: ${GOOD.content}` }],
  [
    "two fences",
    "llm_output_invalid",
    { content: `\`\`\`json\n${GOOD.content}\n\`\`\`\n\`\`\`json\n{}\n\`\`\`` },
  ],
  [
    "an unknown key",
    "llm_output_invalid",
    { content: GOOD.content.replace('"summary"', '"notes":1,"summary"') },
  ],
  ["no writes", "llm_output_invalid", { content: '{"summary":"","writes":[]}' }],
  [
    "a path twice",
    "llm_output_invalid",
    reply(
      { path: "a.txt", base_sha256: sha("one\n"), content: "changed\n" },
      { path: "a.txt", base_sha256: sha("one\n"), content: "changed again\n" },
    ),
  ],
  [
    "a path above the root",
    "llm_output_invalid",
    reply({ path: "../x", base_sha256: EMPTY_SHA, content: "x" }),
  ],
  [
    "a path in .git",
    "llm_output_invalid",
    reply({ path: ".git/config", base_sha256: EMPTY_SHA, content: "x" }),
  ],
  ["a NUL", "llm_output_invalid", reply({ path: "a.txt", base_sha256: sha("one\n"), content: "a\0b" })],
  [
    "too long a file",
    "llm_output_invalid",
    reply({ path: "a.txt", base_sha256: sha("one\n"), content: "x".repeat(200 * 1024 + 1) }),
  ],
  [
    "a mask that the file does not hold",
    "llm_output_invalid",
    reply({ path: "a.txt", base_sha256: sha("one\n"), content: "[MASKED:api key]\n" }),
  ],
  [
    "a known key",
    "llm_output_invalid",
    reply({ path: "a.txt", base_sha256: sha("one\n"), content: `changed ${KEY}` }),
  ],
  [
    "a file that is not allowed",
    "write_scope_violation",
    reply({ path: "b.txt", base_sha256: sha("two\n"), content: "x" }),
  ],
  [
    "an old base hash",
    "stale_context",
    reply(
      { path: "new/c.txt", base_sha256: EMPTY_SHA, content: "x" },
      { path: "a.txt", base_sha256: sha("zero\n"), content: "changed\n" },
    ),
  ],
];

test.each(FAILURES)("%s is %s, and nothing changes", async (_, stage, bad) => {
  const workspace = makeWorkspace();
  const before = stateOf(workspace.repo);
  const { code, summary } = await run(workspace, serve(bad).url, order(), [
    "--verify",
    "true",
    "--max-attempts",
    "1",
  ]);
  expect(code).toBe(7);
  expect(summary.verdict).toBe("FAIL");
  expect(summary.ended_stage as string).toBe(stage);
  expect(stateOf(workspace.repo)).toEqual(before);
  expect(readFileSync(join(workspace.out, summary.run_id, "run_summary.json"), "utf8")).not.toContain(KEY);
});

test("one fence around the object is accepted", async () => {
  const workspace = makeWorkspace();
  const { code } = await run(workspace, serve({ content: `\`\`\`json\n${GOOD.content}\n\`\`\`` }).url);
  expect(code).toBe(0);
});

test("a write below a forbidden path is refused", async () => {
  const workspace = makeWorkspace();
  const bad = reply({ path: "new/c.txt", base_sha256: EMPTY_SHA, content: "x" });
  const { summary } = await run(workspace, serve(bad).url, order({ forbidden: ["new"] }), [
    "--verify",
    "true",
  ]);
  expect(summary.ended_stage).toBe("write_scope_violation");
});

test("a link out of the repository is refused, as a path and as its folder", async () => {
  const workspace = makeWorkspace();
  mkdirSync(join(workspace.dir, "outside"));
  symlinkSync(join(workspace.dir, "outside"), join(workspace.repo, "way"));
  symlinkSync("a.txt", join(workspace.repo, "alias"));
  git(workspace.repo, "add", "-A");
  git(workspace.repo, "commit", "-qm", "links");
  for (const path of ["way/x.txt", "alias"]) {
    const { code, stderr } = await run(workspace, serve(GOOD).url, order({ allowed_files: [path] }));
    expect(code).toBe(2);
    expect(stderr).toContain("link");
  }
});
