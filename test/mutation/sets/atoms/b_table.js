// A table of rules, first that applies wins.
const RULES = [
  {
    kind: "alternatives",
    applies: (p) => p.indexOf("|") !== -1,
    test: (t, p) => p.split("|").map((s) => s.trim()).some((s) => s !== "" && t.indexOf(s) !== -1),
  },
  {
    kind: "regex",
    applies: (p) => p.slice(0, 6) === "regex:",
    test: (t, p, mode) => (mode === "match" ? re.match(p.slice(6), t) : re.search(p.slice(6), t)) !== null,
  },
  {
    kind: "wildcard",
    applies: (p) => p.indexOf("*") !== -1 || p.indexOf("?") !== -1,
    test: (t, p) => fnmatch.fnmatchcase(t, p),
  },
];
const REASONS = { true: "the text fits the pattern", false: "the text does not fit the pattern" };

function validate_logic(text, pattern, parsed_fields = null, default_match = "contains", regex_mode = "search") {
  const rule = RULES.find((r) => r.applies(pattern));
  if (!rule) {
    const exact = default_match === "exact";
    const ok = exact ? text === pattern : text.indexOf(pattern) !== -1;
    return { is_match: ok, reason: REASONS[ok], kind: exact ? "exact" : "contains" };
  }
  try {
    const ok = rule.test(text, pattern, regex_mode);
    return { is_match: ok, reason: REASONS[ok], kind: rule.kind };
  } catch (e) {
    return { is_match: false, reason: ["Invalid Regex:", e.message].join(" "), kind: rule.kind };
  }
}
