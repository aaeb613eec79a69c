// Events of the server as they happen: one stream per tab, closed while the tab is hidden, because a browser keeps only
// six connections to a server.
import { useEffect, useRef, useState } from "preact/hooks";

export interface LiveEvent {
  type: string;
  job?: unknown;
  subject?: string | null;
  [member: string]: unknown;
}

type Listener = (event: LiveEvent) => void;

const listeners = new Set<Listener>();
const watchers = new Set<(connected: boolean) => void>();
let source: EventSource | undefined;
let last = "";

function connect(): void {
  if (source !== undefined || document.hidden) return;
  source = new EventSource(last === "" ? "/api/events" : `/api/events?after=${encodeURIComponent(last)}`);
  source.onopen = () => tell(true);
  source.onerror = () => {
    tell(false);
    // A refused stream is not tried again by the browser.
    if (source?.readyState === EventSource.CLOSED) {
      source = undefined;
      setTimeout(connect, 5_000);
    }
  };
  source.onmessage = ({ data, lastEventId }) => {
    last = lastEventId;
    const event = JSON.parse(String(data)) as LiveEvent;
    for (const listener of [...listeners]) listener(event);
  };
}

function tell(connected: boolean): void {
  for (const watcher of [...watchers]) watcher(connected);
}

/** Starts listening; once. */
export function startLive(): void {
  connect();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      source?.close();
      source = undefined;
    } else {
      connect();
      // What was missed comes from the server; views look again in case it no longer has it.
      for (const listener of [...listeners]) listener({ type: "gap" });
    }
  });
}

/** Begins anew, after the token was given. */
export function restartLive(): void {
  source?.close();
  source = undefined;
  connect();
}

/** Calls `listener` for every event. */
export function useLive(listener: Listener): void {
  const current = useRef(listener);
  current.current = listener;
  useEffect(() => {
    const call: Listener = (event) => current.current(event);
    listeners.add(call);
    return () => void listeners.delete(call);
  }, []);
}

/** Calls `reload` soon after events that `matters` names; many are answered once. */
export function useReload(reload: () => void, matters: (event: LiveEvent) => boolean): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useLive((event) => {
    if (event.type !== "gap" && !matters(event)) return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      reload();
    }, 250);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}

export function useConnected(): boolean {
  const [connected, setConnected] = useState(true);
  useEffect(() => {
    watchers.add(setConnected);
    return () => void watchers.delete(setConnected);
  }, []);
  return connected;
}
