// The description of a tool for a model or a client.
import type { JsonObject } from "../core/json.ts";

export interface ToolSpec {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: JsonObject;
}
