// The start page of a view: a live list, or a hint when it is empty, and below it the form that adds to the list.
import type { ComponentChildren, JSX } from "preact";
import { useGet } from "./api.ts";
import { type LiveEvent, useReload } from "./live.ts";
import { Empty, Loaded } from "./ui.tsx";

interface Props<Answer, Row> {
  title: string;
  path: string;
  /** Events after which the list is read again. */
  matters: (event: LiveEvent) => boolean;
  rows: (answer: Answer) => readonly Row[];
  /** One element of the list with its key. */
  row: (row: Row) => JSX.Element;
  empty: (answer: Answer) => ComponentChildren;
  start: (answer: Answer) => ComponentChildren;
}

export function OverviewList<Answer, Row>(props: Props<Answer, Row>) {
  const { title, path, matters, rows, row, empty, start } = props;
  const list = useGet<Answer>(path);
  useReload(list.reload, matters);
  return (
    <>
      <h1>{title}</h1>
      <Loaded from={list}>
        {(answer) => (
          <>
            {rows(answer).length === 0 ? (
              <Empty>
                <p>{empty(answer)}</p>
              </Empty>
            ) : (
              <ul class="plain">{rows(answer).map(row)}</ul>
            )}
            {start(answer)}
          </>
        )}
      </Loaded>
    </>
  );
}
