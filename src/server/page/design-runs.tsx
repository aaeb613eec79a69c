// Runs of a project's pipeline: the pending run, a form to start one, and earlier runs.
import { useState } from "preact/hooks";
import type { DesignRunWire } from "../wire/design.ts";
import { useGet } from "./api.ts";
import type { TabProps } from "./design-tab.ts";
import { href } from "./route.ts";
import { useChosen } from "./scroll.ts";
import { duration, Empty, Loaded, State, Text, Time } from "./ui.tsx";

export function Runs(props: TabProps) {
  const { it, base, place, version, start, decide, busy } = props;
  const runs = useGet<{ runs: DesignRunWire[] }>(`${base}/runs`, version);
  const [until, setUntil] = useState("full");
  const chosen = place.path[3];
  return (
    <>
      {it.pending_run === null ? null : <WaitingRun {...props} />}
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault();
          start("design-run", until === "full" ? {} : { until });
        }}
      >
        <label>
          Run until{" "}
          <select value={until} onChange={(e) => setUntil(e.currentTarget.value)}>
            <option value="full">the end</option>
            {it.stages.map((stage) => (
              <option key={stage} value={stage}>
                {stage}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" class="main" disabled={busy || it.state === "RUNNING"}>
          Run
        </button>
        {it.state === "RUNNING" ? (
          <button type="button" disabled={busy} onClick={() => decide("cancel", {})}>
            Cancel the run
          </button>
        ) : null}
      </form>
      <Loaded from={runs}>
        {({ runs: list }) =>
          list.length === 0 ? (
            <Empty>
              <p>The pipeline has not run yet.</p>
            </Empty>
          ) : (
            list.map((run, i) => (
              <OneRun
                key={run.run_id}
                run={run}
                project={it.id}
                open={chosen === undefined ? i === 0 : chosen === run.run_id}
                chosen={chosen === run.run_id}
              />
            ))
          )
        }
      </Loaded>
    </>
  );
}

/** The run that a directive requested. */
export function WaitingRun({ it, start, decide, busy }: TabProps) {
  const { pending_run: run, pending_patch_ids: patches } = it;
  if (run === null) return null;
  return (
    <article class="question" aria-label="run to approve">
      <h3>
        A run until {run.run_until} <State of="waiting" />
      </h3>
      <p>
        <Text of={run.reason} />
      </p>
      {run.expected_signal === "" ? null : (
        <p class="dim">
          Expected: <Text of={run.expected_signal} />
        </p>
      )}
      {patches.length === 0 ? null : <p>Decide about the patches first: {patches.join(", ")}</p>}
      <div class="actions">
        <button
          type="button"
          class="main"
          disabled={busy || patches.length > 0}
          onClick={() => start("design-approve-run", {})}
        >
          Approve the run
        </button>
        <button type="button" disabled={busy} onClick={() => decide("reject", { patch_id: "run" })}>
          Reject the run
        </button>
      </div>
    </article>
  );
}

interface OneRunProps {
  run: DesignRunWire;
  project: string;
  open: boolean;
  chosen: boolean;
}

function OneRun({ run, project, open, chosen }: OneRunProps) {
  const own = useChosen<HTMLDetailsElement>(chosen);
  return (
    <details open={open} ref={own}>
      <summary>
        {run.run_id} <State of={run.status} />{" "}
        <span class="dim">
          until {run.until}, spec version {run.spec_version}, <Time at={run.started_at} />
        </span>
      </summary>
      <p>
        <a href={href(["design", project, "run", run.run_id])}>link to this run</a>,{" "}
        <a href={href(["design", project, "artifacts", run.run_id])}>its files</a>
        {run.jail === null ? "" : `, jail: ${run.jail}`}
      </p>
      <ul class="entries">
        {run.stages.map(({ name, status, seconds, failures, metrics, reused_from }) => (
          <li key={name}>
            <strong>{name}</strong> <State of={status} />{" "}
            <span class="dim">
              {reused_from === undefined ? duration(seconds * 1000) : `from ${reused_from}`}
              {Object.entries(metrics)
                .map(
                  ([key, value]) => `, ${key} ${typeof value === "object" ? JSON.stringify(value) : value}`,
                )
                .join("")}
            </span>
            {failures.slice(0, 50).map((failure, i) => (
              <div key={i} class="bad">
                <Text of={failure.name} />: <Text of={failure.reason} />
              </div>
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}
