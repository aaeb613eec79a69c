// The part of a file that a rule over several lines reads: lines outside it are blank, so that all others keep their numbers.

import type { Scope } from "./ir.ts";

/** The lines, blank outside the scope. */
export function partOf(lines: readonly string[], scope: Scope | undefined): readonly string[] {
  if (scope === undefined) return lines;
  const open = new RegExp(scope.open);
  const close = new RegExp(scope.close);
  let inside = scope.begins === true;
  return lines.map((line) => {
    if (open.test(line)) {
      inside = true;
      return "";
    }
    if (close.test(line)) inside = false;
    return inside ? line : "";
  });
}

/** The same as code of the atom. */
export const PART_OF = `// Lines outside the wanted part of the file are blank.
function partOf(lines, open, close, begins) {
  let inside = begins;
  return lines.map((line) => {
    if (open.test(line)) {
      inside = true;
      return "";
    }
    if (close.test(line)) inside = false;
    return inside ? line : "";
  });
}`;
