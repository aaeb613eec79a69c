// The four file tools of the item loop, over the search root of the job. Their quota is part of the
// state, so that resuming a job does not reset it.
import { z } from "zod";
import type { JsonObject } from "../../../../core/json.ts";
import {
  createFileTools,
  TOOL_SPECS,
  type ToolName,
  type ToolsSnapshot,
  toolLimits,
} from "../../../../tools/index.ts";
import { AGENT_LOOP } from "../../schemas.ts";
import { defineTool, type Outcome, refused, type Tool } from "../types.ts";

export function logTool(name: ToolName): Tool {
  const spec = TOOL_SPECS.find((known) => known.name === name);
  const tool = defineTool({
    name,
    category: "logs",
    description: spec?.description ?? name,
    details: "Reads only files below the search root of the job. All log tools share one quota of bytes.",
    schema: z.looseObject({}),
    core: false,
    run: (args, context) => called(name, args, context),
  });
  return spec === undefined ? tool : { ...tool, spec };
}

async function called(name: ToolName, args: unknown, context: Parameters<Tool["call"]>[1]): Promise<Outcome> {
  const { state, config, searchRoot, workspace, signal } = context;
  if (searchRoot === "") return refused("This job has no logs: it was started without --search-root.");
  const tools = createFileTools({
    searchRoot,
    limits: toolLimits(config.tool_constraints),
    hidden: [workspace.root],
    emit: () => {},
    scope: AGENT_LOOP,
    signal,
    ...(state.logs === null ? {} : { restore: state.logs as unknown as ToolsSnapshot }),
  });
  const { ok, content } = await tools.call(name, args);
  // Results are in the conversation already; storing them here would only grow the state.
  const snapshot = { ...tools.snapshot(), observed: [], answers: [] };
  const logs = JSON.parse(JSON.stringify(snapshot)) as JsonObject;
  return { ok, text: content, isData: true, ops: [], patch: { logs } };
}
