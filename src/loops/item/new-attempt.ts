// Template for atoms written by hand: standard Atoms B and C, a config as far as the page defines it, and a skeleton
// of Atom A.
import { stringify } from "yaml";
import { configFromCheck } from "../../author/check-config.ts";
import { ATOM_B, ATOM_C } from "../../author/standard-atoms.ts";
import type { AtomSources } from "../../contract/atoms.ts";
import { codeSpans, logicSlice, parsingSlice } from "../../spec/index.ts";
import type { ItemSpec } from "../../spec/types.ts";

const ATOM_A = `// To be written: the records of one log. docs/contract.md, section 2, has the rules; \`re\` and \`fnmatch\` are in scope.
function extract_context(text, source_file) {
  const items = [];
  const lines = text.split("\\n");
  for (let i = 0; i < lines.length; i++) {
    const match = re.search("^(.+)$", lines[i]); // the form of a record
    if (match === null) continue;
    items.push({
      value: match.group(1),
      source_file: source_file,
      line_number: i + 1,
      matched_content: lines[i],
      parsed_fields: {},
    });
  }
  return items;
}
`;

/** The four files of a new `attempt/`. */
export function attemptTemplate(spec: ItemSpec, answers: readonly string[]): AtomSources {
  return { atom_a: ATOM_A, atom_b: ATOM_B, atom_c: ATOM_C, config: configTemplate(spec, answers) };
}

/** Fills missing files with the standard ones; Atom A has no standard. */
export function withStandardParts(
  sources: AtomSources,
  spec: ItemSpec,
  answers: readonly string[],
): AtomSources {
  const or = (text: string, standard: string): string => (text.trim() === "" ? standard : text);
  return {
    atom_a: sources.atom_a,
    atom_b: or(sources.atom_b, ATOM_B),
    atom_c: or(sources.atom_c, ATOM_C),
    config: or(sources.config, configTemplate(spec, answers)),
  };
}

/** A config derived from the check block of the page; without one, a skeleton for the user to complete. */
function configTemplate(spec: ItemSpec, answers: readonly string[]): string {
  const { section_4_1, witnesses } = parsingSlice(spec, answers);
  const input_files = codeSpans(section_4_1).filter((span) => /^\S*[./*]\S*$/.test(span));
  const facts = { description: spec.title, input_files };
  const { check } = logicSlice(spec, answers);
  const head =
    check === null
      ? stringify({
          ...facts,
          requirements: { value: "N/A", pattern_items: [], expect: "present", extra: "fail" },
          waivers: { value: "N/A", waive_items: [], waive_reasons: [] },
        })
      : configFromCheck(check, facts);
  return witnesses.length === 0 ? head : `${head}${stringify({ witnesses })}`;
}
