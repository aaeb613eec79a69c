// `pipeline.yaml`: stages as commands, and the schema of their spec.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseDocument } from "yaml";
import { z } from "zod";
import { AtomsmithError } from "../../../core/errors.ts";
import { FULL } from "../directive.ts";
import { pointerProblem } from "../patches.ts";

const DEFAULT_TIMEOUT = 600;
const NAME = /^[A-Za-z0-9_-]+$/;

const pointer = z
  .string()
  .refine((text) => text === "" || pointerProblem(text) === undefined, "is not a JSON Pointer");
const stageSchema = z.strictObject({
  name: z
    .string()
    .regex(NAME, "may contain only letters, digits, _ and -")
    .refine((name) => name !== FULL, "cannot be full, which means all stages"),
  run: z.array(z.string()).min(1),
  /** Seconds. */
  timeout: z.number().positive().max(604_800).default(DEFAULT_TIMEOUT),
  /** Parts of the spec that the stage reads; default: all. */
  inputs: z.array(pointer).optional(),
  /** Metrics of its report to keep; default: all. */
  metrics: z.array(z.string()).optional(),
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.coerce.string()).default({}),
});
export type StageSpec = z.infer<typeof stageSchema>;

const pipelineSchema = z
  .strictObject({
    name: z.string().min(1),
    spec_schema: z.union([z.record(z.string(), z.json()), z.boolean()]).optional(),
    spec: z.json().default({}),
    stages: z.array(stageSchema).min(1),
    validity_stage: z.string().optional(),
  })
  .superRefine(({ stages, validity_stage }, context) => {
    const names = stages.map(({ name }) => name);
    names.forEach((name, index) => {
      if (names.indexOf(name) < index)
        context.addIssue({
          code: "custom",
          path: ["stages", index, "name"],
          message: `duplicate stage name ${name}`,
        });
    });
    if (validity_stage === undefined || names.includes(validity_stage)) return;
    context.addIssue({
      code: "custom",
      path: ["validity_stage"],
      message: `unknown stage ${validity_stage}`,
    });
  });
export type PipelineFile = z.infer<typeof pipelineSchema>;

/** Reads a pipeline file. Throws kind `usage` with the file and its problem. */
export function readPipelineFile(path: string): { file: PipelineFile; text: string; dir: string } {
  const where = resolve(path);
  let text: string;
  try {
    text = readFileSync(where, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new AtomsmithError("usage", `cannot read the pipeline file ${where} (${code})`, {
      where,
      cause: error,
    });
  }
  const document = parseDocument(text);
  const [broken] = document.errors;
  if (broken !== undefined) throw invalidPipeline(where, broken.message.split("\n")[0] ?? "");
  const read = pipelineSchema.safeParse(document.toJS({ maxAliasCount: 100 }));
  if (read.success) return { file: read.data, text, dir: dirname(where) };
  throw invalidPipeline(
    where,
    read.error.issues
      .slice(0, 5)
      .map(({ path: at, message }) => `${at.join(".")}: ${message}`)
      .join("; "),
  );
}

function invalidPipeline(where: string, problem: string): AtomsmithError {
  return new AtomsmithError("usage", `${where} is not a valid pipeline file: ${problem}`, { where });
}
