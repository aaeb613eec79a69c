// Labelling: preview of what the examples extract from all logs.
import { visible } from "../../report/escape.ts";
import type { LabelWire } from "../wire/label.ts";
import { plural, Text } from "./ui.tsx";

interface PreviewProps {
  session: LabelWire;
  choose: (reading: number) => void;
  busy: boolean;
}

/** What the examples extract from all logs. */
export function Preview({ session: { preview }, choose, busy }: PreviewProps) {
  return (
    <section aria-live="polite">
      <h2>Preview</h2>
      {preview.kind === "nothing" ? <p class="dim">No example has a record yet.</p> : null}
      {preview.kind === "contradiction" ? (
        <p class="problem">
          The examples contradict each other: <Text of={preview.message} />
        </p>
      ) : null}
      {preview.kind === "question" ? (
        <>
          <p>One line is undecided. Which reading is right?</p>
          <pre tabIndex={0} class="said">
            {visible(`${preview.at.file}:${preview.at.line}  ${preview.at.text}`)}
          </pre>
          {preview.readings.map((reading, i) => (
            <div key={reading} class="reading">
              <pre tabIndex={0} class="said">
                {visible(reading)}
              </pre>
              <button type="button" disabled={busy} onClick={() => choose(i)}>
                This one
              </button>
            </div>
          ))}
        </>
      ) : null}
      {preview.kind === "records" ? (
        <>
          <p>
            {plural(preview.total, "record")}, {plural(preview.others_total, "line")} left out that resemble
            them.
          </p>
          <Rows
            rows={preview.records.map(({ file, line, value, fields, text }) => ({
              place: `${file}:${line}`,
              what: [value, ...Object.entries(fields).map(([name, field]) => `${name}=${field}`)].join("  "),
              text,
            }))}
          />
          {preview.others.length === 0 ? null : (
            <details>
              <summary>Left out</summary>
              <Rows
                rows={preview.others.map(({ file, line, why, text }) => ({
                  place: `${file}:${line}`,
                  what: why,
                  text,
                }))}
              />
            </details>
          )}
        </>
      ) : null}
    </section>
  );
}

function Rows({ rows }: { rows: readonly { place: string; what: string; text: string }[] }) {
  return (
    <ul class="entries">
      {rows.slice(0, 200).map(({ place, what, text }) => (
        <li key={place}>
          <strong>{visible(what)}</strong> <span class="dim">{visible(place)}</span>
          <pre tabIndex={0} class="said">
            {visible(text)}
          </pre>
        </li>
      ))}
    </ul>
  );
}
