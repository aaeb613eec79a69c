// Who decides at this browser: kept here, sent with every decision, and noted beside it.
import { useState } from "preact/hooks";

const KEY = "atomsmith.person";

/** The name of the person; nothing when none was given: then it is whoever started the server. */
export function personBody(): { person?: string } {
  const person = stored().trim();
  return person === "" ? {} : { person };
}

export function Person() {
  const [name, setName] = useState(stored);
  return (
    <label class="person">
      Decisions are noted as{" "}
      <input
        value={name}
        maxLength={200}
        placeholder="who started the server"
        autocomplete="name"
        onInput={(event) => {
          setName(event.currentTarget.value);
          localStorage.setItem(KEY, event.currentTarget.value);
        }}
      />
    </label>
  );
}

function stored(): string {
  return localStorage.getItem(KEY) ?? "";
}
