// MCP under `serve`: streamable HTTP. Host, Origin and token were checked before, as for every request.
import { createMcpHandler } from "@modelcontextprotocol/server";
import { MAX_BODY_BYTES } from "../http/app.ts";
import { createMcpServer, type McpOptions } from "./server.ts";

export function mcpHandler(options: McpOptions) {
  return createMcpHandler(() => createMcpServer(options), { maxRequestBodySize: MAX_BODY_BYTES });
}
