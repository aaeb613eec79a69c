// URLs of databases. A password in a URL never leaves the process: messages show `databaseName`, and printed and stored
// text is masked with `databaseSecrets`.
import { AtomsmithError } from "../../core/errors.ts";

/** Throws kind `usage` for anything but a PostgreSQL URL; the message does not repeat it. */
export function checkDatabaseUrl(text: string): URL {
  let url: URL | undefined;
  try {
    url = new URL(text);
  } catch {
    // Not a URL at all: reported below, without its text, which may contain a password.
  }
  if (url !== undefined && /^postgres(ql)?:$/.test(url.protocol)) return url;
  throw new AtomsmithError("usage", "the URL of the queue is not a PostgreSQL URL", {
    hint: "it has the form postgres://USER@HOST:PORT/DATABASE; the password can be in PGPASSWORD",
  });
}

/** Host, port and database, without user and password. */
export function databaseName(text: string): string {
  const { hostname, port, pathname } = checkDatabaseUrl(text);
  return `${hostname === "" ? "localhost" : hostname}${port === "" ? "" : `:${port}`}${pathname}`;
}

/** The secrets of a URL: the password, as written and decoded, and the part with user and password (a short password alone
 * would mask ordinary words). */
export function databaseSecrets(text: string): string[] {
  // Not with the URL parser, since a text that is not a valid URL can contain a password too.
  const login = /^postgres[a-z]*:\/\/([^/]*?:.*)@[^@]*$/i.exec(text)?.[1] ?? "";
  const parameter = /^postgres.*[?&]password=([^&#]*)/i.exec(text)?.[1] ?? "";
  const passwords = [login.slice(login.indexOf(":") + 1), parameter].filter((value) => value !== "");
  return [
    ...new Set([
      ...(login === "" ? [] : [`${login}@`]),
      ...passwords.flatMap((value) => [value, decoded(value)]),
    ]),
  ];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
