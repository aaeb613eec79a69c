// The result of a search with `re`: Python's match object. Positions are JavaScript string indices.

/** A group that did not participate is null. */
type Group = string | null;

/** The part of a pattern that a match needs. */
interface MatchedPattern {
  readonly names: ReadonlyMap<string, number>;
  readonly groups: number;
  spans(text: string, index: number, length: number): (readonly [number, number] | undefined)[];
}

/** Groups whose `m[1]` is a getter on the prototype; further groups, which are rare, are own properties. */
const MAX_INDEXED = 20;

/** Python's match object. A group that did not participate is null. `m[1]` is `m.group(1)`. One is created per match of
 * a long log, so the constructor is three assignments and everything else is computed on demand. */
export class Match {
  declare readonly re: MatchedPattern;
  readonly [index: number]: Group;
  declare readonly found: RegExpExecArray;
  declare private spans: (readonly [number, number] | undefined)[] | undefined;

  constructor(re: MatchedPattern, found: RegExpExecArray) {
    this.re = re;
    this.found = found;
    this.spans = undefined;
    for (let i = MAX_INDEXED + 1; i < found.length; i++) {
      Object.defineProperty(this, i, { value: found[i] ?? null });
    }
  }

  get string(): string {
    return this.found.input;
  }

  private number(group: number | string): number {
    const index = typeof group === "string" ? this.re.names.get(group) : group;
    if (index === undefined || !Number.isInteger(index) || index < 0 || index >= this.found.length) {
      throw new RangeError(`no such group: ${String(group)}`);
    }
    return index;
  }

  /** No argument or 0: the whole match; one: that group; several: a list of them. */
  group(group: number | string = 0, ...more: (number | string)[]): Group | Group[] {
    if (more.length > 0) return [group, ...more].map((key) => this.found[this.number(key)] ?? null);
    // Fast path: the number of a group that participated.
    const text = typeof group === "number" ? this.found[group] : undefined;
    return text ?? this.found[this.number(group)] ?? null;
  }

  groups(defaultValue: Group = null): Group[] {
    const out: Group[] = [];
    for (let i = 1; i < this.found.length; i++) out.push(this.found[i] ?? defaultValue);
    return out;
  }

  groupdict(defaultValue: Group = null): Record<string, Group> {
    const out: Record<string, Group> = {};
    for (const [name, index] of this.re.names) {
      const value = this.found[index] ?? defaultValue;
      // A group may be named __proto__; it must stay data.
      if (name === "__proto__") Object.defineProperty(out, name, { value, ...PLAIN });
      else out[name] = value;
    }
    return out;
  }

  /** -1, -1 for a group that did not participate. */
  span(group: number | string = 0): [number, number] {
    const index = this.number(group);
    const start = this.found.index;
    const { length } = this.found[0];
    if (index === 0) return [start, start + length];
    this.spans ??= this.re.spans(this.found.input, start, length);
    const span = this.spans[index];
    return span === undefined ? [-1, -1] : [span[0], span[1]];
  }

  start(group: number | string = 0): number {
    return this.span(group)[0];
  }

  end(group: number | string = 0): number {
    return this.span(group)[1];
  }
}

const PLAIN = { enumerable: true, writable: true, configurable: true };
for (let i = 0; i <= MAX_INDEXED; i++) {
  Object.defineProperty(Match.prototype, i, {
    get(this: Match) {
      // undefined like any missing index of JavaScript; Python would raise.
      return this.found[i] ?? (i <= this.re.groups ? null : undefined);
    },
  });
}
