// A scripted model that does the work of an item. It derives the step and the progress from the request, so it keeps
// no state and answers equal requests in the same way.
import type { Script, ScriptedReply, WireRequestIn } from "./model-server.ts";

export type Step = "agent_a" | "agent_b" | "second_look" | "reflect_a" | "reflect_b";

/** Replies of one step, in order; the last one is repeated. A function receives the request. */
export type StepScript = (ScriptedReply | ((request: WireRequestIn) => ScriptedReply))[];

/** The step of a request, derived from its tools and its first user message. */
export function stepOf(request: WireRequestIn): Step {
  const tools = (request.tools ?? []).map((tool) => tool.function.name);
  const instructions = request.messages[0]?.content ?? "";
  const first = request.messages.find((message) => message.role === "user")?.content ?? "";
  const repair = first.includes("failed its gates");
  if (tools.includes("submit_extract_context") || instructions.includes("- submit_extract_context:"))
    return repair ? "reflect_a" : "agent_a";
  if (first.includes("look once more")) return "second_look";
  return repair ? "reflect_b" : "agent_b";
}

/** Number of replies the model has already given in this conversation. */
export function repliesSoFar(request: WireRequestIn): number {
  return request.messages.filter((message) => message.role === "assistant").length;
}

/** A script that plays each step. A request of a step without replies gets an error. */
export function scriptedAuthor(steps: Partial<Record<Step, StepScript>>): Script {
  return (request) => {
    const replies = steps[stepOf(request)] ?? [];
    const reply = replies[Math.min(repliesSoFar(request), replies.length - 1)];
    if (reply === undefined) {
      return {
        http: {
          status: 400,
          body: JSON.stringify({ error: { message: `no script for ${stepOf(request)}` } }),
        },
      };
    }
    return typeof reply === "function" ? reply(request) : reply;
  };
}

/** Lists files, reads the head of each, then submits this source. Logs of tests end with `done`
 * unless the submission states otherwise. */
export function readThenSubmit(patterns: string[], submission: Record<string, unknown>): StepScript {
  return [
    { tool_calls: [{ name: "list_available_files", arguments: { patterns } }] },
    (request) => ({
      tool_calls: listedPaths(request).map((file_path, index) => ({
        id: `read_${index}`,
        name: "read_file_header",
        arguments: { file_path, max_lines: 40 },
      })),
    }),
    { tool_calls: [{ name: "submit_extract_context", arguments: { witnesses: ["done"], ...submission } }] },
  ];
}

/** Paths in the last tool results, as in a listing. */
export function listedPaths(request: WireRequestIn): string[] {
  const isResult = ({ role, content }: WireRequestIn["messages"][number]): boolean =>
    role === "tool" || (content ?? "").startsWith("Result of the call");
  const text = request.messages.findLast(isResult)?.content ?? "";
  return [...text.matchAll(/"path":\s*"((?:[^"\\]|\\.)*)"/g)].map(
    ([, path]) => JSON.parse(`"${path}"`) as string,
  );
}

/** Atoms B and C that satisfy the contract, for tests of other parts. */
export const GOOD_ATOM_B = `function validate_logic(text, pattern, parsed_fields = null, default_match = "contains", regex_mode = "search") {
  if (pattern.includes("|")) {
    const segments = pattern.split("|").map((segment) => segment.trim()).filter((segment) => segment !== "");
    const hit = segments.find((segment) => text.includes(segment));
    return { is_match: hit !== undefined, reason: hit === undefined ? "no alternative is contained" : "contains an alternative", kind: "alternatives" };
  }
  if (pattern.startsWith("regex:")) {
    try {
      const expression = pattern.slice("regex:".length);
      const found = regex_mode === "match" ? re.match(expression, text) : re.search(expression, text);
      return { is_match: Boolean(found), reason: found ? "regex matches" : "regex does not match", kind: "regex" };
    } catch (error) {
      return { is_match: false, reason: "Invalid Regex: " + error.message, kind: "regex" };
    }
  }
  if (pattern.includes("*") || pattern.includes("?")) {
    const is_match = fnmatch.fnmatchcase(text, pattern);
    return { is_match, reason: is_match ? "wildcard matches" : "wildcard does not match", kind: "wildcard" };
  }
  if (default_match === "exact") {
    return { is_match: text === pattern, reason: text === pattern ? "equal" : "not equal", kind: "exact" };
  }
  const is_match = text.includes(pattern);
  return { is_match, reason: is_match ? "contained" : "not contained", kind: "contains" };
}
`;

export const GOOD_ATOM_C = `function check_existence(items) {
  const evidence = items ?? [];
  const is_match = evidence.length > 0;
  return { is_match, reason: is_match ? "items were found" : "nothing was found", evidence };
}
`;
