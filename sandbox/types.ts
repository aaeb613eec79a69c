// The interface of the sandbox to the rest of the program. Only JSON crosses it; every failure is a value.
import type { JsonValue } from "../src/core/json.ts";

/** full: Landlock and seccomp; partial: the parts that the kernel supports; process: only a disposable child. */
export type JailLevel = "full" | "partial" | "process";

export type FailureKind =
  | "syntax" // the source does not compile
  | "missing_function" // the source defines no such function
  | "threw" // the atom threw; message, name and line are the atom's
  | "timeout" // CPU or wall clock
  | "memory"
  | "result_too_large" // bytes, records or depth over the limit
  | "result_invalid" // not JSON: functions, symbols, cycles, BigInt, a promise, a generator …
  | "crashed" // the child died
  | "protocol" // the child broke the protocol
  | "not_run" // an earlier call of the same list did not end (CallOptions.halt)
  | "unavailable"; // no sandbox could be started

export interface SandboxFailure {
  kind: FailureKind;
  message: string;
  /** Error name as thrown by the atom (own data property only). */
  name?: string;
  /** 1-based line in the atom's source. */
  line?: number;
}

export type Outcome<T extends JsonValue = JsonValue> =
  | { ok: true; value: T; ms: number }
  | { ok: false; error: SandboxFailure; ms: number };

export interface CallLimits {
  /** Time limit of one call, milliseconds. Extended while the atom gets hardly any CPU time. */
  timeoutMs: number;
  /** Memory the atom may use, MiB. Long text arguments are added to it. */
  memoryMb: number;
  /** Maximum bytes of the serialized result. */
  maxResultBytes: number;
  /** Maximum elements of a result that is an array. */
  maxRecords: number;
  /** Maximum nesting of the result. */
  maxDepth: number;
}

export const DEFAULT_CALL_LIMITS: CallLimits = {
  timeoutMs: 5_000,
  memoryMb: 256,
  maxResultBytes: 64 * 1024 * 1024,
  maxRecords: 1_000_000,
  maxDepth: 32,
};

/** One atom file, compiled as a separate script under `name`. */
export interface AtomProgram {
  name: string;
  source: string;
}

export interface CallOptions {
  limits?: Partial<CallLimits>;
  /** Run in a new isolate (stability gates). */
  fresh?: boolean;
  /** After a call that ran out of time or memory, or killed its child, skip the others (`not_run`). */
  halt?: boolean;
}

/** A text argument as bytes, one per character (ASCII or Latin-1), which are sent unchanged. They must not be modified
 * until the call has an outcome. */
export class RawText {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Characters. */
  get length(): number {
    return this.bytes.byteLength;
  }
}

export type Argument = JsonValue | RawText;

/** A compiled atom. A text argument of more than a few kilobytes is sent raw, one or two bytes per character, so that
 * logs of hundreds of megabytes can be passed directly. Calls of one session may run concurrently in several children;
 * objects in results have no prototype. Survives the end of its child: the next call compiles it in another one. */
export interface AtomSession {
  call(fn: string, args: Argument[], options?: CallOptions): Promise<Outcome>;
  /** Many calls of one function in one round trip; outcome i belongs to argument list i. A timeout or crash
   * fails that call and the rest continue. `timeoutMs` bounds each call. */
  callMany(fn: string, argLists: Argument[][], options?: CallOptions): Promise<Outcome[]>;
  close(): Promise<void>;
}

export interface SandboxInfo {
  level: JailLevel;
  /** What could not be applied, one sentence each, with the reason. */
  missing: string[];
  node: string;
  runtimeDir: string;
}

export interface SandboxOptions {
  /** A lower level is a `sandbox` error at start. */
  require: JailLevel;
  /** Maximum number of children. */
  children: number;
  /** Overrides of the default limits. */
  limits?: Partial<CallLimits>;
}

export interface Sandbox {
  readonly info: SandboxInfo;
  /** Opens a session. A program that does not compile still gives one: every call on it fails with `syntax`. */
  open(program: AtomProgram): Promise<AtomSession>;
  close(): Promise<void>;
}
