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

/** Every value of the configuration with its origin, in schema order. Optional keys that are not set are null. */
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

/** Mappings are set key by key; the origin shown is that of the first key. */
function nearest(origins: LoadedConfig["origins"], prefix: string) {
  for (const [key, origin] of origins) if (key.startsWith(`${prefix}.`)) return origin;
  return undefined;
}

const showCommand = defineCommand({
  name: "show",
  summary: "print every value of the effective configuration",
  details:
    "Layers, later ones override earlier ones: defaults, atomsmith.yaml (or --config), ATOMSMITH_… variables, -c, flags. " +
    "The configuration contains no secrets.",
  args: {
    ...COMMON_ARGS,
    origin: { type: "boolean", description: "show the origin of each value" },
  },
  examples: [
    { command: "atomsmith config show --origin", does: "show which file, variable or flag set each value" },
    { command: "atomsmith config show -c execution.max_iterations=5", does: "check a value before using it" },
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
  examples: [{ command: "atomsmith config schema > atomsmith.schema.json", does: "a schema for editors" }],
  run: async (_args, { output }) => {
    const schema = schemaByName("config");
    output.result(schema, () => JSON.stringify(schema, null, 2));
    return EXIT.ok;
  },
});

export const configGroup: CommandGroup = {
  kind: "group",
  name: "config",
  summary: "show the configuration and the origin of each value",
  commands: [
    { name: "show", summary: showCommand.summary, load: async () => showCommand },
    { name: "schema", summary: schemaOfConfigCommand.summary, load: async () => schemaOfConfigCommand },
  ],
};
