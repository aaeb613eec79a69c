// Comparison of attempts: the best attempt of an item is kept, and the best of several candidates is chosen.
import type { AtomPart } from "../contract/atoms.ts";
import type { GateReport } from "../contract/gates.ts";

/** Compares two attempts: negative if `a` is worse than `b`, positive if it is better. The criteria, in this order: no
 * errors; more gates passed (a gate that could not run has not passed, so code that does not parse is never better than
 * code that fails a gate); fewer errors; more logs with records.
 * @param part count only errors about this part; a candidate of Atom A is judged without the other parts */
export function compareAttempts(a: GateReport, b: GateReport, part?: AtomPart): number {
  const x = rank(a, part);
  const y = rank(b, part);
  for (let i = 0; i < x.length; i += 1) {
    const difference = (x[i] ?? 0) - (y[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Ranks are compared member by member; higher is better. */
function rank(report: GateReport, part: AtomPart | undefined): number[] {
  const errors = part === undefined ? report.errors : report.errors.filter((error) => error.atom === part);
  const passed = Object.values(report.gates).filter((state) => state === true).length;
  const covered = Object.values(report.facts.records_by_file).filter((records) => records > 0).length;
  return [errors.length === 0 ? 1 : 0, passed, -errors.length, covered];
}
