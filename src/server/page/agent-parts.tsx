// Parts of an agent's job: actions, turns, files.
import { useState } from "preact/hooks";
import type { AgentFilesWire, AgentTurnsWire, AgentWire } from "../wire/agents.ts";
import { useGet, withQuery } from "./api.ts";
import { Files } from "./files.tsx";
import { go, href, type Place } from "./route.ts";
import { Turn } from "./turns.tsx";
import { Empty, Loaded, plural, Text } from "./ui.tsx";

interface WaysProps {
  it: AgentWire;
  busy: boolean;
  act: (name: string) => void;
  start: (kind: string, params: object) => void;
}

export function Ways({ it, busy, act, start }: WaysProps) {
  const ended = it.status === "completed" || it.status === "cancelled";
  const goesOn = ["created", "processing", "failed"].includes(it.status);
  return (
    <>
      {it.status === "waiting" ? <Answer it={it} busy={busy} act={act} start={start} /> : null}
      {it.message === "" || it.status === "waiting" ? null : (
        <p class={it.status === "failed" ? "problem" : "dim"}>
          <Text of={it.message} />
        </p>
      )}
      <div class="actions">
        {goesOn ? (
          <button type="button" disabled={busy} onClick={() => start("agent-resume", {})}>
            Resume
          </button>
        ) : null}
        {ended ? null : (
          <button type="button" disabled={busy || it.cancel_requested} onClick={() => act("cancel")}>
            {it.cancel_requested ? "Stops before its next call" : "Cancel"}
          </button>
        )}
        {it.status === "cancelled" || it.phases.length === 0 ? null : (
          <FromPhase it={it} busy={busy} start={start} />
        )}
      </div>
    </>
  );
}

function FromPhase({ it, busy, start }: Pick<WaysProps, "it" | "busy" | "start">) {
  const [from, setFrom] = useState(String(it.phases[0]?.number ?? 1));
  return (
    <form
      class="bar"
      onSubmit={(event) => {
        event.preventDefault();
        start("agent-resume", { from_phase: Number(from) });
      }}
    >
      <label>
        Restart at phase{" "}
        <select value={from} onChange={(e) => setFrom(e.currentTarget.value)}>
          {it.phases.map(({ number, name }) => (
            <option key={`${number}${name}`} value={number}>
              {number} {name}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" disabled={busy}>
        Go
      </button>
    </form>
  );
}

function Answer({ it, busy, act, start }: WaysProps) {
  const [answer, setAnswer] = useState("");
  return (
    <section class="question">
      <h2>Needs review</h2>
      <pre class="said" tabIndex={0}>
        <Text of={it.document.waiting?.text ?? it.message} />
      </pre>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          start("agent-answer", { answer });
        }}
      >
        <label>
          Your answer
          <textarea
            rows={3}
            maxLength={20_000}
            value={answer}
            onInput={(e) => setAnswer(e.currentTarget.value)}
          />
        </label>
        <div class="actions">
          <button type="submit" class="main" disabled={busy || answer.trim() === ""}>
            Answer and resume
          </button>
          <button type="button" disabled={busy} onClick={() => act("approve")}>
            Accept as it is
          </button>
        </div>
      </form>
    </section>
  );
}

const PAGE = 50;

interface TurnsProps {
  base: string;
  id: string;
  place: Place;
  /** Requests so far: the last page is shown first. */
  requests: number;
}

export function AgentTurns({ base, id, place, requests }: TurnsProps) {
  const chosen = Number(place.path[3]) || undefined;
  const first = Math.floor(Math.max(0, (chosen ?? requests) - 1) / PAGE) * PAGE;
  const turns = useGet<AgentTurnsWire>(withQuery(`${base}/turns`, { offset: first, limit: PAGE }), requests);
  const at = (n: number) => href(["agents", id, "turns", String(n)]);
  return (
    <Loaded from={turns}>
      {({ turns: list, total }) =>
        total === 0 ? (
          <Empty>
            <p>No model was called yet.</p>
          </Empty>
        ) : (
          <>
            <p class="bar">
              {plural(total, "turn")}, {first + 1} to {first + list.length}
              {first === 0 ? null : (
                <button type="button" onClick={() => go(at(first))}>
                  Earlier
                </button>
              )}
              {first + list.length < total ? (
                <button type="button" onClick={() => go(at(first + PAGE + 1))}>
                  Later
                </button>
              ) : null}
            </p>
            {list.map((turn, i) => (
              <Turn
                key={turn.key}
                turn={turn}
                round="phase"
                address={at(first + i + 1)}
                chosen={first + i + 1 === chosen}
                open={first + i + 1 === chosen || first + i + 1 === total}
              />
            ))}
          </>
        )
      }
    </Loaded>
  );
}

export function AgentFiles({ base, place, updated }: { base: string; place: Place; updated: string }) {
  const files = useGet<AgentFilesWire>(`${base}/workspace`, updated);
  return (
    <Loaded from={files}>
      {({ files: list, left_out }) => (
        <>
          <Files files={list} base={`${base}/workspace`} place={place} empty="The job has no files yet." />
          {left_out === 0 ? null : <p class="dim">{plural(left_out, "more file")} not listed</p>}
        </>
      )}
    </Loaded>
  );
}
