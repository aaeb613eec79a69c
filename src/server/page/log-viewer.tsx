// A log of any size: lines are loaded in pieces, and only visible ones are in the document. Browsers limit the height
// of an element to about 30 million pixels, so in a longer log the scroll bar covers a part of it, and the wheel and
// the keys move by lines.
import { useEffect, useRef, useState } from "preact/hooks";
import type { z } from "zod";
import { visible } from "../../report/escape.ts";
import type { logLinesSchema, logSearchSchema } from "../wire/logs.ts";
import { type ApiError, asApiError, get, useAction, withQuery } from "./api.ts";
import { bytes, Problem } from "./ui.tsx";

type Lines = Pick<z.infer<typeof logLinesSchema>, "start_line" | "lines" | "total_lines"> &
  Partial<z.infer<typeof logLinesSchema>>;
type Search = z.infer<typeof logSearchSchema>;

const LINE = 18;
const PIECE = 200;
const MAX_PIXELS = 6_000_000;
const MAX_PIECES = 60;
const WAIT_MS = 70;

interface Props {
  /** `/api/items/X/logs`: lines, count and search are below it. */
  base: string;
  file: string;
  /** Line to show first and to mark. */
  line?: number | undefined;
  /** Marks by line number. */
  marks?: ReadonlyMap<number, string>;
  /** For sessions that hold whole logs: without line count and search. */
  plain?: boolean;
  onLine?: (line: number, text: string) => void;
}

export function LogViewer({ base, file, line, marks, plain = false, onLine }: Props) {
  const box = useRef<HTMLElement>(null);
  const pieces = useRef(new Map<number, string[]>());
  const [total, setTotal] = useState<number | undefined>();
  const [facts, setFacts] = useState("");
  const [error, setError] = useState<ApiError | undefined>();
  const [first, setFirst] = useState(Math.max(1, (line ?? 1) - 5));
  const [chosen, setChosen] = useState(line);
  const [, redraw] = useState(0);
  const rows = Math.max(4, Math.floor((box.current?.clientHeight ?? 500) / LINE));

  const length = total ?? first + 10_000;
  const height = Math.min(length * LINE, MAX_PIXELS);
  const scaled = length * LINE > MAX_PIXELS;
  const offsetOf = (n: number): number =>
    scaled ? ((n - 1) / Math.max(1, length - rows)) * (height - rows * LINE) : (n - 1) * LINE;
  const lineAt = (offset: number): number =>
    scaled
      ? Math.round((offset / Math.max(1, height - rows * LINE)) * (length - rows)) + 1
      : Math.floor(offset / LINE) + 1;
  const clamp = (n: number): number => Math.max(1, Math.min(n, Math.max(1, length - rows + 1)));

  const moved = useRef(false);
  const show = (n: number): void => {
    const at = clamp(n);
    setFirst(at);
    moved.current = true;
    if (box.current !== null) box.current.scrollTop = offsetOf(at);
  };

  useEffect(() => {
    pieces.current.clear();
    setTotal(undefined);
    setError(undefined);
    const start = Math.max(1, (line ?? 1) - 5);
    setFirst(start);
    setChosen(line);
    const control = new AbortController();
    if (!plain) {
      get<{ total_lines: number | null }>(withQuery(`${base}/count`, { file }), control.signal)
        .then(({ total_lines }) => setTotal(total_lines ?? undefined))
        .catch(() => undefined);
    }
    return () => control.abort();
  }, [base, file, line]);

  useEffect(() => {
    if (box.current !== null) {
      moved.current = true;
      box.current.scrollTop = offsetOf(clamp(first));
    }
  }, [total]);

  const from = Math.floor((first - 1) / PIECE);
  const to = Math.floor((first + rows - 1) / PIECE);
  useEffect(() => {
    const control = new AbortController();
    const wanted = [from, to].filter((n, i, all) => all.indexOf(n) === i && !pieces.current.has(n));
    if (wanted.length === 0) return undefined;
    const load = async (): Promise<void> => {
      for (const piece of wanted) {
        const path = withQuery(`${base}/lines`, { file, from: piece * PIECE + 1, count: PIECE });
        const read = await get<Lines>(path, control.signal);
        pieces.current.set(piece, read.lines);
        if (pieces.current.size > MAX_PIECES) {
          const [oldest] = pieces.current.keys();
          if (oldest !== undefined) pieces.current.delete(oldest);
        }
        if (read.total_lines !== null) setTotal(read.total_lines);
        if (read.size !== undefined) {
          const packed = read.compression === "plain" ? "" : `, ${read.compression}`;
          setFacts(`${bytes(read.size)}${packed}, ${read.encoding}`);
        }
        setError(undefined);
        redraw((n) => n + 1);
      }
    };
    const timer = setTimeout(
      () => load().catch((problem: unknown) => !control.signal.aborted && setError(asApiError(problem))),
      pieces.current.size === 0 ? 0 : WAIT_MS,
    );
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [base, file, from, to]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = {
      ArrowDown: first + 1,
      ArrowUp: first - 1,
      PageDown: first + rows - 1,
      PageUp: first - rows + 1,
      Home: 1,
      End: length,
    };
    const target = steps[event.key];
    if (target === undefined || event.ctrlKey || event.metaKey || event.target !== box.current) return;
    event.preventDefault();
    show(target);
  };
  const onWheel = (event: WheelEvent): void => {
    if (!scaled || event.deltaY === 0) return;
    event.preventDefault();
    show(first + Math.sign(event.deltaY) * Math.max(1, Math.round(Math.abs(event.deltaY) / LINE)));
  };

  if (error !== undefined) return <Problem error={error} />;
  const shown = [];
  for (let n = first; n < Math.min(first + rows + 1, length + 1); n += 1) {
    const text = pieces.current.get(Math.floor((n - 1) / PIECE))?.[(n - 1) % PIECE];
    if (text === undefined && total === undefined && n > first + 1) continue;
    const mark = marks?.get(n);
    const style = { top: `${offsetOf(first) + (n - first) * LINE}px` };
    const kind = `line${n === chosen ? " chosen" : ""}${mark === undefined ? "" : " marked"}`;
    shown.push(
      <div key={n} class={kind} style={style} title={mark === undefined ? undefined : visible(mark)}>
        {onLine === undefined ? (
          <span class="number">{n}</span>
        ) : (
          <button
            type="button"
            class="number"
            aria-label={`choose line ${n}`}
            onClick={() => text !== undefined && onLine(n, text)}
          >
            {n}
          </button>
        )}
        <span class="text">{text === undefined ? "…" : visible(text)}</span>
      </div>,
    );
  }
  return (
    <section class="log" aria-label={`log ${file}`}>
      <LogBar
        base={base}
        file={file}
        plain={plain}
        facts={[total === undefined ? "" : `${total.toLocaleString()} lines`, facts]
          .filter((x) => x !== "")
          .join(", ")}
        show={(n) => {
          setChosen(n);
          show(n - 5);
        }}
      />
      <section
        class="lines"
        ref={box}
        tabIndex={0}
        aria-label="lines"
        onKeyDown={onKeyDown}
        onWheel={onWheel}
        onScroll={(event) => {
          if (moved.current) moved.current = false;
          else setFirst(clamp(lineAt(event.currentTarget.scrollTop)));
        }}
      >
        <div class="space" style={{ height: `${height}px` }}>
          {shown}
        </div>
      </section>
    </section>
  );
}

interface BarProps {
  base: string;
  file: string;
  plain: boolean;
  facts: string;
  show: (line: number) => void;
}

/** Name and size, search, jump. */
function LogBar({ base, file, plain, facts, show }: BarProps) {
  const [found, setFound] = useState<Search | undefined>();
  const { busy, error, run } = useAction();
  const search = (event: Event): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const text = String(data.get("text") ?? "");
    const regex = data.get("regex") === null ? undefined : "true";
    if (text === "") setFound(undefined);
    else run(async () => setFound(await get<Search>(withQuery(`${base}/search`, { file, text, regex }))));
  };
  const jump = (event: Event): void => {
    event.preventDefault();
    const n = Number(new FormData(event.currentTarget as HTMLFormElement).get("line"));
    if (Number.isInteger(n) && n > 0) show(n);
  };
  return (
    <header class="bar">
      <p>
        <strong class="path">{visible(file)}</strong> <span class="dim">{facts}</span>
      </p>
      <form onSubmit={jump}>
        <label>
          Line <input name="line" inputMode="numeric" size={7} />
        </label>
        <button type="submit">Go</button>
      </form>
      {plain ? null : (
        <form onSubmit={search}>
          <label>
            Search <input name="text" type="search" maxLength={1000} />
          </label>
          <label>
            <input name="regex" type="checkbox" /> expression
          </label>
          <button type="submit" disabled={busy}>
            {busy ? "Searching …" : "Find"}
          </button>
        </form>
      )}
      {error === undefined ? null : <Problem error={error} />}
      {found === undefined ? null : <Hits found={found} show={show} />}
    </header>
  );
}

function Hits({ found, show }: { found: Search; show: (line: number) => void }) {
  if (found.hits.length === 0) {
    return (
      <p class="dim" role="status">
        {found.complete ? "Not in this log." : `Not found in the searched part (stopped: ${found.stopped}).`}
      </p>
    );
  }
  return (
    <ol class="hits" aria-label="matches">
      {found.hits.map(({ line, text }) => (
        <li key={line}>
          <button type="button" onClick={() => show(line)}>
            <span class="number">{line}</span> {visible(text ?? "")}
          </button>
        </li>
      ))}
      {found.complete ? null : <li class="dim">There may be more after line {found.hits.at(-1)?.line}.</li>}
    </ol>
  );
}
