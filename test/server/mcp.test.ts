// The client of the official SDK against `atomsmith mcp` and `/mcp`.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { PROGRAM } from "../support/program.ts";
import { type Served, serveFixtures } from "../support/serve.ts";

let server: Served;
beforeAll(async () => {
  server = await serveFixtures({ items: ["STA-03", "IRD-10"] });
  expect((await server.job("batch")).exit_code).toBe(3);
}, 60_000);
afterAll(() => server.drop());

async function overStdio(): Promise<Client> {
  const [command = "", ...args] = PROGRAM;
  const client = new Client({ name: "test", version: "1" });
  const settings = [
    `paths.item_specs_dir=${join(server.dir, "items")}`,
    `paths.search_root=${join(server.dir, "logs")}`,
  ];
  await client.connect(
    new StdioClientTransport({
      command,
      args: [...args, ...settings.flatMap((setting) => ["-c", setting]), "mcp"],
      cwd: server.dir,
    }),
  );
  return client;
}

async function overHttp(): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", server.url)));
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: args });
  const [first] = result.content as { type: string; text: string }[];
  return { text: first?.text ?? "", failed: result.isError === true };
}

describe.each([
  ["stdio", overStdio],
  ["streamable HTTP", overHttp],
])("over %s", (_, connect) => {
  test("all tools and resources are available", async () => {
    const client = await connect();
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name).sort()).toEqual([
        "check",
        "explain_result",
        "list_available_files",
        "read_file_header",
        "read_file_range",
        "search_in_file",
        "spec_lint",
        "validate_atoms",
      ]);
      const listed = await call(client, "list_available_files", { patterns: ["sta/*.log"] });
      expect(JSON.parse(listed.text)).toMatchObject({ total_found: 1 });
      const range = { file_path: "sta/func_ss.log", start_line: 6, end_line: 6 };
      expect((await call(client, "read_file_range", range)).text).toContain("soc_top.v.gz");
      expect((await call(client, "read_file_range", { ...range, file_path: "../items/x" })).failed).toBe(
        true,
      );
      expect((await call(client, "spec_lint", { page: "STA-03_ItemSpec.md" })).failed).toBe(false);
      expect((await call(client, "spec_lint", { page: "../cache/x" })).failed).toBe(true);
      const checked = await call(client, "check", { items: ["STA-03"] });
      expect(JSON.parse(checked.text)).toMatchObject({ results: [{ item_id: "STA-03", outcome: "pass" }] });
      const valid = await call(client, "validate_atoms", { items: ["STA-03"] });
      expect(JSON.parse(valid.text)).toMatchObject({ results: [{ valid: true }] });
      expect((await call(client, "explain_result", { item: "STA-03" })).text).toContain("STA-03");
      const { resources } = await client.listResources();
      const uris = resources.map(({ uri }) => uri);
      for (const uri of [
        "atomsmith://item/STA-03",
        "atomsmith://report/IRD-10",
        "atomsmith://schema/check",
      ]) {
        expect(uris).toContain(uri);
        const { contents } = await client.readResource({ uri });
        expect(JSON.stringify(contents).length).toBeGreaterThan(100);
      }
      await expect(client.readResource({ uri: "atomsmith://report/..%2f.." })).rejects.toThrow();
    } finally {
      await client.close();
    }
  }, 60_000);
});

test("over stdio a file must be listed before it is read", async () => {
  const client = await overStdio();
  const { text, failed } = await call(client, "read_file_header", { file_path: "sta/func_ss.log" });
  expect(failed).toBe(true);
  expect(text).toContain("list_available_files");
  await client.close();
});
