// Validates names of run directories: only [A-Za-z0-9._-], never a path.
import { AtomsmithError } from "../core/errors.ts";

/** Throws kind `usage` for an id that is not a plain directory name. */
export function checkId(id: string): void {
  if (/^[A-Za-z0-9._-]{1,200}$/.test(id) && id !== "." && id !== "..") return;
  throw new AtomsmithError("usage", `${JSON.stringify(id)} is not a valid id`, {
    hint: "an id has only letters, digits, dot, underscore and dash",
  });
}
