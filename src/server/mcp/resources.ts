// Resources of the MCP server: items with their atoms, review requests, schemas of documents.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { McpServer } from "@modelcontextprotocol/server";
import { itemStatus, statusOfAll } from "../../batch/status.ts";
import { ATOM_FILES } from "../../contract/atoms.ts";
import { AtomsmithError } from "../../core/errors.ts";
import { readAtomSources } from "../../runtime/atom-set.ts";
import { checkId } from "../../store/index.ts";
import type { McpLibrary } from "./driver.ts";
import type { McpOptions } from "./options.ts";

/** Maximum number of items in a listing. */
const MOST = 1000;

export function addResources(
  { ResourceTemplate }: McpLibrary,
  server: McpServer,
  { config, schemas }: McpOptions,
): void {
  const { cache_dir, output_dir } = config.paths;
  const all = () => statusOfAll(cache_dir, output_dir);
  server.registerResource(
    "item",
    new ResourceTemplate("atomsmith://item/{id}", {
      list: async () => ({
        resources: (await all()).slice(0, MOST).map(({ item_id, state }) => ({
          uri: `atomsmith://item/${item_id}`,
          name: item_id,
          description: state,
          mimeType: "application/json",
        })),
      }),
    }),
    { description: "state of an item and its atoms", mimeType: "application/json" },
    async (uri, { id }) => {
      const item = String(id);
      const status = await itemStatus(cache_dir, output_dir, item);
      if (status === undefined) throw new AtomsmithError("usage", `item ${item} not found`);
      const sources = await readAtomSources(join(output_dir, item));
      const files = Object.fromEntries(
        Object.entries(ATOM_FILES).map(([part, name]) => [name, sources[part as keyof typeof sources]]),
      );
      return json(uri, { ...status, files });
    },
  );
  server.registerResource(
    "report",
    new ResourceTemplate("atomsmith://report/{id}", {
      list: async () => ({
        resources: (await all())
          .filter(({ state }) => state === "human_required")
          .slice(0, MOST)
          .map(({ item_id }) => ({
            uri: `atomsmith://report/${item_id}`,
            name: `${item_id}: review request`,
            mimeType: "text/markdown",
          })),
      }),
    }),
    { description: "what needs review in an item", mimeType: "text/markdown" },
    async (uri, { id }) => {
      checkId(String(id));
      const path = join(output_dir, String(id), "human_intervention_report.md");
      const text = await readFile(path, "utf8").catch(() => {
        throw new AtomsmithError("usage", `${String(id)} does not need review`);
      });
      return { contents: [{ uri: uri.href, mimeType: "text/markdown", text }] };
    },
  );
  for (const name of schemas.names) {
    server.registerResource(
      `schema ${name}`,
      `atomsmith://schema/${name}`,
      { mimeType: "application/schema+json" },
      async (uri) => json(uri, schemas.of(name), "application/schema+json"),
    );
  }
}

function json(uri: URL, value: unknown, mimeType = "application/json") {
  return { contents: [{ uri: uri.href, mimeType, text: JSON.stringify(value, null, 2) }] };
}
