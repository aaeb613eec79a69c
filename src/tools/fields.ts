// Readers of argument values from models. Common slips are accepted: a text for a list of one, a number or flag as text.
// Not a schema library, since loading one takes longer than a search in a small file (docs/cli.md).

/** The value, or problems with the path of the wrong part (`keywords.3`). */
export type Read<T> = { ok: true; value: T } | { ok: false; problems: Problem[] };
interface Problem {
  path: string;
  message: string;
}

export type Reader<T> = (value: unknown, path: string) => Read<T>;
export type Fields = Record<string, Reader<unknown>>;
type Value<R> = R extends Reader<infer T> ? T : never;
type OptionalKeys<F> = { [K in keyof F]: undefined extends Value<F[K]> ? K : never }[keyof F];
/** The values of an object with these fields. */
export type Values<F extends Fields> = { [K in Exclude<keyof F, OptionalKeys<F>>]: Value<F[K]> } & {
  [K in OptionalKeys<F>]?: Value<F[K]>;
};

/** A whole number within inclusive bounds. */
export function integer(min: number, max = Number.MAX_SAFE_INTEGER): Reader<number> {
  const bounds = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return (value, path) => {
    const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
    const isValid =
      typeof number === "number" && Number.isSafeInteger(number) && number >= min && number <= max;
    return isValid ? good(number) : bad(path, `must be a whole number ${bounds}`);
  };
}

/** A non-empty text of at most `max` characters; `check` returns any other problem. */
export function text(max: number, check: (value: string) => string | undefined = () => undefined) {
  const read: Reader<string> = (value, path) => {
    if (typeof value !== "string") return bad(path, "must be a text");
    if (value === "") return bad(path, "is empty");
    if (value.length > max) return bad(path, `has more than ${max} characters`);
    const problem = check(value);
    return problem === undefined ? good(value) : bad(path, problem);
  };
  return read;
}

/** A list of one to `max` elements; a single text counts as a list of one. */
export function list<T>(element: Reader<T>, max: number): Reader<T[]> {
  return (value, path) => {
    const values: unknown = typeof value === "string" ? [value] : value;
    if (!Array.isArray(values)) return bad(path, "must be a list of texts");
    if (values.length === 0) return bad(path, "is an empty list");
    if (values.length > max) return bad(path, `has more than ${max} entries`);
    const read = values.map((entry, i) => element(entry, `${path}.${i}`));
    const problems = read.flatMap((result) => (result.ok ? [] : result.problems));
    return problems.length > 0
      ? { ok: false, problems }
      : good(read.flatMap((result) => (result.ok ? [result.value] : [])));
  };
}

export const flag: Reader<boolean> = (value, path) => {
  if (value === true || value === "true") return good(true);
  return value === false || value === "false" ? good(false) : bad(path, "must be true or false");
};

export function optional<T>(reader: Reader<T>): Reader<T | undefined> {
  return (value, path) => (value === undefined ? good(undefined) : reader(value, path));
}

/** An object with these fields; others are ignored. */
export function readFields<F extends Fields>(fields: F, value: unknown): Read<Values<F>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return bad("arguments", "must be an object");
  }
  const values: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const [name, reader] of Object.entries(fields)) {
    const given = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    const read = reader(given, name);
    if (!read.ok)
      problems.push(...(given === undefined ? [{ path: name, message: "is missing" }] : read.problems));
    else if (read.value !== undefined) values[name] = read.value;
  }
  return problems.length > 0 ? { ok: false, problems } : good(values as Values<F>);
}

function good<T>(value: T): Read<T> {
  return { ok: true, value };
}

function bad(path: string, message: string): { ok: false; problems: Problem[] } {
  return { ok: false, problems: [{ path, message }] };
}
