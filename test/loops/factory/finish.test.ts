// An accepted change whose process died is finished by the next process, whatever the user did meanwhile.
import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Marker, writeMarker } from "../../../src/loops/factory/repo/marker.ts";
import { openRepository } from "../../../src/loops/factory/repo/repository.ts";
import type { ModelServer } from "../../support/model-server.ts";
import { GOOD, git, order, replyingServer, run, type Workspace, workspaces } from "./support.ts";

const makeWorkspace = workspaces("finish");
const VERIFY = ["--verify", "true"];
let model: ModelServer | undefined;
afterEach(async () => model?.stop());

/** The state of a run that was killed right after its marker was set to "passed". */
async function killAfterPass(workspace: Workspace, extra: string[]): Promise<Marker> {
  model = replyingServer(GOOD);
  const baseline = git(workspace.repo, "rev-parse", "main");
  const { summary } = await run(workspace, model.url, order(), [...VERIFY, ...extra]);
  expect(summary.verdict).toBe("PASS");
  const run_dir = join(workspace.out, summary.run_id);
  const id = git(workspace.repo, "rev-parse", "HEAD");
  if (id !== baseline) {
    git(workspace.repo, "symbolic-ref", "HEAD", "refs/heads/main");
    git(workspace.repo, "branch", "-D", "wo");
    git(workspace.repo, "read-tree", baseline);
  }
  rmSync(join(run_dir, "run_summary.json"));
  const repository = await openRepository(workspace.repo, process.env);
  mkdirSync(repository.stateDir, { recursive: true });
  const marker: Marker = {
    ...{
      format: 1,
      run_id: summary.run_id,
      run_dir,
      work_order_hash: summary.work_order_hash,
      config_hash: "",
      baseline,
    },
    ...{ writes: [], kept: [], passed: { summary, commit: id === baseline ? null : { id, branch: "wo" } } },
  };
  await writeMarker(repository, marker);
  return marker;
}

function expectFinished(workspace: Workspace, marker: Marker): void {
  expect(existsSync(join(marker.run_dir, "run_summary.json"))).toBe(true);
  expect(existsSync(join(workspace.repo, ".git/atomsmith-factory"))).toBe(false);
}

test("the next process creates the branch, checks it out and writes the summary", async () => {
  const workspace = makeWorkspace();
  const marker = await killAfterPass(workspace, ["--commit", "wo"]);
  const next = await run(workspace, model?.url ?? "", order({ id: "WO-2", acceptance_commands: ["false"] }), [
    ...VERIFY,
    "--max-attempts",
    "1",
  ]);
  expect(next.code).toBe(7);
  expectFinished(workspace, marker);
  expect(git(workspace.repo, "symbolic-ref", "HEAD")).toBe("refs/heads/wo");
  expect(git(workspace.repo, "rev-parse", "wo")).toBe(marker.passed?.commit?.id as string);
  expect(git(workspace.repo, "status", "--porcelain")).toBe("");
});

test("a later commit of the user is kept, with and without a branch", async () => {
  for (const extra of [["--commit", "wo"], []]) {
    const workspace = makeWorkspace();
    const marker = await killAfterPass(workspace, extra);
    git(workspace.repo, "commit", "-qam", "a person's");
    const head = git(workspace.repo, "rev-parse", "HEAD");
    await run(workspace, model?.url ?? "", order({ id: "WO-2" }), [...VERIFY, "--max-attempts", "1"]);
    expectFinished(workspace, marker);
    expect(git(workspace.repo, "rev-parse", "main")).toBe(head);
    expect(git(workspace.repo, "symbolic-ref", "HEAD")).toBe("refs/heads/main");
    expect(readFileSync(join(workspace.repo, "a.txt"), "utf8")).toBe("changed\n");
    await model?.stop();
  }
});
