// A tool as it is described to a model or to a client.
import type { JsonObject } from "../core/json.ts";

export interface ToolSpec {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: JsonObject;
}
