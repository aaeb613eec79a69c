// The name of the person who uses this browser: stored here, sent with every decision, and recorded with it.
import { useState } from "preact/hooks";

const KEY = "atomsmith.person";

/** The name of the person; empty when not set: the server uses the user who started it. */
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
