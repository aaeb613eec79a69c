// Validates the headers of frames from a child, which is not trusted.
import { z } from "zod";
import type { PartReply } from "../protocol.ts";

export const helloSchema = z.object({
  type: z.literal("hello"),
  protocol: z.int(),
  node: z.string().max(100),
  v8: z.string().max(100),
  isolatedVm: z.boolean(),
});
export const jailSchema = z.object({
  type: z.literal("jail"),
  landlock: z.int(),
  seccomp: z.boolean(),
  missing: z.array(z.string().max(1000)).max(50),
});

/** Validates a `part` header; without a schema, because dozens arrive per second. */
export function readPart(header: unknown): PartReply {
  const { type, id, from, count, last } = header as Record<string, unknown>;
  const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
  if (type !== "part" || !isCount(id) || !isCount(from) || !isCount(count) || typeof last !== "boolean") {
    throw new Error("malformed reply header");
  }
  return { type, id, from, count, last };
}

/** The first frame of a child. */
export type Hello = z.infer<typeof helloSchema>;
/** The report of the launcher, sent before the hello frame of a jailed child. */
export type JailReport = z.infer<typeof jailSchema>;
