// Decides whether the commands of a run are jailed, from the loop's setting and `sandbox.require`.
import type { Config } from "../config/schema.ts";
import { AtomsmithError } from "../core/errors.ts";

/** @param wanted `loops.<loop>.jail`. Throws kind `sandbox` if `sandbox.require` requires the jail. */
export function commandJail({ sandbox }: Config, wanted: boolean): "required" | "preferred" | "off" {
  const demanded = sandbox.require !== "process";
  if (wanted) return demanded ? "required" : "preferred";
  if (!demanded) return "off";
  throw new AtomsmithError("sandbox", "commands cannot run without a jail: sandbox.require requires one", {
    where: "sandbox.require",
    hint: "remove --no-jail or set sandbox.require to process",
  });
}
