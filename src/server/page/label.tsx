// Labelling in the browser: choose a line, mark its value and fields, see at once what would be extracted from all
// logs, write the examples into the page.
import { useEffect, useState } from "preact/hooks";
import { visible } from "../../report/escape.ts";
import type { LabelWire } from "../wire/label.ts";
import { type ApiError, asApiError, get, post, useAction } from "./api.ts";
import { LogViewer } from "./log-viewer.tsx";
import { href } from "./route.ts";
import { Problem, plural, Text } from "./ui.tsx";

interface Chosen {
  file: string;
  first: number;
  lines: string[];
}

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
      <PreviewOf session={session} choose={(reading) => act("choose", { reading })} busy={action.busy} />
      <Save session={session} act={act} busy={action.busy} />
    </div>
  );
}

function AddLog({ base, add, none }: { base: string; add: (path: string) => void; none: boolean }) {
  const [files, setFiles] = useState<{ paths: string[]; more: boolean } | undefined>();
  const { error, run } = useAction();
  const open = (event: Event): void => {
    if ((event.currentTarget as HTMLDetailsElement).open && files === undefined) {
      run(async () => setFiles(await get(`${base}/files`)));
    }
  };
  return (
    <details open={none} onToggle={open}>
      <summary>{none ? "The page names no log that is there: choose one" : "Add another log"}</summary>
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
        {files?.more === true ? <span class="dim"> There are more files than are listed.</span> : null}
      </form>
    </details>
  );
}

/** The kinds of lines of the logs, most frequent first. */
function Kinds({ session, choose }: { session: LabelWire; choose: (chosen: Chosen) => void }) {
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

interface MarkProps {
  base: string;
  chosen: Chosen;
  names: readonly string[];
  busy: boolean;
  cancel: () => void;
  extend: (chosen: Chosen) => void;
  add: (body: object) => void;
}

/** Marks the value and fields of the chosen lines: by clicking words, from the first to the last. */
function Mark({ base, chosen, names, busy, cancel, extend, add }: MarkProps) {
  const { file, first, lines } = chosen;
  const [picked, setPicked] = useState<{ line: number; from: number; to: number } | undefined>();
  const [value, setValue] = useState("");
  const [at, setAt] = useState(0);
  const [fields, setFields] = useState<Record<string, string>>({});
  const [name, setName] = useState("");
  const more = useAction();
  const text =
    picked === undefined
      ? ""
      : wordsOf(lines[picked.line] ?? "")
          .slice(picked.from, picked.to + 1)
          .join("");
  const click = (line: number, word: number): void => {
    const extends_ =
      picked !== undefined && picked.line === line && picked.from === picked.to && word > picked.from;
    setPicked(extends_ ? { ...picked, to: word } : { line, from: word, to: word });
  };
  const body = { file, first, last: first + lines.length - 1 };
  return (
    <section class="mark">
      <h2>
        {visible(file)}:{first}
      </h2>
      <p class="dim">Click the first and the last word of what you mean.</p>
      {lines.map((line, n) => (
        <p key={n} class="words">
          {wordsOf(line).map((word, i) => {
            const on = picked?.line === n && i >= picked.from && i <= picked.to;
            return word.trim() === "" ? (
              <span key={i}>{word}</span>
            ) : (
              <button key={i} type="button" aria-pressed={on} onClick={() => click(n, i)}>
                {visible(word)}
              </button>
            );
          })}
        </p>
      ))}
      <div class="actions">
        <button
          type="button"
          disabled={text === ""}
          onClick={() => {
            setValue(text);
            setAt(picked?.line ?? 0);
          }}
        >
          It is the value
        </button>
        <label>
          Field{" "}
          <input
            list="field-names"
            value={name}
            maxLength={200}
            onInput={(e) => setName(e.currentTarget.value)}
          />
        </label>
        <datalist id="field-names">
          {names.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
        <button
          type="button"
          disabled={text === "" || name === ""}
          onClick={() => {
            setFields({ ...fields, [name]: text });
            setName("");
          }}
        >
          It is this field
        </button>
        <button
          type="button"
          disabled={more.busy}
          onClick={() =>
            more.run(async () => {
              const next = first + lines.length;
              const path = `${base}/lines?file=${encodeURIComponent(file)}&from=${next}&count=1`;
              const read = await get<{ lines: string[] }>(path);
              if (read.lines[0] !== undefined) extend({ ...chosen, lines: [...lines, read.lines[0]] });
            })
          }
        >
          Add the next line
        </button>
      </div>
      <dl class="fields">
        <div>
          <dt>value</dt>
          <dd>{value === "" ? <span class="dim">not marked</span> : visible(value)}</dd>
        </div>
        {Object.entries(fields).map(([field, one]) => (
          <div key={field}>
            <dt>{visible(field)}</dt>
            <dd>
              {visible(one)}{" "}
              <button
                type="button"
                class="small"
                aria-label={`remove ${field}`}
                onClick={() =>
                  setFields(Object.fromEntries(Object.entries(fields).filter(([key]) => key !== field)))
                }
              >
                remove
              </button>
            </dd>
          </div>
        ))}
      </dl>
      <div class="actions">
        <button
          type="button"
          class="main"
          disabled={busy || value === ""}
          onClick={() => add({ ...body, value, fields, at })}
        >
          Add the example
        </button>
        <button type="button" disabled={busy} onClick={() => add(body)}>
          The line is no record
        </button>
        <button type="button" onClick={cancel}>
          Back
        </button>
      </div>
    </section>
  );
}

/** Words, signs and blanks of a line; together they are the line. */
export function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

interface PreviewProps {
  session: LabelWire;
  choose: (reading: number) => void;
  busy: boolean;
}

/** What the examples give on the whole logs. */
function PreviewOf({ session: { preview }, choose, busy }: PreviewProps) {
  return (
    <section aria-live="polite">
      <h2>What would be extracted</h2>
      {preview.kind === "nothing" ? <p class="dim">No example has a record yet.</p> : null}
      {preview.kind === "contradiction" ? (
        <p class="problem">
          The examples contradict each other: <Text of={preview.message} />
        </p>
      ) : null}
      {preview.kind === "question" ? (
        <>
          <p>One line is undecided. Which reading is right?</p>
          <pre tabIndex={0} class="said">
            {visible(`${preview.at.file}:${preview.at.line}  ${preview.at.text}`)}
          </pre>
          {preview.readings.map((reading, i) => (
            <div key={reading} class="reading">
              <pre tabIndex={0} class="said">
                {visible(reading)}
              </pre>
              <button type="button" disabled={busy} onClick={() => choose(i)}>
                This one
              </button>
            </div>
          ))}
        </>
      ) : null}
      {preview.kind === "records" ? (
        <>
          <p>
            {plural(preview.total, "record")}, {plural(preview.others_total, "line")} left out that resemble
            them.
          </p>
          <Rows
            rows={preview.records.map(({ file, line, value, fields, text }) => ({
              place: `${file}:${line}`,
              what: [value, ...Object.entries(fields).map(([name, field]) => `${name}=${field}`)].join("  "),
              text,
            }))}
          />
          {preview.others.length === 0 ? null : (
            <details>
              <summary>Left out</summary>
              <Rows
                rows={preview.others.map(({ file, line, why, text }) => ({
                  place: `${file}:${line}`,
                  what: why,
                  text,
                }))}
              />
            </details>
          )}
        </>
      ) : null}
    </section>
  );
}

function Rows({ rows }: { rows: readonly { place: string; what: string; text: string }[] }) {
  return (
    <ul class="entries">
      {rows.slice(0, 200).map(({ place, what, text }) => (
        <li key={place}>
          <strong>{visible(what)}</strong> <span class="dim">{visible(place)}</span>
          <pre tabIndex={0} class="said">
            {visible(text)}
          </pre>
        </li>
      ))}
    </ul>
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
          <summary>The page has no check: this is the one it seems to mean</summary>
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
