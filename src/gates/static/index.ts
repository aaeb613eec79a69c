// One static look at an atom, shared by all gates that need its tree.
import { ATOM_FUNCTIONS, type Atom } from "../../contract/atoms.ts";
import type { FindingCode } from "../../contract/finding-codes.ts";
import { carriedVariables } from "./carried.ts";
import { forbiddenIn, type StaticFinding } from "./forbidden.ts";
import { type Literals, literalsOf } from "./literals.ts";
import { analyseScopes } from "./scopes.ts";
import { signatureProblems } from "./signature.ts";
import { sharedStateIn } from "./state.ts";
import { parseAtom } from "./syntax-tree.ts";

export type StaticView =
  | { ok: false; code: FindingCode; message: string; line?: number }
  | {
      ok: true;
      forbidden: StaticFinding[];
      signature: StaticFinding[];
      literals: Literals;
      carried: string[];
    };

/** Views of the last sources: Atoms B and C are often the same from item to item, and a repair changes one part. */
const seen = new Map<string, StaticView>();
const MAX_SEEN = 32;
const MAX_SEEN_CHARS = 64 * 1024;

/** Parses an atom and applies every static rule. Never throws. The view depends on nothing but the arguments; it is
 * shared, so it must not be changed. */
export function inspectAtom(atom: Atom, source: string): StaticView {
  if (source.length > MAX_SEEN_CHARS) return inspect(atom, source);
  const key = `${atom} ${source}`;
  const view = seen.get(key) ?? inspect(atom, source);
  seen.delete(key);
  seen.set(key, view);
  const [oldest] = seen.keys();
  if (seen.size > MAX_SEEN && oldest !== undefined) seen.delete(oldest);
  return view;
}

function inspect(atom: Atom, source: string): StaticView {
  const parsed = parseAtom(source);
  if (!parsed.ok) return parsed;
  const { program } = parsed;
  const scopes = analyseScopes(program);
  const literals = literalsOf(program, scopes);
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
