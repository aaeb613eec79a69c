// The records of a log that the page requires: as the author declared, or without declarations (a manually written folder,
// a set of an older version) any of the valid declarations (docs/contract.md, section 8). The words of the page are not
// interpreted.
import { DECLARED, type Declarations } from "../contract/declarations.ts";
import type { Sample } from "./samples.ts";

export interface Wanted {
  records: (typeof DECLARED.records.values)[number];
  scope: (typeof DECLARED.scope.values)[number];
}

/** The possible requirements, the defaults first; one if both properties are declared. */
export function readingsOf(declarations: Declarations | undefined, samples: readonly Sample[]): Wanted[] {
  const records = declarations?.records?.value;
  const scope = declarations?.scope?.value;
  // Code that returns several records is not limited to one of them.
  const single = samples.every((sample) => sample.records.length <= 1);
  const kinds = DECLARED.records.values.filter((kind) => single || (kind !== "first" && kind !== "last"));
  const scopes = scope === undefined ? DECLARED.scope.values : [scope];
  return scopes.flatMap((possibleScope) =>
    (records === undefined ? kinds : [records]).map((kind) => ({ records: kind, scope: possibleScope })),
  );
}

/** Is only one of several records required? */
export function wantsOne({ records }: Wanted): boolean {
  return records === "first" || records === "last";
}
