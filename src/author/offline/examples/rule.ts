// Rules: what labelled records have in common. A rule is a template of the anchor line and one template for each other
// line with parts (satellite), above or below it.
import { type Instance, VALUE } from "./instances.ts";
import { type Merge, mergeTemplates } from "./merge.ts";
import { type Template, templateOf } from "./template.ts";

/** A line with parts other than the anchor. */
export interface Satellite {
  template: Template;
  /** Position relative to the anchor. */
  side: "above" | "below";
  /** An example lacks it. */
  optional?: boolean;
}

export interface Rule {
  anchor: Template;
  satellites: Satellite[];
  /** Parts whose text is blank in the examples. */
  blank: string[];
  /** The examples that the rule was derived from. */
  instances: Instance[];
}

/** Rules that explain all examples, and how unlikely they are. */
export interface Hypothesis {
  rules: Rule[];
  cost: number;
}

const MAX_HYPOTHESES = 16;
const MAX_ALTERNATIVES = 24;
/** Cost of an additional rule, and per word that the examples of one rule do not share. */
const NEW_RULE = 6;
const UNSHARED = 0.3;
/** Share of the fixed text of two lines that a merged rule must keep. */
const MIN_SHARED = 0.3;
/** Cost of a satellite that an example lacks, in words. */
const LACKING = 4;

/** Explains records with as few rules as possible, the likeliest hypothesis first.
 * @param records the possible placements of each record */
export function explain(records: readonly (readonly Instance[])[]): Hypothesis[] {
  let hypotheses: Hypothesis[] = [{ rules: [], cost: 0 }];
  for (const instances of records) {
    const next: Hypothesis[] = [];
    const [likeliest] = instances;
    const alternatives = instances
      .filter(({ cost }) => cost <= (likeliest?.cost ?? 0) + NEW_RULE)
      .slice(0, MAX_ALTERNATIVES)
      .map((instance) => ({ placementCost: instance.cost, rule: ruleOf(instance) }));
    for (const { rules, cost } of hypotheses) {
      for (const { placementCost, rule } of alternatives) {
        const base = cost + placementCost;
        next.push({ rules: [...rules, rule], cost: base + (rules.length === 0 ? 0 : NEW_RULE) });
        for (const [index, other] of rules.entries()) {
          const merged = mergeRules(other, rule);
          if (merged === undefined) continue;
          next.push({ rules: rules.with(index, merged.rule), cost: base + UNSHARED * merged.cost });
        }
      }
    }
    hypotheses = next.sort((a, b) => a.cost - b.cost).slice(0, MAX_HYPOTHESES);
  }
  return hypotheses;
}

/** The rule of a single record. */
export function ruleOf(instance: Instance): Rule {
  const { lines, anchor, placed } = instance;
  const template = (line: number): Template => templateOf(lines[line] ?? "", placed.get(line) ?? new Map());
  const satellites = [...placed.keys()]
    .filter((line) => line !== anchor)
    .sort((a, b) => a - b)
    .map(
      (line): Satellite => ({
        template: template(line),
        side: line < anchor ? "above" : "below",
      }),
    );
  return { anchor: template(anchor), satellites, blank: [...instance.blank], instances: [instance] };
}

/** One rule for the records of both; undefined if they have too little in common. */
export function mergeRules(a: Rule, b: Rule): { rule: Rule; cost: number } | undefined {
  if (a.blank.join("\0") !== b.blank.join("\0")) return undefined;
  const anchor = mergeTemplates(a.anchor, b.anchor);
  if (anchor === undefined) return undefined;
  const merges: Merge[] = [anchor];
  const satellites: Satellite[] = [];
  let lacking = 0;
  const unmatched = [...b.satellites];
  for (const satellite of a.satellites) {
    const index = unmatched.findIndex((other) => isSameSatellite(satellite, other));
    const [other] = index < 0 ? [] : unmatched.splice(index, 1);
    const merged = other && mergeTemplates(satellite.template, other.template);
    if (other !== undefined && merged === undefined) return undefined;
    if (merged === undefined) lacking += 1;
    else merges.push(merged);
    const optional = satellite.optional === true || other === undefined || other.optional === true;
    satellites.push({
      ...satellite,
      template: merged?.template ?? satellite.template,
      ...(optional ? { optional } : {}),
    });
  }
  for (const other of unmatched) satellites.push({ ...other, optional: true });
  lacking += unmatched.length;
  // A record may lack a line with fields, but not the line with the value.
  const isShared = (satellite: Satellite): boolean =>
    [a, b].every((rule) => rule.satellites.some((other) => isSameSatellite(satellite, other)));
  if (
    [...a.satellites, ...b.satellites].some(
      (satellite) => hasValue(satellite.template) && !isShared(satellite),
    )
  )
    return undefined;
  const sum = (of: (merge: Merge) => number): number => merges.reduce((total, merge) => total + of(merge), 0);
  if (sum(({ kept }) => kept) < sum(({ own }) => own) * MIN_SHARED) return undefined;
  const rule = {
    anchor: anchor.template,
    satellites,
    blank: a.blank,
    instances: [...a.instances, ...b.instances],
  };
  return { rule, cost: sum(({ cost }) => cost) + LACKING * lacking };
}

function isSameSatellite(a: Satellite, b: Satellite): boolean {
  return a.side === b.side && partsOf(a.template) === partsOf(b.template);
}

function partsOf({ elements }: Template): string {
  return elements
    .flatMap((element) => (element.kind === "part" ? element.leaf.names : []))
    .sort()
    .join("\0");
}

function hasValue({ elements, outer }: Template): boolean {
  const names = elements.flatMap((element) => (element.kind === "part" ? element.leaf.names : []));
  return names.includes(VALUE) || outer.some(({ name }) => name === VALUE);
}
