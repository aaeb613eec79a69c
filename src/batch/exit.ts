// The exit code of a batch: the first that applies of 130, 6, 1, 4, 5, 2, 3, 0 (docs/cli.md).
import { EXIT, type ExitCode } from "../core/errors.ts";

const PRECEDENCE: readonly ExitCode[] = [
  EXIT.interrupted,
  EXIT.sandbox,
  EXIT.bug,
  EXIT.infrastructure,
  EXIT.budget,
  EXIT.usage,
  EXIT.human,
  EXIT.ok,
];

/** Combines the exit codes of the items. */
export function batchExit(codes: Iterable<ExitCode>): ExitCode {
  const seen = new Set(codes);
  return PRECEDENCE.find((code) => seen.has(code)) ?? EXIT.ok;
}
