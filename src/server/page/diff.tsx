// Differences: of a text with marked lines, and of a spec by pointer.
import { visible } from "../../report/escape.ts";
import { Text } from "./ui.tsx";

export type Change = "added" | "removed" | "same";

export function DiffLines({ lines }: { lines: readonly { text: string; change: Change }[] }) {
  return (
    <pre tabIndex={0} class="code diff">
      {lines.map(({ change, text }, i) => (
        <span key={i} class={change}>
          {change === "added" ? "+ " : change === "removed" ? "- " : "  "}
          {visible(text)}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}

/** Lines of a unified difference, without their first sign. */
export function unifiedLines(text: string): { text: string; change: Change }[] {
  return text.split("\n").map((line) => {
    if (/^\+(?!\+\+ )/.test(line)) return { text: line.slice(1), change: "added" as const };
    if (/^-(?!-- )/.test(line)) return { text: line.slice(1), change: "removed" as const };
    return { text: line.replace(/^ /, ""), change: "same" as const };
  });
}

interface SpecChange {
  pointer: string;
  old?: unknown;
  new?: unknown;
}

const SHOWN = 200;

/** What changes in a spec: each place with its old and new value. */
export function SpecDiff({ changes }: { changes: readonly SpecChange[] }) {
  return (
    <div class="specdiff">
      {changes.slice(0, SHOWN).map(({ pointer, old, new: now }) => (
        <figure key={pointer}>
          <figcaption>
            <code>
              <Text of={pointer} />
            </code>
          </figcaption>
          <DiffLines
            lines={[
              ...(old === undefined ? [] : valueLines(old, "removed")),
              ...(now === undefined ? [] : valueLines(now, "added")),
            ]}
          />
        </figure>
      ))}
      {changes.length > SHOWN ? <p class="dim">and {changes.length - SHOWN} more places</p> : null}
    </div>
  );
}

function valueLines(value: unknown, change: Change): { text: string; change: Change }[] {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return text.split("\n").map((line) => ({ text: line, change }));
}
