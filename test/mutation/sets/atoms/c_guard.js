const NOTHING = "empty";
function check_existence(items) {
  var list = Array.isArray(items) ? items : [];
  var any = false;
  list.forEach(function () { any = true; });
  return { reason: any ? "present" : NOTHING, is_match: any, evidence: list };
}
