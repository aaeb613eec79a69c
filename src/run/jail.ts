// Whether the commands of a run are jailed, from what the loop wants and what `sandbox.require` demands.
import type { Config } from "../config/schema.ts";
import { AtomsmithError } from "../core/errors.ts";

/** @param wanted `loops.<loop>.jail`. Throws kind `sandbox`: a jail that is demanded is not left out by a flag. */
export function commandJail({ sandbox }: Config, wanted: boolean): "required" | "preferred" | "off" {
  const demanded = sandbox.require !== "process";
  if (wanted) return demanded ? "required" : "preferred";
  if (!demanded) return "off";
  throw new AtomsmithError("sandbox", "commands may not run without a jail: sandbox.require demands one", {
    where: "sandbox.require",
    hint: "leave --no-jail out, or set sandbox.require to process",
  });
}
