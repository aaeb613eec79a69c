// `mcp`: the MCP server over standard input and output.
import { AtomsmithError, EXIT } from "../../core/errors.ts";
import { COMMON_ARGS, defineCommand } from "../command.ts";
import { programOf, SCHEMAS } from "../serve-options.ts";

const { seed: _, provider: __, ...FOLDERS } = COMMON_ARGS;

export const mcpCommand = defineCommand({
  name: "mcp",
  summary: "tools for coding agents, by the Model Context Protocol",
  details:
    "Speaks the Model Context Protocol over standard input and output, for clients that start it themselves. Tools: the " +
    "author's four file tools with the same quota, validate_atoms, check, spec_lint, explain_result. Resources: " +
    "items, reports for a person, schemas. `atomsmith serve` offers the same at /mcp.",
  args: FOLDERS,
  examples: [
    { command: "atomsmith mcp --search-root runs/latest", does: "for the configuration of an MCP client" },
  ],
  run: async (args, context) => {
    if (context.json) {
      throw new AtomsmithError("usage", "mcp has stdout for its protocol; leave out --json");
    }
    const { ProgramRunner } = await import("../../server/program.ts");
    const { serveMcpOverStdio } = await import("../../server/mcp/stdio.ts");
    const { config, cwd, ownFiles, signal } = context;
    const run = new ProgramRunner(programOf(context, args));
    await serveMcpOverStdio({ config, cwd, ownFiles, run, signal, schemas: SCHEMAS });
    return EXIT.ok;
  },
});
