// Part of the gate consistency: the declarations of the author. Proves that each quote is on the page and that config and
// declarations agree; that the quote means what is declared is left to the reader of the report. The properties of Atom A
// are proved on the logs (gate4-declared.ts).
// Targets invented quotes, a default changed without a quote, and configs that contradict a declaration.
import type { NormalizedConfig } from "../contract/config.ts";
import {
  DECLARED,
  DECLARED_NAMES,
  type Declarations,
  type DeclaredName,
  SILENT,
} from "../contract/declarations.ts";
import type { ItemSpec } from "../spec/types.ts";
import type { Findings } from "./findings.ts";
import { show } from "./show.ts";

const GATE = "consistency";
/** Letters and digits that a quote must have. */
const MIN_QUOTE = 4;

export interface DeclaredAim {
  declarations: Declarations;
  config: NormalizedConfig | undefined;
  spec: ItemSpec | undefined;
  /** Answers of the user, which are not on the page. */
  answers: readonly string[];
}

/** Checks the quotes, and the declared properties of the config. */
export function checkDeclarations(aim: DeclaredAim, findings: Findings): void {
  for (const name of DECLARED_NAMES) {
    const declared = aim.declarations[name];
    if (declared === undefined) continue;
    checkQuote(name, declared, aim, findings);
    const actual = aim.config && configuredValue(name, aim.config);
    if (actual === undefined || actual === declared.value) continue;
    const message = `\`${name}\` is declared as ${declared.value}; the config is ${actual}. Make config and declaration agree with the page.`;
    findings.error(GATE, "config", "declaration_differs", message);
  }
}

function checkQuote(
  name: DeclaredName,
  { value, quote }: { value: string; quote: string },
  { spec, answers }: DeclaredAim,
  findings: Findings,
): void {
  const { part, sections, values } = DECLARED[name];
  if (quote.trim() === SILENT) {
    if (value === values[0] || name === "check" || name === "waivers") return;
    const message = `\`${name}: ${value}\` needs a quote; without one, \`${name}: ${values[0]}\` applies.`;
    findings.error(GATE, part, "silent_not_default", message);
    return;
  }
  if (spec === undefined) return;
  const letters = quote.match(/[\p{L}\p{N}]/gu) ?? [];
  const texts = [...sections.map((key) => spec.sections[key]?.text ?? ""), ...answers];
  if (letters.length >= MIN_QUOTE && texts.some((text) => plain(text).includes(plain(quote)))) return;
  const message = `The quote for \`${name}: ${value}\` does not occur in sections ${sections.join(", ")}: ${show(quote, 160)}. Copy it letter by letter, or declare \`${SILENT}\`.`;
  findings.error(GATE, part, "quote_not_on_page", message);
}

/** The value of a property in the config; undefined for properties of Atom A. */
function configuredValue(name: DeclaredName, config: NormalizedConfig): string | undefined {
  const { requirements, waivers } = config;
  switch (name) {
    case "expect":
      return requirements.expect;
    case "extra":
      // Without patterns, or with patterns that must be absent, the key has no effect.
      return requirements.value === null || requirements.expect === "absent" ? undefined : requirements.extra;
    case "check":
      return requirements.value === null ? "existence" : "patterns";
    case "waivers":
      if (waivers.value === null) return "none";
      return waivers.value === 0 ? "global" : "selective";
    default:
      return undefined;
  }
}

/** The text with normalized white space. */
function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
