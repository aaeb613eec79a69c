// A virtual list of rows of equal height: only visible rows are in the document, and pages are loaded when they become
// visible.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type ApiError, asApiError, get } from "./api.ts";
import { Problem } from "./ui.tsx";

const PAGE = 100;
/** Rows rendered before and after the visible ones. */
const SPARE = 8;
/** Debounce of requests while scrolling. */
const WAIT_MS = 60;

interface Props<Row> {
  /** Path of a page of rows. */
  path: (offset: number, limit: number) => string;
  /** The rows in an answer. */
  rows: (answer: never) => { rows: Row[]; total: number };
  /** Changes when all pages have to be loaded again. */
  version: unknown;
  rowHeight: number;
  label: string;
  empty: ComponentChildren;
  render: (row: Row) => ComponentChildren;
}

export function PagedList<Row>({ path, rows, version, rowHeight, label, empty, render }: Props<Row>) {
  const box = useRef<HTMLElement>(null);
  const pages = useRef(new Map<number, Row[]>());
  const [total, setTotal] = useState<number | undefined>();
  const [error, setError] = useState<ApiError | undefined>();
  const [top, setTop] = useState(0);
  const [, redraw] = useState(0);
  const first = path(0, PAGE);
  const height = box.current?.clientHeight ?? 600;
  const from = Math.max(0, Math.floor(top / rowHeight) - SPARE);
  const to = Math.min(total ?? PAGE, Math.ceil((top + height) / rowHeight) + SPARE);
  const stale = useRef(new Set<number>());
  const shownPath = useRef(first);

  useEffect(() => {
    if (shownPath.current !== first) {
      shownPath.current = first;
      pages.current.clear();
      setTotal(undefined);
      setTop(0);
      if (box.current !== null) box.current.scrollTop = 0;
    } else for (const page of pages.current.keys()) stale.current.add(page);
    redraw((n) => n + 1);
  }, [first, version]);

  useEffect(() => {
    const control = new AbortController();
    const wanted: number[] = [];
    for (let page = Math.floor(from / PAGE); page <= Math.floor(Math.max(from, to - 1) / PAGE); page += 1) {
      if (!pages.current.has(page) || stale.current.has(page)) wanted.push(page);
    }
    if (wanted.length === 0) return undefined;
    const load = async (): Promise<void> => {
      for (const page of wanted) {
        const answer = rows(await get<never>(path(page * PAGE, PAGE), control.signal));
        pages.current.set(page, answer.rows);
        stale.current.delete(page);
        setTotal(answer.total);
        setError(undefined);
        redraw((n) => n + 1);
      }
    };
    const timer = setTimeout(
      () => load().catch((problem: unknown) => !control.signal.aborted && setError(asApiError(problem))),
      total === undefined ? 0 : WAIT_MS,
    );
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [first, version, Math.floor(from / PAGE), Math.floor(to / PAGE)]);

  if (error !== undefined) return <Problem error={error} />;
  if (total === undefined && pages.current.size === 0) return <p class="loading">Loading …</p>;
  if (total === 0) return <>{empty}</>;
  const shown = [];
  for (let n = from; n < to; n += 1) {
    const row = pages.current.get(Math.floor(n / PAGE))?.[n % PAGE];
    shown.push(
      <li
        key={n}
        style={{ top: `${n * rowHeight}px`, height: `${rowHeight}px` }}
        aria-posinset={n + 1}
        aria-setsize={total ?? -1}
      >
        {row === undefined ? <span class="dim">…</span> : render(row)}
      </li>,
    );
  }
  return (
    <section
      class="rows"
      ref={box}
      tabIndex={0}
      aria-label={label}
      onScroll={(e) => setTop(e.currentTarget.scrollTop)}
    >
      <ul style={{ height: `${(total ?? 0) * rowHeight}px` }}>{shown}</ul>
    </section>
  );
}
