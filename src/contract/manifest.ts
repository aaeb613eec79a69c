// manifest.json of an atom set: what was proved, on which logs, by which author. `check` trusts nothing else.
import { z } from "zod";
import { declarationsSchema, secondLookSchema } from "./declarations.ts";
import { GATE_NAMES } from "./gates.ts";

const hash = z.string().regex(/^[0-9a-f]{64}$/);

export const manifestSchema = z.object({
  format: z.literal(1),
  item_id: z.string(),
  status: z.enum(["accepted", "human_required"]),
  /** True when the atoms are safe stubs, which `check` never runs. */
  stub: z.boolean(),
  program_version: z.string(),
  contract_version: z.number().int(),
  created_at: z.string(),
  /** SHA-256 of atom_a.js, atom_b.js, atom_c.js and config.yaml as written. */
  files: z.record(z.string(), hash),
  /** Relative to the folder of the set; older programs wrote an absolute path. */
  spec: z.object({ path: z.string(), sha256: hash }),
  /** The logs that the author read, by path relative to the search root, by content. */
  evidence: z.array(z.object({ path: z.string(), sha256: hash, bytes: z.number().int() })),
  prompts_sha256: hash,
  author: z.object({
    provider: z.string(),
    /** Model and settings per role, without secrets. */
    settings: z.record(z.string(), z.json()),
    settings_sha256: hash,
  }),
  /** Without gates that were added after the set was accepted. */
  gates: z.partialRecord(z.enum(GATE_NAMES), z.boolean().nullable()),
  gate_seed: z.number().int(),
  line_local: z.boolean().nullable(),
  line_local_evidence: z.string().optional(),
  /** The author's declarations about records and config, each with its quote; absent in sets of older versions. */
  declarations: declarationsSchema.exactOptional(),
  /** Apparent contradictions between words of the page and the config, and the author's answer. */
  second_look: secondLookSchema.exactOptional(),
  /** Number of dropped statements about extraction: they had a text of requirements or waivers, or an unknown quote. */
  doubts_dropped: z.number().int().exactOptional(),
  /** Witnesses of complete runs; absent in sets of older versions, or when none was declared. */
  witnesses: z
    .object({
      patterns: z.array(z.string()),
      /** Specified by the page; otherwise proposed by the author. */
      from_page: z.boolean(),
      /** Why there is no witness. */
      reason: z.string().exactOptional(),
    })
    .exactOptional(),
  warnings: z.array(z.object({ gate: z.string(), code: z.string(), message: z.string() })),
  sandbox_level: z.enum(["full", "partial", "process"]),
  iterations: z.number().int(),
  /** Further inputs that decide whether the item is up to date; a set without them is created again. */
  inputs: z
    .object({
      gates_version: z.number().int(),
      /** Tool limits and iterations: after a change, an item that needs review runs again. */
      limits_sha256: hash,
      /** Names below the search root, when no log was found: after a new file the item runs again. */
      listing_sha256: hash.exactOptional(),
    })
    .exactOptional(),
  /** Waivers of `atomsmith waive`, in addition to those of the page. */
  waivers: z
    .array(
      z.object({
        pattern: z.string(),
        reason: z.string(),
        /** The last day on which it is valid; null: no end. */
        until: z.string().nullable(),
        by: z.string(),
        at: z.string(),
      }),
    )
    .exactOptional(),
  /** A later version of the page in `spec`: the set is outdated until a new one is accepted. */
  outdated: z.object({ path: z.string(), sha256: hash, since: z.string() }).exactOptional(),
  usage: z.object({
    calls: z.number().int(),
    input_tokens: z.number().int(),
    output_tokens: z.number().int(),
    cost_usd: z.number().nullable(),
  }),
});
export type GivenWaiver = NonNullable<z.infer<typeof manifestSchema>["waivers"]>[number];
export type Manifest = z.infer<typeof manifestSchema>;
