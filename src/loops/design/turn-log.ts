// The turn log of a project, `logs/agent_turns.jsonl`: one line per turn and per decision, and their summary for later
// turns.
import { z } from "zod";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { readLines } from "../../store/index.ts";
import { directiveSchema } from "./directive.ts";
import { type ProjectReader, TURN_LOG } from "./folder.ts";
import { type Question, questionSchema } from "./schemas.ts";

export interface PastTurn {
  turn: number;
  message: string;
  /** The text shown to the user. */
  answer: string;
  questions: Question[];
  /** The user's decisions before the next turn, as text. */
  decisions: string[];
}

/** All turns, oldest first. Skips damaged lines. */
export async function readTurns(reader: ProjectReader): Promise<PastTurn[]> {
  const { values } = await readLines(reader.path(TURN_LOG));
  const turns: PastTurn[] = [];
  for (const line of values) {
    if (typeof line["message"] === "string") turns.push(turnOf(line, line["message"]));
    else if (typeof line["decision"] === "string") turns.at(-1)?.decisions.push(decisionText(line));
  }
  return turns;
}

/** A turn with all members of its line, and the decisions after it. */
export interface LoggedTurn {
  turn: number;
  message: string;
  answer: string;
  questions: Question[];
  /** Its directive proposed a patch. */
  proposes: boolean;
  run_request: { run_until: string; reason: string; expected_signal: string } | null;
  confidence: number | null;
  packs: { mode: string; chars: number; hop: number }[];
  warnings: string[];
  error: string | null;
  decisions: Decision[];
}

export interface Decision {
  decision: string;
  of: string;
  reason: string | null;
  by: string;
  at: string;
}

const loggedSchema = z.looseObject({
  packs: z.array(z.object({ mode: z.string(), chars: z.number(), hop: z.number() })).catch([]),
  warnings: z.array(z.string()).catch([]),
  error: z.looseObject({ message: z.string() }).nullable().catch(null),
  directive: directiveSchema.nullable().catch(null),
});
const decisionSchema = z.looseObject({
  decision: z.string(),
  of: z.string().catch(""),
  reason: z.string().nullable().catch(null),
  by: z.string().catch(""),
  at: z.string().catch(""),
});

/** The whole conversation, oldest first. Decisions before the first turn are in a turn 0 without a message. */
export async function readConversation(reader: ProjectReader): Promise<LoggedTurn[]> {
  const { values } = await readLines(reader.path(TURN_LOG));
  const turns: LoggedTurn[] = [];
  for (const line of values) {
    const decision = decisionSchema.safeParse(line).data;
    if (typeof line["message"] === "string") turns.push(loggedTurn(line, line["message"]));
    else if (decision !== undefined) {
      if (turns.length === 0) turns.push(loggedTurn({ turn: 0 }, ""));
      const { decision: what, of, reason, by, at } = decision;
      turns.at(-1)?.decisions.push({ decision: what, of, reason, by, at });
    }
  }
  return turns;
}

function loggedTurn(line: JsonObject, message: string): LoggedTurn {
  const { turn, answer, questions } = turnOf(line, message);
  const { packs, warnings, error, directive } = loggedSchema.parse(line);
  const run = directive?.run_request;
  return {
    turn,
    message,
    answer: error === null ? answer : "",
    questions,
    proposes: (directive?.proposed_patches.length ?? 0) > 0,
    run_request:
      run?.run === true
        ? { run_until: run.run_until, reason: run.reason, expected_signal: run.expected_signal }
        : null,
    confidence: directive?.confidence ?? null,
    packs,
    warnings,
    error: error?.message ?? null,
    decisions: [],
  };
}

function turnOf(line: JsonObject, message: string): PastTurn {
  const directive = isJsonObject(line["directive"]) ? line["directive"] : {};
  const error = isJsonObject(line["error"]) ? `(error) ${line["error"]["message"]}` : "";
  const questions = questionSchema.array().safeParse(directive["questions"] ?? []);
  return {
    turn: Number(line["turn"]),
    message,
    answer: typeof directive["assistant_message"] === "string" ? directive["assistant_message"] : error,
    questions: questions.success ? questions.data : [],
    decisions: [],
  };
}

function decisionText(line: JsonObject): string {
  const reason = typeof line["reason"] === "string" ? `: ${line["reason"]}` : "";
  return `${line["decision"]} ${line["of"]}${reason}`;
}

/** The messages of all turns, oldest first. */
export async function readTurnMessages(reader: ProjectReader): Promise<string[]> {
  return (await readTurns(reader)).map(({ message }) => message);
}
