// Checks a plan and reports all problems at once, each with a code and its order. A plan is written only if it has none.
import { posix } from "node:path";
import { z } from "zod";
import type { PlanProblem } from "../documents.ts";
import { type Condition, type WorkOrder, workOrderSchema } from "../schemas.ts";
import { splitWords } from "../shell-words.ts";

// Codes: E000 list, E001 ids, E003 shell operator, E004 glob, E005 schema, E006 syntax of `python -c`, E007 unparsable
// command; E101 precondition, E102 contradiction, E103 postcondition outside the allowed files, E104 allowed file
// without a postcondition.

/** Returns the syntax error of Python source; undefined if there is none, or without a Python interpreter. */
export type CheckPython = (source: string) => Promise<string | undefined>;

const planSchema = z.strictObject({ work_orders: z.array(z.unknown()).min(1) });

/** Parses `{"work_orders": […]}`. @param exists files that exist before the first order */
export async function checkPlan(
  document: unknown,
  exists: ReadonlySet<string>,
  checkPython: CheckPython,
): Promise<{ orders: WorkOrder[]; problems: PlanProblem[] }> {
  const list = planSchema.safeParse(document);
  if (!list.success) {
    const message = 'the reply must be {"work_orders": [...]} with at least one order';
    return { orders: [], problems: [{ code: "E000", id: null, message }] };
  }
  const problems: PlanProblem[] = [];
  const orders: WorkOrder[] = [];
  for (const [index, raw] of list.data.work_orders.entries()) {
    const id = idOf(raw);
    const expected = `WO-${String(index + 1).padStart(2, "0")}`;
    if (id !== expected)
      problems.push({ code: "E001", id, message: `order ${index + 1} must have the id ${expected}` });
    const read = workOrderSchema.safeParse(raw);
    if (read.success) orders.push(read.data);
    else problems.push(...schemaProblems(read.error.issues, id));
    problems.push(...(await commandProblems(raw, id, checkPython)));
  }
  if (orders.length === list.data.work_orders.length) problems.push(...conditionProblems(orders, exists));
  return { orders, problems };
}

function idOf(raw: unknown): string | null {
  const id = typeof raw === "object" && raw !== null ? (raw as { id?: unknown }).id : undefined;
  return typeof id === "string" ? id : null;
}

function schemaProblems(issues: readonly z.core.$ZodIssue[], id: string | null): PlanProblem[] {
  return issues.flatMap(({ path, message }) => {
    if (path[0] === "acceptance_commands" && path.length === 2 && message.includes("cannot be parsed"))
      return []; // E007
    const code = message.includes("is a pattern") ? "E004" : "E005";
    return [{ code, id, message: `${path.join(".") || "order"}: ${message}` }];
  });
}

/** Shell operators. */
const OPERATOR = /^(?:\|\|?|&&?|;;?|\d?>>?(?:&\d?)?|\d?<<?<?|>&|&>|[()])$/;

async function commandProblems(
  raw: unknown,
  id: string | null,
  checkPython: CheckPython,
): Promise<PlanProblem[]> {
  const commands = (raw as { acceptance_commands?: unknown } | null)?.acceptance_commands;
  if (!Array.isArray(commands)) return [];
  const problems: PlanProblem[] = [];
  for (const command of commands.filter((one): one is string => typeof one === "string")) {
    const split = splitWords(command);
    if (!split.ok) {
      problems.push({ code: "E007", id, message: `${command}: ${split.problem}` });
      continue;
    }
    const operator = unquotedOperator(command, split.words);
    if (operator !== undefined)
      problems.push({ code: "E003", id, message: `${command}: ${operator} needs a shell` });
    const [program = "", flag, source] = split.words;
    if (/^python[\d.]*$/.test(posix.basename(program)) && flag === "-c" && source !== undefined) {
      const wrong = await checkPython(source);
      if (wrong !== undefined) problems.push({ code: "E006", id, message: `${command}: ${wrong}` });
    }
  }
  return problems;
}

/** A shell operator in a command: a separate word, at the end of a word, or a substitution outside quotes. */
function unquotedOperator(command: string, words: readonly string[]): string | undefined {
  const plain = command.replace(/'[^']*'/g, "''").replace(/"(?:\\.|[^"\\])*"/g, '""');
  const symbol = /\$\(|`|[|;<>]|&&|&(?=\s|$)/.exec(plain.replace(/\\./g, ""))?.[0];
  return symbol ?? words.find((word) => OPERATOR.test(word) && plain.includes(word));
}

function conditionProblems(orders: readonly WorkOrder[], exists: ReadonlySet<string>): PlanProblem[] {
  const problems: PlanProblem[] = [];
  const existing = new Set(exists);
  for (const { id, preconditions = [], postconditions = [], allowed_files } of orders) {
    for (const { kind, path } of preconditions) {
      if ((kind === "file_exists") === existing.has(path)) continue;
      const state = existing.has(path) ? "exists by then" : "does not exist by then";
      problems.push({ code: "E101", id, message: `precondition ${kind} ${path}: the file ${state}` });
    }
    for (const path of contradictions(preconditions)) {
      problems.push({ code: "E102", id, message: `${path} must exist and must be absent` });
    }
    const promised = new Set(postconditions.map(({ path }) => path));
    for (const path of promised) {
      if (allowed_files.includes(path)) continue;
      problems.push({ code: "E103", id, message: `postcondition ${path} is not one of the allowed files` });
    }
    for (const path of allowed_files) {
      if (!promised.has(path))
        problems.push({ code: "E104", id, message: `${path} is allowed and has no postcondition` });
    }
    for (const path of promised) existing.add(path);
  }
  return problems;
}

function contradictions(conditions: readonly Condition[]): string[] {
  const of = (kind: Condition["kind"]): Set<string> =>
    new Set(conditions.filter((condition) => condition.kind === kind).map(({ path }) => path));
  const absent = of("file_absent");
  return [...of("file_exists")].filter((path) => absent.has(path));
}
