// Parts of an item: its gates, attempts, conversation and records.

import { visible } from "../../report/escape.ts";
import { diffLines } from "../../report/line-diff.ts";
import type { AttemptWire, ConversationWire, ItemWire, RecordWire, TurnWire } from "../wire/items.ts";
import { useGet } from "./api.ts";
import { href } from "./route.ts";
import { Copy, cost, duration, Empty, Loaded, plural, Text, Time } from "./ui.tsx";

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
              <figcaption>the smallest input that shows it</figcaption>
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

export function Attempts({ base, chosen }: { base: string; chosen: string | undefined }) {
  const attempts = useGet<{ attempts: AttemptWire[] }>(`${base}/attempts`);
  return (
    <Loaded from={attempts}>
      {({ attempts: list }) =>
        list.length === 0 ? (
          <Empty>
            <p>No attempt reached the gates and failed.</p>
          </Empty>
        ) : (
          <>
            {list.map((attempt, i) => (
              <details
                key={attempt.iteration}
                open={chosen === String(attempt.iteration) || i === list.length - 1}
              >
                <summary>
                  Attempt {attempt.iteration}: {plural(attempt.errors.length, "finding")}
                </summary>
                <GateList gates={attempt.gates} />
                <Findings list={attempt.errors} />
                {Object.entries(FILES).map(([part, file]) => (
                  <Change
                    key={part}
                    file={file}
                    before={list[i - 1]?.sources[part as keyof typeof FILES]}
                    now={attempt.sources[part as keyof typeof FILES]}
                  />
                ))}
              </details>
            ))}
          </>
        )
      }
    </Loaded>
  );
}

/** What changed in a file since the attempt before. */
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
      <figcaption>{file}: changes since the attempt before</figcaption>
      <pre tabIndex={0} class="code diff">
        {diffLines(before, now).map(({ change, text }, i) => (
          <span key={i} class={change}>
            {change === "added" ? "+ " : change === "removed" ? "- " : "  "}
            {visible(text)}
            {"\n"}
          </span>
        ))}
      </pre>
    </figure>
  );
}

export function Conversation({ base, turn }: { base: string; turn: string | undefined }) {
  const conversation = useGet<ConversationWire>(`${base}/conversation?limit=200`);
  return (
    <Loaded from={conversation}>
      {({ turns, total, usage }) =>
        total === 0 ? (
          <Empty>
            <p>No model was asked: the offline author needs none.</p>
          </Empty>
        ) : (
          <>
            <p>
              {plural(usage.total.calls, "call")}, {usage.total.input_tokens} + {usage.total.output_tokens}{" "}
              tokens, {cost(usage.total.cost_usd)}
            </p>
            {turns.map((one, i) => (
              <Turn key={one.key} turn={one} open={turn === String(i + 1) || turns.length < 4} />
            ))}
            {total > turns.length ? <p class="dim">{total - turns.length} more: atomsmith show</p> : null}
          </>
        )
      }
    </Loaded>
  );
}

function Turn({ turn, open }: { turn: TurnWire; open: boolean }) {
  const { reply } = turn;
  return (
    <details open={open}>
      <summary>
        {turn.stage}, attempt {turn.iteration}, call {turn.index + 1}{" "}
        <span class="dim">
          {reply.model}, {duration(turn.duration_ms)}, <Time at={turn.at} />
        </span>
      </summary>
      {turn.messages
        .filter(({ role }) => role !== "assistant")
        .map((message) => (
          <figure key={message.role + message.content}>
            <figcaption>{message.role}</figcaption>
            <pre tabIndex={0} class="said">
              <Text of={message.content} />
            </pre>
          </figure>
        ))}
      <figure class="reply">
        <figcaption>
          {reply.model}
          {turn.record === "partial" ? " (broke off; not used)" : ""}
        </figcaption>
        {reply.content === "" ? null : (
          <pre tabIndex={0} class="said">
            <Text of={reply.content} />
          </pre>
        )}
        {reply.tool_calls.map((call) => (
          <pre key={call.id} tabIndex={0} class="said">
            {visible(`${call.name} ${call.arguments}`)}
          </pre>
        ))}
      </figure>
    </details>
  );
}

export function Records({ base, id }: { base: string; id: string }) {
  const records = useGet<{ records: RecordWire[]; total: number }>(`${base}/records`);
  return (
    <Loaded from={records}>
      {({ records: list, total }) =>
        total === 0 ? (
          <Empty>
            <p>
              Nothing was extracted. <a href={href(["items", id, "label"])}>Mark a line of the log</a> to say
              what a record is.
            </p>
          </Empty>
        ) : (
          <>
            <p class="dim">
              {list.length === total
                ? plural(total, "record")
                : `The first ${list.length} of ${total} records`}
            </p>
            {list.map((record) => (
              <Record key={`${record.file}:${record.line_number}:${record.value}`} record={record} id={id} />
            ))}
          </>
        )
      }
    </Loaded>
  );
}

function Record({ record, id }: { record: RecordWire; id: string }) {
  const { value, file, line_number, parsed_fields, context } = record;
  const line = line_number ?? undefined;
  return (
    <article class="record">
      <h3>
        <Text of={value} /> <Copy text={value} />
      </h3>
      <p>
        <a href={href(["items", id, "logs"], { file, line })}>
          <Text of={file} />
          {line === undefined ? "" : `:${line}`}
        </a>
      </p>
      <dl class="fields">
        {Object.entries(parsed_fields).map(([name, field]) => (
          <div key={name}>
            <dt>
              <Text of={name} />
            </dt>
            <dd>
              <Text of={typeof field === "string" ? field : JSON.stringify(field)} />
            </dd>
          </div>
        ))}
      </dl>
      {context.lines.length === 0 ? null : (
        <pre tabIndex={0} class="code excerpt">
          {context.lines.map((text, i) => (
            <span key={context.start_line + i} class={context.start_line + i === line ? "marked" : ""}>
              <span class="number">{context.start_line + i}</span> {visible(text)}
              {"\n"}
            </span>
          ))}
        </pre>
      )}
    </article>
  );
}
