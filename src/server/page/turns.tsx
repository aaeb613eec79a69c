// A conversation with a model: its turns, each a request with its reply.
import { visible } from "../../report/escape.ts";
import type { ConversationWire, TurnWire } from "../wire/items.ts";
import { useGet, withQuery } from "./api.ts";
import { href } from "./route.ts";
import { useChosen } from "./scroll.ts";
import { cost, duration, Empty, Loaded, plural, Text, Time } from "./ui.tsx";

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
            <p>No model was called: the offline author works without one.</p>
          </Empty>
        ) : (
          <>
            <p class="bar">
              {plural(usage.total.calls, "call")}, {usage.total.input_tokens} + {usage.total.output_tokens}{" "}
              tokens, {cost(usage.total.cost_usd)}
              {first === 0 ? null : <a href={at(first)}>earlier turns</a>}
              {first + turns.length < total ? <a href={at(first + TURNS + 1)}>later turns</a> : null}
            </p>
            {turns.map((turn, i) => (
              <Turn
                key={turn.key}
                turn={turn}
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
  /** What the iteration number counts. */
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
          {turn.record === "partial" ? " (incomplete; not used)" : ""}
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
