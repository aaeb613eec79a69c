// The parts of a rule: each place that a value, a field or a condition needs gets a group of its own, seen from the node
// of the record; parts inside a text get the expressions that find them.
import type { Group } from "../../page/page.ts";
import type { GroupFilter, Projection, Source, TreePart } from "../../program/ir.ts";
import type { Choice } from "./choose.ts";
import type { Inner } from "./inner.ts";
import { type Place, stepsBetween } from "./places.ts";

export class Parts {
  readonly all: TreePart[] = [];
  private readonly known = new Map<Place, string>();
  private readonly record: Place;

  constructor(record: Place) {
    this.record = record;
  }

  /** The group of the text of a place. */
  of(place: Place, wanted: string): string {
    const known = this.known.get(place);
    if (known !== undefined) return known;
    const name = this.add(place, wanted);
    this.known.set(place, name);
    return name;
  }

  private add(place: Place, wanted: string, patterns?: string[]): string {
    const steps = stepsBetween(this.record, place) ?? { up: 0, down: [] };
    let name = /^[A-Za-z]\w*$/.test(wanted) ? wanted : `part_${this.all.length + 1}`;
    if (this.all.some((part) => part.group === name)) name = `${name}_${this.all.length + 1}`;
    this.all.push({
      group: name,
      ...steps,
      take: place.take,
      ...(patterns === undefined ? {} : { patterns }),
    });
    return name;
  }

  /** The fields that stand inside a text. */
  inside(inner: Inner, fields: Projection["fields"]): Projection["fields"] {
    return fields.flatMap(({ name, source }) => {
      if (source.from !== "group") return [];
      const group = this.add(inner.place, name, expressions(inner, source.group));
      return [{ name, source: { ...source, group } }];
    });
  }

  /** Conditions on parts of a text, and on words that it must not have. */
  innerFilters(inner: Inner): GroupFilter[] {
    const filters = inner.rule.filters.map((filter) => {
      const group = this.add(inner.place, `wanted_${filter.group}`, expressions(inner, filter.group));
      const also = (filter.also ?? []).map((one) =>
        this.add(inner.place, `also_${one}`, expressions(inner, one)),
      );
      return { ...filter, group, ...(also.length === 0 ? {} : { also }) };
    });
    if (inner.rule.unless.length === 0) return filters;
    const group = this.of(inner.place, "text");
    return [...filters, { group, equals: inner.rule.unless, negate: true, match: "contains" }];
  }
}

/** The expressions of a rule with one of their groups as `part` and the others without names. */
function expressions(inner: Inner, group: string): string[] {
  return inner.rule.alternatives.map(({ pattern }) =>
    pattern.replace(/\(\?<(\w+)>/g, (_all, name: string) => (name === group ? "(?<part>" : "(?:")),
  );
}

/** The fields that the reading of the texts has; its value is one of them where the record's stands elsewhere. */
export function fieldsInside(inner: Inner, group: Group): Projection["fields"] {
  const projection = inner.rule.alternatives[0]?.projection;
  const [first] = inner.hints;
  if (projection === undefined || first === undefined || first === group.value)
    return projection?.fields ?? [];
  return [{ name: first.name, source: projection.value }, ...projection.fields];
}

/** Where the reading of the texts has the value. */
export function valueInside(inner: Inner): Source {
  return inner.rule.alternatives[0]?.projection.value ?? { from: "line" };
}

/** The choice of places where the texts of one key have what was missing. */
export function aroundInner({ choice, place, hints }: Inner, group: Group): Choice {
  const isValue = group.value !== undefined && hints.includes(group.value);
  return {
    ...choice,
    value: isValue ? { ...choice.value, place, up: 0, down: [], own: 1 } : choice.value,
    fields: choice.fields.filter((one) => !hints.includes(one.hint)),
    missing: [],
    rivals: choice.rivals.filter((one) => !hints.includes(one.hint)),
  };
}
