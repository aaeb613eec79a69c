// MCP over standard input and output, until the client goes away or the signal is given.
import { mcpLibrary } from "./driver.ts";
import type { McpOptions } from "./options.ts";
import { createMcpServer, fileTools } from "./server.ts";

/** One connection: the file tools share one quota, and what was listed may be read. */
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
