// Safe stubs, written where no accepted atoms exist: valid atoms that extract nothing and match nothing. Their
// manifest prevents `check` from running them.
import type { AtomSources } from "../../contract/atoms.ts";

const NOTE = "// Safe stub: no accepted atom exists for this item. See human_intervention_report.md.\n";

export const SAFE_STUBS: AtomSources = {
  atom_a: `${NOTE}function extract_context(text, source_file) {
  return [];
}
`,
  atom_b: `${NOTE}function validate_logic(text, pattern, parsed_fields = null, default_match = "contains", regex_mode = "search") {
  return { is_match: false, reason: "safe stub", kind: "contains" };
}
`,
  atom_c: `${NOTE}function check_existence(items) {
  return { is_match: false, reason: "safe stub", evidence: [] };
}
`,
  config: `# Safe stub: no accepted config exists for this item. See human_intervention_report.md.
description: "safe stub, not accepted"
input_files: []
requirements: {value: N/A, pattern_items: []}
waivers: {value: N/A, waive_items: [], waive_reasons: []}
`,
};
