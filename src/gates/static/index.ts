// One static look at an atom, shared by all gates that need its tree.
import { ATOM_FUNCTIONS, type Atom } from "../../contract/atoms.ts";
import { carriedVariables } from "./carried.ts";
import { forbiddenIn, type StaticFinding } from "./forbidden.ts";
import { type Literals, literalsOf } from "./literals.ts";
import { analyseScopes } from "./scopes.ts";
import { signatureProblems } from "./signature.ts";
import { sharedStateIn } from "./state.ts";
import { parseAtom } from "./syntax-tree.ts";

export type StaticView =
  | { ok: false; code: string; message: string; line?: number }
  | {
      ok: true;
      forbidden: StaticFinding[];
      signature: StaticFinding[];
      literals: Literals;
      carried: string[];
    };

/** Parses an atom and applies every static rule. Never throws. */
export function inspectAtom(atom: Atom, source: string): StaticView {
  const parsed = parseAtom(source);
  if (!parsed.ok) return parsed;
  const { program } = parsed;
  const scopes = analyseScopes(program);
  const literals = literalsOf(program, source, scopes);
  return {
    ok: true,
    forbidden: [...forbiddenIn(program, scopes), ...sharedStateIn(program, scopes, ATOM_FUNCTIONS[atom])],
    signature: signatureProblems(atom, program, scopes),
    literals,
    carried: [...carriedVariables(program, scopes), ...crossingPatterns(literals)],
  };
}

/** Multi-line patterns with a part that also matches a line end: they may join a line to the next one. */
function crossingPatterns(literals: Literals): string[] {
  return literals.patterns
    .filter((p) => p.flags.includes("m") || /^\(\?[a-z]*m/.test(p.source))
    .filter((p) => /\\[sSWD]|\[\^(?![^\]]*\\n)[^\]]*\]/.test(p.source) || p.flags.includes("s"))
    .map((p) => `a line end within /${p.source.slice(0, 40)}/`);
}
