// The conversation of a project: turns, questions, decisions, pending proposals, and the next message.
import { useState } from "preact/hooks";
import type { Job } from "../jobs/record.ts";
import type { DesignConversationWire, DesignPatchWire, DesignTurnWire, DesignWire } from "../wire/design.ts";
import { useGet, withQuery } from "./api.ts";
import { PatchCard } from "./design-patches.tsx";
import { WaitingRun } from "./design-runs.tsx";
import type { TabProps } from "./design-tab.ts";
import { useReload } from "./live.ts";
import { href } from "./route.ts";
import { useChosen } from "./scroll.ts";
import { Empty, Loaded, Text, Time } from "./ui.tsx";

const PAGE = 50;

export function Conversation(props: TabProps) {
  const { it, base, place, version } = props;
  const [limit, setLimit] = useState(PAGE);
  const conversation = useGet<DesignConversationWire>(
    withQuery(`${base}/conversation`, { limit: Math.min(200, limit) }),
    version,
  );
  const chosen = Number(place.path[3]) || undefined;
  return (
    <Loaded from={conversation}>
      {({ turns, total }) => (
        <>
          {total === 0 ? (
            <Empty>
              <p>
                No messages yet. Describe a change below; the model proposes it, and nothing changes until you
                approve it.
              </p>
            </Empty>
          ) : null}
          {turns.length < total ? (
            <button type="button" onClick={() => setLimit((n) => n + PAGE)}>
              Earlier turns
            </button>
          ) : null}
          {turns.map((turn) => (
            <Turn key={turn.turn} turn={turn} project={it.id} chosen={turn.turn === chosen} />
          ))}
          <Waiting {...props} />
          <Say {...props} />
        </>
      )}
    </Loaded>
  );
}

function Turn({ turn, project, chosen }: { turn: DesignTurnWire; project: string; chosen: boolean }) {
  const own = useChosen<HTMLElement>(chosen);
  return (
    <article class={`turn ${chosen ? "chosen" : ""}`} ref={own}>
      {turn.message === "" ? null : (
        <figure>
          <figcaption>
            <a href={href(["design", project, "conversation", String(turn.turn)])}>turn {turn.turn}</a>, the
            user
          </figcaption>
          <pre class="said">
            <Text of={turn.message} />
          </pre>
        </figure>
      )}
      {turn.answer === "" ? null : (
        <figure class="reply">
          <figcaption>
            the model
            {turn.confidence === null ? "" : `, confidence ${turn.confidence}`}
          </figcaption>
          <pre class="said">
            <Text of={turn.answer} />
          </pre>
        </figure>
      )}
      {turn.error === null ? null : (
        <p class="problem">
          <Text of={turn.error} />
        </p>
      )}
      {turn.questions.map(({ id, question, why_needed, default: proposed }) => (
        <p key={id} class="asked">
          <strong>
            <Text of={question} />
          </strong>{" "}
          <span class="dim">
            <Text of={why_needed} />
            {proposed === undefined || proposed === null ? "" : ` Proposed: ${JSON.stringify(proposed)}`}
          </span>
        </p>
      ))}
      {turn.patch_id === null ? null : (
        <p>
          proposes <a href={href(["design", project, "patches", turn.patch_id])}>patch {turn.patch_id}</a>
        </p>
      )}
      {turn.run_request === null ? null : (
        <p>
          asks for a run until <strong>{turn.run_request.run_until}</strong>:{" "}
          <Text of={turn.run_request.reason} />
        </p>
      )}
      {turn.decisions.map(({ decision, of, reason, by, at }, i) => (
        <p key={i} class="dim">
          {by === "" ? "unknown" : <Text of={by} />}: {decision} <Text of={of} />
          {reason === null ? "" : `, ${reason}`} <Time at={at === "" ? null : at} />
        </p>
      ))}
      {turn.warnings.length === 0 && turn.packs.length === 0 ? null : (
        <details>
          <summary class="dim">Context of the model, and notes</summary>
          <ul>
            {turn.packs.map(({ mode, chars, hop }, i) => (
              <li key={i}>
                {mode} context, {chars.toLocaleString()} characters{hop > 0 ? ", on request" : ""}
              </li>
            ))}
            {turn.warnings.map((warning) => (
              <li key={warning}>
                <Text of={warning} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </article>
  );
}

/** Pending decisions, shown in the conversation. */
function Waiting(props: TabProps) {
  const { it, base, version } = props;
  const needed = it.pending_patch_ids.length > 0;
  const patches = useGet<{ patches: DesignPatchWire[] }>(needed ? `${base}/patches` : undefined, version);
  const waiting = (patches.data?.patches ?? []).filter(({ patch_id }) =>
    it.pending_patch_ids.includes(patch_id),
  );
  return (
    <>
      {waiting.map((patch) => (
        <PatchCard key={patch.patch_id} patch={patch} waits {...props} />
      ))}
      {it.pending_run === null ? null : <WaitingRun {...props} />}
    </>
  );
}

function Say({ it, start, busy }: TabProps) {
  const [message, setMessage] = useState("");
  const jobs = useGet<{ jobs: Job[] }>("/jobs?kind=design-message&limit=20");
  useReload(jobs.reload, ({ type }) => type === "job_changed");
  const own = (jobs.data?.jobs ?? []).filter(({ params }) => params["project"] === it.id);
  const running = own.find(({ state }) => state === "running" || state === "queued");
  const failed = own[0]?.state === "failed" ? own[0] : undefined;
  const say = (): void => {
    if (message.trim() === "" || busy) return;
    start("design-message", { message });
    setMessage("");
  };
  if (!it.can_talk) return <NoModel it={it} />;
  return (
    <form
      class="say"
      onSubmit={(event) => {
        event.preventDefault();
        say();
      }}
    >
      {running === undefined ? null : (
        <p class="loading" role="status">
          Waiting for the model … <a href={href(["jobs", running.id])}>follow it</a>
        </p>
      )}
      {failed?.message == null || running !== undefined ? null : (
        <p class="problem">
          The last message: <Text of={failed.message} />
        </p>
      )}
      <label>
        Your message
        <textarea
          rows={3}
          maxLength={100_000}
          value={message}
          onInput={(e) => setMessage(e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) say();
          }}
        />
      </label>
      <div class="actions">
        <button
          type="submit"
          class="main"
          disabled={busy || running !== undefined || message.trim() === ""}
          title="Ctrl+Enter"
        >
          Send
        </button>
      </div>
    </form>
  );
}

function NoModel({ it }: { it: DesignWire }) {
  return (
    <Empty>
      <p>
        No model is configured (<code>llm.design</code>), so messages get no answer.{" "}
        <a href={href(["design", it.id, "spec"])}>Change the spec</a> and{" "}
        <a href={href(["design", it.id, "run"])}>run the pipeline</a> yourself.
      </p>
    </Empty>
  );
}
