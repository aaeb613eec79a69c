// Parts of an item: its gates, attempts, conversation and records.
import { visible } from "../../report/escape.ts";
import { diffLines } from "../../report/line-diff.ts";
import type { AttemptWire, ConversationWire, ItemWire, RecordWire, TurnWire } from "../wire/items.ts";
import { useGet, withQuery } from "./api.ts";
import { DiffLines } from "./diff.tsx";
import { href } from "./route.ts";
import { useChosen } from "./scroll.ts";
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
      <DiffLines lines={diffLines(before, now)} />
    </figure>
  );
}

const TURNS = 50;

export function Conversation({ base, id, turn }: { base: string; id: string; turn: string | undefined }) {
  const chosen = Number(turn) || undefined;
  const first = Math.floor(Math.max(0, (chosen ?? 1) - 1) / TURNS) * TURNS;
  const conversation = useGet<ConversationWire>(
    withQuery(`${base}/conversation`, { offset: first, limit: TURNS }),
  );
  const at = (n: number) => href(["items", id, "conversation", String(n)]);
  return (
    <Loaded from={conversation}>
      {({ turns, total, usage }) =>
        total === 0 ? (
          <Empty>
            <p>No model was asked: the offline author needs none.</p>
          </Empty>
        ) : (
          <>
            <p class="bar">
              {plural(usage.total.calls, "call")}, {usage.total.input_tokens} + {usage.total.output_tokens}{" "}
              tokens, {cost(usage.total.cost_usd)}
              {first === 0 ? null : <a href={at(first)}>earlier turns</a>}
              {first + turns.length < total ? <a href={at(first + TURNS + 1)}>later turns</a> : null}
            </p>
            {turns.map((one, i) => (
              <Turn
                key={one.key}
                turn={one}
                address={at(first + i + 1)}
                chosen={first + i + 1 === chosen}
                open={first + i + 1 === chosen || turns.length < 4}
              />
            ))}
          </>
        )
      }
    </Loaded>
  );
}

interface TurnProps {
  turn: TurnWire;
  open: boolean;
  address: string;
  chosen: boolean;
  /** What the loop counts. */
  round?: "attempt" | "phase";
}

/** A request to a model and its reply. */
export function Turn({ turn, open, address, chosen, round = "attempt" }: TurnProps) {
  const { reply } = turn;
  const own = useChosen<HTMLDetailsElement>(chosen);
  return (
    <details open={open} ref={own}>
      <summary>
        {turn.stage}, {round} {turn.iteration}, call {turn.index + 1}{" "}
        <span class="dim">
          {reply.model}, {duration(turn.duration_ms)}, {reply.usage.input_tokens} +{" "}
          {reply.usage.output_tokens} tokens, <Time at={turn.at} />
        </span>
      </summary>
      <p>
        <a href={address}>link to this turn</a>
      </p>
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

export function Records({ base, id, chosen }: { base: string; id: string; chosen: string | undefined }) {
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
            {list.map((record, i) => (
              <Record key={i} number={i + 1} record={record} id={id} chosen={chosen === String(i + 1)} />
            ))}
          </>
        )
      }
    </Loaded>
  );
}

interface RecordProps {
  record: RecordWire;
  id: string;
  number: number;
  chosen: boolean;
}

function Record({ record, id, number, chosen }: RecordProps) {
  const own = useChosen<HTMLElement>(chosen);
  const { value, file, line_number, parsed_fields, context } = record;
  const line = line_number ?? undefined;
  return (
    <article class={`record ${chosen ? "chosen" : ""}`} ref={own}>
      <h3>
        <a href={href(["items", id, "records", String(number)])}>
          <Text of={value} />
        </a>{" "}
        <Copy text={value} />
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
