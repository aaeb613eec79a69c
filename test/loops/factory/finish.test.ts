// What is left of an accepted change after the process died is finished by the next one, whatever a person did meanwhile.
import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Marker, writeMarker } from "../../../src/loops/factory/repo/marker.ts";
import { openRepository } from "../../../src/loops/factory/repo/repository.ts";
import type { ModelServer } from "../../support/model-server.ts";
import { GOOD, git, order, type Place, places, run, server } from "./support.ts";

const make = places("finish");
const VERIFY = ["--verify", "true"];
let model: ModelServer | undefined;
afterEach(async () => model?.stop());

/** The state of a run that was killed right after its marker said "passed". */
async function passed(place: Place, extra: string[]): Promise<Marker> {
  model = server(GOOD);
  const baseline = git(place.repo, "rev-parse", "main");
  const { summary } = await run(place, model.url, order(), [...VERIFY, ...extra]);
  expect(summary.verdict).toBe("PASS");
  const run_dir = join(place.out, summary.run_id);
  const id = git(place.repo, "rev-parse", "HEAD");
  if (id !== baseline) {
    git(place.repo, "symbolic-ref", "HEAD", "refs/heads/main");
    git(place.repo, "branch", "-D", "wo");
    git(place.repo, "read-tree", baseline);
  }
  rmSync(join(run_dir, "run_summary.json"));
  const repository = await openRepository(place.repo, process.env);
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

function isFinished(place: Place, marker: Marker): void {
  expect(existsSync(join(marker.run_dir, "run_summary.json"))).toBe(true);
  expect(existsSync(join(place.repo, ".git/atomsmith-factory"))).toBe(false);
}

test("the next process creates the branch, checks it out and writes the summary", async () => {
  const place = make();
  const marker = await passed(place, ["--commit", "wo"]);
  const next = await run(place, model?.url ?? "", order({ id: "WO-2", acceptance_commands: ["false"] }), [
    ...VERIFY,
    "--max-attempts",
    "1",
  ]);
  expect(next.code).toBe(7);
  isFinished(place, marker);
  expect(git(place.repo, "symbolic-ref", "HEAD")).toBe("refs/heads/wo");
  expect(git(place.repo, "rev-parse", "wo")).toBe(marker.passed?.commit?.id as string);
  expect(git(place.repo, "status", "--porcelain")).toBe("");
});

test("a later commit of the user is kept, with and without a branch", async () => {
  for (const extra of [["--commit", "wo"], []]) {
    const place = make();
    const marker = await passed(place, extra);
    git(place.repo, "commit", "-qam", "a person's");
    const head = git(place.repo, "rev-parse", "HEAD");
    await run(place, model?.url ?? "", order({ id: "WO-2" }), [...VERIFY, "--max-attempts", "1"]);
    isFinished(place, marker);
    expect(git(place.repo, "rev-parse", "main")).toBe(head);
    expect(git(place.repo, "symbolic-ref", "HEAD")).toBe("refs/heads/main");
    expect(readFileSync(join(place.repo, "a.txt"), "utf8")).toBe("changed\n");
    await model?.stop();
  }
});
