// Keys and tokens of known services, by the rule set of gitleaks (gitleaks.json, made by .ci/redaction-rules.ts).
import data from "./gitleaks.json" with { type: "json" };

export interface ServiceRule {
  id: string;
  /** Source of a RegExp. */
  pattern: string;
  /** Lower case; a text without any of them cannot match. */
  keywords: string[];
  /** Number of the group that holds the secret; the whole match where it is left out. */
  group?: number;
}

const RULES: readonly ServiceRule[] = data.rules;
/** Compiled when a keyword of the rule first occurs: most runs need none. */
const compiled = new Map<string, RegExp>();

/** Replaces keys and tokens of known services. */
export function maskServiceKeys(text: string): string {
  const lower = text.toLowerCase();
  let out = text;
  for (const rule of RULES) {
    if (rule.keywords.some((keyword) => lower.includes(keyword))) out = apply(rule, out);
  }
  return out;
}

function apply(rule: ServiceRule, text: string): string {
  let regExp = compiled.get(rule.id);
  if (regExp === undefined) {
    regExp = new RegExp(rule.pattern, "dg");
    compiled.set(rule.id, regExp);
  }
  let out = "";
  let end = 0;
  for (const match of text.matchAll(regExp)) {
    const span = match.indices?.[rule.group ?? 0];
    if (span === undefined) continue;
    out += `${text.slice(end, span[0])}[MASKED:${rule.id}]`;
    end = span[1];
  }
  return out + text.slice(end);
}
