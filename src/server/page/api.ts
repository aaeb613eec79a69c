// Requests to the server, and the state of one that a view waits for.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";

/** An error response of the server. */
export class ApiError extends Error {
  readonly status: number;
  readonly hint: string | undefined;

  constructor(status: number, message: string, hint?: string) {
    super(message);
    this.status = status;
    this.hint = hint;
  }
}

/** Called when the server requires a token. */
export const onTokenNeeded: { tell: () => void } = { tell: () => {} };

async function send<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(0, "The server does not respond.", "Is atomsmith serve still running?");
  }
  const body = await readBody(response);
  if (response.ok) return body as T;
  if (response.status === 401) onTokenNeeded.tell();
  const { detail, title, hint } = (body ?? {}) as { detail?: string; title?: string; hint?: string };
  throw new ApiError(response.status, detail ?? title ?? `The server answered ${response.status}.`, hint);
}

/** The JSON of an answer; undefined for an error without one. Throws when the response is incomplete or aborted: an
 * empty one in its place would clear the view, and the forms that are being filled in. */
async function readBody(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    if (!response.ok) return undefined;
    throw new ApiError(0, "The response of the server was incomplete.", "Try again.");
  }
}

export function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return send<T>(path, signal === undefined ? {} : { signal });
}

export function post<T>(path: string, body: unknown = {}): Promise<T> {
  return send<T>(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

export interface Resource<T> {
  data: T | undefined;
  error: ApiError | undefined;
  reload: () => void;
}

/** The response to a GET; the previous one is kept while it is reloaded. Undefined path: no request.
 * @param version reloads when it changes */
export function useGet<T>(path: string | undefined, version: unknown = 0): Resource<T> {
  const [state, setState] = useState<{ path?: string | undefined; data?: T; error?: ApiError }>({});
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (path === undefined) return undefined;
    const control = new AbortController();
    get<T>(path, control.signal).then(
      (data) => {
        if (!control.signal.aborted) setState({ path, data });
      },
      (error: unknown) => {
        if (control.signal.aborted) return;
        const failed = asApiError(error);
        // Keep the previous data, and with it the forms that are being filled in, while the server is unavailable.
        setState((known) =>
          known.path === path && failed.status !== 404
            ? { ...known, error: failed }
            : { path, error: failed },
        );
      },
    );
    return () => control.abort();
  }, [path, round, version]);
  const current = state.path === path ? state : {};
  const reload = useCallback(() => setRound((n) => n + 1), []);
  return { data: current.data, error: current.error, reload };
}

export function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(0, String(error));
}

/** An action started by a button: whether it is running, and its error. */
export function useAction(): {
  busy: boolean;
  error: ApiError | undefined;
  run: (work: () => Promise<unknown>) => void;
} {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | undefined>();
  const alive = useRef(true);
  useEffect(() => {
    alive.current = true;
    return () => {
      alive.current = false;
    };
  }, []);
  const run = (work: () => Promise<unknown>): void => {
    setBusy(true);
    setError(undefined);
    work()
      .catch((problem: unknown) => alive.current && setError(asApiError(problem)))
      .finally(() => alive.current && setBusy(false));
  };
  return { busy, error, run };
}

/** A path with its query; undefined values are omitted. */
export function withQuery(path: string, query: Record<string, string | number | undefined>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") params.set(name, String(value));
  }
  const text = params.toString();
  return text === "" ? path : `${path}?${text}`;
}
