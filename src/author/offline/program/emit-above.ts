// The code that follows the lines above the records (file headings, time stamps on lines of their own), whose texts
// hold for all records below them. Shared by the code of lines, tables and records of several lines.
import { comment, regex } from "./emit.ts";
import type { Above } from "./ir.ts";

/** Constants for the head of the file, a declaration for the function, and statements for each line. */
export function emitAbove(
  above: readonly Above[] | undefined,
  suffix: string,
  leave: readonly string[] = ["return;"],
): { head: string[]; declare: string[]; each: string[] } {
  if (above === undefined || above.length === 0) return { head: [], declare: [], each: [] };
  const head: string[] = [];
  const each: string[] = [];
  above.forEach(({ pattern, example, clears = [] }, index) => {
    const number = above.length === 1 ? "" : `_${index + 1}`;
    const name = `ABOVE${suffix}${number}`;
    const match = `above${number}`;
    head.push(comment(`Holds for the records below it: ${example}`), `const ${name} = ${regex(pattern)};`);
    each.push(
      `    const ${match} = ${name}.exec(line);`,
      `    if (${match} !== null) {`,
      ...clears.map((group) => `      context.${group} = undefined;`),
      `      Object.assign(context, ${match}.groups);`,
      ...leave.map((statement) => `      ${statement}`),
      "    }",
    );
  });
  return { head, declare: ["  const context = {};"], each };
}
