// What a run is called: hashes of the work order, of the tree and of the settings. No clock and no random number: the
// same inputs have the same run id on every machine.
import { canonicalJson } from "../../core/canonical.ts";
import { sha256 } from "../../core/hash.ts";

/** The settings that a result depends on. */
export interface RunSettings {
  model: string;
  temperature: number;
  maxAttempts: number;
  timeoutSeconds: number;
  /** Verification commands that do not follow from the repository alone; empty when they do. */
  verify: readonly string[];
}

/** SHA-256 of `model|temperature|max_attempts|timeout_seconds`, and of the verification commands where they were
 * chosen by a person. */
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
