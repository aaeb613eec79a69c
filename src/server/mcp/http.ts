// MCP under `serve`: streamable HTTP. Host, Origin and token were checked before, as for every request.
import { MAX_BODY_BYTES } from "../http/app.ts";
import { mcpLibrary } from "./driver.ts";
import type { McpOptions } from "./options.ts";
import { createMcpServer } from "./server.ts";

export async function mcpHandler(options: McpOptions) {
  const library = await mcpLibrary();
  return library.createMcpHandler(() => createMcpServer(library, options), {
    maxRequestBodySize: MAX_BODY_BYTES,
  });
}
