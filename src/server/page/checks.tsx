// Checks: the list of runs with their trend, and the results of one run.
import type { Job } from "../jobs/record.ts";
import type { CheckRow, CheckWire } from "../wire/checks.ts";
import { post, useAction, useGet, withQuery } from "./api.ts";
import { CheckResult } from "./check-result.tsx";
import { FilterBar, filterOf } from "./filter.tsx";
import { PagedList } from "./list.tsx";
import { useReload } from "./live.ts";
import { go, href, type Place } from "./route.ts";
import { Empty, Loaded, Problem, State, Text, Time } from "./ui.tsx";

const OUTCOMES = ["pass", "fail", "error"] as const;

export function Checks({ place }: { place: Place }) {
  const [, id, item] = place.path;
  if (id === undefined) return <List />;
  return item === undefined ? (
    <Check key={id} id={id} place={place} />
  ) : (
    <CheckResult id={id} item={item} place={place} />
  );
}

function List() {
  const list = useGet<{ checks: Job[] }>("/api/checks");
  useReload(list.reload, ({ type }) => type === "job_changed");
  const { busy, error, run } = useAction();
  const start = (params: object) =>
    run(async () => go(href(["jobs", (await post<Job>("/jobs", { kind: "check", params })).id])));
  return (
    <>
      <h1>Checks</h1>
      <Loaded from={list}>
        {({ checks }) => {
          const done = checks.filter(({ state }) => state === "finished");
          const last = done[0];
          return (
            <>
              <div class="actions">
                <button type="button" class="main" disabled={busy} onClick={() => start({})}>
                  Check all
                </button>
                {last === undefined ? null : (
                  <button type="button" disabled={busy} onClick={() => start({ baseline: last.id })}>
                    Check all and compare with the last
                  </button>
                )}
              </div>
              {error === undefined ? null : <Problem error={error} />}
              {checks.length === 0 ? (
                <Empty>
                  <p>No check ran on this server yet.</p>
                </Empty>
              ) : (
                <>
                  <Trend checks={done.slice(0, 40).reverse()} />
                  <ul class="plain">
                    {checks.map((check) => (
                      <li key={check.id}>
                        <a
                          class="row"
                          href={href(check.state === "finished" ? ["checks", check.id] : ["jobs", check.id])}
                        >
                          <span class="grow">
                            <Text of={check.title} />
                          </span>
                          {check.state === "finished" ? (
                            <Totals totals={check.totals} />
                          ) : (
                            <State of={check.state} />
                          )}
                          <Time at={check.finished_at ?? check.created_at} />
                        </a>
                      </li>
                    ))}
                  </ul>
                </>
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function Totals({ totals }: { totals: Record<string, number> }) {
  return (
    <span class="totals">
      {OUTCOMES.map((outcome) => (
        <span key={outcome} class={(totals[outcome] ?? 0) > 0 ? outcome : "dim"}>
          {totals[outcome] ?? 0} {outcome}
        </span>
      ))}
    </span>
  );
}

/** Outcomes over the last runs, a bar for each. */
function Trend({ checks }: { checks: readonly Job[] }) {
  if (checks.length < 2) return null;
  const most = Math.max(
    1,
    ...checks.map(({ totals }) => OUTCOMES.reduce((sum, o) => sum + (totals[o] ?? 0), 0)),
  );
  return (
    <figure class="trend">
      <figcaption>Outcomes of the last {checks.length} checks, oldest first</figcaption>
      <div class="bars">
        {checks.map(({ id, totals }) => (
          <a
            key={id}
            href={href(["checks", id])}
            aria-label={`${id}: ${OUTCOMES.map((o) => `${totals[o] ?? 0} ${o}`).join(", ")}`}
          >
            {OUTCOMES.map((outcome) => (
              <span
                key={outcome}
                class={`fill ${outcome}`}
                style={{ height: `${((totals[outcome] ?? 0) / most) * 100}%` }}
              />
            ))}
          </a>
        ))}
      </div>
    </figure>
  );
}

function Check({ id, place }: { id: string; place: Place }) {
  const { chosen: outcome, q } = filterOf(place, "outcome");
  const base = `/api/checks/${encodeURIComponent(id)}`;
  const check = useGet<CheckWire>(`${base}?limit=1`);
  return (
    <>
      <p class="crumbs">
        <a href={href(["checks"])}>Checks</a>
      </p>
      <Loaded from={check}>
        {({ check: job, totals, comparison }) => (
          <>
            <h1>
              <Text of={job.title} /> <Totals totals={totals} />
            </h1>
            <p>
              <Time at={job.finished_at} /> <Downloads job={job} />
            </p>
            {comparison === null ? null : <Comparison id={id} of={comparison} />}
            <FilterBar place={place} label="Outcome" name="outcome" counts={totals} />
            <PagedList<CheckRow>
              label="results"
              path={(offset, limit) => withQuery(base, { outcome, q, offset, limit })}
              rows={({ results, total }: CheckWire) => ({ rows: results, total })}
              version={id}
              rowHeight={44}
              empty={
                <Empty>
                  <p>No result matches.</p>
                </Empty>
              }
              render={(row) => (
                <a class="row" href={href(["checks", id, row.item_id])}>
                  <span class="grow">{row.item_id}</span>
                  <State of={row.outcome} />
                  {row.change === null || row.change === "same" ? null : <State of={row.change} />}
                  <span class="dim wide clip">
                    {row.message === "" ? counts(row) : <Text of={row.message} />}
                  </span>
                </a>
              )}
            />
          </>
        )}
      </Loaded>
    </>
  );
}

function counts({ found, missing, extra, waived }: CheckRow): string {
  return [`${found} found`, `${missing} missing`, `${extra} extra`, `${waived} waived`]
    .filter((text) => !text.startsWith("0 "))
    .join(", ");
}

export function Downloads({ job }: { job: Job }) {
  return (
    <span class="downloads">
      {job.files.map((name) => (
        <a key={name} href={`/jobs/${encodeURIComponent(job.id)}/files/${encodeURIComponent(name)}`} download>
          {name}
        </a>
      ))}
    </span>
  );
}

function Comparison({ id, of }: { id: string; of: NonNullable<CheckWire["comparison"]> }) {
  const changed = of.items.filter(({ change }) => change !== "same");
  return (
    <section>
      <h2>Since the earlier check</h2>
      {changed.length === 0 ? (
        <p>Nothing changed.</p>
      ) : (
        <ul>
          {changed.slice(0, 200).map((item) => (
            <li key={item.item_id}>
              <a href={href(["checks", id, item.item_id])}>{item.item_id}</a> <State of={item.change} />
              {[
                ...item.appeared.map((text) => `+ ${text}`),
                ...item.disappeared.map((text) => `- ${text}`),
              ].map((text) => (
                <div key={text} class="dim">
                  <Text of={text} />
                </div>
              ))}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
