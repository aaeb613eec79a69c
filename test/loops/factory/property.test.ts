// For any proposal of a model and any commands, the repository after a run is either unchanged or contains exactly
// the accepted change, and all other differences are reported.
import { afterAll, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { startModelServer } from "../../support/model-server.ts";
import { repeats, SEED } from "../../support/random-moments.ts";
import { EMPTY_SHA, git, order, reply, run, sha, stateOf, workspaces } from "./support.ts";

const makeWorkspace = workspaces("property");
const FILES: Record<string, string> = {
  "a.txt": "one\n",
  "dir/b.txt": "two\n",
  ".gitignore": "*.ign\n",
  "x.sh": "#!/bin/sh\n",
};
const IGNORED = "mine.ign";

/** The reply of the current run. */
let answer: ReturnType<typeof reply> | { content: string } = { content: "" };
const model = startModelServer(() => answer);
afterAll(() => model.stop());

const ALLOWED = ["a.txt", "dir/b.txt", "dir/new.txt", "deep/er/n.txt", "new.ign", IGNORED];
const write = fc.record({
  path: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...ALLOWED) },
    { weight: 1, arbitrary: fc.constantFrom("x.sh", "../up", ".git/config") },
  ),
  right: fc.constantFrom(true, true, true, true, false),
  content: fc.constantFrom("", "changed\n", "é\r\n", "x".repeat(5_000)),
});

/** Side effects of commands. */
const deed = fc.constantFrom(
  ...[
    "rm -f a.txt",
    "rm -rf dir",
    "echo d > drift.txt",
    "echo d >> x.sh",
    "chmod 600 x.sh",
    "mkdir -p e/m/p/t/y",
  ],
  ...[
    "echo i > new2.ign",
    "rm -f .gitignore",
    "ln -s a.txt link",
    "mkdir -p g && git init -q g",
    "mv x.sh y.sh",
  ],
  ...[
    "git add -A",
    "git commit -qam x",
    "git checkout -qb other",
    "git stash -q",
    "git config a.b c",
    "git gc -q",
  ],
  ...[
    "echo evil > .git/hooks/post-checkout",
    "git update-ref -d refs/heads/main",
    "touch .git/index.lock",
    "echo x > .git/index",
    "true",
  ],
);

const scenario = fc.record({
  writes: fc.array(write, { minLength: 0, maxLength: 3 }),
  deeds: fc.array(deed, { maxLength: 3 }),
  exit: fc.constantFrom(0, 0, 1),
  jail: fc.boolean(),
  commit: fc.boolean(),
});

test(
  "after any run the repository is unchanged or contains exactly the accepted change",
  async () => {
    let passed = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async ({ writes, deeds, exit, jail, commit }) => {
        const workspace = makeWorkspace(FILES);
        chmodSync(join(workspace.repo, "x.sh"), 0o755);
        git(workspace.repo, "commit", "-qam", "mode");
        writeFileSync(join(workspace.repo, IGNORED), "mine\n", { mode: 0o640 });
        const before = stateOf(workspace.repo);
        const expected: Record<string, string> = { ...FILES, [IGNORED]: "mine\n" };
        const base = (path: string) => (expected[path] === undefined ? EMPTY_SHA : sha(expected[path]));
        answer = reply(
          ...writes.map(({ path, right, content }) => ({
            path,
            content,
            base_sha256: right ? base(path) : sha("old"),
          })),
        );
        const wo = order({ allowed_files: ALLOWED, context_files: [], acceptance_commands: ["true"] });
        const script = [...deeds, `exit ${exit}`].join("; ");
        const { code, summary, stderr } = await run(workspace, model.url, wo, [
          ...["--verify", `sh -c '${script}'`, "--max-attempts", "1"],
          ...(jail ? [] : ["--no-jail"]),
          ...(commit ? ["--commit", "wo"] : []),
        ]);
        const after = stateOf(workspace.repo);
        expect({ code, stderr: code === 0 || code === 7 ? "" : stderr }).toMatchObject({ stderr: "" });
        const drift = new Set(summary.drift.map(({ path }) => path));
        if (summary.verdict === "FAIL") {
          expect(code).toBe(7);
          for (const path of drift) expect(path).toBe(IGNORED); // what git has no copy of
          expect(without(after, drift)).toEqual(without(before, drift));
          return;
        }
        passed += 1;
        const touched = new Set(writes.map(({ path }) => path));
        const changed = Object.keys({ ...before, ...after }).filter((path) => before[path] !== after[path]);
        for (const path of changed.filter((key) => !SELF.has(key) && !key.endsWith("/"))) {
          expect({ path, known: touched.has(path) || drift.has(path) }).toEqual({ path, known: true });
        }
        for (const { path, content } of writes)
          if (!drift.has(path)) expect(after[path]).toEndWith(sha(content));
        expect(after["config"]).toBe(before["config"] as string);
        expect(after["hooks"]).toBe(before["hooks"] as string);
        expect([after["left"], after["locks"]]).toEqual(["", ""]);
        if (!commit) expect(after["refs"]).toBe(before["refs"] as string);
        else {
          const files = git(workspace.repo, "diff", "--name-only", "main", "wo")
            .split("\n")
            .filter((path) => path !== "");
          for (const path of files) expect(touched.has(path)).toBe(true);
        }
      }),
      {
        numRuns: repeats(20),
        seed: SEED,
        endOnFailure: true,
        // One that passes: few of the random ones do.
        examples: [
          [
            {
              writes: [{ path: "a.txt", right: true, content: "changed\n" }],
              deeds: ["echo x > .git/index"],
              exit: 0,
              jail: false,
              commit: true,
            },
          ],
        ],
      },
    );
    expect(passed).toBeGreaterThan(0);
  },
  10 * 60_000,
);

const SELF = new Set(["HEAD", "refs", "status"]);

/** The state without some files and their lines of `git status`. */
function without(state: Record<string, string>, paths: ReadonlySet<string>): Record<string, string> {
  return Object.fromEntries(Object.entries(state).filter(([path]) => !paths.has(path)));
}
