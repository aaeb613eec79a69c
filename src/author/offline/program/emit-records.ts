// The code of the rules that keep state over lines: tables, records of several lines.

import { comment, type EmittedRule, emitFields, emitFilters, emitSource, literal, regex } from "./emit.ts";
import { emitAbove } from "./emit-above.ts";
import { emitParts, emitRow } from "./emit-rows.ts";
import type { BlockRule, TableRule, TreeRule } from "./ir.ts";

export function push(
  rule: Pick<TableRule | BlockRule | TreeRule, "required" | "filters" | "projection">,
  at: { line: string; number: string },
  indent: string,
) {
  const value = emitSource(rule.projection.value, "groups", true).replaceAll(
    "line.trim()",
    `${at.line}.trim()`,
  );
  return [
    ...rule.required.map((group) => `${indent}if ((groups.${group} ?? "").trim() === "") return;`),
    ...emitFilters(rule.filters, "groups", indent, "return"),
    `${indent}items.push({`,
    `${indent}  value: ${value},`,
    `${indent}  source_file,`,
    `${indent}  line_number: ${at.number},`,
    `${indent}  matched_content: ${at.line},`,
    `${indent}  parsed_fields: ${emitFields(rule.projection, "groups", `${indent}  `, false)},`,
    `${indent}});`,
  ];
}

/** What a blank line does. */
function blankLines(rule: TableRule): string[] {
  if (rule.ends === "file") return [];
  if (rule.ends === "mismatch") return ['    if (line.trim() === "") return;'];
  return ['    if (line.trim() === "") {', "      inside = false;", "      return;", "    }"];
}

function untilHead(rule: TableRule, suffix: string): string[] {
  if (rule.until === undefined) return [];
  const all = rule.until.map(regex).join(", ");
  return ["// Another table begins here.", `const UNTIL${suffix} = [${all}];`];
}

/** What the first line of another table does. */
function untilOf(rule: TableRule, suffix: string): string[] {
  if (rule.until === undefined) return [];
  return [
    `    if (UNTIL${suffix}.some((one) => one.test(line))) {`,
    "      inside = false;",
    "      return;",
    "    }",
  ];
}

/** What a heading row does: the rows below it are wanted, perhaps only in the first or last such table. */
function insideOf(rule: TableRule): string[] {
  const wanted = rule.sections === undefined ? "true" : "wanted";
  if (rule.only === "first") {
    return [
      "      // Only the first such table is wanted.",
      `      ${wanted === "true" ? "" : "if (wanted) "}tables += 1;`,
      `      inside = ${wanted === "true" ? "" : "wanted && "}tables === 1;`,
    ];
  }
  if (rule.only === undefined) return [`      inside = ${wanted};`];
  const clear = wanted === "true" ? "items.length = 0;" : "if (wanted) items.length = 0;";
  return [`      inside = ${wanted};`, "      // Only the last such table is wanted.", `      ${clear}`];
}

export function emitTable(rule: TableRule, suffix: string): EmittedRule {
  const fn = `extract_rows${suffix}`;
  const carry = rule.carry ?? [];
  const head = [
    ...(rule.headless === true
      ? ["// Rows without a heading."]
      : [comment(rule.headerExample), `const HEADER${suffix} = ${regex(rule.header)};`]),
    `const RULER${suffix} = ${regex(rule.ruler)};`,
  ];
  head.push(...untilHead(rule, suffix));
  const own = emitRow(rule, suffix);
  head.push(...own.head);
  const { read } = own;
  const above = emitAbove(rule.above, suffix);
  head.push(...above.head);
  const before: string[] = [
    ...above.each,
    ...(rule.wraps === true ? ["    if (index === rest) return;"] : []),
  ];
  if (rule.sections !== undefined) {
    head.push(
      comment(rule.sections.example),
      `const HEADING${suffix} = ${regex(rule.sections.heading)};`,
      `const WANTED${suffix} = [${rule.sections.wanted.map(literal).join(", ")}];`,
    );
    before.push(
      `    const title = HEADING${suffix}.exec(line)?.groups.title;`,
      "    if (title !== undefined) {",
      `      wanted = WANTED${suffix}.includes(title.trim());`,
      `      inside = ${rule.headless === true ? "wanted" : "false"};`,
      "      return;",
      "    }",
    );
  }
  const heading = [
    `    if (HEADER${suffix}.test(line)) {`,
    ...insideOf(rule),
    ...(rule.row.by === "headings" ? [`      heads = headingsOf(line, NAMES${suffix});`] : []),
    ...(carry.length === 0 ? [] : ["      carried = {};"]),
    ...(rule.ends === "ruler" ? ["      rows = 0;"] : []),
    "      return;",
    "    }",
  ];
  before.push(
    ...(rule.headless === true ? [] : heading),
    ...untilOf(rule, suffix),
    ...(rule.ends === "ruler"
      ? [
          "    // A ruler behind the rows ends the table.",
          `    if (rows > 0 && RULER${suffix}.test(line)) inside = false;`,
        ]
      : []),
    `    if (!inside || RULER${suffix}.test(line)) return;`,
    ...(rule.ends === "ruler" ? ["    rows += 1;"] : []),
  );
  before.push(...blankLines(rule));
  const after: string[] = [];
  if (rule.unless.length > 0) {
    head.push(`const UNWANTED${suffix} = [${rule.unless.map(literal).join(", ")}];`);
    after.push(`    if (UNWANTED${suffix}.some((text) => line.includes(text))) return;`);
  }
  const parts = emitParts(rule, suffix);
  head.push(...parts.head);
  after.push(...parts.each);
  if (carry.length > 0) {
    head.push(
      "// Blank cells of these columns have the text of the row above.",
      `const CARRIED${suffix} = [${carry.map(literal).join(", ")}];`,
    );
    after.push(
      `    for (const name of CARRIED${suffix}) {`,
      '      if ((groups[name] ?? "").trim() === "") groups[name] = carried[name] ?? "";',
      "      carried[name] = groups[name];",
      "    }",
    );
  }
  if (rule.above !== undefined) after.push("    Object.assign(groups, { ...context, ...groups });");
  const code = [
    ...head,
    "",
    `function ${fn}(lines, source_file) {`,
    "  const items = [];",
    ...above.declare,
    ...(rule.row.by === "headings" ? ["  let heads = [];"] : []),
    ...(carry.length === 0 ? [] : ["  let carried = {};"]),
    ...(rule.sections === undefined ? [] : ["  let wanted = false;"]),
    `  let inside = ${rule.headless === true && rule.sections === undefined};`,
    ...(rule.wraps === true ? ["  let rest = -1;"] : []),
    ...(rule.ends === "ruler" ? ["  let rows = 0;"] : []),
    ...(rule.only === "first" ? ["  let tables = 0;"] : []),
    "  lines.forEach((line, index) => {",
    ...before,
    ...read.filter((text) => text !== ""),
    ...after,
    ...push(rule, { line: "line", number: "index + 1" }, "    "),
    "  });",
    "  return items;",
    "}",
  ].join("\n");
  return { fn, code };
}

/** What ends a record beside the start of the next one. */
function endOf(rule: BlockRule): string[] {
  if (rule.ends === "blank") return ['    } else if (line.trim() === "") {', "      close();"];
  if (rule.ends === "start") return [];
  return [
    '    } else if (block !== undefined && line.trim() !== "" && line.search(/\\S/) <= block.indent) {',
    "      // A line that is no deeper than the first one belongs to no record.",
    "      close();",
  ];
}

export function emitBlock(rule: BlockRule, suffix: string): EmittedRule {
  const fn = `extract_records${suffix}`;
  const head = [
    comment(rule.startExample),
    `const START${suffix} = ${regex(rule.start)};`,
    ...(rule.keys.length === 0
      ? []
      : [
          `const KEY_LINE${suffix} = ${regex(rule.keyLine)};`,
          "// Keys of a record that are wanted, and what they are called here.",
          `const KEYS${suffix} = new Map([`,
          ...rule.keys.map(({ label, group }) => `  [${literal(label)}, ${literal(group)}],`),
          "]);",
        ]),
  ];
  if (rule.title !== undefined) {
    head.push("// The line below the start names the kind of record.");
    head.push(`const TITLE${suffix} = ${literal(rule.title)};`);
  }
  const above = emitAbove(rule.above, suffix, ["close();", "return;"]);
  head.push(...above.head);
  const inner = (rule.inner ?? []).map(({ pattern, example, after }, index) => {
    const name = `INNER${suffix}_${index + 1}`;
    head.push(comment(example), `const ${name} = ${regex(pattern)};`);
    const fill = `fill(block.groups, ${name}.exec(line)?.groups);`;
    if (after === undefined) return `    ${fill}`;
    head.push("// ... right below such a line.", `const BELOW${suffix}_${index + 1} = ${regex(after)};`);
    return `    if (BELOW${suffix}_${index + 1}.test(last)) ${fill}`;
  });
  const follows = (rule.inner ?? []).some((one) => one.after !== undefined);
  const wanted =
    rule.title === undefined
      ? []
      : [`      if (lines[index + 1]?.trim() !== TITLE${suffix}) block = undefined;`];
  const move =
    rule.lineOf === "value"
      ? [
          `    if (group === ${literal(rule.valueGroup)}) {`,
          "      block.line = line;",
          "      block.line_number = index + 1;",
          "    }",
        ]
      : [];
  const code = [
    ...head,
    "",
    `function ${fn}(lines, source_file) {`,
    "  const items = [];",
    ...above.declare,
    "  let block;",
    ...(follows ? ['  let before = "";'] : []),
    "  const close = () => {",
    "    if (block === undefined) return;",
    "    const { groups, line, line_number } = block;",
    "    block = undefined;",
    ...push(rule, { line: "line", number: "line_number" }, "    "),
    "  };",
    "  lines.forEach((line, index) => {",
    ...(follows ? ["    const last = before;", '    if (line.trim() !== "") before = line;'] : []),
    ...above.each,
    `    const opened = START${suffix}.exec(line);`,
    "    if (opened !== null) {",
    "      close();",
    `      block = { groups: { ${rule.above === undefined ? "" : "...context, "}...opened.groups }, line, line_number: index + 1${rule.ends === "dedent" ? ", indent: line.search(/\\S/)" : ""} };`,
    ...wanted,
    ...endOf(rule),
    "    }",
    "    if (block === undefined) return;",
    ...inner,
    ...(rule.keys.length === 0
      ? []
      : [
          `    const match = KEY_LINE${suffix}.exec(line);`,
          `    const group = match === null ? undefined : KEYS${suffix}.get(match.groups.key.trim());`,
          "    if (group === undefined || block.groups[group] !== undefined) return;",
          "    block.groups[group] = match.groups.text;",
          ...move,
        ]),
    "  });",
    "  close();",
    "  return items;",
    "}",
  ].join("\n");
  return { fn, code };
}
