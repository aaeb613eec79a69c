// Entry point of the page: the navigation bar, the view of the address, and the token form if needed.
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { onTokenNeeded, post, useAction } from "./api.ts";
import { restartLive, startLive, useConnected } from "./live.ts";
import { href, usePlace } from "./route.ts";
import { Empty, Problem } from "./ui.tsx";
import { VIEWS } from "./views.ts";

function App() {
  const place = usePlace();
  const connected = useConnected();
  const [locked, setLocked] = useState(false);
  const name = place.path[0] ?? "";
  const view = VIEWS.find((candidate) => candidate.name === name);
  useEffect(() => {
    onTokenNeeded.tell = () => setLocked(true);
  }, []);
  useEffect(() => {
    document.title = [place.path[1], view?.title, "atomsmith"]
      .filter((part) => part !== undefined)
      .join(" – ");
  }, [place.path.join("/")]);
  if (locked) return <Login done={() => setLocked(false)} />;
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to content
      </button>
      <header class="top">
        <a class="name" href={href([])}>
          atomsmith
        </a>
        <nav aria-label="Views">
          {VIEWS.map((entry) => (
            <a key={entry.name} href={href([entry.name])} aria-current={entry === view ? "page" : undefined}>
              {entry.title}
            </a>
          ))}
        </nav>
        <span class="live" role="status">
          {connected ? "" : "connection lost, reconnecting …"}
        </span>
      </header>
      <main id="main" tabIndex={-1}>
        {view === undefined ? (
          <Empty>
            <p>View not found.</p>
            <a href={href([])}>Back to the overview</a>
          </Empty>
        ) : (
          <view.component place={place} />
        )}
      </main>
    </>
  );
}

function Login({ done }: { done: () => void }) {
  const { busy, error, run } = useAction();
  const submit = (event: Event): void => {
    event.preventDefault();
    const token = String(new FormData(event.currentTarget as HTMLFormElement).get("token") ?? "");
    run(async () => {
      await post("/api/session", { token });
      restartLive();
      done();
    });
  };
  return (
    <main id="main" class="login">
      <h1>atomsmith</h1>
      <p>This server requires a token. Ask the person who started it.</p>
      <form onSubmit={submit}>
        <label>
          Token <input name="token" type="password" autocomplete="current-password" required />
        </label>
        <button type="submit" class="main" disabled={busy}>
          Open
        </button>
      </form>
      {error === undefined ? null : <Problem error={error} />}
    </main>
  );
}

startLive();
const root = document.getElementById("app");
if (root !== null) render(<App />, root);
