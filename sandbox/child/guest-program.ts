// One atom compiled in one isolate: its context, the dispatcher of the prelude and the functions called so far.
// Only texts go in and out. Everything that isolated-vm throws becomes a failure with a kind.
import type IsolatedVm from "isolated-vm";
import type { CallLimits, SandboxFailure } from "../types.ts";
import { PRELUDE } from "./prelude-source.ts";

export type GuestResult =
  | { ok: true; text: string }
  /** retry: the isolate is lost, the program may be tried in another one. cpuMs: processor time it used. */
  | { ok: false; error: SandboxFailure; ms: number; retry: boolean; cpuMs: number };

type Created =
  | { ok: true; program: GuestProgram }
  | { ok: false; program: GuestProgram; result: GuestResult & { ok: false } };

let preludeCode: IsolatedVm.ExternalCopy<ArrayBuffer> | undefined;

export class GuestProgram {
  /** Limit of the isolate, and how much of it was meant for the atom itself. */
  readonly memoryMb: number;
  readonly baseMb: number;
  private readonly isolate: IsolatedVm.Isolate;
  private context: IsolatedVm.Context | undefined;
  private dispatch: IsolatedVm.Reference<unknown> | undefined;
  private readonly functions = new Map<string, IsolatedVm.Reference<unknown>>();

  private constructor(ivm: typeof IsolatedVm, memoryMb: number, baseMb: number) {
    this.baseMb = baseMb;
    this.memoryMb = memoryMb;
    this.isolate = new ivm.Isolate({ memoryLimit: memoryMb });
  }

  /** Compiles the atom as a script of its own and runs its top level. */
  static create(
    ivm: typeof IsolatedVm,
    name: string,
    source: string,
    limits: CallLimits,
    memoryMb: number,
  ): Created {
    const program = new GuestProgram(ivm, memoryMb, limits.memoryMb);
    const started = Date.now();
    const failed = (error: SandboxFailure, retry: boolean): Created => ({
      ok: false,
      program,
      result: { ok: false, error, ms: Date.now() - started, retry, cpuMs: program.cpuMs() },
    });
    let script: IsolatedVm.Script;
    try {
      program.context = program.isolate.createContextSync();
      program.dispatch = program.loadPrelude(program.context);
      script = program.isolate.compileScriptSync(source, { filename: `atom:${name}` });
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

  /** Runs the prelude. What V8 made of its text is kept for the next isolate: it comes from this process, from
   * our own text and from before any atom ran, and saves a third of the time that a new isolate takes. */
  private loadPrelude(context: IsolatedVm.Context): IsolatedVm.Reference<unknown> {
    const options = preludeCode === undefined ? { produceCachedData: true } : { cachedData: preludeCode };
    const script = this.isolate.compileScriptSync(PRELUDE, { filename: "prelude", ...options });
    // The declarations of isolated-vm leave this property of a compiled script out.
    preludeCode ??= (script as { cachedData?: IsolatedVm.ExternalCopy<ArrayBuffer> }).cachedData;
    return script.runSync(context, { reference: true });
  }

  /** Calls function `name` on each argument list; see Dispatcher for the text that comes back. */
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
    // A script of its own sees what the atom declared at top level, `const` and `let` included.
    const text = `typeof ${name} === "function" ? ${name} : undefined`;
    const found = this.context.evalSync(text, { reference: true, timeout: 1000, filename: "lookup" });
    if (found.typeof !== "function") return undefined;
    this.functions.set(name, found);
    return found;
  }

  /** Processor time used so far, milliseconds. */
  private cpuMs(): number {
    try {
      return Number(this.isolate.cpuTime) / 1e6;
    } catch {
      // An isolate that was disposed of for its memory tells nothing; it has worked enough.
      return Number.POSITIVE_INFINITY;
    }
  }

  dispose(): void {
    if (!this.isolate.isDisposed) this.isolate.dispose();
  }
}

/** Kind of what isolated-vm threw. It copies errors of the isolate, so only texts are looked at. */
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
