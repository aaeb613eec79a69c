// Source code of atoms: parsing, removal of types and exports, and the functions that it declares.
import { type Identifier, type Node, type Program, parse, type Statement } from "acorn";
import { full } from "acorn-walk";

export interface ParsedCode {
  /** JavaScript: the source, without types and exports. */
  code: string;
  program: Program;
  erased: boolean;
}

export type CodeReading = { ok: true; parsed: ParsedCode } | { ok: false; problem: string };

/** The most recently used readings: the same reply is parsed several times, also for other items. */
const cache = new Map<string, CodeReading>();
const MAX_CACHED = 16;
const MAX_CACHED_CHARS = 64 * 1024;

/** Parses a source, with a cache. The result is shared and must not be changed. */
export function readCode(source: string): CodeReading {
  if (source.length > MAX_CACHED_CHARS) return readSource(source);
  const reading = cache.get(source) ?? readSource(source);
  cache.delete(source);
  cache.set(source, reading);
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
  return reading;
}

/** Parses a source as JavaScript, or else as TypeScript without its types. JavaScript is not changed, except that
 * `export` before a declaration and `module.exports = …` are removed. */
function readSource(source: string): CodeReading {
  const script = tryParse(source, "script");
  if ("program" in script) return { ok: true, parsed: withoutCommonJs(source, script.program) };
  const plain = withoutExports(source);
  if (plain !== undefined) return { ok: true, parsed: { ...plain, erased: false } };
  const erased = eraseTypes(source);
  if (erased !== undefined) {
    const erasedScript = tryParse(erased, "script");
    if ("program" in erasedScript)
      return { ok: true, parsed: { code: erased, program: erasedScript.program, erased: true } };
    const module = withoutExports(erased);
    if (module !== undefined) return { ok: true, parsed: { ...module, erased: true } };
  }
  return { ok: false, problem: script.problem };
}

/** Names of the top-level functions, including functions assigned to variables. */
export function declaredFunctions(program: Program): string[] {
  return program.body.flatMap((statement) => {
    if (statement.type === "FunctionDeclaration") return [statement.id.name];
    if (statement.type !== "VariableDeclaration") return [];
    return statement.declarations.flatMap((declaration) =>
      declaration.id.type === "Identifier" &&
      (declaration.init?.type === "ArrowFunctionExpression" ||
        declaration.init?.type === "FunctionExpression")
        ? [declaration.id.name]
        : [],
    );
  });
}

/** A function with all top-level declarations that it refers to, directly or indirectly, in the original order. */
export function extractFunction(parsed: ParsedCode, name: string): string | undefined {
  const { program, code } = parsed;
  const declares = program.body.map(declaredNames);
  const start = declares.findIndex((names) => names.includes(name));
  if (start < 0) return undefined;
  const required = new Set([start]);
  for (const index of required) {
    const statement = program.body[index];
    if (!statement) continue;
    const used = identifiersIn(statement);
    declares.forEach((names, other) => {
      if (names.some((declared) => used.has(declared))) required.add(other);
    });
  }
  const pieces = [...required]
    .sort((a, b) => a - b)
    .flatMap((index) => {
      const statement = program.body[index];
      return statement ? [withLeadingComment(code, statement, program.body[index - 1])] : [];
    });
  return `${pieces.join("\n\n")}\n`;
}

/** Names that a source uses and does not declare at top level. */
export function undeclaredNames(program: Program): Set<string> {
  const declared = new Set(program.body.flatMap(declaredNames));
  const used = new Set<string>();
  for (const statement of program.body) for (const name of identifiersIn(statement)) used.add(name);
  for (const name of declared) used.delete(name);
  return used;
}

/** The code without comments and white space: answers with equal fingerprints are the same. */
export function fingerprint(source: string): string {
  return source
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/(^|\s)\/\/[^\n]*/g, "$1")
    .replace(/\s+/g, "");
}

function tryParse(
  source: string,
  sourceType: "script" | "module",
): { program: Program } | { problem: string } {
  try {
    return { program: parse(source, { ecmaVersion: "latest", sourceType, allowHashBang: false }) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Removes assignments to `module.exports` and `exports.…`, which models add out of habit. */
function withoutCommonJs(source: string, program: Program): ParsedCode {
  const exportStatements = program.body.filter(
    (statement) =>
      statement.type === "ExpressionStatement" &&
      statement.expression.type === "AssignmentExpression" &&
      /^(?:module\.exports\b|exports\s*[.[])/.test(source.slice(statement.start, statement.end)),
  );
  let code = source;
  for (const { start, end } of exportStatements.reverse()) code = code.slice(0, start) + code.slice(end);
  const script = exportStatements.length === 0 ? { program } : tryParse(code, "script");
  return "program" in script
    ? { code, program: script.program, erased: false }
    : { code: source, program, erased: false };
}

/** Converts a module whose only module syntax is exports to a script. */
function withoutExports(source: string): { code: string; program: Program } | undefined {
  const module = tryParse(source, "module");
  if (!("program" in module)) return undefined;
  let code = source;
  for (const statement of [...module.program.body].reverse()) {
    if (statement.type === "ImportDeclaration" || statement.type === "ExportAllDeclaration") return undefined;
    if (statement.type === "ExportNamedDeclaration") {
      const from = statement.declaration?.start ?? statement.end;
      code = code.slice(0, statement.start) + code.slice(from);
    } else if (statement.type === "ExportDefaultDeclaration") {
      const { declaration } = statement;
      const keep = declaration.type === "FunctionDeclaration" && declaration.id !== null;
      code = code.slice(0, statement.start) + code.slice(keep ? declaration.start : statement.end);
    }
  }
  const script = tryParse(code, "script");
  return "program" in script ? { code, program: script.program } : undefined;
}

function eraseTypes(source: string): string | undefined {
  try {
    const transpiler = new Bun.Transpiler({ loader: "ts", target: "browser", deadCodeElimination: false });
    return transpiler.transformSync(source);
  } catch {
    return undefined;
  }
}

function declaredNames(statement: Node): string[] {
  const node = statement as Statement;
  if (node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") return [node.id.name];
  if (node.type !== "VariableDeclaration") return [];
  return node.declarations.flatMap(({ id }) =>
    id.type === "Identifier" ? [id.name] : [...identifiersIn(id)],
  );
}

function identifiersIn(node: Node): Set<string> {
  const names = new Set<string>();
  full(node, (inner) => {
    if (inner.type === "Identifier") names.add((inner as Identifier).name);
  });
  return names;
}

/** A statement with the comments directly above it. */
function withLeadingComment(code: string, statement: Node, previous: Node | undefined): string {
  const gap = code.slice(previous?.end ?? 0, statement.start);
  const comment = /(?:^[ \t]*(?:\/\/[^\n]*|\/\*[\s\S]*?\*\/)[ \t]*\n)+[ \t]*$/m.exec(gap)?.[0] ?? "";
  return (comment + code.slice(statement.start, statement.end)).trim();
}
