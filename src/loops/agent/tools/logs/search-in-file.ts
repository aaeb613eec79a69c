import { logTool } from "./log-tool.ts";

export const searchInFile = logTool("search_in_file");
