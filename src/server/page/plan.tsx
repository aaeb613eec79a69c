// The work orders that a plan job wrote, to be run together.
import { useState } from "preact/hooks";
import type { Job } from "../jobs/record.ts";
import type { FactoryPlanWire } from "../wire/factory.ts";
import { post, useAction, useGet } from "./api.ts";
import { go, href } from "./route.ts";
import { Loaded, Problem, Text } from "./ui.tsx";

export function Plan({ job }: { job: Job }) {
  const plan = useGet<FactoryPlanWire>(`/api/factory/plans/${encodeURIComponent(job.id)}`);
  const [commit, setCommit] = useState("factory/plan");
  const { busy, error, run } = useAction();
  const { repository } = job.params;
  return (
    <section>
      <h2>Work orders</h2>
      <Loaded from={plan}>
        {({ orders }) => (
          <>
            {orders.map((order) => (
              <details key={order.id}>
                <summary>
                  <Text of={`${order.id}: ${order.title}`} />
                </summary>
                <pre class="code" tabIndex={0}>
                  <Text of={JSON.stringify(order, null, 2)} />
                </pre>
              </details>
            ))}
            {orders.length === 0 || typeof repository !== "string" ? null : (
              <form
                class="bar"
                onSubmit={(event) => {
                  event.preventDefault();
                  run(async () => {
                    const params = { repository, orders, commit };
                    const next = await post<Job>("/jobs", { kind: "factory-run-all", params });
                    go(href(["jobs", next.id]));
                  });
                }}
              >
                <label>
                  Commit on the branch{" "}
                  <input
                    value={commit}
                    required
                    maxLength={200}
                    onInput={(e) => setCommit(e.currentTarget.value)}
                  />
                </label>
                <button type="submit" class="main" disabled={busy}>
                  Run the orders
                </button>
              </form>
            )}
            {error === undefined ? null : <Problem error={error} />}
          </>
        )}
      </Loaded>
    </section>
  );
}
