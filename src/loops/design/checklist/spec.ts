// The spec of a checklist project: its items, the paths of their pages and logs, and the overrides of requirements
// and waivers at `check`.
import { z } from "zod";
import type { JsonValue } from "../../../core/json.ts";

/** Names of the stages of the pipeline, in order. */
export const CHECKLIST_STAGES = ["lint", "discover", "author", "gates", "check", "report"] as const;

const itemId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "is not an item ID");
const date = z.iso.date("is not a date; write YYYY-MM-DD");
const reason = z.string().min(1, "a waiver needs a reason");

const waiver = z.union([reason, z.strictObject({ reason, until: date.optional() })], {
  error: "must be a reason, or {reason, until: YYYY-MM-DD}",
});
const requirements = z.strictObject({
  value: z.union([z.literal("N/A"), z.null(), z.int().min(1)], {
    error: 'must be "N/A" or a whole number of at least 1',
  }),
  pattern_items: z.array(z.string().min(1)).default([]),
  expect: z.enum(["present", "absent"]).optional(),
  extra: z.enum(["fail", "info"]).optional(),
});
const item = z.strictObject({
  page: z.string().min(1),
  enabled: z.boolean().default(true),
  requirements: requirements.optional(),
  waivers: z.record(z.string().min(1), waiver).optional(),
  note: z.string().optional(),
});
export type SpecItem = z.infer<typeof item>;

export const checklistSpecSchema = z.strictObject({
  schema: z.literal(1),
  name: z.string(),
  search_root: z.string().min(1),
  variables: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string()).default({}),
  items: z.record(itemId, item),
});
export type ChecklistSpec = z.infer<typeof checklistSpecSchema>;

/** Throws for an invalid spec; versions contain only validated specs. */
export function readSpec(spec: JsonValue): ChecklistSpec {
  return checklistSpecSchema.parse(spec);
}

export function specProblems(spec: JsonValue): string[] {
  const read = checklistSpecSchema.safeParse(spec);
  if (read.success) return [];
  return read.error.issues.map(({ path, message }) => `/${path.map(String).join("/")}: ${message}`);
}

export const SPEC_NOTES = `The spec is {schema: 1, name, search_root, variables, items: {ID: item}}. An item is {page, enabled,
requirements?, waivers?, note?}. page and search_root are paths, absolute or relative to the project.
requirements {value, pattern_items, expect?: present|absent, extra?: fail|info} and waivers replace those of the item's
own config when it is checked; value is "N/A" or the number of pattern_items. waivers is an object from what is waived
(a pattern: exact text, text with * or ?, or regex:EXPRESSION) to its reason, or to {reason, until: YYYY-MM-DD}; after
that day the waiver does not count any more. All waivers of an item are replaced as soon as it has waivers in the
spec: keep those that still hold. The validity stage is check: its failures are the items that do not pass.`;
