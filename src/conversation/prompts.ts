// The prompts of a loop: inserting values, and hashes that detect a changed text. The texts are files of
// prompts/<loop>/, embedded in the executable by their loop.
import { AtomsmithError } from "../core/errors.ts";
import { hashJson } from "../core/hash.ts";

const PLACEHOLDER = /\{\{(\w+)\}\}/g;

/** Replaces every `{{name}}` in one pass; values are not scanned again. A placeholder without a value, or a value
 * without a placeholder, is a bug. */
export function render(template: string, values: Readonly<Record<string, string | number>>): string {
  const used = new Set<string>();
  const text = template.replace(PLACEHOLDER, (_, name: string) => {
    const value = values[name];
    if (value === undefined)
      throw new AtomsmithError("internal", `the prompt uses ${name}, which has no value`);
    used.add(name);
    return String(value);
  });
  const unused = Object.keys(values).filter((name) => !used.has(name));
  if (unused.length > 0)
    throw new AtomsmithError("internal", `the prompt has no placeholder for ${unused.join(", ")}`);
  return text;
}

/** Names of the placeholders of a template. */
export function placeholdersIn(template: string): Set<string> {
  return new Set([...template.matchAll(PLACEHOLDER)].map(([, name = ""]) => name));
}

/** Hashes of the prompts of one loop: of all together, and of those of each role. */
export interface PromptHashes<Role extends string> {
  all: string;
  roles: Record<Role, string>;
}

/** Hashes the prompts of a loop.
 * @param roles which of the texts each role receives */
export function hashPrompts<Name extends string, Role extends string>(
  texts: Readonly<Record<Name, string>>,
  roles: Readonly<Record<Role, readonly Name[]>>,
): PromptHashes<Role> {
  const hashTexts = (names: readonly Name[]): string =>
    hashJson(Object.fromEntries(names.map((name) => [name, texts[name]])));
  const entries = Object.entries(roles) as [Role, readonly Name[]][];
  return {
    all: hashJson(texts),
    roles: Object.fromEntries(entries.map(([role, names]) => [role, hashTexts(names)])) as Record<
      Role,
      string
    >,
  };
}
