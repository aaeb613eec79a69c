// Rules: what labelled records have in common. A rule is a template of the line that counts and, for parts on other
// lines, one template per such line, above or below it.
import { type Instance, VALUE } from "./instances.ts";
import { type Merge, mergeTemplates } from "./merge.ts";
import { type Template, templateOf } from "./template.ts";

export interface Satellite {
  template: Template;
  /** Where it stands, seen from the line that counts. */
  side: "above" | "below";
  /** An example lacks it. */
  optional?: boolean;
}

export interface Rule {
  anchor: Template;
  satellites: Satellite[];
  blank: string[];
  /** The examples it was made of. */
  instances: Instance[];
}

/** A way to explain all examples: rules, and how unlikely it is. */
export interface Hypothesis {
  rules: Rule[];
  cost: number;
}

const MAX_HYPOTHESES = 16;
const MAX_WAYS = 24;
/** Cost of one more rule, and of what examples of one rule do not share, per word. */
const NEW_RULE = 6;
const LOST = 0.3;
/** Share of the fixed text of two lines that one rule must keep. */
const MIN_SHARED = 0.3;

/** Explains records, each laid into its text in several ways, by as few rules as it takes; likelier ones first. */
export function explain(records: readonly (readonly Instance[])[]): Hypothesis[] {
  let hypotheses: Hypothesis[] = [{ rules: [], cost: 0 }];
  for (const ways of records) {
    const next: Hypothesis[] = [];
    const [likeliest] = ways;
    const tried = ways.filter(({ cost }) => cost <= (likeliest?.cost ?? 0) + NEW_RULE).slice(0, MAX_WAYS);
    const made = tried.map((way) => ({ way, rule: ruleOf(way) }));
    for (const { rules, cost } of hypotheses) {
      for (const { way, rule } of made) {
        next.push({ rules: [...rules, rule], cost: cost + way.cost + (rules.length === 0 ? 0 : NEW_RULE) });
        rules.forEach((other, index) => {
          const merged = mergeRules(other, rule);
          if (merged === undefined) return;
          const changed = rules.map((one, at) => (at === index ? merged.rule : one));
          next.push({ rules: changed, cost: cost + way.cost + LOST * merged.cost });
        });
      }
    }
    hypotheses = next.sort((a, b) => a.cost - b.cost).slice(0, MAX_HYPOTHESES);
  }
  return hypotheses;
}

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

export function mergeRules(a: Rule, b: Rule): { rule: Rule; cost: number } | undefined {
  if (a.blank.join("\0") !== b.blank.join("\0")) return undefined;
  const anchor = mergeTemplates(a.anchor, b.anchor);
  if (anchor === undefined) return undefined;
  const merges: Merge[] = [anchor];
  const satellites: Satellite[] = [];
  let lacking = 0;
  const rest = [...b.satellites];
  for (const one of a.satellites) {
    const at = rest.findIndex(
      (other) => other.side === one.side && partsOf(other.template) === partsOf(one.template),
    );
    const [other] = at < 0 ? [] : rest.splice(at, 1);
    const merged = other && mergeTemplates(one.template, other.template);
    if (other !== undefined && merged === undefined) return undefined;
    if (merged === undefined) lacking += 1;
    else merges.push(merged);
    const optional = one.optional === true || other === undefined || other.optional === true;
    satellites.push({
      ...one,
      template: merged?.template ?? one.template,
      ...(optional ? { optional } : {}),
    });
  }
  for (const other of rest) satellites.push({ ...other, optional: true });
  lacking += rest.length;
  // A part on another line of its own may be missing, but not the value.
  if ([...a.satellites, ...b.satellites].some((one) => lackingIn(one, a, b) && hasValue(one.template)))
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

/** Cost of a part on a line of its own that one example lacks, in words. */
const LACKING = 4;

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

function lackingIn(one: Satellite, a: Rule, b: Rule): boolean {
  const has = (rule: Rule): boolean =>
    rule.satellites.some(
      (other) => other.side === one.side && partsOf(other.template) === partsOf(one.template),
    );
  return !has(a) || !has(b);
}
