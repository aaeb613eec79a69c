// `config show [--origin]` and `config schema`.
import { configJsonSchema, leafKeys } from "../../config/keys.ts";
import type { LoadedConfig } from "../../config/load.ts";
import { DEFAULT_ORIGIN, originText } from "../../config/origin.ts";
import { EXIT } from "../../core/errors.ts";
import { COMMON_ARGS, type CommandGroup, defineCommand } from "../command.ts";
import { schemaByName } from "./schema.ts";

interface Row {
  key: string;
  value: unknown;
  origin: string;
}

/** Every value of the configuration with its origin, in the order of the schema. Keys that are optional and
 * not set have the value null. */
export function configRows({ config, origins }: LoadedConfig): Row[] {
  return leafKeys(configJsonSchema()).flatMap((key) => {
    const free = key.endsWith(".*");
    const path = (free ? key.slice(0, -2) : key).split(".");
    const value = path.reduce<unknown>(
      (at, step) => (at as Record<string, unknown> | undefined)?.[step],
      config,
    );
    const origin = (full: string) =>
      originText(origins.get(full) ?? nearest(origins, full) ?? DEFAULT_ORIGIN);
    if (!free) return [{ key, value: value ?? null, origin: origin(key) }];
    return Object.entries((value ?? {}) as Record<string, unknown>).map(([name, below]) => {
      const full = `${path.join(".")}.${name}`;
      return { key: full, value: below, origin: origin(full) };
    });
  });
}

/** Values that are mappings are set key by key; their origin is that of the first key. */
function nearest(origins: LoadedConfig["origins"], prefix: string) {
  for (const [key, origin] of origins) if (key.startsWith(`${prefix}.`)) return origin;
  return undefined;
}

const showCommand = defineCommand({
  name: "show",
  summary: "print every value of the configuration in force",
  details:
    "Layers, later ones win: defaults, atomsmith.yaml (or --config), environment ATOMSMITH_…, -c, flags. " +
    "Secrets are no part of the configuration and are never shown.",
  args: {
    ...COMMON_ARGS,
    origin: { type: "boolean", description: "say where each value came from" },
  },
  examples: [
    { command: "atomsmith config show --origin", does: "which file, variable or flag set what" },
    { command: "atomsmith config show -c execution.max_iterations=5", does: "try a value" },
  ],
  run: async ({ origin }, context) => {
    const rows = configRows(context.loaded);
    const document = origin
      ? {
          file: context.loaded.file,
          values: Object.fromEntries(rows.map((r) => [r.key, { value: r.value, origin: r.origin }])),
        }
      : context.config;
    context.output.result(document, (style) => {
      const lines = rows.map((row) => {
        const value = row.value === null ? style.dim("not set") : JSON.stringify(row.value);
        return origin ? [row.key, value, style.dim(row.origin)] : [row.key, value];
      });
      return context.output.table([], lines);
    });
    return EXIT.ok;
  },
});

const schemaOfConfigCommand = defineCommand({
  name: "schema",
  summary: "print the JSON Schema of atomsmith.yaml",
  config: false,
  args: {},
  examples: [
    { command: "atomsmith config schema > atomsmith.schema.json", does: "for editors that complete YAML" },
  ],
  run: async (_args, { output }) => {
    const schema = schemaByName("config");
    output.result(schema, () => JSON.stringify(schema, null, 2));
    return EXIT.ok;
  },
});

export const configGroup: CommandGroup = {
  kind: "group",
  name: "config",
  summary: "show the configuration and where each value came from",
  commands: [
    { name: "show", summary: showCommand.summary, load: async () => showCommand },
    { name: "schema", summary: schemaOfConfigCommand.summary, load: async () => schemaOfConfigCommand },
  ],
};
