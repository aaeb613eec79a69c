// Forms that start a work order, or a plan created by a model from a specification.
import { useState } from "preact/hooks";
import type { Job } from "../jobs/record.ts";
import { ApiError, post, useAction } from "./api.ts";
import { go, href } from "./route.ts";
import { Empty, Problem, Text } from "./ui.tsx";

const ORDER = `{
  "id": "WO-01",
  "title": "",
  "intent": "",
  "allowed_files": [],
  "forbidden": [],
  "acceptance_commands": [],
  "context_files": []
}`;

export function StartFactory({ repositories }: { repositories: readonly string[] }) {
  const [repository, setRepository] = useState(repositories[0] ?? "");
  const [order, setOrder] = useState(ORDER);
  const [commit, setCommit] = useState("");
  const [spec, setSpec] = useState("");
  const { busy, error, run } = useAction();
  if (repositories.length === 0) {
    return (
      <section>
        <h2>Start</h2>
        <Empty>
          <p>
            No repository is configured. Name repositories in <code>loops.factory.repositories</code> of the
            configuration, or use <code>atomsmith factory run</code>.
          </p>
        </Empty>
      </section>
    );
  }
  const start = (kind: string, params: object) =>
    run(async () => go(href(["jobs", (await post<Job>("/jobs", { kind, params })).id])));
  const startOrder = (event: Event): void => {
    event.preventDefault();
    run(async () => {
      const branch = commit.trim() === "" ? {} : { commit: commit.trim() };
      const params = { repository, order: parse(order), ...branch };
      go(href(["jobs", (await post<Job>("/jobs", { kind: "factory-run", params })).id]));
    });
  };
  return (
    <section>
      <h2>Start</h2>
      <p>
        <label>
          Repository{" "}
          <select value={repository} onChange={(e) => setRepository(e.currentTarget.value)}>
            {repositories.map((path) => (
              <option key={path} value={path}>
                <Text of={path} />
              </option>
            ))}
          </select>
        </label>
      </p>
      {error === undefined ? null : <Problem error={error} />}
      <details>
        <summary>A work order</summary>
        <form onSubmit={startOrder}>
          <label>
            Work order (JSON)
            <textarea
              rows={12}
              spellcheck={false}
              value={order}
              onInput={(e) => setOrder(e.currentTarget.value)}
            />
          </label>
          <label>
            Commit on the branch{" "}
            <input
              value={commit}
              maxLength={200}
              placeholder="none: the change stays in the work tree"
              onInput={(e) => setCommit(e.currentTarget.value)}
            />
          </label>
          <div class="actions">
            <button type="submit" class="main" disabled={busy}>
              Run the order
            </button>
          </div>
        </form>
      </details>
      <details>
        <summary>A plan from a specification</summary>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            start("factory-plan", { repository, spec });
          }}
        >
          <label>
            Specification
            <textarea
              rows={8}
              maxLength={200_000}
              value={spec}
              onInput={(e) => setSpec(e.currentTarget.value)}
            />
          </label>
          <div class="actions">
            <button type="submit" class="main" disabled={busy || spec.trim() === ""}>
              Plan
            </button>
          </div>
        </form>
      </details>
    </section>
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ApiError(0, `The work order is not valid JSON: ${(error as Error).message}`);
  }
}
