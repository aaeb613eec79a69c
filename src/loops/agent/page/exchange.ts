// The requests of a job as blocks of the page: the reply of the model, its calls, and their results.
import { hashJson } from "../../../core/hash.ts";
import { truncate } from "../../../core/limits.ts";
import type { AgentTurn } from "../../../llm/turns.ts";
import type { ToolCall } from "../../../llm/types.ts";
import type { CodeLine, PageBlock } from "../../../report/index.ts";
import type { StoredCall } from "../tools/call-log.ts";

/** Maximum bytes of one text. */
const SHOWN_BYTES = 2_000;

export interface ToolUse {
  tool: string;
  calls: number;
  refused: number;
}

export interface Exchange {
  /** Number of the request in the job. */
  request: number;
  turn: AgentTurn;
  calls: { call: ToolCall; stored: StoredCall | undefined }[];
}

/** The used replies with the results of their calls, in the order of the job. */
export function exchanges(turns: readonly AgentTurn[], stored: readonly StoredCall[]): Exchange[] {
  // Identical calls have the same hash; their results are matched in order.
  const byHash = Map.groupBy(stored, ({ hash }) => hash);
  return [...turns]
    .sort((a, b) => a.index - b.index)
    .map((turn) => {
      const calls = turn.reply.tool_calls.map((call, at) => {
        // A duplicate id in the conversation was replaced by one of this form.
        const hashes = [call.id, `call_${turn.index}_${at}`].map((id) =>
          hashJson([id, call.name, call.arguments]),
        );
        return { call, stored: hashes.map((hash) => byHash.get(hash)?.shift()).find(Boolean) };
      });
      return { request: turn.index, turn, calls };
    });
}

/** How often each tool was called, most often first. */
export function toolUse(all: readonly Exchange[]): ToolUse[] {
  const uses = new Map<string, ToolUse>();
  for (const { call, stored } of all.flatMap(({ calls }) => calls)) {
    const use = uses.get(call.name) ?? { tool: call.name, calls: 0, refused: 0 };
    use.calls += 1;
    if (stored?.ok === false) use.refused += 1;
    uses.set(call.name, use);
  }
  return [...uses.values()].sort((a, b) => b.calls - a.calls || (a.tool < b.tool ? -1 : 1));
}

/** One request as a collapsed block. */
export function exchangeBlock({ request, turn, calls }: Exchange): PageBlock {
  const { reply } = turn;
  const names = calls.map(({ call }) => call.name);
  const what = names.length > 0 ? names.join(", ") : turn.stage === "process" ? "text" : turn.stage;
  const cost = reply.cost_usd === null ? "" : `, ${reply.cost_usd.toFixed(4)} USD`;
  const { input_tokens, output_tokens } = reply.usage;
  const lines = [
    ...(turn.record === "partial" ? ["(broke off; paid for, not used)"] : []),
    ...(reply.content.trim() === "" ? [] : shown(reply.content)),
    ...calls.flatMap(({ call, stored }) => [
      `→ ${call.name}(${truncate(call.arguments, SHOWN_BYTES).text})`,
      ...(stored === undefined ? unstored(turn.stage) : shown(stored.text)).map((line) => `   ${line}`),
    ]),
  ];
  return {
    kind: "code",
    title: `${request} ${truncate(what, 200).text}`,
    note: `${input_tokens} + ${output_tokens} tokens${cost}, ${(turn.duration_ms / 1000).toFixed(1)} s`,
    lines: lines.map((text): CodeLine => ({ text, change: "same" })),
  };
}

/** The call of a planning step is its form and has no result. */
function unstored(stage: string): string[] {
  return stage === "process" ? ["(no result is stored)"] : [];
}

function shown(text: string): string[] {
  return truncate(text.trimEnd(), SHOWN_BYTES).text.split("\n");
}
