// Structured documents as records: which syntax, which place is the value, where the fields stand seen from it, and which
// nodes are wanted. One mechanism for JSON, JSON lines, YAML, XML, nested brackets and `key=value` lines.
import type { Group, Hint, Page } from "../../page/page.ts";
import { interpretRule } from "../../program/interpret.ts";
import type { Source, TreeRule } from "../../program/ir.ts";
import { type Syntax, scan } from "../../program/tree/index.ts";
import { isAt } from "../../program/tree/nodes.ts";
import { choosePlaces, lineOf } from "./choose.ts";
import { conditionsOf, filterFor } from "./conditions.ts";
import { judge } from "./doubts.ts";
import { innerOf } from "./inner.ts";
import { aliasesOf } from "./likeness.ts";
import { aroundInner, fieldsInside, Parts, valueInside } from "./parts.ts";
import { type Place, placesOf } from "./places.ts";
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
  const chosen = choosePlaces(group, page, places, aliases, evidenceShown(shown));
  const inner = oneLine ? innerOf(chosen, group, page, places, { aliases, shown }) : undefined;
  const choice = inner === undefined ? chosen : aroundInner(inner, group);
  if (choice === undefined) return undefined;
  const record = pathTo(choice.value.place, syntax, lines);
  if (record === undefined) return undefined;
  const parts = new Parts(choice.value.place);
  const source = (hint: Hint, place: Place): Source => ({ from: "group", group: parts.of(place, hint.name) });
  const fields = [
    ...choice.fields.map(({ hint, place }) => ({ name: hint.name, source: source(hint, place) })),
    ...(inner === undefined ? [] : parts.inside(inner, fieldsInside(inner, group))),
  ];
  const value =
    inner?.hints[0] === group.value && inner !== undefined
      ? parts.inside(inner, [{ name: choice.value.hint.name, source: valueInside(inner) }])[0]?.source
      : source(choice.value.hint, choice.value.place);
  if (value?.from !== "group") return undefined;
  const conditions = conditionsOf({ group, page, choice, places, aliases, shown, oneLine });
  const rule: TreeRule = {
    kind: "tree",
    syntax,
    record,
    parts: parts.all,
    line: oneLine ? { up: 0, down: [] } : lineOf(page, choice.value.place, places),
    filters: [
      ...conditions.map((one) => filterFor(one, parts.of(one.place, `wanted_${one.rule.name}`))),
      ...(inner === undefined ? [] : parts.innerFilters(inner)),
    ],
    required: [value.group],
    projection: {
      value,
      fields: group.fields.flatMap((hint) => fields.filter((one) => one.name === hint.name)),
    },
    example: lines[(choice.value.place.nodes[0]?.line ?? 1) - 1] ?? "",
  };
  const records = interpretRule(rule, lines);
  if (records.length === 0) return undefined;
  // Where the page itself says what it is, other readings of the lines are worth less.
  const said = SPOKEN[syntax].test(`${page.prose} ${page.files.map((one) => one.glob).join(" ")}`);
  const judged = judge(rule, { choice, conditions, places, page, lines, oneLine, inner });
  return {
    rule,
    confidence: Math.min((said ? 1.05 : 0.95) - judged.less, inner?.confidence ?? 2),
    reasons: [
      `${records.length} of ${choice.value.place.nodes.length} entries at ${record.join(".")} (${syntax})`,
    ],
    doubts: judged.doubts,
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
