// The MCP server: the author's four file tools, and commands over pages and atom sets, for coding agents.
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Config } from "../../config/schema.ts";
import { AtomsmithError, toAtomsmithError } from "../../core/errors.ts";
import { truncate } from "../../core/limits.ts";
import { VERSION } from "../../core/version.ts";
import { PathGuard } from "../../files/guard.ts";
import { createFileTools, type FileTools, TOOL_SPECS, toolLimits } from "../../tools/index.ts";
import { itemIdSchema } from "../jobs/kinds.ts";
import type { CommandFlags } from "../program.ts";
import type { McpLibrary } from "./driver.ts";
import type { McpOptions } from "./options.ts";
import { addResources } from "./resources.ts";

/** Time limit of a command, and maximum bytes of an answer. */
const LIMITS = { commandMs: 10 * 60_000, answerBytes: 200_000 };

const READ_ONLY = { readOnlyHint: true, openWorldHint: false } as const;

/** @param tools shared by the calls of a persistent connection; absent: every call has its own quota and needs no
 * discovery before it, as in `atomsmith tools` */
export function createMcpServer(library: McpLibrary, options: McpOptions, tools?: FileTools): McpServer {
  const server = new library.McpServer(
    { name: "atomsmith", version: VERSION },
    {
      instructions:
        "Read logs with list_available_files, search_in_file and read_file_range. Lint pages with spec_lint, validate " +
        "atom sets with validate_atoms, run them with check, and read why with explain_result.",
    },
  );
  for (const { name, description, parameters } of TOOL_SPECS) {
    const inputSchema = library.fromJsonSchema<Record<string, unknown>>(parameters as never);
    server.registerTool(name, { description, inputSchema, annotations: READ_ONLY }, async (args) => {
      const { ok, content } = await (tools ?? fileTools(options, false)).call(name, args);
      return { content: [{ type: "text", text: content }], ...(ok ? {} : { isError: true }) };
    });
  }
  addCommands(server, options);
  addResources(library, server, options);
  return server;
}

/** The tools with the limits of the configuration. */
export function fileTools({ config, ownFiles, signal }: McpOptions, discovery = true): FileTools {
  const { paths, tool_constraints } = config;
  const limits = toolLimits(tool_constraints);
  const folders = [paths.item_specs_dir, paths.output_dir, paths.cache_dir];
  return createFileTools({
    searchRoot: paths.search_root,
    limits: discovery ? limits : { ...limits, requireDiscovery: false },
    // A folder that contains the search root hides nothing.
    hidden: [
      ...folders.filter((folder) => relative(folder, paths.search_root).startsWith("..")),
      ...ownFiles,
    ],
    emit: () => {},
    scope: "mcp",
    signal,
  });
}

function addCommands(server: McpServer, options: McpOptions): void {
  const { config } = options;
  const setsOf = (items: readonly string[]): string[] => items.map((id) => join(config.paths.output_dir, id));
  const items = z.array(itemIdSchema).max(1000);
  server.registerTool(
    "validate_atoms",
    {
      description:
        "Runs every gate on atom sets of the output folder and returns the document of `validate --json`.",
      inputSchema: z.object({ items: items.min(1) }),
      annotations: READ_ONLY,
    },
    (args) => command(options, ["validate", "--", ...setsOf(args.items)]),
  );
  server.registerTool(
    "check",
    {
      description:
        "Runs accepted atom sets on the logs and returns the document of `check --json`: pass, fail or error with " +
        "evidence. Without items: all sets.",
      inputSchema: z.object({
        items: items.optional(),
        show_items: z.boolean().optional().describe("also every record that was extracted"),
      }),
      annotations: READ_ONLY,
    },
    (args) => {
      const show = args.show_items === true ? ["--items"] : [];
      return command(options, ["check", ...show, "--", ...setsOf(args.items ?? [])]);
    },
  );
  server.registerTool(
    "spec_lint",
    {
      description: "Lints a page (ItemSpec) and returns the document of `spec lint --json`.",
      inputSchema: z.object({
        page: z.string().min(1).max(4096).describe("path relative to paths.item_specs_dir"),
      }),
      annotations: READ_ONLY,
    },
    ({ page }) =>
      guarded(async () => command(options, ["spec", "lint", "--", pagePath(page, config)], "program")),
  );
  server.registerTool(
    "explain_result",
    {
      description:
        "Checks one item and returns its report: the verdict, each violation with file and line, the waivers.",
      inputSchema: z.object({ item: itemIdSchema }),
      annotations: READ_ONLY,
    },
    ({ item }) => guarded(() => explain(options, item)),
  );
}

/** A page below the folder of pages, with links resolved. */
function pagePath(page: string, config: Config): string {
  const guard = new PathGuard(config.paths.item_specs_dir);
  const below = guard.below(page);
  const place = below === undefined ? undefined : guard.resolve(below);
  if (place?.inside === true) return place.path;
  throw new AtomsmithError("usage", "the page is outside paths.item_specs_dir", {
    hint: "use a path relative to paths.item_specs_dir",
  });
}

async function command(
  { run, signal }: McpOptions,
  args: readonly string[],
  flags: CommandFlags = "items",
): Promise<CallToolResult> {
  return guarded(async () => {
    const { exit, document } = await run.document(args, { timeoutMs: LIMITS.commandMs, signal, flags });
    // Other codes mean that the command failed; a verdict is not an error of the tool.
    const isError = document === undefined || ![0, 3, 7, 8].includes(exit);
    return {
      ...text(JSON.stringify(document ?? { error: `the command ended with exit code ${exit}` })),
      ...(isError ? { isError } : {}),
    };
  });
}

async function explain({ run, signal, config }: McpOptions, item: string): Promise<CallToolResult> {
  const dir = await mkdtemp(join(tmpdir(), "atomsmith-mcp-"));
  try {
    const args = ["check", `--report-dir=${dir}`, "--", join(config.paths.output_dir, item)];
    const { document } = await run.document(args, { timeoutMs: LIMITS.commandMs, signal });
    const [name] = await readdir(join(dir, "reports")).catch(() => [] as string[]);
    if (name === undefined) return { ...text(JSON.stringify(document ?? {})), isError: true };
    return text(await readFile(join(dir, "reports", name), "utf8"));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function text(content: string): CallToolResult {
  return { content: [{ type: "text", text: truncate(content, LIMITS.answerBytes).text }] };
}

/** Returns errors as answers of the tool, so that an agent can react. */
async function guarded(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (thrown) {
    const error = toAtomsmithError(thrown);
    const hint = error.details.hint === undefined ? "" : ` ${error.details.hint}`;
    return { content: [{ type: "text", text: `${error.message}.${hint}` }], isError: true };
  }
}
