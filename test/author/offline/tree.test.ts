// Structured documents: the scanners on whole, broken and shortened texts, and that an atom carries the same functions.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Syntax, scan } from "../../../src/author/offline/program/tree/index.ts";
import { isAt, nodeFrom } from "../../../src/author/offline/program/tree/nodes.ts";
import { TEXTS } from "../../../src/author/offline/program/tree/texts.ts";

const FOLDER = join(import.meta.dir, "../../../src/author/offline/program/tree");

/** Paths, texts and lines of all nodes that have a text. */
function texts(syntax: Syntax, text: string): string[] {
  return scan(syntax, text.split("\n")).flatMap((node) => {
    const path: string[] = [];
    for (let at = node; at.parent !== undefined; at = at.parent) path.unshift(at.name);
    return node.text === "" ? [] : [`${node.line} ${path.join("/")}=${node.text}`];
  });
}

describe("scanners", () => {
  test("JSON over several lines, with numbers as printed and text behind the end", () => {
    const text = '{\n "a": {"b": 1.50, "c": ["x, y", null,\n true]},\n "d\\"e": -2e3\n}\n{"f": ""}';
    expect(texts("json", text)).toEqual(["2 a/b=1.50", "2 a/c/[]=x, y", "3 a/c/[]=true", '4 d"e=-2e3']);
  });

  test("JSON objects behind a prefix; other lines are passed over", () => {
    const text = 'Jan 1 host app: {"a": {"b": 7}}\nno {object} here\n{"a": {"b": 8}}\n{"broken": ';
    expect(texts("json_lines", text)).toEqual(["1 =Jan 1 host app:", "1 a/b=7", "3 a/b=8"]);
  });

  test("a JSON text cut at its start still gives what follows", () => {
    expect(texts("json", '1, "x": 3}}\n{"a": 4}')).toEqual(["2 a=4"]);
  });

  test("a JSON text without the ends of its objects: the lines further out show them", () => {
    const text = '  "a": {\n    "v": 1,\n    "w": [\n      2\n  "b": {\n    "v": 3\n';
    expect(texts("json", text)).toEqual(["2 a/v=1", "4 a/w/[]=2", "6 b/v=3"]);
  });

  test("pairs with quoted values", () => {
    expect(texts("pairs", 'at=1 msg="a b=\\"c\\"" addr=10.0.0.1 end=\nplain line')).toEqual([
      "1 at=1",
      '1 msg=a b="c"',
      "1 addr=10.0.0.1",
    ]);
  });

  test("YAML: nested lists at the column of their key, several documents, texts of several lines", () => {
    const text = [
      "top: 1 # comment",
      "list:",
      "- name: 'a b'",
      "  deep:",
      '    - x: "1:2"',
      "      y: [p, q]",
      "- name: c",
      "note: |",
      "  first",
      "  second",
      "---",
      "top: 2",
    ].join("\n");
    expect(texts("yaml", text)).toEqual([
      "1 top=1",
      "3 list/[]/name=a b",
      "5 list/[]/deep/[]/x=1:2",
      "6 list/[]/deep/[]/y/[]=p",
      "6 list/[]/deep/[]/y/[]=q",
      "7 list/[]/name=c",
      "8 note=first second",
      "12 top=2",
    ]);
  });

  test("XML: attributes, texts, entities, comments; a property list gives its values their keys", () => {
    const text =
      '<a>\n <!-- <b/> -->\n <b id="1"\n  kind="x &amp; y">t\n u</b>\n</a>\n<dict><key>k</key><string>v</string></dict>';
    expect(texts("xml", text)).toEqual([
      "3 a/b=t u",
      "3 a/b/@id=1",
      "4 a/b/@kind=x & y",
      "7 dict/key=k",
      "7 dict/k=v",
    ]);
  });

  test("round brackets: heads, places, escapes, lists of numbers", () => {
    const text = '(f (v "1 0")\n (c a\\[0\\] (1.0:2.0) (n (T 5))))';
    expect(texts("parens", text)).toEqual([
      "1 f/v=1 0",
      "1 f/v/$1=1 0",
      "2 f/c=a\\[0\\]",
      "2 f/c/$1=a\\[0\\]",
      "2 f/c/$2=1.0:2.0",
      "2 f/c/$2/$1=1.0:2.0",
      "2 f/c/n/T=5",
      "2 f/c/n/T/$1=5",
    ]);
  });

  test("curly braces, with and without semicolons", () => {
    expect(texts("braces", 'zone "x.y" in {\n  type master;\n  file "a b"; };').sort()).toEqual([
      "1 zone/$1=x.y",
      "1 zone/$2=in",
      "1 zone=x.y in",
      "2 zone/type/$1=master",
      "2 zone/type=master",
      "3 zone/file/$1=a b",
      "3 zone/file=a b",
    ]);
    expect(texts("braces", "a (B) {\n  c : 1.5\n}")).toEqual([
      "1 a=B",
      "1 a/$1=B",
      "2 a/c=1.5",
      "2 a/c/$1=1.5",
    ]);
  });

  test("deep nesting and a hostile text end", () => {
    for (const syntax of ["json", "parens", "braces", "xml", "yaml"] as const) {
      const nodes = scan(syntax, ["[{(<a>".repeat(5000), "- ".repeat(5000), ")".repeat(5000)]);
      expect(nodes.length).toBeGreaterThan(0);
    }
  });
});

describe("paths", () => {
  test("any name, any depth, and steps up and down", () => {
    const nodes = scan("json", ['{"a": {"k": {"v": 1}, "l": {"v": 2}}, "w": 9}']);
    const found = nodes.filter((node) => isAt(node, ["a", "*"]));
    expect(found.map((node) => node.name)).toEqual(["k", "l"]);
    expect(found.map((node) => nodeFrom(node, 0, ["v"])?.text)).toEqual(["1", "2"]);
    expect(found.map((node) => nodeFrom(node, 2, ["w"])?.text)).toEqual(["9", "9"]);
    expect(nodes.filter((node) => isAt(node, ["**", "v"])).length).toBe(2);
    expect(nodeFrom(nodes[0] ?? (undefined as never), 4, ["v"])).toBeUndefined();
  });
});

describe("texts for atoms", () => {
  test("they are the functions of the sources without their types", () => {
    const made: Record<string, string> = {};
    const pattern = /(?:\/\*\* ((?:(?!\*\/)[\s\S])*?) \*\/\n)?(?:export )?function (\w+)\([\s\S]*?\n}\n/g;
    const erase = new Bun.Transpiler({ loader: "ts", deadCodeElimination: false });
    for (const file of ["nodes.ts", "scan.ts", "scan-nested.ts"]) {
      for (const [source, doc, name] of readFileSync(join(FOLDER, file), "utf8").matchAll(pattern)) {
        const code = source.replace(/^\/\*\*[\s\S]*?\*\/\n/, "").replace(/^export /, "");
        const lead = doc === undefined ? "" : `// ${doc.replace(/\s*\n \* /g, " ")}\n`;
        made[name ?? ""] = lead + erase.transformSync(code).trimEnd();
      }
    }
    expect(TEXTS).toEqual(made);
  });
});
