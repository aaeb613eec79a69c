// The outcomes of an item in the last checks, oldest first.
import { href } from "./route.ts";
import { State } from "./ui.tsx";

const SHOWN = 12;

interface Props {
  list: readonly { id: string; outcome: string; at: string }[];
  item: string;
  /** The check that is shown. */
  now?: string;
}

export function Outcomes({ list, item, now }: Props) {
  if (list.length === 0) return null;
  return (
    <span class="outcomes">
      <span class="dim">last checks:</span>
      {list
        .slice(0, SHOWN)
        .reverse()
        .map(({ id, outcome, at }) => (
          <a
            key={id}
            href={href(["checks", id, item])}
            title={new Date(at).toLocaleString()}
            aria-current={id === now ? "true" : undefined}
          >
            <State of={outcome} />
          </a>
        ))}
    </span>
  );
}
