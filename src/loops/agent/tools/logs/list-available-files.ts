import { logTool } from "./log-tool.ts";

export const listAvailableFiles = logTool("list_available_files");
