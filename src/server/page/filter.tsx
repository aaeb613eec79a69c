// The filter bar above a long list: state and part of the id, both stored in the address.
import { type Place, replaceQuery } from "./route.ts";

interface Props {
  place: Place;
  /** Name of the choice, and its member in the address. */
  label: string;
  name: string;
  /** Choices with their counts. */
  counts: Readonly<Record<string, number>>;
}

/** The filter of the address. */
export function filterOf(place: Place, name: string): { chosen: string; q: string } {
  return { chosen: place.query.get(name) ?? "", q: place.query.get("q") ?? "" };
}

export function FilterBar({ place, label, name, counts }: Props) {
  const { chosen, q } = filterOf(place, name);
  // A chosen state without items must remain selectable.
  const choices = chosen === "" || chosen in counts ? counts : { ...counts, [chosen]: 0 };
  return (
    <form class="bar" onSubmit={(event) => event.preventDefault()}>
      <label>
        {label}{" "}
        <select value={chosen} onChange={(e) => replaceQuery(place, { [name]: e.currentTarget.value })}>
          <option value="">all</option>
          {Object.entries(choices).map(([choice, n]) => (
            <option key={choice} value={choice}>
              {choice.replaceAll("_", " ")} ({n})
            </option>
          ))}
        </select>
      </label>
      <label>
        Id contains{" "}
        <input
          type="search"
          value={q}
          maxLength={200}
          onInput={(e) => replaceQuery(place, { q: e.currentTarget.value })}
        />
      </label>
    </form>
  );
}
