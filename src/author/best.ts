// Which of two attempts is better. Used to keep the best attempt of an item (a worse one never replaces it) and
// to choose among candidates.
import type { AtomPart } from "../contract/atoms.ts";
import type { GateReport } from "../contract/gates.ts";

/** Negative when `a` is worse than `b`, positive when it is better, 0 when they are equally good. In this order:
 * no errors; more gates passed (a gate that could not run has not passed, so code that does not even parse is
 * never better than code that fails some gate); fewer errors; more observed logs that gave a record.
 * With `part`, only errors about that part count (a candidate of Atom A is judged while the rest is missing). */
export function compareAttempts(a: GateReport, b: GateReport, part?: AtomPart): number {
  const x = rank(a, part);
  const y = rank(b, part);
  for (let i = 0; i < x.length; i += 1) {
    const difference = (x[i] ?? 0) - (y[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Bigger is better, member by member. */
function rank(report: GateReport, part: AtomPart | undefined): number[] {
  const errors = part === undefined ? report.errors : report.errors.filter((error) => error.atom === part);
  const passed = Object.values(report.gates).filter((state) => state === true).length;
  const covered = Object.values(report.facts.records_by_file).filter((records) => records > 0).length;
  return [errors.length === 0 ? 1 : 0, passed, -errors.length, covered];
}
