// Jobs: running and ended ones, their events, and actions.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Job } from "../jobs/record.ts";
import { post, useAction, useGet } from "./api.ts";
import { Downloads } from "./checks.tsx";
import { type LiveEvent, useReload } from "./live.ts";
import { Plan } from "./plan.tsx";
import { go, href, type Place } from "./route.ts";
import { cost, duration, Empty, Loaded, Problem, plural, State, Text, Time } from "./ui.tsx";

export function Jobs({ place }: { place: Place }) {
  const id = place.path[1];
  return id === undefined ? <List /> : <OneJob key={id} id={id} />;
}

function List() {
  const list = useGet<{ jobs: Job[]; total: number }>("/jobs?limit=300");
  useReload(list.reload, ({ type }) => type === "job_changed");
  return (
    <>
      <h1>Jobs</h1>
      <StartJob />
      <Loaded from={list}>
        {({ jobs }) =>
          jobs.length === 0 ? (
            <Empty>
              <p>No job yet. Start a batch to generate atoms from the pages, or a check to run them.</p>
            </Empty>
          ) : (
            <ul class="plain">
              {jobs.map((job) => (
                <JobRow key={job.id} job={job} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}

/** Jobs that need no parameters. */
export function StartJob() {
  const { busy, error, run } = useAction();
  const start = (kind: string) =>
    run(async () => go(href(["jobs", (await post<Job>("/jobs", { kind, params: {} })).id])));
  return (
    <>
      <div class="actions">
        <button type="button" class="main" disabled={busy} onClick={() => start("batch")}>
          Batch: what is not up to date
        </button>
        <button type="button" disabled={busy} onClick={() => start("check")}>
          Check all
        </button>
      </div>
      {error === undefined ? null : <Problem error={error} />}
    </>
  );
}

export function JobRow({ job }: { job: Job }) {
  return (
    <li>
      <a class="row" href={href(["jobs", job.id])}>
        <span class="grow">
          <Text of={job.title} />
        </span>
        {job.waits_for_person ? <State of="human_required" /> : <State of={job.state} />}
        <span class="dim wide">{took(job)}</span>
        <Time at={job.created_at} />
      </a>
    </li>
  );
}

function took({ started_at, finished_at }: Job): string {
  if (started_at === null) return "";
  return duration((finished_at === null ? Date.now() : Date.parse(finished_at)) - Date.parse(started_at));
}

function OneJob({ id }: { id: string }) {
  const job = useGet<Job>(`/jobs/${encodeURIComponent(id)}`);
  const { busy, error, run } = useAction();
  useReload(job.reload, (event) => isAbout(event, id));
  const act = (what: string) =>
    run(async () => {
      const next = await post<Job>(`/jobs/${encodeURIComponent(id)}/${what}`);
      if (next.id === id) job.reload();
      else go(href(["jobs", next.id]));
    });
  return (
    <>
      <p class="crumbs">
        <a href={href(["jobs"])}>Jobs</a>
      </p>
      <Loaded from={job}>
        {(it) => (
          <>
            <h1>
              <Text of={it.title} /> <State of={it.waits_for_person ? "human_required" : it.state} />
            </h1>
            <div class="actions">
              {it.can.includes("cancel") ? (
                <button type="button" disabled={busy} onClick={() => act("cancel")}>
                  Cancel
                </button>
              ) : null}
              {it.can.includes("resume") ? (
                <button type="button" disabled={busy} onClick={() => act("resume")}>
                  {it.state === "interrupted" || it.state === "cancelled" ? "Resume" : "Run again"}
                </button>
              ) : null}
              {it.kind === "check" && it.state === "finished" ? (
                <a class="button" href={href(["checks", id])}>
                  Results
                </a>
              ) : null}
              <Related job={it} />
              {it.can.includes("answer") && !it.kind.startsWith("agent-") ? <Waiting job={it} /> : null}
            </div>
            {error === undefined ? null : <Problem error={error} />}
            {it.message === null ? null : (
              <pre class="problem">
                <Text of={it.message} />
              </pre>
            )}
            <Progress job={it} />
            {it.kind === "factory-plan" && it.state === "finished" ? <Plan job={it} /> : null}
            <Facts it={it} />
            <Events id={id} />
          </>
        )}
      </Loaded>
    </>
  );
}

function isAbout({ type, job }: LiveEvent, id: string): boolean {
  if (type === "progress") return job === id;
  return type === "job_changed" && (job as Job | undefined)?.id === id;
}

function Facts({ it }: { it: Job }) {
  return (
    <dl class="facts">
      <dt>Started</dt>
      <dd>
        <Time at={it.started_at} />
      </dd>
      <dt>Took</dt>
      <dd>{took(it) || "–"}</dd>
      <dt>Totals</dt>
      <dd>
        {Object.entries(it.totals)
          .filter(([, n]) => n !== 0)
          .map(([name, n]) => `${n} ${name.replaceAll("_", " ")}`)
          .join(", ") || "–"}
      </dd>
      {it.usage.calls === 0 ? null : (
        <>
          <dt>Models</dt>
          <dd>
            {plural(it.usage.calls, "call")}, {it.usage.input_tokens.toLocaleString()} +{" "}
            {it.usage.output_tokens.toLocaleString()} tokens, {cost(it.usage.cost_usd)}
          </dd>
        </>
      )}
      {it.continues === null ? null : (
        <>
          <dt>Continues</dt>
          <dd>
            <a href={href(["jobs", it.continues])}>{it.continues}</a>
          </dd>
        </>
      )}
      {it.files.length === 0 ? null : (
        <>
          <dt>Files</dt>
          <dd>
            <Downloads job={it} />
          </dd>
        </>
      )}
    </dl>
  );
}

/** The view of what the job worked on. */
function Related({ job: { id, kind, params } }: { job: Job }) {
  const { project, job } = params;
  if (kind.startsWith("design-") && typeof project === "string") {
    return (
      <a class="button" href={href(["design", project])}>
        The project
      </a>
    );
  }
  if (kind.startsWith("agent-")) {
    return (
      <a class="button" href={href(["agents", typeof job === "string" ? job : id])}>
        The agent
      </a>
    );
  }
  return kind.startsWith("factory-run") ? (
    <a class="button" href={href(["factory"])}>
      The runs
    </a>
  ) : null;
}

/** Link to where the answer is given: the item, or the list of items that need review. */
function Waiting({ job }: { job: Job }) {
  const item = job.params["item"];
  return typeof item === "string" ? (
    <a class="button main" href={href(["items", item])}>
      Answer
    </a>
  ) : (
    <a class="button main" href={href(["items"], { state: "human_required" })}>
      Waiting items
    </a>
  );
}

function Progress({ job: { progress, state } }: { job: Job }) {
  if (progress === null || state !== "running") return null;
  const { what, done, total } = progress;
  return (
    <p>
      <progress value={done} max={total ?? undefined} aria-label={what} /> {done}
      {total === null ? "" : ` of ${total}`} {what}
    </p>
  );
}

/** Maximum number of events shown; the file has all. */
const SHOWN = 500;
const QUIET = new Set(["model_delta", "progress", "sandbox"]);

function Events({ id }: { id: string }) {
  const [events, setEvents] = useState<LiveEvent[]>([]);
  const waiting = useRef<LiveEvent[]>([]);
  useEffect(() => {
    const source = new EventSource(`/api/events?job=${encodeURIComponent(id)}`);
    let frame = 0;
    source.onmessage = ({ data }) => {
      const event = JSON.parse(String(data)) as LiveEvent;
      if (QUIET.has(event.type)) return;
      waiting.current.push(event);
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        const added = waiting.current;
        waiting.current = [];
        setEvents((shown) => [...shown, ...added].slice(-SHOWN));
      });
      if (event.type === "run_finished") source.close();
    };
    return () => {
      source.close();
      cancelAnimationFrame(frame);
    };
  }, [id]);
  return (
    <section>
      <h2>Events</h2>
      {events.length === 0 ? (
        <p class="dim">None yet.</p>
      ) : (
        <ol class="events">
          {events.map((event) => (
            <li key={String(event["seq"])}>
              <span class="dim">{String(event["at"] ?? "").slice(11, 19)}</span>{" "}
              {typeof event.subject !== "string" ? null : event["loop"] === "item" ? (
                <a href={href(["items", event.subject])}>{event.subject}</a>
              ) : (
                <Text of={event.subject} />
              )}{" "}
              <span>{event.type.replaceAll("_", " ")}</span>{" "}
              <span class="dim">
                <Text of={detail(event)} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

const ENVELOPE = new Set(["type", "loop", "subject", "item", "seq", "at", "run", "job"]);

/** The members of an event without its envelope. */
function detail(event: LiveEvent): string {
  return Object.entries(event)
    .filter(([name, value]) => !ENVELOPE.has(name) && value !== null && value !== "")
    .map(([name, value]) => {
      if (name === "duration_ms") return duration(Number(value));
      return typeof value === "object"
        ? JSON.stringify(value)
        : `${name.replaceAll("_", " ")} ${String(value)}`;
    })
    .join(", ")
    .slice(0, 400);
}
