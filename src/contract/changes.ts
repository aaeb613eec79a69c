// The differences between a new atom set and the accepted one: the `changes` member of the JSON of `batch`, `generate`
// and `resume`. Lists are bounded; `total` counts all entries.
import { z } from "zod";

/** Maximum entries of a list. */
export const CHANGES_SHOWN = 20;

function bounded<T extends z.ZodType>(entry: T) {
  return z.object({
    total: z.int().min(0),
    first: z.array(entry).describe(`the first ${CHANGES_SHOWN}`),
  });
}

const fields = z.record(z.string(), z.string()).describe("fields of the record as text");
const place = {
  file: z.string().describe("relative to the search root"),
  line_number: z.int().nullable(),
};
const recordSchema = z.object({ value: z.string(), ...place, fields });
const changedRecordSchema = z.object({
  ...place,
  before: z.object({ value: z.string(), fields: fields.describe("only those that differ") }),
  after: z.object({ value: z.string(), fields: fields.describe("only those that differ") }),
});
const settingSchema = z.object({
  key: z.string().describe("key of the item config, e.g. requirements.pattern_items"),
  before: z.string().nullable().describe("null: added"),
  after: z.string().nullable().describe("null: removed"),
});
const waiverSchema = z.object({ reason: z.string(), until: z.string().nullable() });
const waiverChangeSchema = z.object({
  pattern: z.string(),
  before: waiverSchema.nullable().describe("null: added"),
  after: waiverSchema.nullable().describe("null: removed"),
});

const sideSchema = z.object({
  outcome: z.enum(["pass", "fail", "error"]).nullable().describe("null when it was not run"),
  records: z.int().min(0).nullable(),
  problem: z.string().nullable().describe("why it could not be run, or its records cannot be compared"),
});

export const setChangesSchema = z.object({
  kind: z
    .enum(["new", "changed", "same", "unknown"])
    .describe("new: there was no accepted set; unknown: the sets could not be compared"),
  before: sideSchema.nullable().describe("the accepted set on the logs of today; null for new"),
  after: sideSchema.describe("the new set on the same logs"),
  records: z
    .object({
      gained: bounded(recordSchema),
      lost: bounded(recordSchema),
      changed: bounded(changedRecordSchema).describe("same line, another value or other fields"),
    })
    .nullable()
    .describe("null when one of the sets could not be run"),
  requirements: bounded(settingSchema).describe("the config but its waivers"),
  waivers: bounded(waiverChangeSchema),
  files: z.array(z.string()).describe("files of the set whose text differs"),
});

export type SetChanges = z.infer<typeof setChangesSchema>;
export type SetSide = z.infer<typeof sideSchema>;
export type RecordText = z.infer<typeof recordSchema>;
export type ChangedRecord = z.infer<typeof changedRecordSchema>;
export type SettingChange = z.infer<typeof settingSchema>;
export type WaiverTerms = z.infer<typeof waiverSchema>;
export type WaiverChangeEntry = z.infer<typeof waiverChangeSchema>;
export interface Bounded<T> {
  total: number;
  first: T[];
}
