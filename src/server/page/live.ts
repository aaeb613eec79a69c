// Live events of the server: one stream per tab, closed while the tab is hidden, because browsers limit connections to a
// server to six.
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
    // The browser does not retry a refused stream.
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

/** Connects; call once. */
export function startLive(): void {
  connect();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      source?.close();
      source = undefined;
    } else {
      connect();
      // The server sends missed events; views reload in case it no longer has them.
      for (const listener of [...listeners]) listener({ type: "gap" });
    }
  });
}

/** Reconnects, after the token was entered. */
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

/** Calls `reload` soon after events that match `matters`, once for several of them. */
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
