// The standard Atoms B and C, which are the same for all items (docs/contract.md, sections 2 and 8). Their text is part of
// atom sets: a changed character, also in a comment, changes new sets.

export const ATOM_B = `// Does a text satisfy a pattern? Precedence: alternatives, regex, wildcard, contains or exact.
function validate_logic(text, pattern, parsed_fields = null,
                        default_match = "contains", regex_mode = "search") {
  const subject = String(text ?? "");
  const wanted = String(pattern ?? "");

  if (wanted.includes("|")) {
    const segments = wanted.split("|").map((segment) => segment.trim()).filter((segment) => segment !== "");
    const hit = segments.find((segment) => subject.includes(segment));
    return hit === undefined
      ? { is_match: false, reason: "No alternative is contained", kind: "alternatives" }
      : { is_match: true, reason: "Contains the alternative: " + hit, kind: "alternatives" };
  }

  if (wanted.startsWith("regex:")) {
    const expression = wanted.slice("regex:".length);
    try {
      const found = regex_mode === "match" ? re.match(expression, subject) : re.search(expression, subject);
      const is_match = Boolean(found);
      return { is_match, reason: is_match ? "Regex matches" : "Regex does not match", kind: "regex" };
    } catch (error) {
      return { is_match: false, reason: "Invalid Regex: " + error.message, kind: "regex" };
    }
  }

  if (wanted.includes("*") || wanted.includes("?")) {
    const is_match = fnmatch.fnmatchcase(subject, wanted);
    return { is_match, reason: is_match ? "Wildcard matches" : "Wildcard does not match", kind: "wildcard" };
  }

  if (default_match === "exact") {
    const is_match = subject === wanted;
    return { is_match, reason: is_match ? "Equal" : "Not equal", kind: "exact" };
  }
  const is_match = subject.includes(wanted);
  return { is_match, reason: is_match ? "Contained" : "Not contained", kind: "contains" };
}
`;

export const ATOM_C = `// Is there anything at all? The evidence is the items, whole.
function check_existence(items) {
  if (!Array.isArray(items) || items.length === 0) {
    return { is_match: false, reason: "No item was found", evidence: [] };
  }
  return { is_match: true, reason: "Items found: " + items.length, evidence: items };
}
`;
