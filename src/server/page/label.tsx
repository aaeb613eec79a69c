// Labelling in the browser: choose a line, mark its value and fields, preview what is extracted from all logs, write the
// examples into the page.
import { useEffect, useState } from "preact/hooks";
import { visible } from "../../report/escape.ts";
import type { LabelWire } from "../wire/label.ts";
import { type ApiError, asApiError, post, useAction } from "./api.ts";
import { AddLog, type Chosen, Kinds } from "./label-choose.tsx";
import { Mark } from "./label-mark.tsx";
import { Preview } from "./label-preview.tsx";
import { LogViewer } from "./log-viewer.tsx";
import { href } from "./route.ts";
import { Problem, plural } from "./ui.tsx";

export function Label({ id }: { id: string }) {
  const [session, setSession] = useState<LabelWire | undefined>();
  const [error, setError] = useState<ApiError | undefined>();
  const [chosen, setChosen] = useState<Chosen | undefined>();
  const [file, setFile] = useState<string | undefined>();
  const action = useAction();
  useEffect(() => {
    let opened: string | undefined;
    let left = false;
    post<LabelWire>(`/api/items/${encodeURIComponent(id)}/label`).then(
      (made) => {
        opened = made.id;
        if (left) void post(`/api/label/${made.id}/close`);
        else setSession(made);
      },
      (problem: unknown) => setError(asApiError(problem)),
    );
    return () => {
      left = true;
      if (opened !== undefined) void post(`/api/label/${opened}/close`).catch(() => undefined);
    };
  }, [id]);
  if (error !== undefined) return <Problem error={error} />;
  if (session === undefined) return <p class="loading">Reading the logs …</p>;
  const base = `/api/label/${session.id}`;
  const act = (what: string, body: object = {}): void =>
    action.run(async () => {
      setSession(await post<LabelWire>(`${base}/${what}`, body));
      if (what === "examples") setChosen(undefined);
    });
  const shownFile = file ?? session.logs[0]?.path;
  return (
    <div class="label">
      <p>
        Examples go into <code>{visible(session.page)}</code>. {plural(session.examples, "example")} so far,{" "}
        {session.own.length} not yet written.
      </p>
      {session.written === undefined ? null : (
        <p role="status" class="good">
          Written at line {session.written.join(", ")}. <a href={href(["items", id])}>Generate the item</a>.
        </p>
      )}
      {action.error === undefined ? null : <Problem error={action.error} />}
      <AddLog base={base} add={(path) => act("logs", { file: path })} none={session.logs.length === 0} />
      {chosen === undefined ? (
        <>
          <Kinds session={session} choose={setChosen} />
          {shownFile === undefined ? null : (
            <details open={session.kinds.length === 0}>
              <summary>Choose a line of the whole log</summary>
              <label>
                Log{" "}
                <select value={shownFile} onChange={(e) => setFile(e.currentTarget.value)}>
                  {session.logs.map(({ path }) => (
                    <option key={path} value={path}>
                      {visible(path)}
                    </option>
                  ))}
                </select>
              </label>
              <LogViewer
                key={shownFile}
                base={base}
                file={shownFile}
                plain
                onLine={(line, text) => setChosen({ file: shownFile, first: line, lines: [text] })}
              />
            </details>
          )}
        </>
      ) : (
        <Mark
          key={`${chosen.file}:${chosen.first}`}
          base={base}
          chosen={chosen}
          names={session.names}
          busy={action.busy}
          cancel={() => setChosen(undefined)}
          extend={setChosen}
          add={(body) => act("examples", body)}
        />
      )}
      <Preview session={session} choose={(reading) => act("choose", { reading })} busy={action.busy} />
      <Save session={session} act={act} busy={action.busy} />
    </div>
  );
}

interface SaveProps {
  session: LabelWire;
  act: (what: string, body?: object) => void;
  busy: boolean;
}

function Save({ session: { own, has_check, proposed_check }, act, busy }: SaveProps) {
  const [check, setCheck] = useState(!has_check);
  const withCheck = check && !has_check;
  return (
    <section>
      {has_check || proposed_check === null ? null : (
        <details>
          <summary>The page has no check; this one is proposed</summary>
          <pre tabIndex={0} class="code">
            {visible(proposed_check)}
          </pre>
          <label>
            <input type="checkbox" checked={check} onChange={(e) => setCheck(e.currentTarget.checked)} />{" "}
            write it into the page, too
          </label>
        </details>
      )}
      <div class="actions">
        <button
          type="button"
          class="main"
          disabled={busy || (own.length === 0 && !withCheck)}
          onClick={() => act("save", { check: withCheck })}
        >
          Write into the page
        </button>
        <button type="button" disabled={busy || own.length === 0} onClick={() => act("undo")}>
          Undo
        </button>
      </div>
    </section>
  );
}
