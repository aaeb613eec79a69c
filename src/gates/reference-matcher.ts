// The reference for Atom B: four branches in strict precedence (docs/contract.md, section 2). It exists as a function of
// the host, with the `re` and `fnmatch` of the sandbox, and as an atom, so that untrusted patterns, which may backtrack
// endlessly, run within the time limit of the sandbox.
import { fnmatchcase } from "../../sandbox/guest/fnmatch.ts";
import { compile } from "../../sandbox/guest/re.ts";
import type { AtomSession, Sandbox } from "../../sandbox/types.ts";
import type { MatchResult } from "../contract/atoms.ts";

/** The answer of a correct Atom B. Only for trusted patterns; see REFERENCE_ATOM_B. The text of `reason` is arbitrary,
 * except that it starts with `Invalid Regex:` if and only if the regex does not compile. */
export function referenceMatch(
  text: string,
  pattern: string,
  defaultMatch: string,
  regexMode: string,
): MatchResult {
  if (pattern.includes("|")) {
    const segments = pattern
      .split("|")
      .map((segment) => segment.trim())
      .filter((segment) => segment !== "");
    const hit = segments.find((segment) => text.includes(segment));
    const reason = hit === undefined ? "no alternative is contained" : `contains ${JSON.stringify(hit)}`;
    return { is_match: hit !== undefined, reason, kind: "alternatives" };
  }
  if (pattern.startsWith("regex:")) return regexMatch(text, pattern.slice("regex:".length), regexMode);
  if (pattern.includes("*") || pattern.includes("?")) {
    const isMatch = fnmatchcase(text, pattern);
    return { is_match: isMatch, reason: isMatch ? "wildcard matches" : "wildcard differs", kind: "wildcard" };
  }
  const exact = defaultMatch === "exact";
  const isMatch = exact ? text === pattern : text.includes(pattern);
  const reason = isMatch ? "text matches" : "text differs";
  return { is_match: isMatch, reason, kind: exact ? "exact" : "contains" };
}

function regexMatch(text: string, source: string, regexMode: string): MatchResult {
  try {
    const compiled = compile(source);
    const found = regexMode === "match" ? compiled.match(text) : compiled.search(text);
    return {
      is_match: found !== null,
      reason: found ? "regex matches" : "regex does not match",
      kind: "regex",
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { is_match: false, reason: `Invalid Regex: ${message}`, kind: "regex" };
  }
}

/** The reference as an atom. A test compares both. */
export const REFERENCE_ATOM_B = `function validate_logic(text, pattern, parsed_fields = null, default_match = "contains", regex_mode = "search") {
  if (pattern.includes("|")) {
    const hit = pattern.split("|").map((s) => s.trim()).filter((s) => s !== "").some((s) => text.includes(s));
    return { is_match: hit, reason: hit ? "an alternative is contained" : "no alternative is contained", kind: "alternatives" };
  }
  if (pattern.startsWith("regex:")) {
    try {
      const source = pattern.slice(6);
      const found = regex_mode === "match" ? re.match(source, text) : re.search(source, text);
      return { is_match: found !== null, reason: found ? "regex matches" : "regex does not match", kind: "regex" };
    } catch (error) {
      return { is_match: false, reason: "Invalid Regex: " + error.message, kind: "regex" };
    }
  }
  if (pattern.includes("*") || pattern.includes("?")) {
    const hit = fnmatch.fnmatchcase(text, pattern);
    return { is_match: hit, reason: hit ? "wildcard matches" : "wildcard differs", kind: "wildcard" };
  }
  const exact = default_match === "exact";
  const hit = exact ? text === pattern : text.includes(pattern);
  return { is_match: hit, reason: hit ? "text matches" : "text differs", kind: exact ? "exact" : "contains" };
}
`;

const sessions = new WeakMap<Sandbox, Promise<AtomSession>>();

/** The session of the reference in a sandbox, opened once. It is trusted and has no state. */
export function referenceSession(sandbox: Sandbox): Promise<AtomSession> {
  const session =
    sessions.get(sandbox) ?? sandbox.open({ name: "reference matcher", source: REFERENCE_ATOM_B });
  sessions.set(sandbox, session);
  return session;
}

/** A correct Atom C. */
export const REFERENCE_ATOM_C = `function check_existence(items) {
  const list = items ?? [];
  const found = list.length > 0;
  return { is_match: found, reason: found ? list.length + " items" : "no items", evidence: list };
}
`;
