function check_existence(items) {
  if (!items || items.length === 0) return { is_match: false, reason: "nothing was found", evidence: [] };
  return { is_match: true, reason: items.length + " found", evidence: items };
}
