// The global scope of every isolate before the atom is compiled: `re` and `fnmatch`, no clock, no randomness; and the
// dispatcher, which only the child can reach. Bundled to one script whose value is the dispatcher. Everything it needs
// is captured here, before any code of the atom has run.
import { createDispatcher } from "./dispatch.ts";
import { fnmatchcase } from "./fnmatch.ts";
import { Pattern, re } from "./re.ts";
import { Match } from "./re-match.ts";

// Atoms have no clock, no randomness, no shared or executable memory and nothing that depends on garbage collection.
const REMOVED = [
  "Date",
  "Temporal",
  "Intl",
  "WebAssembly",
  "SharedArrayBuffer",
  "Atomics",
  "FinalizationRegistry",
  "WeakRef",
  "console",
  "ShadowRealm",
];

/** Freezes a module and the classes it exposes. */
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

/** Disables code from strings: removes `eval` and makes every function constructor throw. */
function removeDynamicCode(): void {
  function refuse(): never {
    throw new TypeError("code from strings is not allowed in an atom");
  }
  Object.defineProperty(refuse, "prototype", { value: Function.prototype });
  const kinds = [
    function plain() {},
    async function later() {},
    function* steps() {
      yield 1;
    },
    async function* laterSteps() {
      yield 1;
    },
  ];
  for (const kind of kinds) {
    const value = Object.freeze(refuse);
    Object.defineProperty(Object.getPrototypeOf(kind), "constructor", {
      value,
      writable: false,
      configurable: false,
    });
  }
  define("Function", refuse);
  Reflect.deleteProperty(globalThis, "eval");
}

const dispatcher = createDispatcher();
Object.freeze(Match.prototype);
Object.freeze(Pattern.prototype);
define("re", freezeModule(re));
define("fnmatch", freezeModule({ fnmatchcase }));
for (const name of REMOVED) Reflect.deleteProperty(globalThis, name);
Reflect.deleteProperty(Math, "random");
removeDynamicCode();
// A formatter defined by the atom would run wherever an error is formatted.
Object.defineProperty(Error, "prepareStackTrace", { value: undefined, writable: false, configurable: false });
Object.defineProperty(Error, "stackTraceLimit", { value: 16, writable: false, configurable: false });

/** The value of the bundle. */
export const dispatch = dispatcher;
