// universality: Atoms B and C contain no literal from the ItemSpec, the config or the logs. Proves it for literals that take
// part in a decision; gate2_equivalence and gate1_evidence use the same literals as inputs. Cannot detect words that are
// composed at run time; generated calls may reach them.
// Targets special cases for a tool, tables of the names of an item, item ids in Atom B or C.
import type { Findings } from "./findings.ts";
import { show } from "./show.ts";
import type { Literals } from "./static/literals.ts";

const GATE = "universality";

/** Words of the rules, which occur in any Atom B. */
const OWN_WORDS = new Set(
  (
    "regex exact contains search match fullmatch alternatives alternative wildcard glob fnmatch string object number " +
    "boolean function undefined null true false invalid reason kind is_match evidence value text pattern items item " +
    "parsed_fields default_match regex_mode found none empty not no yes and or in of the to any all is was error " +
    "errors message name group start end source flags length segment segments literal mode matched matches"
  ).split(" "),
);

/** Runs the gate for one atom.
 * @param itemWords words of the item's config, id and values, in lower case; common words of its page are not evidence */
export function checkUniversality(
  atom: "atom_b" | "atom_c",
  literals: Literals,
  itemWords: ReadonlySet<string>,
  findings: Findings,
): void {
  const deciding = [
    ...literals.texts.filter((t) => t.decides).map((t) => ({ text: t.text, line: t.line })),
    ...literals.patterns.map((p) => ({ text: plainWords(p.source), line: p.line })),
  ];
  for (const { text, line } of deciding) {
    const foreign = foreignWords(text);
    const known = foreign.filter((word) => itemWords.has(word));
    const what = `\`${atom === "atom_b" ? "validate_logic" : "check_existence"}\` decides by the literal ${show(text)}`;
    if (known.length > 0) {
      const message = `${what}, whose words come from this item (${known.slice(0, 3).join(", ")}). Atoms B and C must work for any item; put the words into the config.`;
      findings.error(GATE, atom, "item_literal", message, { line });
    } else if (foreign.length > 0) {
      findings.warn(GATE, atom, "odd_literal", `${what}, which none of its rules needs.`, { line });
    }
  }
  for (const { text, line } of literals.texts.filter((t) => !t.decides)) {
    const known = foreignWords(text).filter(
      (word) => word.length >= 4 && /[\d_]/.test(word) && itemWords.has(word),
    );
    if (known.length === 0) continue;
    const message = `A message of this atom names words of this item (${known.slice(0, 3).join(", ")}); messages must be general.`;
    findings.warn(GATE, atom, "item_words_in_message", message, { line });
  }
}

function foreignWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}_][\p{L}\p{N}_]+|\p{N}{2,}/gu) ?? [];
  return words.filter((word) => !OWN_WORDS.has(word));
}

/** The words of a pattern without its escapes, classes and names of groups. */
function plainWords(source: string): string {
  return source
    .replace(/\\[pP]\{[^}]*\}|\\u\{?[0-9a-fA-F]+\}?|\\x[0-9a-fA-F]{2}|\\k<[^>]*>|\\./g, " ")
    .replace(/\(\?P?<[^>]*>/g, " ")
    .replace(/\[[^\]]*\]|\{[^}]*\}/g, " ");
}

/** Words of texts, in lower case. */
export function itemWordsOf(texts: Iterable<string>): Set<string> {
  const words = new Set<string>();
  for (const text of texts) {
    for (const word of text.toLowerCase().match(/[\p{L}_][\p{L}\p{N}_]+|\p{N}{2,}/gu) ?? []) words.add(word);
  }
  return words;
}
