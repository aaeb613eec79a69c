// What a submitter and a worker have to agree on: the same program gives the same results.
import { PROMPTS_SHA256 } from "../author/index.ts";
import { hashJson } from "../core/hash.ts";
import { CONTRACT_VERSION, GATES_VERSION, STORE_FORMAT, VERSION } from "../core/version.ts";

/** Hash of everything in the program that decides about results. */
export function programHash(): string {
  return hashJson([VERSION, CONTRACT_VERSION, GATES_VERSION, STORE_FORMAT, PROMPTS_SHA256]);
}
