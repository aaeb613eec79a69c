// The text beside the parts as an expression: what is said twice costs time on every line that does not match.
import { expect, test } from "bun:test";
import { tokenize } from "../../../src/author/offline/logs/tokens.ts";
import type { Hint } from "../../../src/author/offline/page/page.ts";
import { buildPattern, type TemplateOptions } from "../../../src/author/offline/templates/template.ts";

const hint: Hint = {
  name: "tool",
  description: "",
  literals: [],
  choices: [],
  kind: undefined,
  optional: false,
  wholeLine: false,
  basename: false,
};

test("many pairs that may be anything in front of a part are one gap, and a line without the part is left soon", () => {
  const pairs = Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? `k${i}=${i}a` : `${i}zz`)).join(" ");
  const line = `rec=RUN ${pairs} tool="make" end`;
  const start = line.indexOf("make");
  const tokens = tokenize(line).filter((token) => token.end < start - 7);
  const loose = new Set(tokens.map((token) => token.start));
  const options: TemplateOptions = {
    tail: true,
    prefix: "all",
    pairs: false,
    codes: false,
    classes: new Map(),
    ellipsis: false,
    fixed: new Set(["tool", "end"]),
    loose,
  };
  const pattern = buildPattern(line, [{ group: "tool", hint, span: { start, end: start + 4 } }], options);
  expect(new RegExp(pattern).exec(line)?.groups?.["tool"]).toBe("make");
  expect(pattern.match(/\.\*\?/g)?.length ?? 0).toBe(1);
  expect(new RegExp(pattern).test(line.replace("tool=", "toll="))).toBe(false);
});
