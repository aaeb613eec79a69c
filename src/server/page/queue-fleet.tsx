// The workers of a fleet, and the limits that they share.
import type { ComponentChildren } from "preact";
import type { QueueWire } from "../wire/queue.ts";
import { cost, duration, Empty, plural, Text, Time } from "./ui.tsx";

type Worker = QueueWire["workers"][number];
type Running = QueueWire["running_jobs"];

/** Heartbeats are sent every two seconds; after this many seconds a worker may be stopped or disconnected. */
const SILENT_SECONDS = 10;

interface WorkersProps {
  workers: readonly Worker[];
  running: Running;
  /** Number of waiting jobs. */
  waiting: number;
}

export function Workers({ workers, running, waiting }: WorkersProps) {
  return (
    <section>
      <h2>Workers</h2>
      {workers.length === 0 ? (
        <Empty>
          <p class={waiting > 0 ? "bad" : ""}>
            No worker is running{waiting > 0 ? `, and ${plural(waiting, "job")} wait` : ""}. Start{" "}
            <code>atomsmith worker</code> on a machine with the logs.
          </p>
        </Empty>
      ) : (
        <ul class="plain">
          {workers.map((worker) => (
            <li key={worker.id} class="finding">
              <OneWorker worker={worker} running={running.filter((job) => job.worker === worker.id)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function OneWorker({ worker, running }: { worker: Worker; running: Running }) {
  const { state, tone } = stateOf(worker);
  return (
    <>
      <h3>
        <Text of={worker.id} /> <span class={`state ${tone}`}>{state}</span>
      </h3>
      <dl class="fields">
        <Field name="Last heartbeat">
          {worker.silent_seconds < 2 ? "just now" : `${duration(worker.silent_seconds * 1000)} ago`}
        </Field>
        <Field name="Running">
          {worker.running} of {worker.concurrency}
        </Field>
        <Field name="Done">{worker.done.toLocaleString()}</Field>
        <Field name="Kinds">{worker.kinds.replaceAll(",", ", ")}</Field>
        <Field name="Roots">
          <Text of={worker.roots === "" ? "by path" : worker.roots.replaceAll(",", ", ")} />
        </Field>
        <Field name="Version">{worker.version}</Field>
        <Field name="Since">
          <Time at={worker.started_at} />
        </Field>
      </dl>
      {running.length === 0 ? null : (
        <p>
          Runs <Text of={running.map(({ kind, subject }) => `${kind} ${subject}`).join(", ")} />
        </p>
      )}
      {worker.refused === null ? null : (
        <p class="warn">
          Leaves jobs to others: <Text of={worker.refused} />
        </p>
      )}
    </>
  );
}

function stateOf({ drain, refused, running, silent_seconds }: Worker): { state: string; tone: string } {
  if (silent_seconds >= SILENT_SECONDS) return { state: "silent", tone: "bad" };
  if (drain) return { state: "ending", tone: "warn" };
  if (running > 0) return { state: "running", tone: "busy" };
  return refused === null ? { state: "idle", tone: "good" } : { state: "refusing", tone: "warn" };
}

function Field({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Limits({ submissions, endpoints }: Pick<QueueWire, "submissions" | "endpoints">) {
  if (submissions.length === 0) return null;
  return (
    <section>
      <h2>Limits</h2>
      <section class="scroll" tabIndex={0} aria-label="Limits of submissions">
        <table>
          <thead>
            <tr>
              <th scope="col">Submission</th>
              <th scope="col" class="figure">
                open jobs
              </th>
              <th scope="col" class="figure">
                cost
              </th>
              <th scope="col" class="figure">
                tokens
              </th>
              <th scope="col" class="figure">
                calls at once
              </th>
            </tr>
          </thead>
          <tbody>
            {submissions.map((submission) => (
              <tr key={submission.id}>
                <th scope="row">
                  {submission.kind} <Text of={submission.project} />{" "}
                  <span class="dim">
                    <Text of={submission.host} />, <Time at={submission.at} />
                  </span>
                  {submission.stopped === null ? null : (
                    <div class="warn">
                      Stopped: <Text of={submission.stopped} />
                    </div>
                  )}
                </th>
                <td class="figure">{submission.open_jobs.toLocaleString()}</td>
                <Used value={submission.cost_usd} limit={submission.max_cost_usd} show={cost} />
                <Used
                  value={submission.tokens}
                  limit={submission.max_tokens}
                  show={(n) => n.toLocaleString()}
                />
                <Used value={submission.calls} limit={submission.max_calls} show={String} />
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {endpoints.length === 0 ? null : (
        <ul class="plain">
          {endpoints.map(({ url, calls, paused_seconds }) => (
            <li key={url}>
              <Text of={url} />: {plural(calls, "active call")}
              {(paused_seconds ?? 0) === 0 ? null : (
                <span class="warn">, paused for {duration((paused_seconds ?? 0) * 1000)}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface UsedProps {
  value: number;
  limit: number | null;
  show: (value: number) => string;
}

function Used({ value, limit, show }: UsedProps) {
  return (
    <td class={limit !== null && value >= limit ? "figure bad" : "figure"}>
      {show(value)} <span class="dim">{limit === null ? "no limit" : `of ${show(limit)}`}</span>
    </td>
  );
}
