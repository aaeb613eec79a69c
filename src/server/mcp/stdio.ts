// MCP over standard input and output, until the client disconnects or the signal is aborted.
import { mcpLibrary } from "./driver.ts";
import type { McpOptions } from "./options.ts";
import { createMcpServer, fileTools } from "./server.ts";

/** One connection: its calls share one quota, and listed files may be read. */
export async function serveMcpOverStdio(options: McpOptions): Promise<void> {
  const tools = fileTools(options);
  const library = await mcpLibrary();
  const handle = library.serveStdio(() => createMcpServer(library, options, tools));
  await new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
    options.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await handle.close();
}
