// Global names that atoms may use, and names that they may not use, with the reason.
import type { FindingCode } from "../../contract/finding-codes.ts";

/** Pure builtins of the language and the two modules of the sandbox. */
export const ALLOWED_GLOBALS: ReadonlySet<string> = new Set([
  "Array",
  "BigInt",
  "Boolean",
  "Error",
  "EvalError",
  "Infinity",
  "JSON",
  "Map",
  "Math",
  "NaN",
  "Number",
  "Object",
  "RangeError",
  "ReferenceError",
  "RegExp",
  "Set",
  "String",
  "Symbol",
  "SyntaxError",
  "TypeError",
  "URIError",
  "WeakMap",
  "WeakSet",
  "Int8Array",
  "Int16Array",
  "Int32Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "Uint16Array",
  "Uint32Array",
  "Float32Array",
  "Float64Array",
  "BigInt64Array",
  "BigUint64Array",
  "decodeURI",
  "decodeURIComponent",
  "encodeURI",
  "encodeURIComponent",
  "escape",
  "isFinite",
  "isNaN",
  "parseFloat",
  "parseInt",
  "undefined",
  "unescape",
  "re",
  "fnmatch",
]);

const DYNAMIC = "runs generated code";
const IO = "reaches outside of the function; an atom works on its arguments only";
const CLOCK = "reads the clock or the time zone; an atom must give the same result at any time and place";
const LATER = "runs code later; an atom returns its result directly";
const HIDE = "can hide what the code does; write it directly";

/** Forbidden global names, with the reason. All other global names are reported as undeclared. */
export const FORBIDDEN_GLOBALS: ReadonlyMap<string, string> = new Map([
  ["eval", DYNAMIC],
  ["Function", DYNAMIC],
  ["WebAssembly", DYNAMIC],
  ["globalThis", IO],
  ["window", IO],
  ["self", IO],
  ["global", IO],
  ["process", IO],
  ["require", IO],
  ["module", IO],
  ["exports", IO],
  ["console", IO],
  ["print", IO],
  ["fetch", IO],
  ["XMLHttpRequest", IO],
  ["WebSocket", IO],
  ["Buffer", IO],
  ["Deno", IO],
  ["Bun", IO],
  ["open", IO],
  ["navigator", IO],
  ["document", IO],
  ["crypto", "gives random values"],
  ["Date", CLOCK],
  ["performance", CLOCK],
  ["Intl", "depends on the locale"],
  ["setTimeout", LATER],
  ["setInterval", LATER],
  ["setImmediate", LATER],
  ["queueMicrotask", LATER],
  ["Promise", LATER],
  ["Proxy", HIDE],
  ["Reflect", HIDE],
  ["SharedArrayBuffer", "shares memory"],
  ["ArrayBuffer", "is raw memory and not needed"],
  ["DataView", "is raw memory and not needed"],
  ["Atomics", "shares memory"],
  ["WeakRef", "depends on the garbage collector"],
  ["FinalizationRegistry", "depends on the garbage collector"],
]);

/** Property names that must not be read or written. */
export const FORBIDDEN_PROPERTIES: ReadonlyMap<string, { code: FindingCode; why: string }> = new Map<
  string,
  { code: FindingCode; why: string }
>([
  ["constructor", { code: "constructor_access", why: "leads to `Function`, which runs generated code" }],
  ["__proto__", { code: "prototype_access", why: "changes what builtins do" }],
  ["__defineGetter__", { code: "getter_in_result", why: "makes values that change while they are read" }],
  ["__defineSetter__", { code: "getter_in_result", why: "makes values that change while they are read" }],
  ["__lookupGetter__", { code: "prototype_access", why: HIDE }],
  ["__lookupSetter__", { code: "prototype_access", why: HIDE }],
  ["prepareStackTrace", { code: "builtin_patched", why: "changes how errors are created" }],
  ["captureStackTrace", { code: "builtin_patched", why: "changes how errors are created" }],
  ["stackTraceLimit", { code: "builtin_patched", why: "changes how errors are created" }],
  ["toLocaleString", { code: "locale", why: "depends on the locale" }],
  ["toLocaleLowerCase", { code: "locale", why: "depends on the locale; use toLowerCase" }],
  ["toLocaleUpperCase", { code: "locale", why: "depends on the locale; use toUpperCase" }],
  ["toLocaleDateString", { code: "locale", why: "depends on the locale" }],
  ["toLocaleTimeString", { code: "locale", why: "depends on the locale" }],
  ["localeCompare", { code: "locale", why: "depends on the locale; compare with < and >" }],
]);

/** Methods of `Object` that change objects in hidden ways. */
export const FORBIDDEN_OBJECT_METHODS: ReadonlyMap<string, FindingCode> = new Map([
  ["defineProperty", "getter_in_result"],
  ["defineProperties", "getter_in_result"],
  ["setPrototypeOf", "prototype_access"],
  ["getPrototypeOf", "prototype_access"],
  ["getOwnPropertyDescriptor", "prototype_access"],
  ["getOwnPropertyDescriptors", "prototype_access"],
]);

/** Names that may only be used as `name.method`; other uses could hide which method is called. The modules of the sandbox
 * may be used freely: they are frozen, and atoms may use everything in them. */
export const NAMESPACES: ReadonlySet<string> = new Set(["Math", "JSON"]);
export const FROZEN_MODULES: ReadonlySet<string> = new Set(["re", "fnmatch"]);
