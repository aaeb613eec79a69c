// A class per matcher.
class Answer {
  static of(matched, kind, what) {
    return { is_match: matched, reason: what + (matched ? ": yes" : ": no"), kind };
  }
}

class PatternMatcher {
  constructor(pattern, defaultMatch, regexMode) {
    this.pattern = pattern;
    this.exact = defaultMatch === "exact";
    this.anchored = regexMode === "match";
  }

  get kind() {
    if (this.pattern.includes("|")) return "alternatives";
    if (this.pattern.startsWith("regex:")) return "regex";
    if (this.pattern.includes("*") || this.pattern.includes("?")) return "wildcard";
    return this.exact ? "exact" : "contains";
  }

  alternatives(text) {
    const parts = this.pattern.split("|").map((p) => p.trim()).filter(Boolean);
    return Answer.of(parts.some((p) => text.includes(p)), "alternatives", "any segment");
  }

  regex(text) {
    const source = this.pattern.replace("regex:", "");
    try {
      const hit = this.anchored ? re.match(source, text) : re.search(source, text);
      return Answer.of(hit !== null, "regex", "expression");
    } catch (problem) {
      return { is_match: false, reason: "Invalid Regex: " + problem.message, kind: "regex" };
    }
  }

  wildcard(text) {
    return Answer.of(fnmatch.fnmatchcase(text, this.pattern), "wildcard", "shape");
  }

  contains(text) {
    return Answer.of(text.includes(this.pattern), "contains", "part");
  }

  exactly(text) {
    return Answer.of(text === this.pattern, "exact", "whole");
  }

  run(text) {
    switch (this.kind) {
      case "alternatives":
        return this.alternatives(text);
      case "regex":
        return this.regex(text);
      case "wildcard":
        return this.wildcard(text);
      case "exact":
        return this.exactly(text);
      default:
        return this.contains(text);
    }
  }
}

function validate_logic(text, pattern, parsed_fields = null, default_match = "contains", regex_mode = "search") {
  return new PatternMatcher(pattern, default_match, regex_mode).run(text);
}
