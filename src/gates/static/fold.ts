// Constant folding of string expressions.
import type { AnyNode } from "acorn";
import type { ScopeAnalysis } from "./scopes.ts";

const MAX_STEPS = 12;

/** The value of a constant string expression, or undefined. Supports `+`, templates, constants, `join`, `concat` and
 * `String.fromCharCode`, with which property names are usually hidden. */
export function foldString(
  node: AnyNode,
  ancestors: readonly AnyNode[],
  scopes: ScopeAnalysis,
  steps = MAX_STEPS,
): string | undefined {
  if (steps <= 0) return undefined;
  const fold = (inner: AnyNode): string | undefined => foldString(inner, ancestors, scopes, steps - 1);
  switch (node.type) {
    case "Literal":
      return typeof node.value === "string" || typeof node.value === "number"
        ? String(node.value)
        : undefined;
    case "ParenthesizedExpression":
      return fold(node.expression);
    case "SequenceExpression": {
      const last = node.expressions[node.expressions.length - 1];
      return last && fold(last);
    }
    case "TemplateLiteral":
      return joinAll(
        node.quasis.flatMap((quasi, i) => {
          const expression = node.expressions[i];
          const text = quasi.value.cooked ?? undefined;
          return expression ? [text, fold(expression)] : [text];
        }),
      );
    case "BinaryExpression":
      if (node.operator !== "+" || node.left.type === "PrivateIdentifier") return undefined;
      return joinAll([fold(node.left), fold(node.right)]);
    case "Identifier": {
      const binding = scopes.resolve(node.name, ancestors);
      if (!binding || binding.writes > 0 || !binding.init) return undefined;
      return fold(binding.init);
    }
    case "CallExpression":
      return foldCall(node, fold);
    default:
      return undefined;
  }
}

function foldCall(
  node: Extract<AnyNode, { type: "CallExpression" }>,
  fold: (node: AnyNode) => string | undefined,
): string | undefined {
  const { callee } = node;
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return undefined;
  const method = callee.property.name;
  if (callee.object.type === "ArrayExpression" && method === "join") {
    const glue = node.arguments[0] ? fold(node.arguments[0]) : ",";
    const parts = callee.object.elements.map((e) => (e ? fold(e) : ""));
    return glue === undefined || parts.includes(undefined) ? undefined : parts.join(glue);
  }
  if (callee.object.type === "Identifier" && callee.object.name === "String" && method === "fromCharCode") {
    const codes = node.arguments.map((a) => Number(fold(a)));
    return codes.every((code) => Number.isInteger(code)) ? String.fromCharCode(...codes) : undefined;
  }
  if (method === "concat") return joinAll([fold(callee.object), ...node.arguments.map(fold)]);
  return undefined;
}

function joinAll(parts: (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join("");
}
