// Artifacts of the runs of a project, and the reports on its spec and its last run.
import type { DesignArtifactsWire, DesignReportsWire } from "../wire/design.ts";
import { useGet, withQuery } from "./api.ts";
import type { TabProps } from "./design-tab.ts";
import { Files } from "./files.tsx";
import { href } from "./route.ts";
import { bytes, Empty, Loaded, State, Tabs, Text, Time } from "./ui.tsx";

export function Artifacts({ it, base, place, version }: TabProps) {
  const index = useGet<DesignArtifactsWire>(`${base}/artifacts`, version);
  return (
    <Loaded from={index}>
      {({ runs }) => {
        const newest = [...runs].reverse();
        const run = newest.find(({ run_id }) => run_id === place.path[3]) ?? newest[0];
        if (run === undefined) {
          return (
            <Empty>
              <p>
                No run has produced files yet. <a href={href(["design", it.id, "run"])}>Run the pipeline</a>.
              </p>
            </Empty>
          );
        }
        return (
          <>
            <Tabs
              current={run.run_id}
              tabs={newest.slice(0, 30).map(({ run_id }) => ({
                name: run_id,
                title: run_id,
                href: href(["design", it.id, "artifacts", run_id]),
              }))}
            />
            <Files
              files={run.files}
              base={`${base}/artifacts`}
              place={{ ...place, path: ["design", it.id, "artifacts", run.run_id] }}
              empty="This run has no files."
            />
          </>
        );
      }}
    </Loaded>
  );
}

/** Files of the report stage. */
const REPORT_FILE = /\.(html|xml|sarif|txt|md|json)$/;

export function Reports({ it, base, version }: TabProps) {
  const reports = useGet<DesignReportsWire>(`${base}/reports`, version);
  return (
    <Loaded from={reports}>
      {({ compile, last_run, files }) => (
        <>
          <h2>The spec</h2>
          {compile === null ? (
            <p class="dim">Not checked yet.</p>
          ) : (
            <>
              <p>
                <State of={compile.ok ? "ok" : "failed"} /> version {compile.version}
              </p>
              <ul>
                {compile.errors.map((error) => (
                  <li key={error} class="bad">
                    <Text of={error} />
                  </li>
                ))}
              </ul>
            </>
          )}
          <h2>The last run</h2>
          {last_run === null ? (
            <Empty>
              <p>
                No run yet. <a href={href(["design", it.id, "run"])}>Run the pipeline</a>.
              </p>
            </Empty>
          ) : (
            <>
              <p>
                <a href={href(["design", it.id, "run", last_run.run_id])}>{last_run.run_id}</a>{" "}
                <State of={last_run.status} /> <Time at={last_run.ended_at} />
              </p>
              {last_run.stages.flatMap(({ name, failures }) =>
                failures.slice(0, 50).map((failure, i) => (
                  <p key={`${name}${i}`} class="diagnostic error">
                    <strong>{name}</strong> <Text of={failure.name} />: <Text of={failure.reason} />
                  </p>
                )),
              )}
              <h3>Reports to download</h3>
              <ul class="plain">
                {files
                  .filter(({ path }) => /\/(report|check)\//.test(path) && REPORT_FILE.test(path))
                  .map(({ path, bytes: size }) => (
                    <li key={path}>
                      <a href={withQuery(`${base}/artifacts/files`, { file: path })} download>
                        <Text of={path} />
                      </a>{" "}
                      <span class="dim">{bytes(size)}</span>
                    </li>
                  ))}
              </ul>
            </>
          )}
        </>
      )}
    </Loaded>
  );
}
