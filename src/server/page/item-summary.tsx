// The summary of an item: actions, facts, findings, and the form to answer questions.
import { useState } from "preact/hooks";
import type { Job } from "../jobs/record.ts";
import type { ItemWire } from "../wire/items.ts";
import { post, useAction } from "./api.ts";
import { Outcomes } from "./outcomes.tsx";
import { go, href } from "./route.ts";
import { Copy, Problem, Text, Time } from "./ui.tsx";

export function Summary({ it }: { it: ItemWire }) {
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

/** The questions of an item that needs review, and the form to answer them. */
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
          The most reliable answer is a worked example:{" "}
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
