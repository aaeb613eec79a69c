// The user's name in this browser: stored locally, and sent with every decision to be recorded.
import { useState } from "preact/hooks";

const KEY = "atomsmith.person";

/** The user's name; if empty, the server records the user who started it. */
export function personBody(): { person?: string } {
  const person = stored().trim();
  return person === "" ? {} : { person };
}

export function Person() {
  const [name, setName] = useState(stored);
  return (
    <label class="person">
      Decisions are recorded as{" "}
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
