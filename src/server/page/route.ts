// The address of a view is the URL fragment, so that it can be shared: /items/STA-03/records?n=2.
import { useEffect, useState } from "preact/hooks";
import { withQuery } from "./api.ts";

export interface Place {
  /** Parts of the path, decoded. */
  path: readonly string[];
  query: URLSearchParams;
}

export function readPlace(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?", 2);
  const parts = path.split("/").filter((part) => part !== "");
  return { path: parts.map(decode), query: new URLSearchParams(query) };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a view. */
export function href(
  parts: readonly string[],
  query: Record<string, string | number | undefined> = {},
): string {
  return withQuery(`#/${parts.map(encodeURIComponent).join("/")}`, query);
}

export function go(address: string): void {
  location.hash = address;
}

/** The same view with another query; no new entry in the history. */
export function replaceQuery(place: Place, query: Record<string, string | number | undefined>): void {
  const now = Object.fromEntries(place.query);
  history.replaceState(null, "", href(place.path, { ...now, ...query }));
  dispatchEvent(new HashChangeEvent("hashchange"));
}

export function usePlace(): Place {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const change = (): void => setHash(location.hash);
    addEventListener("hashchange", change);
    return () => removeEventListener("hashchange", change);
  }, []);
  return readPlace(hash);
}
