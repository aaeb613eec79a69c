// The factory: the list of runs, and one run with its work order, attempts, differences and command output.
import type { Job } from "../jobs/record.ts";
import type { FactoryListWire, FactoryRowWire, FactoryRunWire } from "../wire/factory.ts";
import { useGet } from "./api.ts";
import { Attempt } from "./factory-attempt.tsx";
import { StartFactory } from "./factory-start.tsx";
import { Files } from "./files.tsx";
import { type LiveEvent, useReload } from "./live.ts";
import { OverviewList } from "./overview-list.tsx";
import { href, type Place } from "./route.ts";
import { cost, Empty, Loaded, plural, State, Tabs, Text, Time } from "./ui.tsx";

export function Factory({ place }: { place: Place }) {
  const id = place.path[1];
  return id === undefined ? <List /> : <Run key={id} id={id} place={place} />;
}

function matters({ type, loop, job }: LiveEvent): boolean {
  if (type === "job_changed") return String((job as Job | undefined)?.kind).startsWith("factory-");
  return type === "factory_changed" || (loop === "factory" && !type.startsWith("model_"));
}

function List() {
  return (
    <OverviewList
      title="Factory"
      path="/api/factory"
      matters={matters}
      rows={({ runs }: FactoryListWire) => runs}
      row={(run) => <Row key={run.id} run={run} />}
      empty={({ folder }) => (
        <>
          No run yet. A work order becomes a verified change of a repository, or nothing changes. Runs are
          looked for in{" "}
          <code>
            <Text of={folder} />
          </code>
          .
        </>
      )}
      start={({ repositories }) => <StartFactory repositories={repositories} />}
    />
  );
}

function Row({ run }: { run: FactoryRowWire }) {
  return (
    <li>
      <a class="row" href={href(["factory", run.id])}>
        <span class="grow">
          <Text of={`${run.order_id}: ${run.title}`} />
        </span>
        <State of={run.verdict ?? "unfinished"} />
        <span class="dim wide">{plural(run.attempts, "attempt")}</span>
        <Time at={run.started_at} />
      </a>
    </li>
  );
}

function Run({ id, place }: { id: string; place: Place }) {
  const base = `/api/factory/runs/${encodeURIComponent(id)}`;
  const run = useGet<FactoryRunWire>(base);
  useReload(run.reload, matters);
  const tab = place.path[2] ?? "attempts";
  const tabs = ["attempts", "order", "files"];
  return (
    <>
      <p class="crumbs">
        <a href={href(["factory"])}>Factory</a>
      </p>
      <Loaded from={run}>
        {(it) => (
          <>
            <h1>
              <Text of={`${it.order_id}: ${it.title}`} /> <State of={it.verdict ?? "unfinished"} />
            </h1>
            <Tabs
              current={tab}
              tabs={tabs.map((name) => ({
                name,
                title: `${name[0]?.toUpperCase()}${name.slice(1)}`,
                href: href(name === "attempts" ? ["factory", id] : ["factory", id, name]),
              }))}
            />
            {tab === "attempts" ? <Attempts it={it} base={base} chosen={place.path[3]} /> : null}
            {tab === "order" ? (
              <pre class="code" tabIndex={0}>
                <Text of={JSON.stringify(it.order, null, 2)} />
              </pre>
            ) : null}
            {tab === "files" ? (
              <Files files={it.files} base={`${base}/output`} place={place} empty="The run has no files." />
            ) : null}
          </>
        )}
      </Loaded>
    </>
  );
}

function Attempts({ it, base, chosen }: { it: FactoryRunWire; base: string; chosen: string | undefined }) {
  const { summary } = it;
  if (summary === null) {
    return (
      <Empty>
        <p>
          This run is not finished. While it is running, its events are in{" "}
          <a href={href(["jobs"])}>its job</a>; if it was interrupted, starting the same work order resumes
          it.
        </p>
      </Empty>
    );
  }
  return (
    <>
      <dl class="facts">
        <dt>Repository</dt>
        <dd>
          <Text of={summary.repo_path} />
        </dd>
        <dt>Baseline</dt>
        <dd>
          <code>{summary.repo_baseline_commit.slice(0, 12)}</code>
        </dd>
        <dt>Ended</dt>
        <dd>
          <Time at={summary.ended_utc} />, {summary.ended_stage.replaceAll("_", " ")}
        </dd>
        <dt>Jail</dt>
        <dd>{summary.jail}</dd>
        <dt>Model</dt>
        <dd>
          {plural(summary.usage.calls, "call")}, {summary.usage.input_tokens} + {summary.usage.output_tokens}{" "}
          tokens, {cost(summary.usage.cost_usd)}
        </dd>
        {summary.drift.length === 0 ? null : (
          <>
            <dt>Also changed</dt>
            <dd class="warn">
              <Text of={summary.drift.map(({ path, change }) => `${path} (${change})`).join(", ")} />
            </dd>
          </>
        )}
      </dl>
      {it.attempts_made.length === 0 ? (
        <Empty>
          <p>No attempt: the run ended at {summary.ended_stage.replaceAll("_", " ")}.</p>
        </Empty>
      ) : (
        it.attempts_made.map((attempt, i) => {
          const number = String(attempt.record.attempt_index);
          return (
            <Attempt
              key={number}
              attempt={attempt}
              run={it.id}
              base={base}
              chosen={chosen === number}
              open={chosen === undefined ? i === it.attempts_made.length - 1 : chosen === number}
            />
          );
        })
      )}
    </>
  );
}
