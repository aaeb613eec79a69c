// One atom in one isolate, with one context per session: the dispatcher of the prelude and the functions called so
// far. Only strings cross the boundary. Every error of isolated-vm becomes a failure with a kind.
import type IsolatedVm from "isolated-vm";
import type { CallLimits, SandboxFailure } from "../types.ts";
import { PRELUDE } from "./prelude-source.ts";

export type GuestResult =
  | { ok: true; text: string }
  /** retry: the isolate is lost, the program may be tried in another one. cpuMs: CPU time used. */
  | { ok: false; error: SandboxFailure; ms: number; retry: boolean; cpuMs: number };

type Created =
  | { ok: true; program: GuestProgram }
  | { ok: false; program: GuestProgram; result: GuestResult & { ok: false } };

let preludeCode: IsolatedVm.ExternalCopy<ArrayBuffer> | undefined;

/** An isolate for one atom with its compiled scripts. Every session of the same source has its own context in it; it never
 * runs another source. */
export class GuestIsolate {
  /** Memory limit of the isolate, and the part of it for the atom itself. */
  readonly memoryMb: number;
  readonly baseMb: number;
  /** Number of contexts created so far, and of those in use. */
  created = 0;
  inUse = 0;
  readonly isolate: IsolatedVm.Isolate;
  private readonly name: string;
  private readonly source: string;
  private prelude: IsolatedVm.Script | undefined;
  private atom: IsolatedVm.Script | undefined;

  constructor(ivm: typeof IsolatedVm, name: string, source: string, memoryMb: number, baseMb: number) {
    this.name = name;
    this.source = source;
    this.baseMb = baseMb;
    this.memoryMb = memoryMb;
    this.isolate = new ivm.Isolate({ memoryLimit: memoryMb });
  }

  /** Whether this isolate can run a call that needs `memoryMb` in total, `baseMb` of it for the atom. */
  fits(memoryMb: number, baseMb: number): boolean {
    return !this.isolate.isDisposed && this.memoryMb >= memoryMb && this.baseMb === baseMb;
  }

  isFor(name: string, source: string): boolean {
    return this.name === name && this.source === source;
  }

  /** The compiled prelude. Its code cache is reused by later isolates, which saves a third of their start time; it is
   * safe to reuse because it was created in this process, from our own source, before any atom ran. */
  preludeScript(): IsolatedVm.Script {
    if (this.prelude === undefined) {
      const options = preludeCode === undefined ? { produceCachedData: true } : { cachedData: preludeCode };
      this.prelude = this.isolate.compileScriptSync(PRELUDE, { filename: "prelude", ...options });
      // The type declarations of isolated-vm lack this property.
      preludeCode ??= (this.prelude as { cachedData?: IsolatedVm.ExternalCopy<ArrayBuffer> }).cachedData;
    }
    return this.prelude;
  }

  /** The atom, compiled as a separate script. Throws the compiler's error. */
  atomScript(): IsolatedVm.Script {
    this.atom ??= this.isolate.compileScriptSync(this.source, { filename: `atom:${this.name}` });
    return this.atom;
  }

  /** Heap size in bytes. */
  heapBytes(): number {
    return this.isolate.getHeapStatisticsSync().total_heap_size;
  }

  dispose(): void {
    if (!this.isolate.isDisposed) this.isolate.dispose();
  }
}

/** An atom in its own context, isolated from all other sessions. */
export class GuestProgram {
  readonly host: GuestIsolate;
  private context: IsolatedVm.Context | undefined;
  private dispatch: IsolatedVm.Reference<unknown> | undefined;
  private readonly functions = new Map<string, IsolatedVm.Reference<unknown>>();

  private constructor(host: GuestIsolate) {
    this.host = host;
    host.created += 1;
    host.inUse += 1;
  }

  private get isolate(): IsolatedVm.Isolate {
    return this.host.isolate;
  }

  /** Creates a context, runs the prelude in it and then the top level of the atom. */
  static create(host: GuestIsolate, limits: CallLimits): Created {
    const program = new GuestProgram(host);
    const started = Date.now();
    const cpuBefore = program.cpuMs();
    const failed = (error: SandboxFailure, retry: boolean): Created => ({
      ok: false,
      program,
      result: { ok: false, error, ms: Date.now() - started, retry, cpuMs: program.cpuMs() - cpuBefore },
    });
    let script: IsolatedVm.Script;
    try {
      program.context = program.isolate.createContextSync();
      program.dispatch = host.preludeScript().runSync(program.context, { reference: true });
      script = host.atomScript();
    } catch (error) {
      const failure = classify(error, limits);
      if (failure.kind === "threw") return failed({ ...failure, kind: "syntax" }, false);
      return failed(failure, true);
    }
    try {
      script.runSync(program.context, { timeout: limits.timeoutMs });
    } catch (error) {
      const failure = classify(error, limits);
      return failed(failure, failure.kind !== "threw");
    }
    return { ok: true, program };
  }

  /** Releases the context to the garbage collector; the isolate stays. */
  release(): void {
    this.host.inUse -= 1;
    if (this.isolate.isDisposed) return;
    for (const fn of this.functions.values()) fn.release();
    this.dispatch?.release();
    this.context?.release();
  }

  /** Calls function `name` on each argument list; see Dispatcher for the returned text. */
  call(
    name: string,
    args: string,
    rawPlaces: string,
    limits: CallLimits,
    softBytes: number,
    raws: string[],
  ): GuestResult {
    const started = Date.now();
    const cpuBefore = this.cpuMs();
    const failed = (error: SandboxFailure, retry: boolean): GuestResult => ({
      ok: false,
      error,
      ms: Date.now() - started,
      retry,
      cpuMs: this.cpuMs() - cpuBefore,
    });
    try {
      const fn = this.lookUp(name);
      if (fn === undefined || this.dispatch === undefined) {
        const error: SandboxFailure = {
          kind: "missing_function",
          message: `the source defines no function ${name}`,
        };
        return failed(error, false);
      }
      const { maxResultBytes, maxRecords, maxDepth } = limits;
      const limitsJson = JSON.stringify({ maxResultBytes, maxRecords, maxDepth });
      const text: unknown = this.dispatch.applySync(
        undefined,
        [fn.derefInto(), args, rawPlaces, limitsJson, softBytes, ...raws],
        { timeout: limits.timeoutMs },
      );
      if (typeof text === "string") return { ok: true, text };
      const error: SandboxFailure = { kind: "result_invalid", message: "the dispatcher returned no text" };
      return failed(error, true);
    } catch (error) {
      return failed(classify(error, limits), true);
    }
  }

  private lookUp(name: string): IsolatedVm.Reference<unknown> | undefined {
    const known = this.functions.get(name);
    if (known !== undefined) return known;
    if (!/^[A-Za-z_$][\w$]*$/.test(name) || this.context === undefined) return undefined;
    // A separate script sees the atom's top-level declarations, `const` and `let` included.
    const text = `typeof ${name} === "function" ? ${name} : undefined`;
    const fn = this.context.evalSync(text, { reference: true, timeout: 1000, filename: "lookup" });
    if (fn.typeof !== "function") return undefined;
    this.functions.set(name, fn);
    return fn;
  }

  /** CPU time used so far, milliseconds. */
  private cpuMs(): number {
    try {
      return Number(this.isolate.cpuTime) / 1e6;
    } catch {
      // An isolate disposed of for its memory has no CPU time to report; infinite means "not starved".
      return Number.POSITIVE_INFINITY;
    }
  }
}

/** Classifies an error of isolated-vm. It copies errors out of the isolate, so only their text is available. */
function classify(error: unknown, limits: CallLimits): SandboxFailure {
  const message = error instanceof Error ? String(error.message) : String(error);
  if (message.includes("Script execution timed out")) {
    return { kind: "timeout", message: `no result within ${limits.timeoutMs} ms` };
  }
  if (/memory limit|Isolate is disposed|Isolate was disposed|allocation failed/i.test(message)) {
    return { kind: "memory", message: `more than ${limits.memoryMb} MiB of memory` };
  }
  const failure: SandboxFailure = { kind: "threw", message: message.slice(0, 4000) };
  if (error instanceof Error) {
    failure.name = error.name;
    const line = /atom:[^\n]*?:(\d+)(?::\d+)?/.exec(`${message}\n${error.stack ?? ""}`)?.[1];
    if (line !== undefined) failure.line = Number(line);
    failure.message = failure.message.replace(/ \[atom:[^\]]*\]$/, "");
  }
  return failure;
}
