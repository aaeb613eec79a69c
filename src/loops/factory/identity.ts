// The id of a run: a hash of the work order, the tree and the settings. Deterministic: the same inputs give the same
// run id on every machine.
import { canonicalJson } from "../../core/canonical.ts";
import { sha256 } from "../../core/hash.ts";

/** The settings that affect a result. */
export interface RunSettings {
  model: string;
  temperature: number;
  maxAttempts: number;
  timeoutSeconds: number;
  /** Verification commands from flags or configuration; empty if derived from the repository. */
  verify: readonly string[];
}

/** SHA-256 of `model|temperature|max_attempts|timeout_seconds`, and of the verification commands if they were set by
 * the user. */
export function configHash(settings: RunSettings): string {
  const { model, temperature, maxAttempts, timeoutSeconds, verify } = settings;
  const parts = [
    model,
    JSON.stringify(temperature),
    JSON.stringify(maxAttempts),
    JSON.stringify(timeoutSeconds),
  ];
  if (verify.length > 0) parts.push(canonicalJson(verify));
  return sha256(parts.join("|"));
}

/** First 12 hex digits of the SHA-256 of the three hashes, joined. */
export function runId(workOrderHash: string, treeHash: string, configHash: string): string {
  return sha256(workOrderHash + treeHash + configHash).slice(0, 12);
}
