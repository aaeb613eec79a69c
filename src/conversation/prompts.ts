// The prompts of a loop: how values get into them, and hashes by which a change of their words is noticed. The texts
// are files of prompts/<loop>/, embedded in the executable by the loop that sends them.
import { AtomsmithError } from "../core/errors.ts";
import { hashJson } from "../core/hash.ts";

const PLACE = /\{\{(\w+)\}\}/g;

/** Puts values into `{{name}}` in one pass: what a value contains is never looked at again. A name without a
 * value, or a value without a place, is a bug. */
export function render(template: string, values: Readonly<Record<string, string | number>>): string {
  const used = new Set<string>();
  const text = template.replace(PLACE, (_, name: string) => {
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

/** Names of the places of a template. */
export function placesIn(template: string): Set<string> {
  return new Set([...template.matchAll(PLACE)].map(([, name = ""]) => name));
}

/** Hashes of the prompts of one loop: of all together, and of those that each role is told. */
export interface PromptHashes<Role extends string> {
  all: string;
  roles: Record<Role, string>;
}

/** Hashes the prompts of a loop. No other loop's words are in them.
 * @param roles which of the texts each role is told */
export function hashPrompts<Name extends string, Role extends string>(
  texts: Readonly<Record<Name, string>>,
  roles: Readonly<Record<Role, readonly Name[]>>,
): PromptHashes<Role> {
  const ofRole = (names: readonly Name[]): string =>
    hashJson(Object.fromEntries(names.map((name) => [name, texts[name]])));
  const entries = Object.entries(roles) as [Role, readonly Name[]][];
  return {
    all: hashJson(texts),
    roles: Object.fromEntries(entries.map(([role, names]) => [role, ofRole(names)])) as Record<Role, string>,
  };
}
