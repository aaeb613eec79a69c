// The static view of an atom, shared by all gates.
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

/** The most recently used views: many items have the same Atoms B and C, and a repair changes one part. */
const cache = new Map<string, StaticView>();
const MAX_CACHED = 32;
const MAX_CACHED_CHARS = 64 * 1024;

/** Parses an atom and applies all static rules, with a cache. Never throws. The view is shared and must not be changed. */
export function inspectAtom(atom: Atom, source: string): StaticView {
  if (source.length > MAX_CACHED_CHARS) return inspect(atom, source);
  const key = `${atom} ${source}`;
  const view = cache.get(key) ?? inspect(atom, source);
  cache.delete(key);
  cache.set(key, view);
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
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

/** Multi-line patterns that can match a line end, and so join two lines. */
function crossingPatterns(literals: Literals): string[] {
  return literals.patterns
    .filter((p) => p.flags.includes("m") || /^\(\?[a-z]*m/.test(p.source))
    .filter((p) => /\\[sSWD]|\[\^(?![^\]]*\\n)[^\]]*\]/.test(p.source) || p.flags.includes("s"))
    .map((p) => `a line end within /${p.source.slice(0, 40)}/`);
}
