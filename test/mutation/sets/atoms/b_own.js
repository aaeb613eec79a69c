// An own engine: neither `re` nor `fnmatch`. Leading flags, named groups and anchors of Python are rewritten.
function toNative(source) {
  let flags = "";
  const lead = /^\(\?([ims]+)\)/.exec(source);
  if (lead) {
    flags = lead[1];
    source = source.slice(lead[0].length);
  }
  source = source.split("(?P<").join("(?<").replace(/\(\?P=(\w+)\)/g, "\\k<$1>");
  source = source.replace(/\\A/g, "^").replace(/\\Z/g, "$");
  return new RegExp(source, flags);
}

function readClass(pattern, at) {
  let end = at + 1;
  if (pattern[end] === "!") end += 1;
  if (pattern[end] === "]") end += 1;
  while (end < pattern.length && pattern[end] !== "]") end += 1;
  return end < pattern.length ? end : -1;
}

function inClass(body, ch) {
  const negated = body[0] === "!";
  const set = negated ? body.slice(1) : body;
  let found = false;
  for (let i = 0; i < set.length; i++) {
    if (set[i + 1] === "-" && i + 2 < set.length) {
      if (set[i] <= ch && ch <= set[i + 2]) found = true;
      i += 2;
    } else if (set[i] === ch) {
      found = true;
    }
  }
  return found !== negated;
}

function tokensOf(pattern) {
  const chars = Array.from(pattern);
  const tokens = [];
  for (let i = 0; i < chars.length; i++) {
    const c = chars[i];
    if (c === "*") tokens.push({ star: true });
    else if (c === "?") tokens.push({ test: () => true });
    else if (c === "[") {
      const end = readClass(chars, i);
      if (end < 0) tokens.push({ test: (x) => x === "[" });
      else {
        const body = chars.slice(i + 1, end);
        tokens.push({ test: (x) => inClass(body, x) });
        i = end;
      }
    } else tokens.push({ test: (x) => x === c });
  }
  return tokens;
}

function globMatches(text, pattern) {
  const chars = Array.from(text);
  const tokens = tokensOf(pattern);
  let states = new Set([0]);
  const close = (set) => {
    const out = new Set(set);
    for (const s of out) if (s < tokens.length && tokens[s].star) out.add(s + 1);
    return out;
  };
  states = close(states);
  for (const ch of chars) {
    const next = new Set();
    for (const s of states) {
      if (s >= tokens.length) continue;
      if (tokens[s].star) next.add(s);
      else if (tokens[s].test(ch)) next.add(s + 1);
    }
    states = close(next);
    if (states.size === 0) return false;
  }
  return states.has(tokens.length);
}

function validate_logic(text, pattern, parsed_fields = null, default_match = "contains", regex_mode = "search") {
  if (pattern.indexOf("|") >= 0) {
    let hit = false;
    for (const raw of pattern.split("|")) {
      const part = raw.trim();
      if (part === "") continue;
      if (text.indexOf(part) >= 0) hit = true;
    }
    return { is_match: hit, reason: hit ? "one of the alternatives" : "none of the alternatives", kind: "alternatives" };
  }
  if (pattern.indexOf("regex:") === 0) {
    let rx;
    try {
      rx = toNative(pattern.substring(6));
    } catch (e) {
      return { is_match: false, reason: "Invalid Regex: " + String(e.message), kind: "regex" };
    }
    const at = text.search(rx);
    const found = regex_mode === "match" ? new RegExp("^(?:" + rx.source + ")", rx.flags).test(text) : at >= 0;
    return { is_match: found, reason: found ? "pattern found" : "pattern not found", kind: "regex" };
  }
  if (/[*?]/.test(pattern)) {
    const ok = globMatches(text, pattern);
    return { is_match: ok, reason: ok ? "shape fits" : "shape differs", kind: "wildcard" };
  }
  const exact = default_match === "exact";
  const ok = exact ? text === pattern : text.indexOf(pattern) >= 0;
  return { is_match: ok, reason: ok ? "fits" : "differs", kind: exact ? "exact" : "contains" };
}
