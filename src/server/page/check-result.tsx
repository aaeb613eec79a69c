// One result of a check, with its evidence beside the log.
import { visible } from "../../report/escape.ts";
import type { CheckResultWire } from "../wire/checks.ts";
import { useGet } from "./api.ts";
import { LogViewer } from "./log-viewer.tsx";
import { Outcomes } from "./outcomes.tsx";
import { href, type Place } from "./route.ts";
import { Loaded, State, Tabs, Text } from "./ui.tsx";
import { Waive } from "./waive.tsx";

interface Entry {
  severity?: string;
  description?: string;
  value?: string;
  expected?: string;
  line_number?: number | null;
  source_file?: string;
  matched_content?: string;
  parsed_fields?: Record<string, unknown>;
  tag?: string;
  waiver_pattern?: string;
  waiver_reason?: string;
}

export function CheckResult({ id, item, place }: { id: string; item: string; place: Place }) {
  const base = `/api/checks/${encodeURIComponent(id)}/results/${encodeURIComponent(item)}`;
  const result = useGet<CheckResultWire>(base);
  return (
    <>
      <p class="crumbs">
        <a href={href(["checks"])}>Checks</a> / <a href={href(["checks", id])}>{id}</a>
      </p>
      <Loaded from={result}>
        {({ result: checked, logs, lists, waivers, outcomes }) => {
          const file = place.query.get("file") ?? logs[0];
          const line = Number(place.query.get("line")) || undefined;
          const marks = new Map(
            (checked.parsed_items ?? []).flatMap((record): [number, string][] =>
              record.source_file === file && record.line_number !== null
                ? [[record.line_number, record.value]]
                : [],
            ),
          );
          const at = (entry: { file: string; line?: number | undefined }) =>
            href(["checks", id, item], entry);
          return (
            <>
              <h1>
                {item} <State of={checked.outcome} />
              </h1>
              <p>
                <a href={href(["items", item])}>the item</a> <Outcomes list={outcomes} item={item} now={id} />
              </p>
              {checked.diagnostics.map((diagnostic) => (
                <p key={diagnostic.code + diagnostic.message} class={`diagnostic ${diagnostic.severity}`}>
                  <strong>{diagnostic.severity}</strong> <Text of={diagnostic.message} />
                </p>
              ))}
              {lists.map(({ key, title, violates, entries }) => (
                <Entries
                  key={key}
                  title={title}
                  entries={entries as Entry[]}
                  at={at}
                  open={violates || key === "waived"}
                  waive={violates ? { item, waivers } : undefined}
                />
              ))}
              {file === undefined ? null : (
                <>
                  <h2>Logs</h2>
                  <Tabs
                    current={file}
                    tabs={logs.map((name) => ({ name, title: name, href: at({ file: name }) }))}
                  />
                  <LogViewer
                    key={`${file}:${line}`}
                    base={`${base}/logs`}
                    file={file}
                    line={line}
                    marks={marks}
                  />
                </>
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

/** The full text of a violation, which a waiver must match. */
function textOf({ value, expected, waiver_pattern, description }: Entry): string {
  return value ?? expected ?? waiver_pattern ?? description ?? "";
}

const SHOWN = 200;

interface EntriesProps {
  title: string;
  entries: readonly Entry[];
  at: (place: { file: string; line?: number | undefined }) => string;
  open: boolean;
  /** The item, if the entries are its violations. */
  waive: { item: string; waivers: CheckResultWire["waivers"] } | undefined;
}

function Entries({ title, entries, at, open, waive }: EntriesProps) {
  return (
    <details open={open || entries.length <= 10}>
      <summary>
        {title} ({entries.length})
      </summary>
      <ul class="entries">
        {entries.slice(0, SHOWN).map((entry, i) => (
          <li key={i}>
            <strong>
              <Text of={textOf(entry)} />
            </strong>{" "}
            {entry.source_file === undefined || entry.source_file === "" ? null : (
              <a href={at({ file: entry.source_file, line: entry.line_number ?? undefined })}>
                {visible(entry.source_file)}
                {entry.line_number === null || entry.line_number === undefined ? "" : `:${entry.line_number}`}
              </a>
            )}
            {entry.matched_content === undefined || entry.matched_content === "" ? null : (
              <pre tabIndex={0} class="said">
                {visible(entry.matched_content)}
              </pre>
            )}
            {entry.waiver_reason === undefined ? null : (
              <p class="dim">
                waived: <Text of={entry.waiver_reason} />
              </p>
            )}
            {waive === undefined || entry.severity === "INFO" ? null : (
              <Waive {...waive} text={textOf(entry)} />
            )}
          </li>
        ))}
        {entries.length > SHOWN ? (
          <li class="dim">and {entries.length - SHOWN} more, in result.json</li>
        ) : null}
      </ul>
    </details>
  );
}
