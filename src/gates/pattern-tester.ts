// Matches the patterns of an atom with a line before and after a change, in the sandbox, since they are untrusted.
import type { AtomSession, Sandbox } from "../../sandbox/types.ts";
import type { Literals } from "./static/literals.ts";

/** A session for `stillMatches`; the caller closes it. */
export function openPatternTester(sandbox: Sandbox): Promise<AtomSession> {
  return sandbox.open({ name: "patterns of atom_a.js", source: PATTERN_TESTER });
}

/** Does a pattern of the code match the line before and after a change? Then the format did not decide. */
export async function stillMatches(
  session: AtomSession,
  literals: Literals,
  before: string,
  after: string,
): Promise<boolean> {
  const patterns = literals.patterns
    .filter((p) => /[(\\.[]/.test(p.source))
    .slice(0, 60)
    .map((p) => [p.source, p.flags, p.fromText]);
  const outcome = await session.call("matching", [patterns, before, after], { limits: { timeoutMs: 3_000 } });
  return outcome.ok && outcome.value === true;
}

/** Runs in the sandbox, because the patterns are untrusted. */
const PATTERN_TESTER = `function matching(patterns, before, after) {
  const groups = (source, flags, fromText, line) => {
    try {
      if (fromText) { const m = re.search(source, line, flags === "" ? undefined : flags); return m === null ? null : m.groups(); }
    } catch {}
    try {
      const m = new RegExp(source, flags.replace(/[gy]/g, "")).exec(line);
      return m === null ? null : m.slice(1);
    } catch { return null; }
  };
  return patterns.some(([source, flags, fromText]) => {
    const a = groups(source, flags, fromText, before);
    const b = groups(source, flags, fromText, after);
    // A pattern without groups, or whose groups do not contain the change, is not evidence about the format.
    return a !== null && b !== null && a.length > 0 && a.some((text, i) => text !== b[i]);
  });
}
`;
