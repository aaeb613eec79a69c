// Labelling: marking the value and fields of the chosen lines by clicking words.
import { useState } from "preact/hooks";
import { visible } from "../../report/escape.ts";
import { get, useAction } from "./api.ts";
import type { Chosen } from "./label-choose.tsx";

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
export function Mark({ base, chosen, names, busy, cancel, extend, add }: MarkProps) {
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
      <p class="dim">Click the first and the last word of a value.</p>
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
          Mark as value
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
          {names.map((known) => (
            <option key={known} value={known} />
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
          Mark as field
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
        {Object.entries(fields).map(([field, marked]) => (
          <div key={field}>
            <dt>{visible(field)}</dt>
            <dd>
              {visible(marked)}{" "}
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
          Not a record
        </button>
        <button type="button" onClick={cancel}>
          Back
        </button>
      </div>
    </section>
  );
}

/** Words, symbols and whitespace of a line; joined they are the line. */
export function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}
