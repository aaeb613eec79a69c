// The plain way: the two modules of the sandbox.
function validate_logic(text, pattern, parsed_fields = null, default_match = "contains", regex_mode = "search") {
  if (pattern.includes("|")) {
    const segments = pattern.split("|").map((s) => s.trim()).filter((s) => s.length > 0);
    const hit = segments.find((s) => text.includes(s));
    return { is_match: hit !== undefined, reason: hit === undefined ? "no segment found" : "segment found: " + hit, kind: "alternatives" };
  }
  if (pattern.startsWith("regex:")) {
    const source = pattern.slice(6);
    try {
      const m = regex_mode === "match" ? re.match(source, text) : re.search(source, text);
      return { is_match: m !== null, reason: m !== null ? "regex matched" : "regex did not match", kind: "regex" };
    } catch (err) {
      return { is_match: false, reason: `Invalid Regex: ${err.message}`, kind: "regex" };
    }
  }
  if (pattern.includes("*") || pattern.includes("?")) {
    const ok = fnmatch.fnmatchcase(text, pattern);
    return { is_match: ok, reason: ok ? "wildcard matched" : "wildcard did not match", kind: "wildcard" };
  }
  if (default_match === "exact") {
    const same = text === pattern;
    return { is_match: same, reason: same ? "equal" : "not equal", kind: "exact" };
  }
  const inside = text.includes(pattern);
  return { is_match: inside, reason: inside ? "contained" : "not contained", kind: "contains" };
}
