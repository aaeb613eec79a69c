// The JSON Schema of the configuration, derived from the zod schema at bundling time (a macro of the bundler; in a
// checkout when keys.ts is loaded), since that takes longer than reading a configuration file.
import { z } from "zod";
import { configSchema } from "./schema.ts";

/** The JSON Schema of the configuration file as text; keys with defaults are optional. */
export function keySchema(): string {
  return JSON.stringify(z.toJSONSchema(configSchema, { io: "input" }));
}
