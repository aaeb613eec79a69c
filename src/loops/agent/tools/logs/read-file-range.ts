import { logTool } from "./log-tool.ts";

export const readFileRange = logTool("read_file_range");
