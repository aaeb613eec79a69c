// Structured documents as records: which syntax, which place is the value, where the fields stand seen from it, and which
// nodes are wanted. One mechanism for JSON, JSON lines, YAML, XML, nested brackets and `key=value` lines.
import type { Group, Page } from "../../page/page.ts";
import { interpretRule } from "../../program/interpret.ts";
import type { TreePart, TreeRule } from "../../program/ir.ts";
import { type Syntax, scan } from "../../program/tree/index.ts";
import { isAt } from "../../program/tree/nodes.ts";
import { choosePlaces, lineOf } from "./choose.ts";
import { conditionsOf, filterFor } from "./conditions.ts";
import { aliasesOf } from "./likeness.ts";
import { type Place, placesOf, stepsBetween } from "./places.ts";
import { evidenceShown, shownNodes } from "./shown.ts";
import { syntaxesOf } from "./syntax.ts";

export interface TreeCandidate {
  rule: TreeRule;
  also?: TreeRule[];
  confidence: number;
  reasons: string[];
  doubts: string[];
}

/** A candidate per syntax; two syntaxes of single lines that both fit are one candidate. */
export function treeGroup(group: Group, page: Page, lines: readonly string[]): TreeCandidate[] {
  const found = syntaxesOf(page, lines).flatMap((syntax) => bySyntax(syntax, group, page, lines) ?? []);
  const json = found.find((one) => one.rule.syntax === "json_lines");
  const pairs = found.find((one) => one.rule.syntax === "pairs");
  if (json === undefined || pairs === undefined || Math.min(json.confidence, pairs.confidence) < 0.6)
    return found;
  const both: TreeCandidate = {
    rule: json.rule,
    also: [pairs.rule],
    confidence: Math.min(json.confidence, pairs.confidence),
    reasons: [...json.reasons, ...pairs.reasons],
    doubts: [...new Set([...json.doubts, ...pairs.doubts])],
  };
  return [both, ...found.filter((one) => one !== json && one !== pairs)];
}

/** How pages call a syntax. */
const SPOKEN: Record<Syntax, RegExp> = {
  json: /\bjson\b/i,
  json_lines: /\bjson/i,
  pairs: /\bkey[ =-]*value|\blogfmt\b/i,
  yaml: /\byaml\b|\.yml\b/i,
  xml: /\bxml\b|\bplist\b|\belements?\b/i,
  parens: /\bparenthes[ie]s\b|\bround brackets\b|\bs-expressions?\b|\blisp\b/i,
  braces: /\b(?:curly )?brace[sd]?\b|\bcurly brackets\b/i,
};

function bySyntax(
  syntax: Syntax,
  group: Group,
  page: Page,
  lines: readonly string[],
): TreeCandidate | undefined {
  const places = placesOf(syntax, lines);
  const aliases = aliasesOf(page);
  const shown = shownNodes(group, syntax);
  const oneLine = syntax === "json_lines" || syntax === "pairs";
  const choice = choosePlaces(group, page, places, aliases, evidenceShown(shown));
  if (choice === undefined) return undefined;
  const { value } = choice;
  const parts: TreePart[] = [];
  const used = new Map<Place, string>();
  const partFor = (place: Place, wanted: string): string => {
    const known = used.get(place);
    if (known !== undefined) return known;
    const steps = stepsBetween(value.place, place) ?? { up: 0, down: [] };
    let name = /^[A-Za-z]\w*$/.test(wanted) ? wanted : `part_${parts.length + 1}`;
    if (parts.some((part) => part.group === name)) name = `${name}_${parts.length + 1}`;
    parts.push({ group: name, ...steps, take: place.take });
    used.set(place, name);
    return name;
  };
  const valueGroup = partFor(value.place, value.hint.name);
  const fields = choice.fields.map(({ hint, place }) => ({
    name: hint.name,
    source: { from: "group" as const, group: partFor(place, hint.name) },
  }));
  const conditions = conditionsOf({ group, page, choice, places, aliases, shown, oneLine });
  const filters = conditions.map((one) => filterFor(one, partFor(one.place, `wanted_${one.rule.name}`)));
  const record = pathTo(value.place, syntax, lines);
  if (record === undefined) return undefined;
  const rule: TreeRule = {
    kind: "tree",
    syntax,
    record,
    parts,
    line: oneLine ? { up: 0, down: [] } : lineOf(page, value.place, places),
    filters,
    required: [valueGroup],
    projection: {
      value: { from: "group", group: valueGroup },
      fields: group.fields.flatMap((hint) => fields.filter((one) => one.name === hint.name)),
    },
    example: lines[(value.place.nodes[0]?.line ?? 1) - 1] ?? "",
  };
  const records = interpretRule(rule, lines);
  if (records.length === 0) return undefined;
  const doubts: string[] = [];
  // Where the page itself says what it is, other readings of the lines are worth less.
  let confidence = SPOKEN[syntax].test(`${page.prose} ${page.files.map((one) => one.glob).join(" ")}`)
    ? 1.05
    : 0.95;
  for (const hint of choice.missing) {
    if (hint.optional) continue;
    confidence -= 0.4;
    doubts.push(`no key is ${hint.name}`);
  }
  for (const one of [value, ...choice.fields]) {
    if (one.own >= 0.8) continue;
    confidence -= one.own < 0.65 ? 0.2 : 0.1;
    doubts.push(`the key ${one.place.path.join(".")} was taken for ${one.hint.name}`);
  }
  for (const one of conditions) {
    if (one.guessed !== true) continue;
    confidence -= 0.3;
    doubts.push(
      `only ${one.rule.name} ${one.rule.equals.join(" or ")} is taken, as the page's example has it`,
    );
  }
  for (const { hint, name } of choice.rivals) {
    confidence -= 0.4;
    doubts.push(`the key ${name} could be ${hint.name} as well`);
  }
  return {
    rule,
    confidence,
    reasons: [`${records.length} of ${value.place.nodes.length} entries at ${record.join(".")} (${syntax})`],
    doubts,
  };
}

/** The shortest path that leads to the nodes of a place and no others; the whole one where names are few. */
function pathTo(place: Place, syntax: Syntax, lines: readonly string[]): string[] | undefined {
  const nodes = new Set(place.nodes);
  const all = scan(syntax, lines);
  const fits = (path: readonly string[]): boolean => {
    let count = 0;
    for (const node of all) {
      if (!isAt(node, path)) continue;
      if (!nodes.has(node)) return false;
      count += 1;
    }
    return count === nodes.size;
  };
  const whole = place.path;
  const isLines = syntax === "json_lines" || syntax === "pairs" || syntax === "json" || syntax === "yaml";
  if (isLines && fits(whole)) return whole;
  for (let length = Math.min(2, whole.length); length <= whole.length; length += 1) {
    const path = ["**", ...whole.slice(-length)];
    if (path[1] !== "*" && fits(path)) return path;
  }
  return fits(whole) ? whole : undefined;
}
