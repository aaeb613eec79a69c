// Atom sets for tests, written through the real output store, and the log trees they read.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AtomSources } from "../../src/contract/atoms.ts";
import { noGateResults } from "../../src/contract/gates.ts";
import { sha256 } from "../../src/core/hash.ts";
import { OutputStore } from "../../src/loops/item/output-store.ts";

/** Lines `KEY: value` with a given key; `see PATH` is a reference; line-local. */
export const ATOM_A = `function extract_context(text, source_file) {
  const items = [];
  const lines = text.split("\\n");
  for (let i = 0; i < lines.length; i++) {
    const m = re.search("^(item|see): (.*)$", lines[i]);
    if (!m) continue;
    const fields = { kind: m.group(1) };
    if (m.group(1) === "see") fields.indirect_reference = m.group(2);
    items.push({ value: m.group(2), source_file, line_number: i + 1, matched_content: lines[i], parsed_fields: fields });
  }
  return items;
}
`;
export const ATOM_B = `function validate_logic(text, pattern, parsed_fields = null, default_match = "contains", regex_mode = "search") {
  if (pattern.includes("|")) {
    const parts = pattern.split("|").map((p) => p.trim()).filter((p) => p !== "");
    return { is_match: parts.some((p) => text.includes(p)), reason: "alternatives", kind: "alternatives" };
  }
  if (pattern.startsWith("regex:")) {
    try {
      const found = regex_mode === "match" ? re.match(pattern.slice(6), text) : re.search(pattern.slice(6), text);
      return { is_match: found !== null, reason: "regex", kind: "regex" };
    } catch (error) {
      return { is_match: false, reason: "Invalid Regex: " + error.message, kind: "regex" };
    }
  }
  if (pattern.includes("*") || pattern.includes("?")) {
    return { is_match: fnmatch.fnmatchcase(text, pattern), reason: "wildcard", kind: "wildcard" };
  }
  if (default_match === "exact") return { is_match: text === pattern, reason: "exact", kind: "exact" };
  return { is_match: text.includes(pattern), reason: "contains", kind: "contains" };
}
`;
export const ATOM_C = `function check_existence(items) {
  if (!items || items.length === 0) return { is_match: false, reason: "nothing", evidence: [] };
  return { is_match: true, reason: "found", evidence: items };
}
`;

export function sources(config: string, changes: Partial<AtomSources> = {}): AtomSources {
  return { atom_a: ATOM_A, atom_b: ATOM_B, atom_c: ATOM_C, config, ...changes };
}

export interface SetOptions {
  lineLocal?: boolean | null;
  stub?: boolean;
}

/** Writes `<out>/<id>/` as the pipeline does. Returns the folder. */
export async function writeSet(
  out: string,
  id: string,
  files: AtomSources,
  options: SetOptions = {},
): Promise<string> {
  const store = await OutputStore.open(out, id);
  const facts = {
    item_id: id,
    program_version: "0.0.0",
    contract_version: 1,
    created_at: "2026-01-01T00:00:00.000Z",
    spec: { path: `${id}.md`, sha256: sha256("") },
    evidence: [],
    prompts_sha256: sha256(""),
    author: { provider: "offline", settings: {}, settings_sha256: sha256("") },
    gates: noGateResults(),
    gate_seed: 1,
    line_local: options.lineLocal ?? null,
    warnings: [],
    sandbox_level: "process" as const,
    iterations: 1,
    usage: { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: null },
  };
  if (options.stub) await store.writeHumanRequired(facts, { markdown: "", json: {} }, undefined);
  else await store.writeAccepted(files, facts);
  await store.close();
  return join(out, id);
}

/** Writes a tree of texts or bytes. */
export function writeTree(root: string, files: Record<string, string | Uint8Array>): void {
  for (const [name, data] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), data);
  }
}
