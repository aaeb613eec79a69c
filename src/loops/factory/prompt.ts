// The request to the model: the order, the context files, and the failure of the previous attempt. The texts are in
// prompts/factory/; content of the repository is fenced as data.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import failureText from "../../../prompts/factory/failure.md" with { type: "text" };
import planRepairText from "../../../prompts/factory/plan_repair.md" with { type: "text" };
import planSystemText from "../../../prompts/factory/plan_system.md" with { type: "text" };
import planUserText from "../../../prompts/factory/plan_user.md" with { type: "text" };
import systemText from "../../../prompts/factory/propose_system.md" with { type: "text" };
import userText from "../../../prompts/factory/propose_user.md" with { type: "text" };
import remindersText from "../../../prompts/factory/reminders.md" with { type: "text" };
import { fenceData } from "../../conversation/fence.ts";
import { readNudges } from "../../conversation/nudges.ts";
import { render } from "../../conversation/prompts.ts";
import { sha256 } from "../../core/hash.ts";
import type { ChatMessage } from "../../llm/types.ts";
import { placeOf } from "./paths.ts";
import {
  type FailureBrief,
  type FailureStage,
  MAX_CONTEXT_BYTES,
  MAX_EXCERPT_CHARS,
  MAX_PROPOSAL_BYTES,
  MAX_WRITE_BYTES,
  type WorkOrder,
} from "./schemas.ts";

const reminders = readNudges(remindersText);

/** A bounded description of a failure. The excerpt is the end of the text, where errors are usually printed. */
export function failureBrief(
  stage: FailureStage,
  excerpt: string,
  command: { command: string | null; exitCode: number | null } = { command: null, exitCode: null },
): FailureBrief {
  return {
    stage,
    command: command.command,
    exit_code: command.exitCode,
    primary_error_excerpt: lastChars(excerpt, MAX_EXCERPT_CHARS),
    constraints_reminder: reminders(stage),
  };
}

/** The last characters of a text; never splits a surrogate pair. */
export function lastChars(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const tail = text.slice(-limit);
  return /^[\uDC00-\uDFFF]/.test(tail) ? tail.slice(1) : tail;
}

/** The request of one attempt, deterministic in order, tree and failure. */
export function proposalMessages(
  root: string,
  order: WorkOrder,
  failure: FailureBrief | null,
): ChatMessage[] {
  const system = render(systemText, {
    empty_sha256: sha256(""),
    max_file_bytes: MAX_WRITE_BYTES,
    max_total_bytes: MAX_PROPOSAL_BYTES,
  });
  const user = render(userText, {
    id: order.id,
    title: order.title,
    intent: order.intent,
    allowed: list(order.allowed_files.map((path) => `${path}${stateOf(root, path)}`)),
    forbidden: list(order.forbidden),
    commands: list(order.acceptance_commands.map((command) => `\`${command}\``)),
    notes: order.notes ? `\n## Notes\n${order.notes}\n` : "",
    files: contextText(root, order),
    failure: failure ? failureSection(failure) : "",
  });
  return [
    { role: "system", content: system },
    { role: "user", content: user },
  ];
}

function failureSection(failure: FailureBrief): string {
  return render(failureText, {
    stage: failure.stage,
    command: failure.command ?? "none",
    exit_code: failure.exit_code ?? "none",
    excerpt: fenceData("what it said", failure.primary_error_excerpt),
    reminder: failure.constraints_reminder,
  });
}

function list(lines: readonly string[]): string {
  return lines.length === 0 ? "(none)" : lines.map((line) => `- ${line}`).join("\n");
}

function stateOf(root: string, path: string): string {
  const place = placeOf(root, path);
  return place.ok && place.exists ? "" : " (does not exist yet)";
}

/** The context files in the order of the work order, together at most MAX_CONTEXT_BYTES. */
function contextText(root: string, order: WorkOrder): string {
  let room = MAX_CONTEXT_BYTES;
  const parts = order.context_files.map((path) => {
    const readOnly = order.allowed_files.includes(path) ? "" : ", read-only";
    const place = placeOf(root, path);
    if (!place.ok) return `### ${path}: not shown: ${place.problem}`;
    if (!place.exists) return `### ${path}: does not exist${readOnly}`;
    const bytes = readFileSync(join(root, place.real));
    const shown = wholeCharacters(bytes.subarray(0, room));
    room -= shown.byteLength;
    const cut =
      shown.byteLength < bytes.byteLength
        ? `, cut: the first ${shown.byteLength} of ${bytes.byteLength} bytes`
        : "";
    const head = `### ${path}${readOnly}\nbase_sha256: ${sha256(bytes)}${cut}`;
    if (bytes.includes(0)) return `${head}\n(not text)`;
    return `${head}\n${fenceData(path, new TextDecoder("utf-8", { ignoreBOM: true }).decode(shown))}`;
  });
  return parts.length === 0 ? "(none)" : parts.join("\n\n");
}

/** Drops an incomplete UTF-8 character at the end. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** The first request of a plan. */
export function planMessages(spec: string, files: readonly string[] | null): ChatMessage[] {
  const known =
    files === null
      ? "There is no repository yet: no file exists."
      : fenceData("files that exist", files.join("\n"));
  return [
    { role: "system", content: planSystemText },
    { role: "user", content: render(planUserText, { spec: fenceData("specification", spec), files: known }) },
  ];
}

/** The reply to a plan with problems. */
export function planRepair(problems: readonly string[]): string {
  return render(planRepairText, { problems: fenceData("problems", problems.join("\n")) });
}
