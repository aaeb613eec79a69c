// Closures that build each other's answers, in the manner of ES5.
var verdict = function (kind) {
  return function (matched, why) {
    return { is_match: !!matched, reason: why || (matched ? "matches" : "does not match"), kind: kind };
  };
};

function chooser(default_match, regex_mode) {
  var compare = default_match === "exact" ? "exact" : "contains";
  return function (text, pattern) {
    var i;
    if (pattern.split("|").length > 1) {
      var parts = pattern.split("|");
      for (i = 0; i < parts.length; i += 1) {
        var part = parts[i].trim();
        if (part.length && text.split(part).length > 1) return verdict("alternatives")(true, "has " + part);
      }
      return verdict("alternatives")(false);
    }
    if (pattern.lastIndexOf("regex:", 0) === 0) {
      try {
        var compiled = re.compile(pattern.substr(6));
        return verdict("regex")((regex_mode === "match" ? compiled.match(text) : compiled.search(text)) !== null);
      } catch (e) {
        return verdict("regex")(false, "Invalid Regex: " + e.message);
      }
    }
    if (/[*?]/.test(pattern)) return verdict("wildcard")(fnmatch.fnmatchcase(text, pattern));
    return verdict(compare)(compare === "exact" ? text === pattern : pattern === "" || text.indexOf(pattern) > -1);
  };
}

function validate_logic(text, pattern, parsed_fields = null, default_match = "contains", regex_mode = "search") {
  return chooser(default_match, regex_mode)(text, pattern);
}
