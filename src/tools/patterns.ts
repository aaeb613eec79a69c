// Patterns of a discovery: the globs of `input_files`, restricted to the search root and in complexity.
import { MAX_ALTERNATIVES, type ParsedGlob } from "../files/glob.ts";
import type { PathGuard } from "../files/guard.ts";
import { parseBelow } from "../files/select.ts";
import { expandVariables } from "../files/variables.ts";
import { type Refusal, refuse } from "./answer.ts";

/** The glob of a pattern, or the reason why it is invalid. */
export function compilePattern(
  written: string,
  guard: PathGuard,
  variables: ReadonlyMap<string, string>,
): { ok: true; glob: ParsedGlob } | Refusal {
  const expansion = expandVariables(written, variables);
  if (!expansion.ok) {
    const known = [...variables.keys()].map((name) => `\${${name}}`);
    return refuse(
      "bad_pattern",
      `\${${expansion.unknown[0]}} in "${written}" is not known.`,
      `Known: ${known.join(", ") || "none"}.`,
    );
  }
  const glob = parseBelow(expansion.glob, guard.root);
  if (glob.absolute || leadsUp(glob)) {
    return refuse(
      "outside_root",
      `"${written}" leads out of the search root.`,
      "Use patterns relative to it, such as **/*.log.",
    );
  }
  if (glob.cut || (written.match(/\*/g)?.length ?? 0) > 32) {
    return refuse(
      "bad_pattern",
      `"${written.slice(0, 80)}" is too complicated (at most ${MAX_ALTERNATIVES} alternatives and 32 stars).`,
      "Use several simple patterns.",
    );
  }
  return { ok: true, glob };
}

function leadsUp({ alternatives }: ParsedGlob): boolean {
  return alternatives.some((segments) =>
    segments.some((segment) => segment.kind === "name" && segment.name === ".."),
  );
}
