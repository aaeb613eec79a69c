// Ids of jobs: given by a person, or short and sorted by time.
import { AtomsmithError } from "../../../core/errors.ts";
import { randomHex } from "../../../core/random.ts";

const MAX_LENGTH = 26;

/** Throws kind `usage` for an id that cannot name a job. */
export function checkJobId(id: string): string {
  if (/^[A-Za-z0-9._-]+$/.test(id) && id.length <= MAX_LENGTH && !/^\.+$/.test(id)) return id;
  throw new AtomsmithError("usage", `${JSON.stringify(id)} cannot be the id of a job`, {
    hint: `an id has at most ${MAX_LENGTH} letters, digits, dots, underscores and dashes`,
  });
}

/** A new id: the time to the millisecond, and something random. */
export function newJobId(now = Date.now()): string {
  return `${now.toString(36).padStart(9, "0")}-${randomHex(3)}`;
}
