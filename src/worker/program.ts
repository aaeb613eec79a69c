// Submitter and worker must run the same program, so that results are equal.
import { PROMPTS_SHA256 } from "../author/index.ts";
import { hashJson } from "../core/hash.ts";
import { CONTRACT_VERSION, GATES_VERSION, STORE_FORMAT, VERSION } from "../core/version.ts";

/** Hash of everything in the program that affects results. */
export function programHash(): string {
  return hashJson([VERSION, CONTRACT_VERSION, GATES_VERSION, STORE_FORMAT, PROMPTS_SHA256]);
}
