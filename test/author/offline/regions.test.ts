// What a line announces by its keys, as a table of lines.

import { describe, expect, test } from "bun:test";
import type { Hint } from "../../../src/author/offline/page/page.ts";
import { regionsOf } from "../../../src/author/offline/templates/regions.ts";

const HINT: Hint = {
  name: "part",
  description: "",
  literals: [],
  choices: [],
  kind: undefined,
  optional: false,
  wholeLine: false,
  basename: false,
};

/** Line, parts, and the texts behind the keys. */
const TABLE: [string, string[], Record<string, string>][] = [
  ["IN=a OUT= SRC=192.0.2.1 DPT=22 SYN", ["192.0.2.1"], { IN: "a", SRC: "192.0.2.1", DPT: "22" }],
  ['[id "7"] [msg "a [b] c"] rest', ["7"], { id: "7", msg: "a [b] c" }],
  ["out: user=<ann>, way=PLAIN, rip=192.0.2.1", ["ann"], { user: "ann", way: "PLAIN", rip: "192.0.2.1" }],
  [
    "ann : TTY=p/0 ; DIR=/my files ; RUN=/bin/a -b",
    ["p/0"],
    { TTY: "p/0", DIR: "/my files", RUN: "/bin/a -b" },
  ],
  ['msg="a \\"b\\" c" id=4', ["4"], { msg: 'a \\"b\\" c', id: "4" }],
  ['owner:(("webd",pid=3,fd=1)) ino:9', ["webd", "9"], { owner: "webd", pid: "3", fd: "1", ino: "9" }],
  ["name=two words msg=x", ["two words"], { name: "two words", msg: "x" }],
];

describe("regions of a line", () => {
  for (const [line, parts, texts] of TABLE)
    test(line, () => {
      const slots = parts.map((text, index) => {
        const start = line.indexOf(text);
        return { group: `g${index}`, hint: HINT, span: { start, end: start + text.length } };
      });
      const found = regionsOf(line, slots, [line]);
      const seen = Object.fromEntries(found.map((one) => [one.key, line.slice(one.open, one.close)]));
      for (const [key, text] of Object.entries(texts)) expect(seen[key]).toBe(text);
    });
});
