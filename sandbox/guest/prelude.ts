// What is in scope inside every isolate before the atom is compiled: `re` and `fnmatch`, no clock, no
// randomness; and the dispatcher, which the child holds and the atom never sees. Bundled to one script whose
// value is the dispatcher. Everything it needs is captured here, before any code of the atom has run.
import { createDispatcher } from "./dispatch.ts";
import { fnmatchcase } from "./fnmatch.ts";
import { re } from "./re.ts";

// Atoms have no clock, no randomness, no shared or executable memory and nothing that depends on collection.
const REMOVED = [
  "Date",
  "Temporal",
  "WebAssembly",
  "SharedArrayBuffer",
  "Atomics",
  "FinalizationRegistry",
  "WeakRef",
  "console",
  "ShadowRealm",
];

/** Freezes a module and the classes it hands out. */
function freezeModule(module: Record<string, unknown>): object {
  for (const value of Object.values(module)) {
    if (typeof value === "function") {
      if (value.prototype) Object.freeze(value.prototype);
      Object.freeze(value);
    }
  }
  return Object.freeze(module);
}

function define(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
}

const dispatcher = createDispatcher();
const pattern = re.compile("x");
const found = pattern.search("x");
if (found !== null) Object.freeze(Object.getPrototypeOf(found));
Object.freeze(Object.getPrototypeOf(pattern));
define("re", freezeModule(re));
define("fnmatch", freezeModule({ fnmatchcase }));
for (const name of REMOVED) Reflect.deleteProperty(globalThis, name);
Reflect.deleteProperty(Math, "random");
// A formatter of the atom's own would run wherever an error is shown.
Object.defineProperty(Error, "prepareStackTrace", { value: undefined, writable: false, configurable: false });
Object.defineProperty(Error, "stackTraceLimit", { value: 16, writable: false, configurable: false });

/** The value of the bundle. */
export const dispatch = dispatcher;
