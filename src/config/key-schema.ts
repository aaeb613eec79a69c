// The JSON Schema of the configuration, made from the one zod schema when the program is bundled (a macro of the
// bundler; in a checkout when keys.ts is loaded): making it takes longer than reading a configuration file.
import { z } from "zod";
import { configSchema } from "./schema.ts";

/** As a JSON text: what may be written in the file, defaults not required. */
export function keySchema(): string {
  return JSON.stringify(z.toJSONSchema(configSchema, { io: "input" }));
}
