// The reference for Atom B: contract section 2, the four branches in hard precedence. Once as a function of the
// host, on the same `re` and `fnmatch` that the sandbox gives to atoms, and once as an atom, so that
// untrusted patterns, which may backtrack for ever, run under the wall clock of the sandbox.
import { fnmatchcase } from "../../sandbox/guest/fnmatch.ts";
import { compile } from "../../sandbox/guest/re.ts";
import type { AtomSession, Sandbox } from "../../sandbox/types.ts";
import type { MatchResult } from "../contract/atoms.ts";

/** What a right Atom B answers. Only for patterns that are known to be harmless; see REFERENCE_ATOM_B.
 * `reason` is for reading, except that it starts with `Invalid Regex:` exactly when the regex does not compile. */
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

/** The same as an atom. A test holds both against each other. */
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

/** The reference in a sandbox: one session for as long as the sandbox lasts. It is our own code and keeps nothing. */
export function referenceSession(sandbox: Sandbox): Promise<AtomSession> {
  const session =
    sessions.get(sandbox) ?? sandbox.open({ name: "reference matcher", source: REFERENCE_ATOM_B });
  sessions.set(sandbox, session);
  return session;
}

/** A right Atom C. */
export const REFERENCE_ATOM_C = `function check_existence(items) {
  const list = items ?? [];
  const found = list.length > 0;
  return { is_match: found, reason: found ? list.length + " items" : "no items", evidence: list };
}
`;
