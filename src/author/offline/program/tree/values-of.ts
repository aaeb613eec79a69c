// What values the code of a rule on structured documents can take from given lines, read back from the code.
import { SCANNER_NAMES } from "./emit.ts";
import { type Syntax, scan } from "./index.ts";
import { isAt, nodeFrom, pickPart } from "./nodes.ts";

/** The values of all nodes that the paths of the code lead to; conditions are not followed. */
export function treeValues(atomA: string, lines: readonly string[]): string[] {
  return atomA.split(/\n(?=const RECORD)/).flatMap((code) => {
    const record = /^const RECORD\w* = (\[.*\]);$/m.exec(code)?.[1];
    const scanner = /^ {2}(scan\w+)\(lines\)\.forEach/m.exec(code)?.[1];
    const syntax = (Object.keys(SCANNER_NAMES) as Syntax[]).find((one) => SCANNER_NAMES[one] === scanner);
    const group = /^ +value: (?:basename\(|bare\()?groups\.(\w+)/m.exec(code)?.[1];
    const take = new RegExp(
      `^ +${group}: (?:pickPart\\()?(node|nodeFrom\\(node, (\\d+), (\\[.*\\])\\))\\??\\.(text|name)(?:, \\[/(.*)/\\]\\))?,`,
      "m",
    ).exec(code);
    if (record === undefined || syntax === undefined || take === null) return [];
    const path = JSON.parse(record) as string[];
    const down = JSON.parse(take[3] ?? "[]") as string[];
    const patterns = take[5]?.split("/, /").map((source) => new RegExp(source));
    return scan(syntax, lines).flatMap((node) => {
      const at = isAt(node, path) ? nodeFrom(node, Number(take[2] ?? 0), down) : undefined;
      const text = (take[4] === "name" ? at?.name : at?.text) ?? "";
      const own = patterns === undefined ? text : pickPart(text, patterns);
      return own === "" ? [] : [own.trim()];
    });
  });
}
