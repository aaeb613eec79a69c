// The built executable as an MCP server: the SDK comes from its embedded script, away from any checkout.
import { expect, test } from "bun:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { emptyEnv, executable } from "../support/executable.ts";
import { folders } from "../support/folder.ts";

const folder = folders("e2e-mcp");

test("tools and resources over standard input and output", async () => {
  const cwd = folder({ "a.log": "one\ntwo\n" });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StdioClientTransport({ command: executable(), args: ["mcp"], cwd, env: emptyEnv(cwd) }),
  );
  try {
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toContain("spec_lint");
    const listed = await client.callTool({
      name: "list_available_files",
      arguments: { patterns: ["*.log"] },
    });
    expect(JSON.stringify(listed.content)).toContain("a.log");
    const wrong = await client.callTool({ name: "spec_lint", arguments: {} });
    expect(wrong.isError).toBe(true);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(2);
  } finally {
    await client.close();
  }
}, 30_000);
