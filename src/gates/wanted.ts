// Which records of a log are wanted, where it is not all of them: what the author declared, or, where nothing was
// declared (a folder that somebody wrote by hand, a set of an older program), any of the legitimate declarations. No word
// of page, comment or name is read. Contract, section 8.
import { DECLARED, type Declarations } from "../contract/declarations.ts";
import type { Sample } from "./samples.ts";

export interface Wanted {
  records: (typeof DECLARED.records.values)[number];
  scope: (typeof DECLARED.scope.values)[number];
}

/** What the page may ask of Atom A, the meaning of a silent page first. One reading where both are declared. */
export function readingsOf(declarations: Declarations | undefined, samples: readonly Sample[]): Wanted[] {
  const records = declarations?.records?.value;
  const scope = declarations?.scope?.value;
  // Code that returns several records is not limited to one of them.
  const single = samples.every((sample) => sample.records.length <= 1);
  const kinds = DECLARED.records.values.filter((kind) => single || (kind !== "first" && kind !== "last"));
  const scopes = scope === undefined ? DECLARED.scope.values : [scope];
  return scopes.flatMap((one) =>
    (records === undefined ? kinds : [records]).map((kind) => ({ records: kind, scope: one })),
  );
}

/** Is one of several records wanted? */
export function wantsOne({ records }: Wanted): boolean {
  return records === "first" || records === "last";
}
