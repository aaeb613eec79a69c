// The queue of a fleet: jobs by kind, workers and what they run, dead letters, limits.
import type { QueuedJob } from "../../contract/queue.ts";
import type { QueueWire } from "../wire/queue.ts";
import type { Status } from "../wire/status.ts";
import { post, useAction, useGet, withQuery } from "./api.ts";
import { useReload } from "./live.ts";
import { Limits, Workers } from "./queue-fleet.tsx";
import { href, type Place } from "./route.ts";
import { duration, Empty, Loaded, Problem, plural, State, Text, Time } from "./ui.tsx";

const STATES = ["waiting", "running", "dead", "done", "cancelled"] as const;
/** Maximum number of jobs listed. */
const LISTED = 100;

export function QueueView({ place }: { place: Place }) {
  const status = useGet<Status>("/status");
  return (
    <>
      <h1>Queue</h1>
      <Loaded from={status}>{({ queue }) => (queue ? <Fleet place={place} /> : <NotConfigured />)}</Loaded>
    </>
  );
}

function NotConfigured() {
  return (
    <Empty>
      <p>
        No queue is configured. A queue in PostgreSQL spreads items, checks and agents over several machines:
        start this server with <code>ATOMSMITH_QUEUE=postgres://USER@HOST/DATABASE</code>, and{" "}
        <code>atomsmith worker</code> with the same variable on each machine.
      </p>
    </Empty>
  );
}

function Fleet({ place }: { place: Place }) {
  const requestedState = place.query.get("state") ?? "";
  const state = STATES.find((known) => known === requestedState);
  const queue = useGet<QueueWire>(withQuery("/api/queue", { state, limit: LISTED }));
  const dead = useGet<QueueWire>(withQuery("/api/queue", { state: "dead", limit: LISTED }));
  const reload = (): void => {
    queue.reload();
    dead.reload();
  };
  useReload(reload, ({ type }) => type === "queue_changed");
  return (
    <Loaded from={queue}>
      {(now) => (
        <>
          <Kinds kinds={now.kinds} />
          <Workers workers={now.workers} running={now.running_jobs} waiting={now.totals["waiting"] ?? 0} />
          <DeadLetters
            jobs={dead.data?.jobs ?? []}
            total={now.totals["dead"] ?? 0}
            lost={now.leases_lost}
            reload={reload}
          />
          <Limits submissions={now.submissions} endpoints={now.endpoints} />
          <Jobs queue={now} state={state} reload={reload} />
        </>
      )}
    </Loaded>
  );
}

function Kinds({ kinds }: Pick<QueueWire, "kinds">) {
  if (kinds.length === 0) {
    return (
      <Empty>
        <p>
          Nothing was submitted yet: <code>batch</code>, <code>check</code> and <code>agent run</code> submit
          their work with <code>--queue URL</code>.
        </p>
      </Empty>
    );
  }
  return (
    <section class="scroll" tabIndex={0} aria-label="Jobs by kind and state">
      <table>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            {STATES.map((state) => (
              <th key={state} scope="col" class="figure">
                <a href={href(["queue"], { state })}>{state}</a>
              </th>
            ))}
            <th scope="col" class="figure">
              oldest waiting
            </th>
          </tr>
        </thead>
        <tbody>
          {kinds.map((row) => (
            <tr key={row.kind}>
              <th scope="row">{row.kind}</th>
              {STATES.map((state) => (
                <td key={state} class={state === "dead" && row.dead > 0 ? "figure bad" : "figure"}>
                  {row[state].toLocaleString()}
                </td>
              ))}
              <td class="figure">
                {row.oldest_waiting_seconds === null ? "–" : duration(row.oldest_waiting_seconds * 1000)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface DeadProps {
  jobs: readonly QueuedJob[];
  total: number;
  lost: number;
  reload: () => void;
}

function DeadLetters({ jobs, total, lost, reload }: DeadProps) {
  return (
    <section>
      <h2>Dead letters</h2>
      {total === 0 ? (
        <p class="dim">No job used up its attempts.</p>
      ) : (
        <ul class="plain">
          {jobs.map((job) => (
            <li key={job.id} class="finding">
              <JobName job={job} /> <span class="dim">{plural(job.attempts, "attempt")}, </span>
              <Time at={job.ended_at} />
              <pre class="said" tabIndex={0}>
                <Text of={job.reason} />
              </pre>
              <Act job={job} names={["retry", "cancel"]} reload={reload} />
            </li>
          ))}
        </ul>
      )}
      {total > jobs.length ? <p class="dim">{plural(total, "dead job")} in all.</p> : null}
      {lost === 0 ? null : (
        <p class="dim">In {plural(lost, "attempt")} the worker stopped responding and lost its lease.</p>
      )}
    </section>
  );
}

interface JobsProps {
  queue: QueueWire;
  state: (typeof STATES)[number] | undefined;
  reload: () => void;
}

function Jobs({ queue: { jobs, totals }, state, reload }: JobsProps) {
  const total = state === undefined ? sum(totals) : (totals[state] ?? 0);
  return (
    <section>
      <h2>{state === undefined ? "Jobs" : `Jobs: ${state}`}</h2>
      {state === undefined ? null : (
        <p>
          <a href={href(["queue"])}>all jobs</a>
        </p>
      )}
      {jobs.length === 0 ? (
        <p class="dim">None.</p>
      ) : (
        <ul class="plain">
          {jobs.map((job) => (
            <li key={job.id} class="row">
              <span class="grow">
                <JobName job={job} />
              </span>
              {job.state === "waiting" ? <span class="state">waiting</span> : <State of={job.state} />}
              <span class="dim wide">
                <Text of={job.worker} />
              </span>
              <span class="wide">
                <Time at={job.ended_at ?? job.at} />
              </span>
              {job.state === "waiting" || job.state === "running" ? (
                <Act job={job} names={["cancel"]} reload={reload} />
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {total > jobs.length ? (
        <p class="dim">
          The newest {jobs.length} of {total.toLocaleString()}.
        </p>
      ) : null}
    </section>
  );
}

function sum(totals: Record<string, number>): number {
  return Object.values(totals).reduce((all, n) => all + n, 0);
}

function JobName({ job: { kind, subject, project } }: { job: QueuedJob }) {
  return (
    <>
      {kind} <Text of={subject} />{" "}
      <span class="dim">
        <Text of={project} />
      </span>
    </>
  );
}

interface ActProps {
  job: QueuedJob;
  names: readonly ("retry" | "cancel")[];
  reload: () => void;
}

function Act({ job, names, reload }: ActProps) {
  const { busy, error, run } = useAction();
  const titles = { retry: "Retry", cancel: job.state === "dead" ? "Remove" : "Cancel" };
  return (
    <>
      <span class="actions">
        {names.map((name) => (
          <button
            key={name}
            type="button"
            disabled={busy}
            aria-label={`${titles[name]} ${job.kind} ${job.subject}`}
            onClick={() => run(() => post(`/api/queue/${job.id}/${name}`).finally(reload))}
          >
            {titles[name]}
          </button>
        ))}
      </span>
      {error === undefined ? null : <Problem error={error} />}
    </>
  );
}
