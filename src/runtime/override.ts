// `check --set KEY=VALUE`: changes an item config for one run. They are written into the YAML before L0 reads it, so that
// the same rules apply.
import { type Document, isMap, parseDocument } from "yaml";
import { AtomsmithError } from "../core/errors.ts";

/** One `--set`. The value is YAML: `2`, `N/A`, `[a, b]`, `absent`. */
export interface ConfigOverride {
  path: string[];
  text: string;
}

export const OVERRIDE_KEYS = [
  "description",
  "input_files",
  "requirements.value",
  "requirements.pattern_items",
  "requirements.expect",
  "requirements.extra",
  "requirements.where",
  "waivers.value",
  "waivers.waive_items",
  "waivers.waive_reasons",
  "waivers.waive_until",
  "witnesses",
] as const;

/** Reads `KEY=VALUE`. Throws kind `usage` for an unknown key or a value that is not YAML. */
export function parseOverride(flag: string): ConfigOverride {
  const equals = flag.indexOf("=");
  const key = equals < 0 ? flag : flag.slice(0, equals).trim();
  if (equals < 0 || !OVERRIDE_KEYS.some((known) => known === key)) {
    throw new AtomsmithError(
      "usage",
      `--set ${flag}: ${equals < 0 ? "no = in the argument" : `unknown key ${key}`}`,
      {
        hint: `use --set KEY=VALUE, where KEY is one of ${OVERRIDE_KEYS.join(", ")}`,
      },
    );
  }
  const text = flag.slice(equals + 1);
  const problem = parseDocument(text, { prettyErrors: false }).errors[0];
  if (problem !== undefined) {
    throw new AtomsmithError("usage", `--set ${key}: the value is not valid YAML (${problem.message})`, {
      hint: "quote texts with special characters: --set 'waivers.waive_items=[\"a: b\"]'",
    });
  }
  return { path: key.split("."), text };
}

/** The config text with the overrides. A text that is not a YAML map is returned unchanged; L0 reports the problem. */
export function applyOverrides(yamlText: string, overrides: readonly ConfigOverride[]): string {
  if (overrides.length === 0) return yamlText;
  let document: Document;
  try {
    document = parseDocument(yamlText, { uniqueKeys: false });
  } catch {
    return yamlText;
  }
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents)))
    return yamlText;
  if (document.contents === null) document = parseDocument("{}");
  for (const { path, text } of overrides) {
    const [section = "", key] = path;
    // The contents keep the notation of numbers: `[1.10]` stays 1.10.
    const value = parseDocument(text).contents;
    if (key === undefined) document.set(section, value);
    else {
      if (!isMap(document.get(section, true))) document.set(section, document.createNode({}));
      document.setIn([section, key], value);
    }
  }
  return document.toString({ flowCollectionPadding: false, lineWidth: 0 });
}
