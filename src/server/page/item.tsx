// One item: its tabs, page, atoms and logs.
import type { AtomsWire, ItemWire } from "../wire/items.ts";
import { useGet } from "./api.ts";
import { Code } from "./code.tsx";
import { Attempts, Gates } from "./item-gates.tsx";
import { Records } from "./item-records.tsx";
import { Summary } from "./item-summary.tsx";
import { Label } from "./label.tsx";
import { useReload } from "./live.ts";
import { LogViewer } from "./log-viewer.tsx";
import { Markdown } from "./markdown.tsx";
import { href, type Place } from "./route.ts";
import { Conversation } from "./turns.tsx";
import { Copy, Empty, Loaded, State, Tabs, Text } from "./ui.tsx";

const PARTS = [
  "summary",
  "page",
  "atoms",
  "gates",
  "attempts",
  "conversation",
  "records",
  "logs",
  "label",
] as const;

export function Item({ id, place }: { id: string; place: Place }) {
  const part = place.path[2] ?? "summary";
  const base = `/api/items/${encodeURIComponent(id)}`;
  const item = useGet<ItemWire>(base);
  useReload(item.reload, ({ type, subject }) => type === "items_changed" || subject === id);
  return (
    <>
      <p class="crumbs">
        <a href={href(["items"])}>Items</a>
      </p>
      <Loaded from={item}>
        {(it) => (
          <>
            <h1>
              {id} <State of={it.state} />
            </h1>
            <Tabs
              current={part}
              tabs={PARTS.map((name) => ({
                name,
                title: name[0]?.toUpperCase() + name.slice(1),
                href: href(name === "summary" ? ["items", id] : ["items", id, name]),
              }))}
            />
            {part === "summary" ? <Summary it={it} /> : null}
            {part === "page" ? <Page base={base} id={id} /> : null}
            {part === "atoms" ? <Atoms base={base} id={id} name={place.path[3]} /> : null}
            {part === "gates" ? <Gates it={it} /> : null}
            {part === "attempts" ? <Attempts base={base} id={id} chosen={place.path[3]} /> : null}
            {part === "conversation" ? <Conversation base={base} id={id} turn={place.path[3]} /> : null}
            {part === "records" ? <Records base={base} id={id} chosen={place.path[3]} /> : null}
            {part === "logs" ? <Logs base={base} id={id} place={place} /> : null}
            {part === "label" ? <Label id={id} /> : null}
          </>
        )}
      </Loaded>
    </>
  );
}

function Page({ base, id }: { base: string; id: string }) {
  const page = useGet<{ path: string; text: string }>(`${base}/page`);
  return (
    <Loaded from={page}>
      {({ path, text }) => (
        <>
          <p class="dim">
            <code>
              <Text of={path} />
            </code>{" "}
            <a href={href(["items", id, "label"])}>add examples by marking lines</a>
          </p>
          <Markdown text={text} />
        </>
      )}
    </Loaded>
  );
}

function Atoms({ base, id, name }: { base: string; id: string; name: string | undefined }) {
  const atoms = useGet<AtomsWire>(`${base}/atoms`);
  useReload(atoms.reload, ({ type, subject }) => type === "item_finished" && subject === id);
  return (
    <Loaded from={atoms}>
      {({ sets }) => {
        const set = sets.find((candidate) => candidate.name === (name ?? "output")) ?? sets[0];
        if (set === undefined) {
          return (
            <Empty>
              <p>No atoms yet. Generate the item first.</p>
            </Empty>
          );
        }
        return (
          <>
            {sets.length < 2 ? null : (
              <Tabs
                current={set.name}
                tabs={sets.map((tab) => ({
                  name: tab.name,
                  title: tab.name,
                  href: href(["items", id, "atoms", tab.name]),
                }))}
              />
            )}
            {Object.entries(set.files).map(([file, source]) => (
              <section key={file}>
                <h2>
                  {file} <Copy text={source} />
                </h2>
                {source === "" ? <p class="dim">missing</p> : <Code source={source} file={file} />}
              </section>
            ))}
          </>
        );
      }}
    </Loaded>
  );
}

function Logs({ base, id, place }: { base: string; id: string; place: Place }) {
  const list = useGet<{ logs: string[] }>(`${base}/logs`);
  const records = useGet<{ records: { file: string; line_number: number | null; value: string }[] }>(
    `${base}/records`,
  );
  return (
    <Loaded from={list}>
      {({ logs }) => {
        const file = place.query.get("file") ?? logs[0];
        if (file === undefined) {
          return (
            <Empty>
              <p>No log was read for this item yet.</p>
            </Empty>
          );
        }
        const own = (records.data?.records ?? []).filter(
          (record) => record.file === file && record.line_number !== null,
        );
        const marks = new Map(own.map(({ line_number, value }) => [line_number ?? 0, value]));
        const line = Number(place.query.get("line")) || undefined;
        return (
          <>
            <Tabs
              current={file}
              tabs={logs.map((log) => ({
                name: log,
                title: log,
                href: href(["items", id, "logs"], { file: log }),
              }))}
            />
            <LogViewer key={`${file}:${line}`} base={`${base}/logs`} file={file} line={line} marks={marks} />
          </>
        );
      }}
    </Loaded>
  );
}
