// Overview: items by state, the last check, running jobs, items that need review.
import type { Job } from "../jobs/record.ts";
import type { ItemRowWire } from "../wire/items.ts";
import type { Status } from "../wire/status.ts";
import { useGet } from "./api.ts";
import { JobRow, StartJob } from "./jobs.tsx";
import { useReload } from "./live.ts";
import { href } from "./route.ts";
import { cost, Empty, Loaded, plural, State, Text, Time } from "./ui.tsx";

const ORDER = [
  "human_required",
  "outdated",
  "unreadable",
  "modified",
  "unfinished",
  "running",
  "new",
  "reading",
  "accepted",
];

const RELOAD = new Set(["items_changed", "job_changed", "design_changed", "agents_changed"]);

export function Overview() {
  const status = useGet<Status>("/status");
  const jobs = useGet<{ jobs: Job[] }>("/jobs?limit=8");
  const waiting = useGet<{ items: ItemRowWire[]; total: number }>("/api/items?state=human_required&limit=8");
  const others = status.data?.waiting ?? [];
  useReload(
    () => {
      status.reload();
      jobs.reload();
      waiting.reload();
    },
    ({ type }) => RELOAD.has(type),
  );
  return (
    <>
      <h1>Overview</h1>
      <Loaded from={status}>
        {(now) => (
          <>
            <ItemCounts states={now.items} />
            <LastCheck id={now.last_check} />
            {now.usage.calls === 0 ? null : (
              <p>
                Models in all jobs: {plural(now.usage.calls, "call")},{" "}
                {now.usage.input_tokens.toLocaleString()} + {now.usage.output_tokens.toLocaleString()} tokens,{" "}
                {cost(now.usage.cost_usd)}
              </p>
            )}
            <p class="dim">
              Logs below <code>{now.search_root}</code>. Started <Time at={now.started_at} />, version{" "}
              {now.version}.
            </p>
          </>
        )}
      </Loaded>
      <section>
        <h2>Needs review</h2>
        <Loaded from={waiting}>
          {({ items, total }) =>
            total === 0 && others.length === 0 ? (
              <Empty>
                <p>Nothing needs review.</p>
              </Empty>
            ) : (
              <ul class="plain">
                {others.map(({ kind, id, what }) => (
                  <li key={`${kind}${id}`}>
                    <a href={href([kind === "design" ? "design" : "agents", id])}>{id}</a>{" "}
                    <span class="dim">
                      <Text of={what} />
                    </span>
                  </li>
                ))}
                {items.map(({ item_id, updated_at }) => (
                  <li key={item_id}>
                    <a href={href(["items", item_id])}>{item_id}</a> <span class="dim">since </span>
                    <Time at={updated_at} />
                  </li>
                ))}
                {total > items.length ? (
                  <li>
                    <a href={href(["items"], { state: "human_required" })}>all {total}</a>
                  </li>
                ) : null}
              </ul>
            )
          }
        </Loaded>
      </section>
      <section>
        <h2>Jobs</h2>
        <StartJob />
        <Loaded from={jobs}>
          {(list) =>
            list.jobs.length === 0 ? (
              <Empty>
                <p>No job yet. Start a batch to generate atoms from the pages, or a check to run them.</p>
              </Empty>
            ) : (
              <ul class="plain">
                {runningFirst(list.jobs).map((job) => (
                  <JobRow key={job.id} job={job} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </section>
    </>
  );
}

function runningFirst(jobs: readonly Job[]): Job[] {
  const under = (job: Job): boolean => job.state === "running" || job.state === "queued";
  return [...jobs.filter(under), ...jobs.filter((job) => !under(job))];
}

function ItemCounts({ states }: { states: Record<string, number> }) {
  const total = Object.values(states).reduce((sum, n) => sum + n, 0);
  if (total === 0) {
    return (
      <Empty>
        <p>
          No items. Put pages named <code>ID_ItemSpec.md</code> into <code>paths.item_specs_dir</code>, or
          name another folder in the configuration.
        </p>
      </Empty>
    );
  }
  return (
    <section>
      <h2>{plural(total, "item")}</h2>
      <ul class="counts">
        {ORDER.filter((state) => (states[state] ?? 0) > 0).map((state) => (
          <li key={state}>
            <a href={href(["items"], { state })}>
              <strong>{states[state]?.toLocaleString()}</strong> <State of={state} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function LastCheck({ id }: { id: string | null }) {
  const job = useGet<Job>(id === null ? undefined : `/jobs/${id}`);
  if (id === null) return null;
  return (
    <section>
      <h2>Last check</h2>
      <Loaded from={job}>
        {({ totals, finished_at }) => (
          <p>
            <a href={href(["checks", id])}>
              {["pass", "fail", "error"].map((outcome) => `${totals[outcome] ?? 0} ${outcome}`).join(", ")}
            </a>{" "}
            <Time at={finished_at} />
          </p>
        )}
      </Loaded>
    </section>
  );
}
