// An atom set: three functions, a config and the records they exchange. docs/contract.md, section 2.
import { z } from "zod";
import type { JsonObject } from "../core/json.ts";

export const ATOM_FILES = {
  atom_a: "atom_a.js",
  atom_b: "atom_b.js",
  atom_c: "atom_c.js",
  config: "config.yaml",
} as const;
/** The parts of a set; every gate finding refers to one. */
export type AtomPart = keyof typeof ATOM_FILES;
export const ATOM_PARTS = Object.keys(ATOM_FILES) as AtomPart[];

/** Name of the function that each atom must define. */
export const ATOM_FUNCTIONS = {
  atom_a: "extract_context",
  atom_b: "validate_logic",
  atom_c: "check_existence",
} as const;
export type Atom = keyof typeof ATOM_FUNCTIONS;

/** The sources of a set as text; a part that was not written is the empty string. */
export interface AtomSources {
  atom_a: string;
  atom_b: string;
  atom_c: string;
  config: string;
}

/** One record that Atom A extracted, with exactly these keys; docs/contract.md, section 2. */
export interface ParsedItem {
  value: string;
  source_file: string;
  line_number: number | null;
  matched_content: string;
  parsed_fields: JsonObject;
}

export const MATCH_KINDS = ["alternatives", "regex", "wildcard", "contains", "exact"] as const;
export type MatchKind = (typeof MATCH_KINDS)[number];

/** The result of Atom B. */
export interface MatchResult {
  is_match: boolean;
  reason: string;
  kind: MatchKind;
}

/** The result of Atom C. */
export interface ExistenceResult {
  is_match: boolean;
  reason: string;
  evidence: ParsedItem[];
}

export const parsedItemSchema = z.strictObject({
  value: z.string(),
  source_file: z.string(),
  line_number: z.int().min(1).nullable(),
  matched_content: z.string(),
  parsed_fields: z.record(z.string(), z.json()),
});
