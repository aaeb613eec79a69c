// Labelling: choosing logs, and the line that becomes an example.
import { useState } from "preact/hooks";
import { visible } from "../../report/escape.ts";
import type { LabelWire } from "../wire/label.ts";
import { get, useAction } from "./api.ts";
import { Problem } from "./ui.tsx";

/** Lines that are being marked. */
export interface Chosen {
  file: string;
  first: number;
  lines: string[];
}

export function AddLog({ base, add, none }: { base: string; add: (path: string) => void; none: boolean }) {
  const [files, setFiles] = useState<{ paths: string[]; more: boolean } | undefined>();
  const { error, run } = useAction();
  const open = (event: Event): void => {
    if ((event.currentTarget as HTMLDetailsElement).open && files === undefined) {
      run(async () => setFiles(await get(`${base}/files`)));
    }
  };
  return (
    <details open={none} onToggle={open}>
      <summary>{none ? "The page names no existing log: choose one" : "Add another log"}</summary>
      {error === undefined ? null : <Problem error={error} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add(String(new FormData(event.currentTarget).get("file") ?? ""));
        }}
      >
        <label>
          File <input name="file" list="label-files" required maxLength={4096} />
        </label>
        <datalist id="label-files">
          {files?.paths.map((path) => (
            <option key={path} value={path} />
          ))}
        </datalist>
        <button type="submit">Add</button>
        {files?.more === true ? (
          <span class="dim"> The list is incomplete: there are more files.</span>
        ) : null}
      </form>
    </details>
  );
}

/** The kinds of lines of the logs, most frequent first. */
export function Kinds({ session, choose }: { session: LabelWire; choose: (chosen: Chosen) => void }) {
  const [text, setText] = useState("");
  const shown = session.kinds
    .filter((kind) => kind.text.toLowerCase().includes(text.toLowerCase()))
    .slice(0, 100);
  if (session.kinds.length === 0) return null;
  return (
    <section>
      <h2>Choose a line</h2>
      <label>
        Lines with{" "}
        <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <ul class="kinds">
        {shown.map((kind) => (
          <li key={`${kind.file}:${kind.line}`}>
            <button
              type="button"
              onClick={() => choose({ file: kind.file, first: kind.line, lines: [kind.text] })}
            >
              <span class="dim">{kind.count}×</span> <code>{visible(kind.text)}</code>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
