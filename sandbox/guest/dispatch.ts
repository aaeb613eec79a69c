// Calls the atom inside the isolate and encodes the outcome as one line of text: the result as JSON, or a failure.
// Uses only functions captured before the atom ran and reads only own data properties of errors; sizes are limited
// here, before anything leaves the isolate.

export interface DispatchLimits {
  maxResultBytes: number;
  maxRecords: number;
  maxDepth: number;
}

/** Runs `fn` on each argument list of `argsJson` (an array of arrays). `raws` are texts that replace the
 * argument at `[list, arg]` of `rawPlaces`. Returns one line per call: `v<ms> <json>` or `e<ms> <json>`;
 * stops early, between calls, once the lines exceed `softBytes`. */
export type Dispatcher = (
  fn: unknown,
  argsJson: string,
  rawPlaces: string,
  limitsJson: string,
  softBytes: number,
  ...raws: string[]
) => string;

type Failure = { kind: string; message: string; name?: string; line?: number };

export function createDispatcher(): Dispatcher {
  const { apply, getPrototypeOf, getOwnPropertyDescriptor } = Reflect;
  const { keys } = Object;
  const { isArray } = Array;
  const { isFinite: finite, isNaN: nan } = Number;
  const { stringify, parse } = JSON;
  const now = Date.now;
  const objectPrototype = Object.prototype;
  const arrayPrototype = Array.prototype;
  const sliceText = String.prototype.slice;
  const indexOfText = String.prototype.indexOf;
  const charCodeAt = String.prototype.charCodeAt;
  const functionProto = Function.prototype;
  const errorNames = [
    [TypeError.prototype, "TypeError"],
    [RangeError.prototype, "RangeError"],
    [SyntaxError.prototype, "SyntaxError"],
    [ReferenceError.prototype, "ReferenceError"],
    [EvalError.prototype, "EvalError"],
    [URIError.prototype, "URIError"],
    [Error.prototype, "Error"],
  ] as const;
  const stackGetter = getOwnPropertyDescriptor(new Error("x"), "stack")?.get;

  let limits: DispatchLimits;
  let faultPath = "";

  /** Describes the first value that is not JSON, or names the exceeded limit; "" when the value is valid. Sets
   * `faultPath` while unwinding, since building it on the way down would cost more than the walk itself. */
  function findFault(value: unknown, depth: number): string {
    switch (typeof value) {
      case "string":
      case "boolean":
        return "";
      case "number":
        return finite(value) ? "" : nan(value) ? "NaN" : "infinite";
      case "object":
        break;
      case "undefined":
        return "undefined";
      default:
        return `a ${typeof value}`;
    }
    if (value === null) return "";
    if (depth > limits.maxDepth) return "depth";
    if (isArray(value)) return findFaultInArray(value, depth);
    const prototype = getPrototypeOf(value);
    if (prototype !== null && prototype !== objectPrototype) return describeObject(value);
    return findFaultInObject(value as Record<string, unknown>, depth);
  }

  function findFaultInArray(value: unknown[], depth: number): string {
    if (depth === 1 && value.length > limits.maxRecords) return "records";
    for (let i = 0; i < value.length; i++) {
      const fault = findFault(value[i], depth + 1);
      if (fault !== "") {
        faultPath = `[${i}]${faultPath}`;
        return fault;
      }
    }
    return "";
  }

  function findFaultInObject(value: Record<string, unknown>, depth: number): string {
    const names = keys(value);
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string;
      const member = value[name];
      // As in JSON.stringify: undefined members are omitted.
      if (member === undefined) continue;
      const fault = findFault(member, depth + 1);
      if (fault !== "") {
        faultPath = `.${name}${faultPath}`;
        return fault;
      }
    }
    return "";
  }

  function describeObject(value: object): string {
    const then = getOwnPropertyDescriptor(getPrototypeOf(value) ?? value, "then");
    if (then !== undefined) return "a promise";
    const next = "next" in value;
    return next ? "an iterator or generator" : "not a plain object or array";
  }

  function line(mark: "v" | "e", started: number, json: string): string {
    const ms = now() - started;
    return `${mark}${ms} ${json}`;
  }

  function failure(started: number, fault: Failure): string {
    return line("e", started, stringify(fault));
  }

  function ownText(object: object, key: string): string | undefined {
    const descriptor = getOwnPropertyDescriptor(object, key);
    return descriptor !== undefined && typeof descriptor.value === "string" ? descriptor.value : undefined;
  }

  function stackOf(error: object): string {
    const descriptor = getOwnPropertyDescriptor(error, "stack");
    if (descriptor === undefined) return "";
    if (typeof descriptor.value === "string") return descriptor.value;
    // V8 implements `stack` as an accessor; any other getter was defined by the atom and is not called.
    if (descriptor.get !== undefined && descriptor.get === stackGetter) {
      const stack: unknown = apply(descriptor.get, error, []);
      return typeof stack === "string" ? stack : "";
    }
    return "";
  }

  /** Line number in the first stack frame inside the atom, which reads `atom:name:12:5)`. */
  function lineOf(stack: string): number | undefined {
    const at = apply(indexOfText, stack, ["atom:"]) as number;
    if (at < 0) return undefined;
    const end = apply(indexOfText, stack, ["\n", at]) as number;
    const frame = apply(sliceText, stack, end < 0 ? [at] : [at, end]) as string;
    // The last but one number. No arrays: assigning an element could call a setter that the atom defined.
    let before = -1;
    let last = -1;
    let current = -1;
    for (let i = 0; i <= frame.length; i++) {
      const code = i < frame.length ? (apply(charCodeAt, frame, [i]) as number) : 0;
      if (code >= 48 && code <= 57) current = (current < 0 ? 0 : current) * 10 + code - 48;
      else if (current >= 0) {
        before = last;
        last = current;
        current = -1;
      }
    }
    return before > 0 ? before : undefined;
  }

  /** True if V8 can format the first line of the stack without running code of the atom: it reads `name` and
   * `message`. */
  function hasPlainHeader(error: object): boolean {
    return isPlainText(error, "name") && isPlainText(error, "message");
  }

  function isPlainText(error: object, key: string): boolean {
    let holder: object | null = error;
    for (let hops = 0; holder !== null && hops < 8; hops++) {
      const descriptor = getOwnPropertyDescriptor(holder, key);
      if (descriptor !== undefined) return typeof descriptor.value === "string";
      holder = getPrototypeOf(holder);
    }
    return false;
  }

  /** Name of the built-in error class that an object descends from. */
  function builtInName(thrown: object): string | undefined {
    let proto = getPrototypeOf(thrown);
    for (let hops = 0; proto !== null && hops < 8; hops++) {
      for (let i = 0; i < errorNames.length; i++) {
        const entry = errorNames[i];
        if (entry !== undefined && entry[0] === proto) return entry[1];
      }
      proto = getPrototypeOf(proto);
    }
    return undefined;
  }

  function describeError(thrown: unknown): Failure {
    if (thrown === null || (typeof thrown !== "object" && typeof thrown !== "function")) {
      const text = typeof thrown === "symbol" ? "a symbol" : `${thrown as string}`;
      return newFailure("threw", `threw ${apply(sliceText, text, [0, 2000]) as string}`);
    }
    const message = ownText(thrown, "message");
    const name = ownText(thrown, "name") ?? builtInName(thrown);
    const out = newFailure(
      "threw",
      message === undefined ? "threw an object without a message" : clip(message, 4000),
    );
    if (name !== undefined) out.name = clip(name, 200);
    if (hasPlainHeader(thrown)) {
      const at = lineOf(stackOf(thrown));
      if (at !== undefined) out.line = at;
    }
    return out;
  }

  /** No prototype, so properties that the atom added to Object.prototype have no effect. */
  function newFailure(kind: string, message: string): Failure {
    return { __proto__: null, kind, message } as unknown as Failure;
  }

  function clip(text: string, length: number): string {
    return text.length <= length ? text : `${apply(sliceText, text, [0, length]) as string}…`;
  }

  function callOnce(fn: unknown, args: unknown[]): string {
    const started = now();
    let value: unknown;
    try {
      value = apply(fn as typeof functionProto, undefined, args);
    } catch (error) {
      return failure(started, describeError(error));
    }
    try {
      faultPath = "";
      const fault = findFault(value, 1);
      if (fault === "records") {
        const message = `the result has more than ${limits.maxRecords} records`;
        return failure(started, newFailure("result_too_large", message));
      }
      if (fault === "depth") {
        const message = `the result is nested deeper than ${limits.maxDepth} (or contains itself)`;
        return failure(started, newFailure("result_too_large", message));
      }
      if (fault !== "") {
        const message = `not JSON: ${clip(`result${faultPath}`, 500)} is ${fault}`;
        return failure(started, newFailure("result_invalid", message));
      }
      if ("toJSON" in objectPrototype || "toJSON" in arrayPrototype) {
        return failure(
          started,
          newFailure("result_invalid", "the atom added toJSON to a built-in prototype"),
        );
      }
      const json = stringify(value);
      if (json.length > limits.maxResultBytes) {
        const message = `the result has ${json.length} characters, more than ${limits.maxResultBytes}`;
        return failure(started, newFailure("result_too_large", message));
      }
      return line("v", started, json);
    } catch (error) {
      const { message } = describeError(error);
      return failure(started, newFailure("result_invalid", `the result could not be read: ${message}`));
    }
  }

  return (fn, argsJson, rawPlaces, limitsJson, softBytes, ...raws) => {
    limits = parse(limitsJson) as DispatchLimits;
    const lists = parse(argsJson) as unknown[][];
    const places = parse(rawPlaces) as [number, number][];
    for (let i = 0; i < places.length; i++) {
      const place = places[i];
      const list = place === undefined ? undefined : lists[place[0]];
      if (place !== undefined && list !== undefined) list[place[1]] = raws[i];
    }
    let out = "";
    for (let i = 0; i < lists.length; i++) {
      if (i > 0) {
        if (out.length > softBytes) break;
        out += "\n";
      }
      out += callOnce(fn, lists[i] as unknown[]);
    }
    return out;
  };
}
