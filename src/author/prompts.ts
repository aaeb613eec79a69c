// The prompts of authors, embedded in the executable from prompts/item/*.md.
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
import userSecondLookA from "../../prompts/item/user_second_look_a.md" with { type: "text" };
import { type Nudges, readNudges } from "../conversation/nudges.ts";
import { hashPrompts } from "../conversation/prompts.ts";
import type { AuthorRole } from "./roles.ts";

export const PROMPTS = {
  system_a: systemA,
  system_b: systemB,
  system_b_atoms: systemBAtoms,
  user_a: userA,
  user_b: userB,
  user_reflect_a: userReflectA,
  user_reflect_b: userReflectB,
  user_second_look: userSecondLook,
  user_second_look_a: userSecondLookA,
  config_template: configTemplate as unknown as string,
  nudges: nudgesText,
} as const;

/** The prompts of each role. */
const PROMPTS_BY_ROLE: Record<AuthorRole, (keyof typeof PROMPTS)[]> = {
  agent_a: ["system_a", "user_a", "user_second_look_a", "nudges"],
  agent_b: ["system_b", "system_b_atoms", "user_b", "user_second_look", "config_template", "nudges"],
  reflect: ["system_a", "system_b", "system_b_atoms", "user_reflect_a", "user_reflect_b", "nudges"],
};

export const PROMPT_HASHES = hashPrompts(PROMPTS, PROMPTS_BY_ROLE);

/** SHA-256 of all prompts of the item loop. It is in the manifest; a batch runs an item again if it changes. */
export const PROMPTS_SHA256: string = PROMPT_HASHES.all;

/** Renders a short answer of the program from prompts/item/nudges.md. */
export const nudge: Nudges = readNudges(nudgesText);
