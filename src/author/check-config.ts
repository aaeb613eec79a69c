// Creates the config of an item, and a complete draft of the logic, from the check block of its page (docs/contract.md,
// section 6).
import { Document, isMap, parse, parseDocument, visit } from "yaml";
import { type Declarations, SILENT, silentDeclarations } from "../contract/declarations.ts";
import { readCheckBlock } from "../runtime/index.ts";
import { withoutBlocks } from "../spec/index.ts";
import type { LogicSlice } from "../spec/types.ts";
import { ATOM_B, ATOM_C } from "./standard-atoms.ts";
import type { LogicDraft } from "./types.ts";

/** Members of a config that a check block does not have. */
export interface ConfigHead {
  description: string;
  /** Globs under the search root. */
  input_files: readonly string[];
}

const MAX_DESCRIPTION_CHARS = 200;

/** The config of an item. The text of the block is copied, with its keys, reasons and comments.
 * @param check YAML of a check block that `readCheckBlock` accepts */
export function configFromCheck(check: string, { description, input_files }: ConfigHead): string {
  const head = new Document({ description, input_files: [...input_files] }).toString({ lineWidth: 0 });
  const document = parseDocument(check);
  const map = document.contents;
  if (!isMap(map)) return `${head}${check.trimEnd()}\n`;
  const start = map.range?.[0] ?? 0;
  const atLineStart = start === 0 || check[start - 1] === "\n";
  if (!map.flow && atLineStart && !/^(?:---|\.\.\.|%)/m.test(check)) return `${head}${check.trimEnd()}\n`;
  map.flow = false;
  visit(map, {
    // A number that would be written differently (1e3) becomes a text: patterns are compared as written.
    Scalar: (_, node) => {
      if (typeof node.value !== "number" || node.source === undefined) return;
      if (node.source === String(node.value)) return;
      node.value = node.source;
      node.type = "QUOTE_DOUBLE";
    },
  });
  map.items.unshift(
    document.createPair("description", description),
    document.createPair("input_files", [...input_files]),
  );
  return document.toString({ lineWidth: 0 });
}

/** The config with the requirements and waivers of the block in place of its own. */
export function withCheck(config: string, check: string, globs: readonly string[]): string {
  const members = mapOf(config);
  const description = typeof members["description"] === "string" ? members["description"] : "";
  return configFromCheck(check, { description, input_files: globs });
}

/** The draft for a page with a check block and no text in section 4.2: the standard atoms and the config of the block.
 * Undefined for other pages. */
export function draftFromCheck(slice: LogicSlice, globs: readonly string[]): LogicDraft | undefined {
  if (slice.check === null || withoutBlocks(slice.section_4_2).trim() !== "") return undefined;
  return {
    kind: "draft",
    atom_b: ATOM_B,
    atom_c: ATOM_C,
    config: configFromCheck(slice.check, { description: descriptionOf(slice), input_files: globs }),
    reasoning: "The check block is the config; Atoms B and C are the standard ones.",
    declarations: declaredBy(slice.check),
  };
}

/** The declarations that follow from a check block. The quotes are its keys; an omitted key is `silent`. */
export function declaredBy(check: string): Declarations {
  const reading = readCheckBlock(check);
  if (!reading.ok) return {};
  const { requirements, waivers } = reading.config;
  const quote = (key: string): string =>
    new RegExp(`\\b${key}["']?\\s*:\\s*["']?\\w+`).exec(check)?.[0] ?? SILENT;
  const mode = waivers.value === 0 ? "global" : "selective";
  return {
    ...silentDeclarations("config"),
    expect: { value: requirements.expect, quote: quote("expect") },
    ...(requirements.value === null ? {} : { extra: { value: requirements.extra, quote: quote("extra") } }),
    check: { value: requirements.value === null ? "existence" : "patterns", quote: SILENT },
    waivers: { value: waivers.value === null ? "none" : mode, quote: SILENT },
  };
}

/** Have two configs the same requirements, waivers and input files? */
export function isSameCheck(a: string, b: string): boolean {
  const checkedMembers = ({ requirements, waivers, input_files }: Record<string, unknown>): string =>
    JSON.stringify([requirements, waivers, input_files]);
  return checkedMembers(mapOf(a)) === checkedMembers(mapOf(b));
}

/** The first paragraph of section 2, unless it contains placeholders. */
function descriptionOf({ item_id, section_2 }: LogicSlice): string {
  const [first = ""] = withoutBlocks(section_2)
    .trim()
    .split(/\n\s*\n/);
  const text = first
    .replace(/^[#>*+\s-]+/, "")
    .replace(/\s+/g, " ")
    .trim();
  if (!/\p{L}/u.test(text) || /[<>{}]|`{3}|~{3}/.test(text)) return `check of ${item_id}`;
  return text.length > MAX_DESCRIPTION_CHARS ? `${text.slice(0, MAX_DESCRIPTION_CHARS - 1)}…` : text;
}

function mapOf(config: string): Record<string, unknown> {
  try {
    const value: unknown = parse(config);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
