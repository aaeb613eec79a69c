import { describe, expect, test } from "bun:test";
import type { Atom } from "../../src/contract/atoms.ts";
import { inspectAtom } from "../../src/gates/static/index.ts";
import { parseAtom } from "../../src/gates/static/syntax-tree.ts";

const HEAD = "function extract_context(text, source_file) {";

/** Codes found in the body of an Atom A, with the code before it. */
function found(body: string, before = ""): string[] {
  const view = inspectAtom("atom_a", `${before}\n${HEAD}\n${body}\nreturn [];\n}`);
  if (!view.ok) return [view.code];
  return view.forbidden.map((f) => `${f.code}:${f.line}`);
}

describe("what is refused, with its line", () => {
  const refused: [string, string, string, string?][] = [
    ["an undeclared name", "note(text);", "undeclared_name:3"],
    [
      "a name that only a typeof asks for",
      "if (typeof process !== 'undefined') return [1];",
      "forbidden_name:3",
    ],
    ["a name in a branch that never runs", "if (false) { fetch('http://x'); }", "forbidden_name:3"],
    ["an export for Node", "", "forbidden_name:1", "if (typeof module === 'object') exports.x = 1;"],
    ["eval", "eval('1');", "forbidden_name:3"],
    ["Function", "new Function('return 1')();", "forbidden_name:3"],
    ["the clock", "const t = new Date();", "forbidden_name:3"],
    ["chance", "const t = Math.random();", "randomness:3"],
    ["chance, renamed", "const m = Math; m.random();", "hidden_use:3"],
    ["chance, taken apart", "const { random } = Math;", "hidden_use:3"],
    ["chance, by a computed name", "const t = Math['ran' + 'dom']();", "randomness:3"],
    ["a builtin by a name that is not known", "const t = Object[text]();", "hidden_use:3"],
    ["a constructor", "text.constructor.constructor('return 1')();", "constructor_access:3"],
    ["a constructor, put together", "const k = 'con' + 'structor'; text[k];", "constructor_access:3"],
    ["a constructor, from letters", "text[['con', 'structor'].join('')];", "constructor_access:3"],
    [
      "a constructor, from codes",
      "text[String.fromCharCode(99, 111, 110) + 'structor'];",
      "constructor_access:3",
    ],
    ["a constructor, taken apart", "const { constructor: c } = text;", "constructor_access:3"],
    ["the prototype", "({}).__proto__.x = 1;", "prototype_access:3"],
    ["a patched builtin", "String.prototype.x = () => 1;", "builtin_patched:3"],
    ["a patched module", "re.search = () => null;", "builtin_patched:3"],
    ["a replaced builtin", "JSON = null;", "builtin_patched:3"],
    ["a deleted builtin", "delete Array.from;", "builtin_patched:3"],
    ["a prototype passed on", "const p = Array.prototype; p.at = null;", "builtin_patched:3"],
    ["a getter in an object", "return [{ get value() { return 'x'; } }];", "getter_in_result:3"],
    ["a defined property", "Object.defineProperty({}, 'value', {});", "getter_in_result:3"],
    ["an async helper", "", "async:1", "async function later() {}"],
    ["import()", "import('fs');", "import:3"],
    ["with", "with (text) { length; }", "dynamic_scope:3"],
    ["the global this", "const all = (function () { return this; })();", "global_this:3"],
    ["the global this of the atom", "const all = this;", "global_this:3"],
    ["the locale", "text.localeCompare('x');", "locale:3"],
    ["a variable without a declaration", "counter = 1;", "undeclared_name:3"],
    ["a counter that outlives the call", "calls++;", "state_between_calls:3", "let calls = 0;"],
    ["a list that outlives the call", "all.push(text);", "state_between_calls:3", "const all = [];"],
    ["a table that outlives the call", "memo[text] = 1;", "state_between_calls:3", "const memo = {};"],
    ["a property of the function", "extract_context.n = 1;", "state_between_calls:3"],
    [
      "a memory in a closure",
      "next();",
      "state_between_calls:1",
      "const next = (() => { let n = 0; return () => (n += 1); })();",
    ],
    ["a static member of a class", "P.seen = text;", "state_between_calls:3", "class P {}"],
  ];
  for (const [what, body, expected, before] of refused) {
    test(what, () => expect(found(body, before)).toContain(expected));
  }

  test("an argument that is changed", () => {
    const view = inspectAtom(
      "atom_c",
      "function check_existence(items) {\n  items.sort();\n  return items;\n}",
    );
    expect(view.ok && view.forbidden.map((f) => f.code)).toEqual(["argument_changed"]);
  });
});

describe("what is allowed", () => {
  const allowed: [string, string, string?][] = [
    [
      "helpers, constants and classes",
      "return new Row(pad(text)).cells();",
      "const N = 3; const pad = (s) => s.padEnd(N); class Row { #t; constructor(t) { this.#t = t; } get t() { return this.#t; } cells() { return [...this.t]; } static of(t) { return new Row(t); } }",
    ],
    [
      "a constructor function with a prototype",
      "return new Scan(text).all();",
      "function Scan(t) { this.t = t; } Scan.prototype.all = function () { return [this.t]; };",
    ],
    [
      "tables built while loading",
      "return TABLE[text] ?? [];",
      "const TABLE = {}; for (const k of ['a', 'b']) TABLE[k] = [k]; ['c'].forEach((k) => { TABLE[k] = [k]; });",
    ],
    [
      "a table made by a function called at once",
      "return MAP.get(text) ?? [];",
      "const MAP = (() => { const m = new Map(); m.set('a', ['a']); return m; })();",
    ],
    [
      "closures inside the call",
      "let n = 0; text.split('').forEach(() => { n += 1; }); const add = () => { n++; }; add();",
    ],
    ["resetting a regex at top level", "RX.lastIndex = 0; while (RX.exec(text)) {}", "const RX = /a/g;"],
    ["names that shadow builtins", "const process = text; const Date = (x) => x; return [Date(process)];"],
    [
      "destructuring, defaults, rest, labels",
      "outer: for (const { a = 1, ...rest } of [{ b: 2 }]) { if (rest.b) continue outer; const [c = a] = []; (({ d }, ...e) => [c, d, e])({ d: 1 }); }",
    ],
    ["borrowed methods", "Object.prototype.hasOwnProperty.call({}, text); Array.prototype.slice.call([1]);"],
    [
      "the modules",
      "re.search('a', text); fnmatch.fnmatchcase(text, 'a*'); for (const m of re.finditer('a', text)) m.group(0);",
    ],
    ["a generator as a helper", "return [...lines(text)];", "function* lines(t) { yield* t.split('\\n'); }"],
    ["builtins as callbacks", "return text.split(',').map(Number).filter(Boolean).map(String);"],
    ["lookups by a variable", "const o = { a: 1 }; return [o[text], text[0], [1, 2][text.length]];"],
    [
      "optional chaining, catch without a name, templates",
      "try { text?.match(/x/u)?.[0]; } catch { return []; } return [`${text}`.length];",
    ],
    ["arguments and new.target", "function f() { return arguments.length; } f(1);"],
    ["an argument that is given a new value", "text = text.trim(); const copy = [...text]; copy.sort();"],
  ];
  for (const [what, body, before] of allowed) test(what, () => expect(found(body, before)).toEqual([]));
});

describe("signatures", () => {
  const problems = (atom: Atom, source: string): string[] => {
    const view = inspectAtom(atom, source);
    return view.ok ? view.signature.map((s) => s.code) : [view.code];
  };
  test("as the contract writes them", () => {
    expect(problems("atom_a", "function extract_context(text, source_file) {}")).toEqual([]);
    expect(
      problems(
        "atom_b",
        "const M = 'search'; function validate_logic(text, pattern, parsed_fields = null, default_match = `contains`, regex_mode = M) {}",
      ),
    ).toEqual([]);
    expect(problems("atom_c", "function check_existence(items) {}")).toEqual([]);
  });
  test("everything else", () => {
    expect(problems("atom_a", "function extract(text, source_file) {}")).toEqual(["missing_function"]);
    expect(problems("atom_a", "const extract_context = (text, source_file) => [];")).toEqual([
      "missing_function",
    ]);
    expect(problems("atom_a", "function extract_context(text) {}")).toEqual(["parameter_count"]);
    expect(problems("atom_a", "function extract_context(source_file, text) {}")).toEqual([
      "parameter_name",
      "parameter_name",
    ]);
    expect(problems("atom_a", "function* extract_context(text, source_file) {}")).toEqual(["generator"]);
    expect(problems("atom_a", "function extract_context({ text }, source_file) {}")).toEqual([
      "parameter_pattern",
    ]);
    expect(problems("atom_c", "function check_existence(items = []) {}")).toEqual(["default_added"]);
    expect(
      problems("atom_c", "function check_existence(items) {} function check_existence(items) {}"),
    ).toEqual(["defined_twice"]);
    expect(
      problems(
        "atom_b",
        "function validate_logic(text, pattern, parsed_fields, default_match = 'exact', regex_mode = 'search') {}",
      ),
    ).toEqual(["default_missing", "default_wrong"]);
  });
});

describe("sources that cannot be read", () => {
  test("each gives a code and, where there is one, a line", () => {
    expect(parseAtom("let a;\nlet b = ;")).toMatchObject({ ok: false, code: "syntax_error", line: 2 });
    expect(parseAtom("export function extract_context() {}")).toMatchObject({
      ok: false,
      code: "syntax_error",
    });
    expect(parseAtom("return 1;")).toMatchObject({ ok: false, code: "syntax_error", line: 1 });
    expect(parseAtom("a\0b")).toMatchObject({ ok: false, code: "not_text" });
    expect(parseAtom("1;".repeat(200_000))).toMatchObject({ ok: false, code: "source_too_large" });
    expect(parseAtom(`let a = ${"[".repeat(20_000)}${"]".repeat(20_000)};`)).toMatchObject({
      ok: false,
      code: "too_deep",
    });
  });
});
