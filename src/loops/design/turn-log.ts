// The turn log of a project, `logs/agent_turns.jsonl`: a line per turn and a line per decision, and what later turns
// are told of them.
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { readLines } from "../../store/index.ts";
import { type ProjectReader, TURN_LOG } from "./folder.ts";
import { type Question, questionSchema } from "./schemas.ts";

export interface PastTurn {
  turn: number;
  message: string;
  /** What the person read. */
  answer: string;
  questions: Question[];
  /** What the person decided before the next turn, in words. */
  decisions: string[];
}

/** All turns, oldest first. Lines that are damaged are passed over. */
export async function readTurns(reader: ProjectReader): Promise<PastTurn[]> {
  const { values } = await readLines(reader.path(TURN_LOG));
  const turns: PastTurn[] = [];
  for (const line of values) {
    if (typeof line["message"] === "string") turns.push(turnOf(line, line["message"]));
    else if (typeof line["decision"] === "string") turns.at(-1)?.decisions.push(decisionText(line));
  }
  return turns;
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
