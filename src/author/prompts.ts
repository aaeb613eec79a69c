// The prompts, embedded in the executable from prompts/item/*.md, and how values get into them.
import configTemplate from "../../prompts/item/config_template.yaml" with { type: "text" };
import nudgesText from "../../prompts/item/nudges.md" with { type: "text" };
import systemA from "../../prompts/item/system_a.md" with { type: "text" };
import systemB from "../../prompts/item/system_b.md" with { type: "text" };
import systemBAtoms from "../../prompts/item/system_b_atoms.md" with { type: "text" };
import userA from "../../prompts/item/user_a.md" with { type: "text" };
import userB from "../../prompts/item/user_b.md" with { type: "text" };
import userReflectA from "../../prompts/item/user_reflect_a.md" with { type: "text" };
import userReflectB from "../../prompts/item/user_reflect_b.md" with { type: "text" };
import userSecondLook from "../../prompts/item/user_second_look.md" with { type: "text" };
import { AtomsmithError } from "../core/errors.ts";
import { hashJson } from "../core/hash.ts";

export const PROMPTS = {
  system_a: systemA,
  system_b: systemB,
  system_b_atoms: systemBAtoms,
  user_a: userA,
  user_b: userB,
  user_reflect_a: userReflectA,
  user_reflect_b: userReflectB,
  user_second_look: userSecondLook,
  config_template: configTemplate as unknown as string,
  nudges: nudgesText,
} as const;

/** SHA-256 over all prompts; a manifest holds it, and a batch runs an item again when it changes. */
export const PROMPTS_SHA256: string = hashJson(PROMPTS);

const NUDGES = new Map(
  nudgesText
    .split(/^## /m)
    .slice(1)
    .map((part): [string, string] => {
      const end = part.indexOf("\n");
      return [part.slice(0, end).trim(), part.slice(end + 1).trim()];
    }),
);

/** Puts values into `{{name}}` in one pass: what a value contains is never looked at again. A name without a
 * value, or a value without a place, is a bug. */
export function render(template: string, values: Readonly<Record<string, string | number>>): string {
  const used = new Set<string>();
  const text = template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined)
      throw new AtomsmithError("internal", `prompt asks for ${name}, which has no value`);
    used.add(name);
    return String(value);
  });
  const unused = Object.keys(values).filter((name) => !used.has(name));
  if (unused.length > 0) throw new AtomsmithError("internal", `prompt has no place for ${unused.join(", ")}`);
  return text;
}

/** A short answer of the program from prompts/nudges.md. */
export function nudge(name: string, values: Readonly<Record<string, string | number>> = {}): string {
  const template = NUDGES.get(name);
  if (template === undefined) throw new AtomsmithError("internal", `no nudge is called ${name}`);
  return render(template, values);
}
