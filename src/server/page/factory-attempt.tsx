// One attempt of a run: its outcome, its difference, and each command with its output.
import type { FactoryRunWire } from "../wire/factory.ts";
import { withQuery } from "./api.ts";
import { DiffLines, unifiedLines } from "./diff.tsx";
import { href } from "./route.ts";
import { useChosen } from "./scroll.ts";
import { duration, State, Text } from "./ui.tsx";

type Made = FactoryRunWire["attempts_made"][number];

interface Props {
  attempt: Made;
  run: string;
  base: string;
  open: boolean;
  chosen: boolean;
}

export function Attempt({ attempt: { record, diff, proposal }, run, base, open, chosen }: Props) {
  const own = useChosen<HTMLDetailsElement>(chosen);
  const failure = record.failure_brief;
  const number = record.attempt_index;
  return (
    <details open={open} ref={own}>
      <summary>
        Attempt {number} <State of={failure === null ? "accepted" : "failed"} />{" "}
        <span class="dim">{failure?.stage.replaceAll("_", " ") ?? record.touched_files.join(", ")}</span>
      </summary>
      <p>
        <a href={href(["factory", run, "attempts", String(number)])}>link to this attempt</a>
      </p>
      {failure === null ? null : (
        <article class="finding">
          <h3>Why it failed</h3>
          <pre class="said" tabIndex={0}>
            <Text of={failure.primary_error_excerpt} />
          </pre>
          <p class="dim">
            <Text of={failure.constraints_reminder} />
          </p>
        </article>
      )}
      <h3>{diff === "" ? "The reply" : "Difference"}</h3>
      {diff === "" ? (
        <pre class="code" tabIndex={0}>
          <Text of={proposal} />
        </pre>
      ) : (
        <DiffLines lines={unifiedLines(diff)} />
      )}
      {[...record.verify, ...record.acceptance].map((command, i) => (
        <Command key={i} command={command} run={run} base={base} />
      ))}
    </details>
  );
}

function Command({
  command: { command, exit_code, duration_seconds, stdout_trunc, stderr_trunc, stdout_path, stderr_path },
  run,
  base,
}: {
  command: Made["record"]["verify"][number];
  run: string;
  base: string;
}) {
  const output = [stdout_trunc, stderr_trunc].filter((text) => text !== "").join("\n");
  return (
    <details open={exit_code !== 0}>
      <summary>
        <code>
          <Text of={command.join(" ")} />
        </code>{" "}
        <State of={exit_code === 0 ? "ok" : exit_code === -2 ? "timeout" : "failed"} />{" "}
        <span class="dim">
          ended with {exit_code} after {duration(duration_seconds * 1000)}
        </span>
      </summary>
      {output === "" ? (
        <p class="dim">No output.</p>
      ) : (
        <pre class="said" tabIndex={0}>
          <Text of={output} />
        </pre>
      )}
      <p>
        {[stdout_path, stderr_path].map((file) => (
          <span key={file}>
            <a href={href(["factory", run, "files"], { file })}>
              <Text of={file} />
            </a>{" "}
            <a href={withQuery(`${base}/output/files`, { file })} download>
              save
            </a>{" "}
          </span>
        ))}
      </p>
    </details>
  );
}
