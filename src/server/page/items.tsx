// The list of items; an address below it shows one.

import { useState } from "preact/hooks";
import { count } from "../../core/words.ts";
import type { ItemRowWire } from "../wire/items.ts";
import { useGet, withQuery } from "./api.ts";
import { FilterBar, filterOf } from "./filter.tsx";
import { Item } from "./item.tsx";
import { PagedList } from "./list.tsx";
import { useReload } from "./live.ts";
import { href, type Place } from "./route.ts";
import { Empty, State, Time } from "./ui.tsx";

export function Items({ place }: { place: Place }) {
  const id = place.path[1];
  return id === undefined ? <List place={place} /> : <Item key={id} id={id} place={place} />;
}

function List({ place }: { place: Place }) {
  const [version, setVersion] = useState(0);
  const counts = useGet<{ states: Record<string, number> }>("/api/items?limit=1");
  useReload(
    () => {
      counts.reload();
      setVersion((n) => n + 1);
    },
    ({ type }) => type === "items_changed",
  );
  const { chosen: state, q } = filterOf(place, "state");
  return (
    <>
      <h1>Items</h1>
      <FilterBar place={place} label="State" name="state" counts={counts.data?.states ?? {}} />
      <PagedList<ItemRowWire>
        label="items"
        path={(offset, limit) => withQuery("/api/items", { state, q, offset, limit })}
        rows={({ items, total }: { items: ItemRowWire[]; total: number }) => ({ rows: items, total })}
        version={version}
        rowHeight={44}
        empty={
          <Empty>
            <p>{state === "" && q === "" ? "No items found." : "No item matches."}</p>
          </Empty>
        }
        render={({ item_id, state: now, iterations, updated_at }) => (
          <a class="row" href={href(["items", item_id])}>
            <span class="grow">{item_id}</span>
            <State of={now} />
            <span class="dim wide">{iterations === null ? "" : count(iterations, "attempt")}</span>
            <span class="dim wide">{updated_at === null ? "" : <Time at={updated_at} />}</span>
          </a>
        )}
      />
    </>
  );
}
