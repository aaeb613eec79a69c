// Agents: the list of jobs, and one job with its phases, todo list, turns and files; start, answer, approve, cancel,
// resume.
import type { Job } from "../jobs/record.ts";
import type { AgentListWire, AgentRowWire, AgentWire } from "../wire/agents.ts";
import { AgentFiles, AgentTurns, Ways } from "./agent-parts.tsx";
import { StartAgent } from "./agent-start.tsx";
import { post, useAction, useGet } from "./api.ts";
import { type LiveEvent, useReload } from "./live.ts";
import { OverviewList } from "./overview-list.tsx";
import { go, href, type Place } from "./route.ts";
import { cost, Empty, Loaded, Problem, State, Tabs, Text, Time } from "./ui.tsx";

const TABS = ["course", "turns", "files"] as const;

export function Agents({ place }: { place: Place }) {
  const id = place.path[1];
  return id === undefined ? <List /> : <OneAgent key={id} id={id} place={place} />;
}

function matters({ type, loop, job }: LiveEvent): boolean {
  if (type === "job_changed") return String((job as Job | undefined)?.kind).startsWith("agent-");
  return (
    type === "agents_changed" || (loop === "agent" && (type === "checkpoint" || type === "job_finished"))
  );
}

function List() {
  return (
    <OverviewList
      title="Agents"
      path="/api/agents"
      matters={matters}
      rows={({ jobs }: AgentListWire) => jobs}
      row={(job) => <Row key={job.job_id} job={job} />}
      empty={({ folder }) => (
        <>
          No job yet. Start one below, or with <code>atomsmith agent run</code>; jobs are kept in{" "}
          <code>
            <Text of={folder} />
          </code>
          .
        </>
      )}
      start={({ configs }) => <StartAgent configs={configs} />}
    />
  );
}

function Row({ job }: { job: AgentRowWire }) {
  return (
    <li>
      <a class="row" href={href(["agents", job.job_id])}>
        <span class="grow">
          <Text of={job.agent_id} />:{" "}
          <span class="dim">
            <Text of={job.description.split("\n")[0]} />
          </span>
        </span>
        <State of={job.status} />
        <span class="dim wide">
          <Text of={job.phase} />
        </span>
        <Time at={job.updated_at} />
      </a>
    </li>
  );
}

function OneAgent({ id, place }: { id: string; place: Place }) {
  const base = `/api/agents/${encodeURIComponent(id)}`;
  const agent = useGet<AgentWire>(base);
  useReload(agent.reload, matters);
  const { busy, error, run } = useAction();
  const tab = place.path[2] ?? "course";
  const act = (name: string) => run(() => post(`${base}/${name}`).finally(agent.reload));
  const start = (kind: string, params: object) =>
    run(async () => {
      const job = await post<Job>("/jobs", { kind, params: { job: id, ...params } });
      agent.reload();
      go(href(["jobs", job.id]));
    });
  return (
    <>
      <p class="crumbs">
        <a href={href(["agents"])}>Agents</a>
      </p>
      <Loaded from={agent}>
        {(it) => (
          <>
            <h1>
              <Text of={it.agent_id} /> <small class="dim">{id}</small> <State of={it.status} />
            </h1>
            <p>
              <Text of={it.description} />
            </p>
            <Ways it={it} busy={busy} act={act} start={start} />
            {error === undefined ? null : <Problem error={error} />}
            <Tabs
              current={tab}
              tabs={TABS.map((name) => ({
                name,
                title: `${name[0]?.toUpperCase()}${name.slice(1)}`,
                href: href(name === "course" ? ["agents", id] : ["agents", id, name]),
              }))}
            />
            {tab === "course" ? <Course it={it} /> : null}
            {tab === "turns" ? (
              <AgentTurns base={base} id={id} place={place} requests={it.document.usage.requests} />
            ) : null}
            {tab === "files" ? <AgentFiles base={base} place={place} updated={it.updated_at} /> : null}
          </>
        )}
      </Loaded>
    </>
  );
}

/** Progress: phases, todos, tokens, warnings, results. */
function Course({ it }: { it: AgentWire }) {
  const { usage, deliverables, confidence, summary } = it.document;
  return (
    <>
      {it.warnings.some(({ type }) => type === "stuck") ? (
        <p class="problem" role="alert">
          Stuck: <Text of={it.warnings.find(({ type }) => type === "stuck")?.text} />
        </p>
      ) : null}
      {it.phases.length === 0 ? null : (
        <ol class="phases" aria-label="phases">
          {it.phases.map(({ number, name, state }) => (
            <li key={`${number}${name}`} aria-current={state === "current" ? "step" : undefined}>
              <span class="number">{number}</span> <Text of={name} /> <State of={state} />
            </li>
          ))}
        </ol>
      )}
      {it.display === "" ? (
        <Empty>
          <p>No todo list yet.</p>
        </Empty>
      ) : (
        <section aria-label="todo list">
          <pre class="code display" tabIndex={0}>
            <Text of={it.display} />
          </pre>
        </section>
      )}
      <dl class="facts">
        <dt>Phase</dt>
        <dd>
          <Text of={it.phase || it.document.phase.name} />
        </dd>
        <dt>Todos</dt>
        <dd>
          {it.document.todos.done} of {it.document.todos.total}
        </dd>
        <dt>Tokens</dt>
        <dd>
          {usage.input_tokens.toLocaleString()} in, {usage.output_tokens.toLocaleString()} out,{" "}
          {usage.requests} requests, {cost(usage.cost_usd)}
        </dd>
        {it.sizes === null ? null : (
          <>
            <dt>Last request</dt>
            <dd>
              {it.sizes.total_tokens.toLocaleString()} tokens: system {it.sizes.system_tokens}, todos{" "}
              {it.sizes.todo_tokens}, tools {it.sizes.tool_tokens}, summary {it.sizes.summary_tokens},
              conversation {it.sizes.conversation_tokens}
            </dd>
          </>
        )}
        <dt>Changed</dt>
        <dd>
          <Time at={it.updated_at} />
        </dd>
        {summary === "" ? null : (
          <>
            <dt>Summary</dt>
            <dd>
              <Text of={summary} />
              {confidence === null ? "" : ` (confidence ${confidence})`}
            </dd>
          </>
        )}
        {deliverables.length === 0 ? null : (
          <>
            <dt>Results</dt>
            <dd>
              {deliverables.map((path) => (
                <div key={path}>
                  <a href={href(["agents", it.job_id, "files"], { file: path })}>
                    <Text of={path} />
                  </a>
                </div>
              ))}
            </dd>
          </>
        )}
      </dl>
      {it.warnings.length === 0 ? null : (
        <details open>
          <summary>Warnings ({it.warnings.length})</summary>
          <ul>
            {it.warnings.map(({ at, type, text }, i) => (
              <li key={i}>
                <Time at={at} /> <strong>{type}</strong> <Text of={text} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {it.answers.length === 0 ? null : (
        <details>
          <summary>Questions and answers ({it.answers.length})</summary>
          {it.answers.map(({ question, answer }, i) => (
            <div key={i}>
              <pre class="said" tabIndex={0}>
                <Text of={question} />
              </pre>
              <pre class="said reply" tabIndex={0}>
                <Text of={answer} />
              </pre>
            </div>
          ))}
        </details>
      )}
    </>
  );
}
