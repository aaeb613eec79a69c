// Small parts that all views share: states, errors, tabs, times, costs.
import type { ComponentChildren } from "preact";
import { visible } from "../../report/escape.ts";
import type { ApiError, Resource } from "./api.ts";

/** Text of a log, a page, a model or a file name: control and bidirectional characters are made visible. */
export function Text({ of }: { of: string | null | undefined }) {
  return <>{visible(of ?? "")}</>;
}

const WORDS: Record<string, string> = {
  human_required: "needs review",
  new: "not run yet",
  reading: "loading",
  modified: "edited",
  outdated: "page changed",
  WAITING_PATCH_APPROVAL: "patch to review",
  WAITING_RUN_APPROVAL: "run to approve",
  IDLE: "idle",
  PROCESSING: "waiting for the model",
  RUNNING: "running",
  ERROR: "error",
  proposed: "pending",
  created: "not started",
  processing: "running",
  waiting: "needs an answer",
  newly_failing: "newly failing",
  newly_passing: "newly passing",
};

const TONES: Record<string, string> = {
  accepted: "good",
  approved: "good",
  completed: "good",
  ok: "good",
  PASS: "good",
  FAIL: "bad",
  ERROR: "bad",
  timeout: "bad",
  outdated: "warn",
  WAITING_PATCH_APPROVAL: "warn",
  WAITING_RUN_APPROVAL: "warn",
  proposed: "warn",
  waiting: "warn",
  PROCESSING: "busy",
  RUNNING: "busy",
  processing: "busy",
  pass: "good",
  finished: "good",
  newly_passing: "good",
  human_required: "warn",
  modified: "warn",
  unfinished: "warn",
  interrupted: "warn",
  newly_failing: "bad",
  fail: "bad",
  failed: "bad",
  error: "bad",
  unreadable: "bad",
  running: "busy",
  queued: "busy",
  done: "good",
  dead: "bad",
};

export function State({ of }: { of: string }) {
  return <span class={`state ${TONES[of] ?? "plain"}`}>{WORDS[of] ?? of.replaceAll("_", " ")}</span>;
}

export function Problem({ error, retry }: { error: ApiError; retry?: () => void }) {
  return (
    <div class="problem" role="alert">
      <p>
        <Text of={error.message} />
      </p>
      {error.hint === undefined ? null : (
        <p class="dim">
          <Text of={error.hint} />
        </p>
      )}
      {retry === undefined ? null : (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Shows loading, an error, or the data; error and data when a reload failed. */
export function Loaded<T>({
  from,
  children,
}: {
  from: Resource<T>;
  children: (data: T) => ComponentChildren;
}) {
  const problem = from.error === undefined ? null : <Problem error={from.error} retry={from.reload} />;
  if (from.data === undefined) return problem ?? <p class="loading">Loading …</p>;
  return (
    <>
      {problem}
      {children(from.data)}
    </>
  );
}

/** An empty state, with a hint. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="empty">{children}</div>;
}

export function Tabs({
  tabs,
  current,
}: {
  tabs: readonly { name: string; title: string; href: string }[];
  current: string;
}) {
  return (
    <nav class="tabs" aria-label="Parts">
      {tabs.map(({ name, title, href }) => (
        <a key={name} href={href} aria-current={name === current ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}

export function Time({ at }: { at: string | null | undefined }) {
  if (at === null || at === undefined) return <span class="dim">–</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={date.toString()}>
      {date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })}
    </time>
  );
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  return minutes < 60
    ? `${minutes} min ${Math.round((ms % 60_000) / 1000)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function cost(usd: number | null): string {
  return usd === null ? "price unknown" : `${usd.toFixed(usd < 1 ? 4 : 2)} USD`;
}

export function plural(n: number, noun: string, nouns = `${noun}s`): string {
  return `${n.toLocaleString()} ${n === 1 ? noun : nouns}`;
}

export function bytes(n: number): string {
  const units = ["bytes", "KB", "MB", "GB", "TB"];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, n)) / 3));
  return step === 0 ? `${n} bytes` : `${(n / 1000 ** step).toFixed(1)} ${units[step]}`;
}

/** Copies a text and confirms it for a moment. */
export function Copy({ text, label = "Copy" }: { text: string; label?: string }) {
  return (
    <button
      type="button"
      class="small"
      onClick={(event) => {
        const button = event.currentTarget;
        void navigator.clipboard?.writeText(text).then(() => {
          button.textContent = "Copied";
          setTimeout(() => {
            button.textContent = label;
          }, 1500);
        });
      }}
    >
      {label}
    </button>
  );
}
