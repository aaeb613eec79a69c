// One item: its state, what was validated, findings, and actions.
import { useState } from "preact/hooks";
import type { Job } from "../jobs/record.ts";
import type { AtomsWire, ItemWire } from "../wire/items.ts";
import { post, useAction, useGet } from "./api.ts";
import { Code } from "./code.tsx";
import { Attempts, Conversation, Gates, Records } from "./item-parts.tsx";
import { Label } from "./label.tsx";
import { useReload } from "./live.ts";
import { LogViewer } from "./log-viewer.tsx";
import { Markdown } from "./markdown.tsx";
import { Outcomes } from "./outcomes.tsx";
import { go, href, type Place } from "./route.ts";
import { Copy, Empty, Loaded, Problem, State, Tabs, Text, Time } from "./ui.tsx";

const PARTS = [
  "summary",
  "page",
  "atoms",
  "gates",
  "attempts",
  "conversation",
  "records",
  "logs",
  "label",
] as const;

export function Item({ id, place }: { id: string; place: Place }) {
  const part = place.path[2] ?? "summary";
  const base = `/api/items/${encodeURIComponent(id)}`;
  const item = useGet<ItemWire>(base);
  useReload(item.reload, ({ type, subject }) => type === "items_changed" || subject === id);
  return (
    <>
      <p class="crumbs">
        <a href={href(["items"])}>Items</a>
      </p>
      <Loaded from={item}>
        {(it) => (
          <>
            <h1>
              {id} <State of={it.state} />
            </h1>
            <Tabs
              current={part}
              tabs={PARTS.map((name) => ({
                name,
                title: name[0]?.toUpperCase() + name.slice(1),
                href: href(name === "summary" ? ["items", id] : ["items", id, name]),
              }))}
            />
            {part === "summary" ? <Summary it={it} /> : null}
            {part === "page" ? <Page base={base} id={id} /> : null}
            {part === "atoms" ? <Atoms base={base} id={id} name={place.path[3]} /> : null}
            {part === "gates" ? <Gates it={it} /> : null}
            {part === "attempts" ? <Attempts base={base} id={id} chosen={place.path[3]} /> : null}
            {part === "conversation" ? <Conversation base={base} id={id} turn={place.path[3]} /> : null}
            {part === "records" ? <Records base={base} id={id} chosen={place.path[3]} /> : null}
            {part === "logs" ? <Logs base={base} id={id} place={place} /> : null}
            {part === "label" ? <Label id={id} /> : null}
          </>
        )}
      </Loaded>
    </>
  );
}

function Summary({ it }: { it: ItemWire }) {
  const id = it.item_id;
  const { busy, error, run } = useAction();
  const start = (kind: string, params: object) =>
    run(async () => {
      const job = await post<Job>("/jobs", { kind, params });
      go(href(["jobs", job.id]));
    });
  return (
    <>
      <div class="actions">
        {it.has_page ? (
          <button type="button" disabled={busy} onClick={() => start("generate", { item: id })}>
            {it.state === "new" ? "Generate" : "Regenerate"}
          </button>
        ) : null}
        {it.state === "unfinished" ? (
          <button type="button" class="main" disabled={busy} onClick={() => start("resume", { item: id })}>
            Resume
          </button>
        ) : null}
        {it.manifest?.status === "accepted" ? (
          <button type="button" disabled={busy} onClick={() => start("check", { items: [id] })}>
            Check the logs
          </button>
        ) : null}
      </div>
      {error === undefined ? null : <Problem error={error} />}
      {it.state === "human_required" ? <Answer it={it} start={start} busy={busy} /> : null}
      <dl class="facts">
        <dt>Title</dt>
        <dd>
          <Text of={it.title || "–"} />
        </dd>
        <dt>Stage</dt>
        <dd>{it.stage ?? "not yet run"}</dd>
        <dt>Attempts</dt>
        <dd>
          <a href={href(["items", id, "attempts"])}>{it.attempts}</a>
        </dd>
        <dt>Records</dt>
        <dd>
          <a href={href(["items", id, "records"])}>{it.records}</a>
        </dd>
        <dt>Changed</dt>
        <dd>
          <Time at={it.updated_at} />
        </dd>
        {it.checks.length === 0 ? null : (
          <>
            <dt>Checks</dt>
            <dd>
              <Outcomes list={it.checks} item={id} />
            </dd>
          </>
        )}
        {it.next === "" ? null : (
          <>
            <dt>Next</dt>
            <dd>
              <code>
                <Text of={it.next} />
              </code>{" "}
              <Copy text={it.next} />
            </dd>
          </>
        )}
        {it.manifest === null ? null : (
          <>
            <dt>Author</dt>
            <dd>
              {it.manifest.author.provider}, sandbox level {it.manifest.sandbox_level}, atomsmith{" "}
              {it.manifest.program_version}
            </dd>
          </>
        )}
      </dl>
      {it.errors.length === 0 ? null : (
        <section>
          <h2>Findings</h2>
          <ul>
            {it.errors.slice(0, 20).map((message) => (
              <li key={message}>
                <Text of={message} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

interface AnswerProps {
  it: ItemWire;
  start: (kind: string, params: object) => void;
  busy: boolean;
}

/** What needs review, and how to answer. */
function Answer({ it, start, busy }: AnswerProps) {
  const [example, setExample] = useState("");
  const [hint, setHint] = useState("");
  const item = it.item_id;
  const answer = (event: Event): void => {
    event.preventDefault();
    start("resume", {
      item,
      ...(hint.trim() === "" ? {} : { hint: hint.trim() }),
      ...(example.trim() === "" ? {} : { examples: [example] }),
    });
  };
  return (
    <section class="question">
      <h2>Needs review</h2>
      {it.questions.map((question) => (
        <pre key={question} tabIndex={0} class="said">
          <Text of={question} />
        </pre>
      ))}
      <form onSubmit={answer}>
        <p>
          The surest answer is a worked example:{" "}
          <a href={href(["items", item, "label"])}>mark a line of the log</a>, or write blocks as in a page:
        </p>
        <label>
          Blocks
          <textarea rows={6} value={example} onInput={(e) => setExample(e.currentTarget.value)} />
        </label>
        <label>
          A sentence for the author (models only)
          <textarea rows={2} value={hint} onInput={(e) => setHint(e.currentTarget.value)} />
        </label>
        <div class="actions">
          <button type="submit" class="main" disabled={busy || (hint.trim() === "" && example.trim() === "")}>
            Answer and resume
          </button>
          <button type="button" disabled={busy} onClick={() => start("resume", { item, accept_edits: true })}>
            Validate my edits in attempt/
          </button>
        </div>
      </form>
      {it.ways_on.length === 0 ? null : (
        <details>
          <summary>On the command line</summary>
          {it.ways_on.map(({ title, commands }) => (
            <div key={title}>
              <p>
                <Text of={title} />
              </p>
              {commands.map((command) => (
                <p key={command}>
                  <code>
                    <Text of={command} />
                  </code>{" "}
                  <Copy text={command} />
                </p>
              ))}
            </div>
          ))}
        </details>
      )}
    </section>
  );
}

function Page({ base, id }: { base: string; id: string }) {
  const page = useGet<{ path: string; text: string }>(`${base}/page`);
  return (
    <Loaded from={page}>
      {({ path, text }) => (
        <>
          <p class="dim">
            <code>
              <Text of={path} />
            </code>{" "}
            <a href={href(["items", id, "label"])}>add examples by marking lines</a>
          </p>
          <Markdown text={text} />
        </>
      )}
    </Loaded>
  );
}

function Atoms({ base, id, name }: { base: string; id: string; name: string | undefined }) {
  const atoms = useGet<AtomsWire>(`${base}/atoms`);
  useReload(atoms.reload, ({ type, subject }) => type === "item_finished" && subject === id);
  return (
    <Loaded from={atoms}>
      {({ sets }) => {
        const set = sets.find((one) => one.name === (name ?? "output")) ?? sets[0];
        if (set === undefined) {
          return (
            <Empty>
              <p>No atoms yet. Generate the item first.</p>
            </Empty>
          );
        }
        return (
          <>
            {sets.length < 2 ? null : (
              <Tabs
                current={set.name}
                tabs={sets.map((one) => ({
                  name: one.name,
                  title: one.name,
                  href: href(["items", id, "atoms", one.name]),
                }))}
              />
            )}
            {Object.entries(set.files).map(([file, source]) => (
              <section key={file}>
                <h2>
                  {file} <Copy text={source} />
                </h2>
                {source === "" ? <p class="dim">missing</p> : <Code source={source} file={file} />}
              </section>
            ))}
          </>
        );
      }}
    </Loaded>
  );
}

function Logs({ base, id, place }: { base: string; id: string; place: Place }) {
  const list = useGet<{ logs: string[] }>(`${base}/logs`);
  const records = useGet<{ records: { file: string; line_number: number | null; value: string }[] }>(
    `${base}/records`,
  );
  return (
    <Loaded from={list}>
      {({ logs }) => {
        const file = place.query.get("file") ?? logs[0];
        if (file === undefined) {
          return (
            <Empty>
              <p>No log was read for this item yet.</p>
            </Empty>
          );
        }
        const own = (records.data?.records ?? []).filter(
          (one) => one.file === file && one.line_number !== null,
        );
        const marks = new Map(own.map(({ line_number, value }) => [line_number ?? 0, value]));
        const line = Number(place.query.get("line")) || undefined;
        return (
          <>
            <Tabs
              current={file}
              tabs={logs.map((one) => ({
                name: one,
                title: one,
                href: href(["items", id, "logs"], { file: one }),
              }))}
            />
            <LogViewer key={`${file}:${line}`} base={`${base}/logs`} file={file} line={line} marks={marks} />
          </>
        );
      }}
    </Loaded>
  );
}
