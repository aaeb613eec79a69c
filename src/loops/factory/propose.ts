// SE: the model proposes complete files. Its reply is parsed strictly; an invalid reply fails the attempt.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readJsonReply } from "../../conversation/json-reply.ts";
import type { JsonObject } from "../../core/json.ts";
import type { NodeTime } from "../../engine/index.ts";
import { Artifacts } from "./artifacts.ts";
import { placeOf } from "./paths.ts";
import { failureBrief, proposalMessages } from "./prompt.ts";
import { type WriteProposal, writeProposalSchema } from "./schemas.ts";
import type { FactoryServices } from "./services.ts";
import { type FactoryState, failed } from "./state.ts";

const FORMAT = {
  name: "write_proposal",
  schema: z.toJSONSchema(writeProposalSchema) as JsonObject,
};

/** Requests the proposal of the next attempt or of an interrupted one. */
export async function propose(
  before: FactoryState,
  services: FactoryServices,
  { signal }: NodeTime,
): Promise<FactoryState> {
  const { order, repository, artifacts, emit, settings } = services;
  const state = beginAttempt(before, services);
  emit({ type: "attempt_started", attempt: state.attempt, max_attempts: settings.maxAttempts });
  await artifacts.clearAttempt(state.attempt);
  const file = (name: string): string => Artifacts.inAttempt(state.attempt, name);
  const messages = proposalMessages(repository.root, order, state.attempts.at(-2)?.failure_brief ?? null);
  await artifacts.text(file("se_prompt.txt"), messages.map(({ content }) => content).join("\n\n"));
  const reply = await services
    .ask({ stage: "propose", iteration: state.attempt, messages, format: FORMAT, signal })
    .next();
  const read = reply.ok ? readProposal(reply.text, repository.root) : reply;
  if (!read.ok) {
    await artifacts.text(file("raw_llm_response.txt"), reply.text);
    return failed(
      { ...withPath(state, file("raw_llm_response.txt")), proposal: null },
      failureBrief("llm_output_invalid", services.redact(read.problem)),
    );
  }
  await artifacts.json(file("proposed_writes.json"), read.value);
  return { ...withPath(state, file("proposed_writes.json")), proposal: read.value };
}

/** The initial state of an attempt. An interrupted attempt starts over under the same number. */
function beginAttempt(state: FactoryState, { baseline }: FactoryServices): FactoryState {
  const last = state.attempts.at(-1);
  const interrupted = last !== undefined && last.failure_brief === null;
  const attempts = interrupted ? state.attempts.slice(0, -1) : state.attempts;
  const attempt = attempts.length + 1;
  const record = {
    attempt_index: attempt,
    baseline_commit: baseline.commit,
    proposal_path: "",
    touched_files: [],
    write_ok: false,
    verify: [],
    acceptance: [],
    failure_brief: null,
  };
  return { ...state, attempt, attempts: [...attempts, record], failure: null, proposal: null };
}

function withPath(state: FactoryState, path: string): FactoryState {
  const attempts = state.attempts.map((record) =>
    record.attempt_index === state.attempt ? { ...record, proposal_path: path } : record,
  );
  return { ...state, attempts };
}

type Read = { ok: true; value: WriteProposal } | { ok: false; problem: string };

/** Parses a reply as a proposal. Rejects placeholders of masked secrets unless the file contains them: writing one would
 * overwrite the secret. */
function readProposal(text: string, root: string): Read {
  const read = readJsonReply(text, writeProposalSchema);
  if (!read.ok) return read;
  for (const { path, content } of read.value.writes) {
    const masks = new Set(content.match(/\[MASKED:[^\]\n]{1,40}\]/g));
    if (masks.size === 0) continue;
    const place = placeOf(root, path);
    const current = place.ok && place.exists ? readFileSync(join(root, place.real), "utf8") : "";
    const foreign = [...masks].find((mask) => !current.includes(mask));
    if (foreign !== undefined) {
      return {
        ok: false,
        problem: `${path} would contain ${foreign}, the placeholder of a hidden secret`,
      };
    }
  }
  return read;
}
