// Gates and findings of an item, and its attempts.
import { diffLines } from "../../report/line-diff.ts";
import type { AttemptWire, ItemWire } from "../wire/items.ts";
import { useGet } from "./api.ts";
import { DiffLines } from "./diff.tsx";
import { href } from "./route.ts";
import { useChosen } from "./scroll.ts";
import { Empty, Loaded, plural, Text } from "./ui.tsx";

const FILES = {
  atom_a: "atom_a.js",
  atom_b: "atom_b.js",
  atom_c: "atom_c.js",
  config: "config.yaml",
} as const;

export function Gates({ it }: { it: ItemWire }) {
  const gates = Object.entries(it.gates);
  if (gates.length === 0) {
    return (
      <Empty>
        <p>No gate has run yet. Generate the item first.</p>
      </Empty>
    );
  }
  return (
    <>
      <GateList gates={it.gates} />
      <Findings list={it.findings} />
    </>
  );
}

function GateList({ gates }: { gates: Record<string, boolean | null> }) {
  return (
    <ul class="gates">
      {Object.entries(gates).map(([gate, passed]) => (
        <li key={gate} class={passed === true ? "good" : passed === false ? "bad" : "plain"}>
          <span>{gate}</span>{" "}
          <strong>{passed === true ? "passed" : passed === false ? "failed" : "not run"}</strong>
        </li>
      ))}
    </ul>
  );
}

function Findings({ list }: { list: ItemWire["findings"] }) {
  return (
    <>
      {list.map(({ gate, atom, code, message, line, example }) => (
        <article key={`${gate}${atom}${code}${message}`} class="finding">
          <h3>
            {gate}{" "}
            <small>
              {atom}
              {line === undefined ? "" : `, line ${line}`}, {code}
            </small>
          </h3>
          <p>
            <Text of={message} />
          </p>
          {example === undefined ? null : (
            <figure>
              <figcaption>minimal input</figcaption>
              <pre tabIndex={0} class="code">
                <Text of={example} />
              </pre>
            </figure>
          )}
        </article>
      ))}
    </>
  );
}

export function Attempts({ base, id, chosen }: { base: string; id: string; chosen: string | undefined }) {
  const attempts = useGet<{ attempts: AttemptWire[] }>(`${base}/attempts`);
  return (
    <Loaded from={attempts}>
      {({ attempts: list }) =>
        list.length === 0 ? (
          <Empty>
            <p>No attempt reached the gates and failed.</p>
          </Empty>
        ) : (
          list.map((attempt, i) => (
            <Attempt
              key={attempt.iteration}
              attempt={attempt}
              before={list[i - 1]}
              address={href(["items", id, "attempts", String(attempt.iteration)])}
              chosen={chosen === String(attempt.iteration)}
              last={i === list.length - 1}
            />
          ))
        )
      }
    </Loaded>
  );
}

interface AttemptProps {
  attempt: AttemptWire;
  before: AttemptWire | undefined;
  address: string;
  chosen: boolean;
  last: boolean;
}

function Attempt({ attempt, before, address, chosen, last }: AttemptProps) {
  const own = useChosen<HTMLDetailsElement>(chosen);
  return (
    <details open={chosen || last} ref={own}>
      <summary>
        Attempt {attempt.iteration}: {plural(attempt.errors.length, "finding")}
      </summary>
      <p>
        <a href={address}>link to this attempt</a>
      </p>
      <GateList gates={attempt.gates} />
      <Findings list={attempt.errors} />
      {Object.entries(FILES).map(([part, file]) => (
        <Change
          key={part}
          file={file}
          before={before?.sources[part as keyof typeof FILES]}
          now={attempt.sources[part as keyof typeof FILES]}
        />
      ))}
    </details>
  );
}

/** Changes of a file since the previous attempt. */
function Change({ file, before, now }: { file: string; before: string | undefined; now: string }) {
  if (before === undefined) {
    return (
      <details>
        <summary>{file}</summary>
        <pre tabIndex={0} class="code">
          <Text of={now} />
        </pre>
      </details>
    );
  }
  if (before === now) return <p class="dim">{file}: unchanged</p>;
  return (
    <figure>
      <figcaption>{file}: changes since the previous attempt</figcaption>
      <DiffLines lines={diffLines(before, now)} />
    </figure>
  );
}
