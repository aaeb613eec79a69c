// Ids of jobs: chosen by the user, or generated, short and sorted by time.
import { AtomsmithError } from "../../../core/errors.ts";
import { randomHex } from "../../../core/random.ts";

const MAX_LENGTH = 26;

/** Throws kind `usage` for an id that cannot name a job. */
export function checkJobId(id: string): string {
  if (/^[A-Za-z0-9._-]+$/.test(id) && id.length <= MAX_LENGTH && !/^\.+$/.test(id)) return id;
  throw new AtomsmithError("usage", `${JSON.stringify(id)} is not a valid job id`, {
    hint: `an id has at most ${MAX_LENGTH} letters, digits, dots, underscores and dashes`,
  });
}

/** A new id: the time in milliseconds, and a random suffix. */
export function newJobId(now = Date.now()): string {
  return `${now.toString(36).padStart(9, "0")}-${randomHex(3)}`;
}
