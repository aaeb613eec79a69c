// Writes a program as the code of Atom A: named patterns, a comment with an example line each, and only the
// branches that this one program needs.
import { COLOURS } from "./colours.ts";
import { emitAbove } from "./emit-above.ts";
import { emitBlock, emitTable } from "./emit-records.ts";
import type { GroupFilter, LineRule, Match, Program, Projection, Rule, Scope, Source } from "./ir.ts";
import { PART_OF } from "./part-of.ts";
import { emitTree } from "./tree/emit.ts";
import { TEXTS } from "./tree/texts.ts";
import { UNDER_HEADINGS } from "./under-headings.ts";
import { JOINED_ROW } from "./wraps.ts";

/** The whole source of Atom A. */
export function emitAtomA(program: Program): string {
  const many = program.rules.length > 1;
  const parts = program.rules.map((rule, index) => emitRule(rule, many ? `_${index + 1}` : ""));
  const body = parts.map((part) => part.code).join("\n\n");
  const calls = parts.map((part) => `${part.fn}(${part.lines ?? "lines"}, source_file)`);
  const coloured = program.coloured === true;
  const found = many
    ? `  const items = [\n${calls.map((call) => `    ...${call},`).join("\n")}\n  ];`
    : coloured
      ? `  const items = ${calls[0] ?? "[]"};`
      : "";
  const result = [
    found,
    coloured ? "  for (const item of items) item.matched_content = printed[item.line_number - 1];" : "",
    many
      ? "  return items.sort((a, b) => a.line_number - b.line_number);"
      : `  return ${coloured ? "items" : (calls[0] ?? "[]")};`,
  ]
    .filter((text) => text !== "")
    .join("\n");
  const split = 'text.replaceAll("\\r\\n", "\\n").split("\\n")';
  const helpers = [
    calls.some((call) => call.includes("partOf(")) ? PART_OF : "",
    body.includes("filled(") ? FILLED : "",
    body.includes("fill(") ? FILL : "",
    body.includes("order(") ? ORDER : "",
    body.includes("basename(") ? BASENAME : "",
    body.includes("bare(") ? BARE : "",
    body.includes("cellsUnder(") ? UNDER_HEADINGS : "",
    body.includes("joinedRow(") ? JOINED_ROW : "",
    body.includes("splitQuoted(") ? SPLIT_QUOTED : "",
    ...treeTexts(body),
  ].filter((text) => text !== "");
  return [
    comment(`Extracts: ${program.title}`),
    "",
    body,
    ...(coloured ? ["", "// Colours of a terminal", `const COLOURS = ${regex(COLOURS)}g;`] : []),
    ...helpers.map((text) => `\n${text}`),
    "",
    "function extract_context(text, source_file) {",
    ...(coloured
      ? [`  const printed = ${split};`, '  const lines = printed.map((line) => line.replace(COLOURS, ""));']
      : [`  const lines = ${split};`]),
    result,
    "}",
    "",
  ].join("\n");
}

/** The functions for structured documents that the code calls, and those that they call. */
function treeTexts(body: string): string[] {
  const wanted = new Set<string>();
  const add = (code: string): void => {
    for (const [name, text] of Object.entries(TEXTS)) {
      if (wanted.has(name) || !code.includes(`${name}(`)) continue;
      wanted.add(name);
      add(text);
    }
  };
  add(body);
  return Object.entries(TEXTS).flatMap(([name, text]) => (wanted.has(name) ? [text] : []));
}

export interface EmittedRule {
  fn: string;
  code: string;
  /** The lines that it is called with, where these are not all of them. */
  lines?: string;
}

function emitRule(rule: Rule, suffix: string): EmittedRule {
  if (rule.kind === "line") return emitLine(rule, suffix);
  if (rule.kind === "tree") return emitTree(rule, suffix);
  const own = rule.kind === "table" ? emitTable(rule, suffix) : emitBlock(rule, suffix);
  return rule.scope === undefined ? own : withinScope(own, rule.scope, suffix);
}

/** A rule over several lines that reads a part of the file. */
function withinScope(own: EmittedRule, scope: Scope, suffix: string): EmittedRule {
  const head = scopeHead(scope, suffix);
  return {
    fn: own.fn,
    code: [...head, own.code].join("\n"),
    lines: `partOf(lines, OPEN${suffix}, CLOSE${suffix}, ${scope.begins === true})`,
  };
}

function scopeHead(scope: Scope, suffix: string): string[] {
  return [
    comment(`${scope.begins === true ? "Not after" : "Only after"}: ${scope.openExample}`),
    `const OPEN${suffix} = ${regex(scope.open)};`,
    `const CLOSE${suffix} = ${regex(scope.close)};`,
  ];
}

/** One-line comment; whatever a log line contains cannot leave it. */
export function comment(text: string): string {
  const safe = text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, " ").trimEnd();
  return `// ${safe.length > 160 ? `${safe.slice(0, 157)}...` : safe}`;
}

export function literal(text: string): string {
  return JSON.stringify(text).replace(/\u2028|\u2029/g, " ");
}

export function regex(source: string): string {
  return `/${source}/`;
}

/** The expression for one source; `groups` is the name of the variable that holds the groups. */
export function emitSource(source: Source, groups: string, trim: boolean): string {
  if (source.from === "line") return "line.trim()";
  if (source.from === "constant") return literal(source.text);
  if (source.from === "joined") {
    const parts = source.parts.map((part) =>
      "text" in part ? part.text.replace(/[`\\$]/g, "\\$&") : `\${${groups}.${part.group}}`,
    );
    return `\`${parts.join("")}\``;
  }
  const text = `${groups}.${source.group}${trim ? ".trim()" : ""}`;
  if (source.op === "bare") return `bare(${text})`;
  return source.op === "basename" ? `basename(${text})` : text;
}

export function emitFields(projection: Projection, groups: string, indent: string, sure: boolean): string {
  const entries = projection.fields.map(({ name, source }) => {
    const text = emitSource(source, groups, false);
    return `${indent}  ${/^[A-Za-z_]\w*$/.test(name) ? name : literal(name)}: ${text},`;
  });
  if (entries.length === 0) return "{}";
  const object = `{\n${entries.join("\n")}\n${indent}}`;
  return sure ? object : `filled(${object})`;
}

/** May a group of the pattern be missing, empty or carry spaces at its ends? */
export function needsTrim(pattern: string): boolean {
  return /[.\]][*+]\??\)|\)\?|\.[*+]/.test(pattern);
}

function emitLine(rule: LineRule, suffix: string): EmittedRule {
  const fn = `extract_lines${suffix}`;
  const one = rule.alternatives.length === 1 ? rule.alternatives[0] : undefined;
  const head: string[] = [];
  const names: string[] = [];
  rule.alternatives.forEach((alternative, index) => {
    const name = `LINE${suffix}${one === undefined ? `_${String.fromCharCode(65 + index)}` : ""}`;
    names.push(name);
    head.push(comment(alternative.example), `const ${name} = ${regex(alternative.pattern)};`);
  });
  const { scope } = rule;
  const above = emitAbove(rule.above, suffix, scope === undefined ? ["return;"] : ["own = true;"]);
  head.push(...above.head);
  const before: string[] = [...above.each];
  if (scope !== undefined) {
    const own = rule.above === undefined ? "" : "own || ";
    head.push(...scopeHead(scope, suffix));
    if (own !== "") before.unshift("    let own = false;");
    before.push(
      `    if (OPEN${suffix}.test(line)) {`,
      "      inside = true;",
      "      return;",
      "    }",
      `    if (CLOSE${suffix}.test(line)) inside = false;`,
      `    if (${own}!inside) return;`,
    );
  }
  if (rule.unless.length > 0) {
    head.push(`const UNWANTED${suffix} = [${rule.unless.map(literal).join(", ")}];`);
    before.push(`    if (UNWANTED${suffix}.some((text) => line.includes(text))) return;`);
  }
  const body = rule.alternatives.flatMap((alternative, index) => {
    const trim = needsTrim(alternative.pattern);
    const match = one === undefined ? `match${String.fromCharCode(65 + index)}` : "match";
    const usesGroups = JSON.stringify(alternative.projection).includes('"group"') || rule.filters.length > 0;
    const groups = rule.above === undefined ? `${match}.groups` : "groups";
    const { value } = alternative.projection;
    const push = [
      ...(rule.above === undefined ? [] : [`      const groups = { ...context, ...${match}.groups };`]),
      // A log cut in front may lack the line above that has the value.
      ...(rule.above !== undefined &&
      value.from === "group" &&
      !alternative.pattern.includes(`(?<${value.group}>`)
        ? [`      if (${groups}.${value.group} === undefined) return;`]
        : []),
      ...emitFilters(rule.filters, groups, "      ", "return"),
      "      items.push({",
      `        value: ${emitSource(value, groups, trim)},`,
      "        source_file,",
      "        line_number: index + 1,",
      "        matched_content: line,",
      `        parsed_fields: ${emitFields(alternative.projection, groups, "        ", !trim && rule.above === undefined)},`,
      "      });",
      ...(one === undefined && index < rule.alternatives.length - 1 ? ["      return;"] : []),
    ];
    return usesGroups
      ? [`    const ${match} = ${names[index]}.exec(line);`, `    if (${match} !== null) {`, ...push, "    }"]
      : [`    if (${names[index]}.test(line)) {`, ...push, "    }"];
  });
  const code = [
    ...head,
    "",
    `function ${fn}(lines, source_file) {`,
    "  const items = [];",
    ...above.declare,
    ...(rule.scope === undefined ? [] : [`  let inside = ${rule.scope.begins === true};`]),
    "  lines.forEach((line, index) => {",
    ...before,
    ...body,
    "  });",
    "  return items;",
    "}",
  ].join("\n");
  return { fn, code };
}

/** Guards that leave a record out, one line each. */
export function emitFilters(
  filters: LineRule["filters"],
  groups: string,
  indent: string,
  leave: string,
): string[] {
  return filters.map((filter) => {
    const { negate, also, or, ...plain } = filter;
    const isOne = also === undefined || also.length === 0;
    // A plain comparison that is turned twice is written without.
    if (isOne && (or === undefined || or.length === 0) && negate === true)
      return `${indent}if (${testFor(plain, groups)}) ${leave};`;
    return `${indent}if (!${testFor(filter, groups)}) ${leave};`;
  });
}

/** The expression for a whole filter. */
function testFor(filter: GroupFilter, groups: string): string {
  const { group, also, equals, than, negate, match, fold, cut, or } = filter;
  const low = fold === true ? ".toLowerCase()" : "";
  const cutOut = (own: string): string =>
    cut === undefined ? own : `(${found(cut)}.exec(${own})?.groups.cut ?? "")`;
  let test: string;
  if (also !== undefined && also.length > 0) {
    const own = `[${[group, ...also].map((one) => `${groups}.${one}`).join(", ")}]`;
    const one = testOf(cutOut(`(text ?? "").trim()${low}`), equals, match);
    test = `${own}.some((text) => ${negate === true ? `!(${one})` : one})`;
  } else {
    const own = cutOut(`(${groups}.${group} ?? "").trim()${low}`);
    test =
      than === undefined
        ? testOf(own, equals, match)
        : comparedOf(own, `(${groups}.${than} ?? "").trim()`, match);
    if (negate === true) test = `!${test}`;
  }
  const others = (or ?? []).map((one) => testFor(one, groups));
  return others.length === 0 ? test : `(${[test, ...others].join(" || ")})`;
}

const METHODS = { prefix: "startsWith", suffix: "endsWith", contains: "includes" } as const;
const RELATIONS = { number: "===", above: ">", least: ">=", below: "<", most: "<=" } as const;
const ORDERS = { before: "<", until: "<=", since: ">=", after: ">" } as const;

/** An expression that a filter looks for, with its slashes escaped. */
function found(source: string): string {
  const own = new RegExp(source, "u");
  return `/${own.source}/u`;
}

/** The expression that compares the texts of two groups. */
function comparedOf(own: string, other: string, match: Match | undefined): string {
  if (match === undefined || match === "letters" || match === "like") return `(${own} === ${other})`;
  if (match === "prefix" || match === "suffix" || match === "contains")
    return `${own}.${METHODS[match]}(${other})`;
  if (match === "before" || match === "until" || match === "since" || match === "after")
    return `(order(${own}, ${other}) ${ORDERS[match]} 0)`;
  return `(${amountOf(own)} ${RELATIONS[match]} ${amountOf(other)})`;
}

/** The number in front of a text; what is none is no number and compares with nothing. */
function amountOf(own: string): string {
  return `Number((/^[-+]?(?:\\d[\\d,]*\\.?\\d*|\\.\\d+)(?:e[-+]?\\d+)?/i.exec(${own})?.[0] ?? "x").replace(/,/g, ""))`;
}

/** The expression that compares a text: true when it is one of those that the filter names. */
function testOf(own: string, equals: readonly string[], match: Match | undefined): string {
  const list = `[${equals.map(literal).join(", ")}]`;
  if (match === undefined) return `${list}.includes(${own})`;
  if (match === "letters") return `/^\\D*[A-Za-z]\\D*$/.test(${own})`;
  if (match === "like")
    return equals.length === 1
      ? `${found(equals[0] ?? "")}.test(${own})`
      : `[${equals.map(found).join(", ")}].some((one) => one.test(${own}))`;
  if (match === "prefix" || match === "suffix" || match === "contains")
    return `${list}.some((one) => ${own}.${METHODS[match]}(one))`;
  if (match === "before" || match === "until" || match === "since" || match === "after")
    return `${list}.some((one) => order(${own}, one) ${ORDERS[match]} 0)`;
  const numbers = equals.map((one) => Number(one.replace(/,/g, "")));
  return `[${numbers.join(", ")}].some((one) => ${amountOf(own)} ${RELATIONS[match]} one)`;
}

const FILLED = `// Fields without text are left out.
function filled(fields) {
  const kept = Object.entries(fields).filter(([, text]) => text !== undefined && text.trim() !== "");
  return Object.fromEntries(kept.map(([name, text]) => [name, text.trim()]));
}`;

const FILL = `// Texts that a record does not have yet.
function fill(groups, found) {
  for (const [name, text] of Object.entries(found ?? {})) groups[name] ??= text;
}`;

const BARE = `// Without the marks in front of it: bullets, signs, the lines of a tree.
function bare(text) {
  return text.replace(/^[^\\p{L}\\p{N}/_.$"'(<[{]+/u, "");
}`;

const ORDER = `// How the numbers of two texts follow each other; NaN where a text has none.
function order(own, other) {
  const [a, b] = [own, other].map((text) => (text.match(/\\d+/g) ?? []).map(Number));
  if (a.length === 0 || b.length === 0) return NaN;
  const at = a.concat(b).findIndex((_, index) => (a[index] ?? 0) !== (b[index] ?? 0));
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}`;

const BASENAME = `function basename(path) {
  return path.replace(/^.*[\\\\/]/s, "");
}`;

const SPLIT_QUOTED = `// Cells between separators; double quotes protect a separator, two of them stand for one.
function splitQuoted(line, separator) {
  const cells = [];
  let cell = "";
  let inQuotes = false;
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at];
    if (char === '"' && inQuotes && line[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (char === '"') {
      inQuotes = !inQuotes;
    } else if (char === separator && !inQuotes) {
      cells.push(cell);
      cell = "";
    } else {
      cell += char;
    }
  }
  cells.push(cell);
  return cells;
}`;
