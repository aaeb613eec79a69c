// The message for an unknown key, the same for every layer. It never repeats the value, which may be a misplaced
// secret.
import { suggest } from "../core/suggest.ts";
import { leafKeys } from "./keys.ts";

const SECRET = /(api_?key|token|secret|password|credential)/i;

/** `unknown key llm.agent_a.modle; did you mean llm.agent_a.model?` */
export function unknownKeyMessage(path: readonly string[], at: number, siblings: readonly string[]): string {
  const parent = path.slice(0, at);
  const key = path[at] ?? "";
  const shown = [...parent, key].join(".");
  if (SECRET.test(key) && key !== "api_key_env") {
    return `unknown key ${shown}: secrets are read from the environment only; set api_key_env to the name of the variable`;
  }
  const near = suggest(key, siblings);
  if (near !== undefined) return `unknown key ${shown}; did you mean ${[...parent, near].join(".")}?`;
  const elsewhere = leafKeys().find((leaf) => leaf.split(".").at(-1) === key);
  if (elsewhere !== undefined) return `unknown key ${shown}; did you mean ${elsewhere}?`;
  if (siblings.length === 0) return `unknown key ${shown}: ${parent.join(".")} is a single value`;
  const known = parent.length === 0 ? "known at the top" : `known in ${parent.join(".")}`;
  return `unknown key ${shown}; ${known}: ${siblings.join(", ")}`;
}
