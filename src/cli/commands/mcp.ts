// `mcp`: the MCP server on standard input and output.
import { AtomsmithError, EXIT } from "../../core/errors.ts";
import { COMMON_ARGS, defineCommand } from "../command.ts";
import { programOf, SCHEMAS } from "../serve-options.ts";

const { seed: _, provider: __, ...FOLDERS } = COMMON_ARGS;

export const mcpCommand = defineCommand({
  name: "mcp",
  summary: "serve tools for coding agents over the Model Context Protocol",
  details:
    "Speaks the Model Context Protocol on standard input and output, for clients that start the server. Tools: the " +
    "author's four file tools with the same quota, validate_atoms, check, spec_lint, explain_result. Resources: " +
    "items, review reports, schemas. `atomsmith serve` offers the same at /mcp.",
  args: FOLDERS,
  examples: [
    {
      command: "atomsmith mcp --search-root runs/latest",
      does: "command for the configuration of an MCP client",
    },
  ],
  run: async (args, context) => {
    if (context.json) {
      throw new AtomsmithError("usage", "--json cannot be used with mcp: stdout carries the protocol");
    }
    const { ProgramRunner } = await import("../../server/program.ts");
    const { serveMcpOverStdio } = await import("../../server/mcp/stdio.ts");
    const { config, cwd, ownFiles, signal } = context;
    const run = new ProgramRunner(programOf(context, args));
    await serveMcpOverStdio({ config, cwd, ownFiles, run, signal, schemas: SCHEMAS });
    return EXIT.ok;
  },
});
